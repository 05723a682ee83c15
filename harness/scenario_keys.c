/* scenario_keys.c - the keys at the top of a scenario, of its policy and of its target. */
#include "scenario_keys.h"
#include <string.h>
#include "scenario.h"
#include "units.h"

enum { LIMITS_MAX = 64, SEEDS_MAX = 100000 };

static const char *const target_kinds[] = { [TARGET_CURVE] = "curve", [TARGET_WINDOW] = "window", NULL };
static const char *const modes[] = { [MODE_SIMULATE] = "simulate", [MODE_EXPLORE] = "explore", NULL };
static const char *const spreads[] = { [SPREAD_AUTO] = "auto", [SPREAD_OFF] = "off", NULL };
static const char *const causes[] = { [CAUSES_AUTO] = "auto", [CAUSES_OFF] = "off", NULL };

bool read_path(struct loading *loading, const struct yaml_tree *node, const struct field *field, void *slot)
{
    const char *text = node_text(loading, node, field->name, field->type);

    if (!text)
        return false;
    if (!*text)
        return refuse_node(loading, node, "%s is empty; expected %s", field->name, field->type);
    const char *folder = *text == '/' ? "" : loading->draft->folder;
    *(const char **)slot = arena_format(loading->arena, "%s%s", folder, text);
    return true;
}

bool read_texts(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                uint32_t *count, const char *const **texts, struct origin **origins)
{
    const struct yaml_tree *item;

    if (!node_list(loading, node, field, count, &item))
        return false;
    const char **text = arena_alloc(loading->arena, *count * sizeof *text);
    struct origin *origin = arena_alloc(loading->arena, *count * sizeof *origin);
    for (uint32_t i = 0; i < *count; i++, item = item->next) {
        text[i] = node_text(loading, item, field->name, field->type);
        if (!text[i])
            return false;
        if (!*text[i])
            return refuse_node(loading, item, "%s: a text is empty; expected %s", field->name, field->type);
        origin[i] = item->origin;
    }
    *texts = text;
    *origins = origin;
    return true;
}

bool read_known_designs(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                        uint32_t *count, const char *const **designs)
{
    const struct experiment *experiment = loading->draft->experiment;
    struct origin *origin;

    if (!read_texts(loading, node, field, count, designs, &origin))
        return false;
    const char **known = arena_alloc(loading->arena, (experiment->designs + 1) * sizeof *known);
    for (uint32_t i = 0; i < experiment->designs; i++)
        known[i] = experiment->design[i];
    for (uint32_t i = 0; experiment->designs && i < *count; i++) {
        struct yaml_tree said = { .kind = YAML_TEXT, .origin = origin[i] };
        if (name_index((*designs)[i], known) < 0)
            return refuse_name(loading, &said, field->name, (*designs)[i], known);
    }
    return true;
}

static bool read_limits(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                        void *slot)
{
    struct experiment *experiment = slot;
    const struct yaml_tree *item;
    unsigned count;

    if (!node_list(loading, node, field, &count, &item))
        return false;
    if (count > LIMITS_MAX)
        return refuse_node(loading, node, "%s lists %u of them; expected at most %d", field->name, count,
                           LIMITS_MAX);
    int64_t *limit = arena_alloc(loading->arena, count * sizeof *limit);
    for (unsigned i = 0; i < count; i++, item = item->next)
        if (!read_count(loading, item, field, &limit[i]))
            return false;
    experiment->limits = count;
    experiment->limit = limit;
    return true;
}

static bool read_policy(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                        void *slot)
{
    (void)field;
    return read_section(loading, node, &policy_section, 0, slot);
}

/* A bare word is the kind, and the rest is as the policy says. */
static bool read_target(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                        void *slot)
{
    struct target *target = slot;

    if (node->kind != YAML_TEXT)
        return read_section(loading, node, &target_section, 0, target);
    struct field kind = *field;
    kind.choices = target_kinds;
    return read_choice(loading, node, &kind, &target->kind);
}

static bool read_designs(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                         void *slot)
{
    struct experiment *experiment = slot;

    return read_texts(loading, node, field, &experiment->designs, &experiment->design,
                      &experiment->design_origin);
}

/* "7" or "1..20". */
static bool read_seeds(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                       void *slot)
{
    struct experiment *experiment = slot;
    const char *text = node_text(loading, node, field->name, field->type);
    int64_t first = 0, last = 0;

    if (!text)
        return false;
    const char *dots = strstr(text, "..");
    char *low = arena_text(loading->arena, text);
    if (dots)
        low[dots - text] = '\0';
    const char *wrong = parse_count(low, 0, INT64_MAX, &first);
    if (!wrong)
        wrong = parse_count(dots ? dots + 2 : low, 0, INT64_MAX, &last);
    if (wrong || last < first || last - first >= SEEDS_MAX)
        return refuse_node(loading, node,
                           "%s: '%.60s' is not a range of seeds; expected 1 or 1..20, at most %d of them",
                           field->name, text, SEEDS_MAX);
    experiment->first_seed = (uint64_t)first;
    experiment->last_seed = (uint64_t)last;
    return true;
}

static bool read_requires(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                          void *slot)
{
    struct experiment *experiment = slot;
    const char *const *text;
    struct origin *origin;
    char why[CONDITION_WHY];

    if (!read_texts(loading, node, field, &experiment->requires, &text, &origin))
        return false;
    struct condition *require = arena_alloc(loading->arena, experiment->requires * sizeof *require);
    for (uint32_t i = 0; i < experiment->requires; i++)
        if (!condition_parse(text[i], &require[i], why))
            return fail(loading->failure, EXIT_USAGE, origin[i].file, origin[i].line, "%s: '%.60s': %s",
                        field->name, text[i], why);
    experiment->require = require;
    return true;
}

#define IN(member) offsetof(struct experiment, member)

static const struct field policy_fields[] = {
    { "limit", "count or list of counts", read_limits, .low = 1, .high = COST_MAX, .standard = "100",
      .example = "[50, 100]",
      .meaning = "How much cost passes in one period. Several limits are several rows." },
    { "period", "duration", read_duration, IN(period_ns), 1, PERIOD_MAX, .standard = "60s", .example = "60s",
      .meaning = "How long a period is, from 1ns to ten years." },
    { "burst", "count", read_count, IN(burst), 1, COST_MAX, .standard = "(equals the limit)", .example = "20",
      .meaning = "How much may pass at once, for limiters that know the difference." },
    { "variants", "mapping of policies", read_variants, 0, .standard = "(none)",
      .example = "{gold: {limit: 100}, next: {format: 1}}",
      .meaning = "Other versions of the policy by name, which streams and traces may carry." },
    { 0 }
};

const struct section policy_section = { "policy", "a policy", policy_fields, NULL, NULL };

#undef IN
#define IN(member) offsetof(struct target, member)

static const struct field target_fields[] = {
    { "kind", "`curve` or `window`", read_choice, IN(kind), .choices = target_kinds, .standard = "curve",
      .example = "window",
      .meaning = "`curve`: burst + rate * t; `window`: at most the limit in any one period." },
    { "limit", "count", read_count, IN(limit), 1, COST_MAX, .standard = "(the policy's)", .example = "100",
      .meaning = "The limit that is judged against, when it is not the one that the limiter runs." },
    { "period", "duration", read_duration, IN(period_ns), 1, PERIOD_MAX, .standard = "(the policy's)",
      .example = "60s", .meaning = "Its period." },
    { "burst", "count", read_count, IN(burst), 1, COST_MAX, .standard = "(the policy's)", .example = "20",
      .meaning = "Its burst (for the curve)." },
    { 0 }
};

const struct section target_section = { "target", "a target", target_fields, NULL, NULL };

#undef IN
#define IN(member) offsetof(struct experiment, member)

static const struct field scenario_fields[] = {
    { "title", "text", read_text, IN(title), .standard = "", .example = "Two regions both read nine",
      .meaning = "One line: what is tried." },
    { "story", "text", read_text, IN(story), .standard = "", .example = "One key, nine of ten used.",
      .meaning = "Two to four sentences: what happens, why, and what to look at." },
    { "policy", "mapping", read_policy, 0, .standard = "(100 per 60s)", .example = "{limit: 10, period: 60s}",
      .meaning = "The limit that every design enforces." },
    { "ceiling", "mapping", read_ceiling, IN(ceiling), .standard = "(none)",
      .example = "{limit: 1000, period: 60s, per: all}",
      .meaning = "A second limit above the keys' own: always judged, and kept by designs whose `takes` asks "
                 "for it." },
    { "work", "duration", read_duration, IN(work_ns), 0, PERIOD_MAX, .standard = "0s", .example = "100ms",
      .meaning = "How long the work of an admitted request takes, for `takes` that charge after it." },
    { "target", "`curve`, `window` or mapping", read_target, IN(target), .standard = "curve",
      .example = "window", .meaning = "What the outcome is judged against." },
    { "topology", "mapping", read_topology, 0,
      .standard = "(one region, one instance, no delay, perfect clocks)", .example = "{regions: [fra, iad]}",
      .meaning = "Regions, what lies between them, and their clocks." },
    { "mode", "`simulate` or `explore`", read_choice, IN(mode), .choices = modes, .standard = "simulate",
      .example = "simulate",
      .meaning = "`explore`: every interleaving of a small world; claims are about what that found." },
    { "explore", "mapping", read_explore, 0, .standard = "(2 clients, 1 request each)",
      .example = "{clients: 3, requests: 2}", .meaning = "The small world (with `mode: explore`)." },
    { "traffic", "mapping or list of mappings", read_traffic_list, 0,
      .standard = "(must be there, but with `mode: explore`)",
      .example = "[{generator: poisson, rate: 400/s, duration: 10s}]",
      .meaning = "Where requests come from; all streams run together." },
    { "faults", "mapping or list of mappings", read_faults, 0, .standard = "(none)",
      .example = "[{outage: all, from: 10s, to: 20s}]", .meaning = "What goes wrong, and when." },
    { "timeout", "duration", read_duration, IN(timeout_ns), 1, PERIOD_MAX, .standard = "5s",
      .example = "200ms", .meaning = "When a caller gives up on an answer." },
    { "designs", "design or list of designs", read_designs, 0,
      .standard = "(the usual contenders for the topology)", .example = "[gcra@cas, fixed-window@kv]",
      .meaning = "LIMITER@COORDINATION[:PARAM=VALUE]..., or a system's name." },
    { "seeds", "count or range", read_seeds, 0, .standard = "1", .example = "1..20",
      .meaning = "Every design runs once for each of them; claims must come true for all." },
    { "require", "condition or list of conditions", read_requires, 0, .standard = "(nothing)",
      .example = "['p99<=20ms', 'boundary_burst<=1.1']", .meaning = "Marks the designs that qualify." },
    { "spread", "`auto` or `off`", read_choice, IN(spread), .choices = spreads, .standard = "auto",
      .example = "off",
      .meaning = "Whether times coarser than the network are also spread inside their precision." },
    { "zoo", "mapping", read_zoo, 0, .standard = "(no case of the zoo)",
      .example = "{class: RACE, case: INCR, flaw: fixed-window@get-then-set, cure: fixed-window@owner}",
      .meaning = "The known bug that this scenario shows: scenarios/zoo/README.md." },
    { "causes", "`auto` or `off`", read_choice, IN(causes), .choices = causes, .standard = "auto",
      .example = "off",
      .meaning = "Whether an excess is split by cause, which takes up to four more runs of each design." },
    { "lesson", "mapping", read_lesson, 0, .standard = "(no lesson)",
      .example = "{question: Who passes?, command: limitlab check x.yaml, look: Retries., why: A race.}",
      .meaning = "What this scenario teaches: scenarios/lessons/README.md." },
    { "claims", "list of mappings", read_claims, 0, .standard = "(none)", .example = "[{target: holds}]",
      .meaning = "What `limitlab check` holds this scenario to." },
    { 0 }
};

const struct section scenario_section = { "", "a scenario", scenario_fields, NULL, NULL };

const struct section *const scenario_sections[] = {
    &scenario_section, &policy_section, &variant_section, &ceiling_section, &target_section,
    &explore_section, &topology_section, &region_section, &link_section,
    &delay_section, &exponential_section, &log_normal_section,
    &clock_section, &clock_step_section, &traffic_section, &retry_section, &fault_section, &zoo_section,
    &lesson_section, &claim_section, NULL
};

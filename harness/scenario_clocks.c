/* scenario_clocks.c - clocks that are wrong: which ones, and how. */
#include <string.h>
#include "scenario_keys.h"
#include "units.h"

enum { CLOCKS_MAX = 4096, STEPS_MAX = 4096, BILLIONTHS_PER_PPB = 1000000 };

static const char *const all[] = { "all", NULL };
static const char *const truths[] = { "false", "true", NULL };

/* "all" or the number of an instance, counted from 0. */
static bool read_instance(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                          void *slot)
{
    int64_t *instance = slot;

    *instance = -1;
    if (node->kind == YAML_TEXT && strcmp(node->text, all[0]) == 0)
        return true;
    return read_count(loading, node, field, instance);
}

static bool read_truth(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                       void *slot)
{
    unsigned index = 0;
    bool good = read_choice(loading, node, field, &index);

    *(bool *)slot = index;
    return good;
}

/* Parts per million, with a sign: "20", "-0.5".  A clock knows whole parts per billion. */
static bool read_drift(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                       void *slot)
{
    const char *text = node_text(loading, node, field->name, field->type);
    int64_t billionths = 0;

    if (!text)
        return false;
    bool negative = *text == '-';
    const char *wrong = parse_fraction(text + (negative || *text == '+'), &billionths);
    if (wrong || billionths % BILLIONTHS_PER_PPB || billionths / BILLIONTHS_PER_PPB > INT64_C(999999999))
        return refuse_node(loading, node, "%s: '%.60s' is not a drift; expected parts per million with at "
                           "most three decimals, as in -12.5, below 1000000", field->name, text);
    int64_t ppb = billionths / BILLIONTHS_PER_PPB;
    *(int64_t *)slot = negative ? -ppb : ppb;
    return true;
}

static bool read_steps(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                       void *slot)
{
    struct clock *clock = slot;
    const struct yaml_tree *item = node->first;

    if (node->kind != YAML_LIST || node->children > STEPS_MAX)
        return refuse_node(loading, node, "%s is %s of %u; expected a list of at most %d, as in %s",
                           field->name, yaml_kind_text(node), node->children, STEPS_MAX, field->example);
    struct clock_step *step = arena_alloc(loading->arena, node->children * sizeof *step);
    for (unsigned i = 0; i < node->children; i++, item = item->next) {
        if (!read_section(loading, item, &clock_step_section, 0, &step[i]))
            return false;
        if (i && step[i].at_ns <= step[i - 1].at_ns)
            return refuse_node(loading, item,
                               "this step is not after the one before it; expected steps in order of time");
    }
    clock->steps = node->children;
    clock->step = step;
    return true;
}

/* The instance must exist: in the region that is named, or else in some region. */
static bool check_instance(struct loading *loading, const struct yaml_tree *node,
                           const struct clock_spec *clock)
{
    const struct topology *topology = &loading->draft->experiment->topology;
    uint32_t most = 0;

    for (uint32_t i = 0; i < topology->regions; i++)
        if ((clock->region < 0 || clock->region == i) && topology->instances[i] > most)
            most = topology->instances[i];
    return clock->instance < (int64_t)most ||
           refuse_node(loading, node, "there is no instance %lld; expected 0 to %u, or all",
                       (long long)clock->instance, most - 1);
}

static bool read_clock(struct loading *loading, const struct yaml_tree *node, struct clock_spec *clock)
{
    if (!read_section(loading, node, &clock_section, 0, clock) || !check_instance(loading, node, clock))
        return false;
    clock->origin = node->origin;
    const char *wrong = clock_init(&clock->clock);
    return !wrong || refuse_node(loading, node, "this clock cannot be: %s", wrong);
}

bool read_clocks(struct loading *loading, const struct yaml_tree *node, const struct field *field, void *slot)
{
    struct topology *topology = &loading->draft->experiment->topology;
    const struct yaml_tree *item = node->first;

    (void)slot;
    if (node->kind != YAML_LIST || node->children > CLOCKS_MAX)
        return refuse_node(loading, node, "%s is %s of %u; expected a list of at most %d, as in %s",
                           field->name, yaml_kind_text(node), node->children, CLOCKS_MAX, field->example);
    struct clock_spec *clock = arena_alloc(loading->arena, node->children * sizeof *clock);
    for (unsigned i = 0; i < node->children; i++, item = item->next)
        if (!read_clock(loading, item, &clock[i]))
            return false;
    topology->clocks = node->children;
    topology->clock = clock;
    return true;
}

#define IN(member) offsetof(struct clock_spec, member)

static const struct field clock_fields[] = {
    { "region", "region or `all`", read_region, IN(region), .choices = all, .standard = "all",
      .example = "fra", .meaning = "Whose clocks." },
    { "instance", "count or `all`", read_instance, IN(instance), 0, NODES_MAX - 1, .standard = "all",
      .example = "0", .meaning = "Which instance's, counted from 0." },
    { "store", "`true` or `false`", read_truth, IN(store_clock), .choices = truths, .standard = "false",
      .example = "true", .meaning = "The stores' clock there instead of an instance's." },
    { "offset", "duration with a sign", read_signed_duration, IN(clock.offset_ns), -PERIOD_MAX, PERIOD_MAX,
      .standard = "0s", .example = "-5ms", .meaning = "How far it is ahead (or, negative, behind)." },
    { "drift_ppm", "number with a sign", read_drift, IN(clock.drift_ppb), .standard = "0", .example = "-12.5",
      .meaning = "How many microseconds it gains each second." },
    { "steps", "list of mappings", read_steps, IN(clock), .standard = "(none)",
      .example = "[{at: 30s, by: -2s}]", .meaning = "When it is set, in order of time." },
    { 0 }
};

const struct section clock_section = { "topology.clocks[]", "a clock", clock_fields, NULL, NULL };

#undef IN
#define IN(member) offsetof(struct clock_step, member)

static const struct field clock_step_fields[] = {
    { "at", "duration", read_duration, IN(at_ns), 0, PERIOD_MAX, .example = "30s",
      .meaning = "When, in true time." },
    { "by", "duration with a sign", read_signed_duration, IN(by_ns), -PERIOD_MAX, PERIOD_MAX,
      .example = "-2s", .meaning = "By how much it jumps." },
    { "over", "duration", read_duration, IN(over_ns), 0, PERIOD_MAX, .standard = "0s", .example = "1h",
      .meaning = "How long that takes, evenly: a slew, as NTP makes them." },
    { 0 }
};

const struct section clock_step_section = { "topology.clocks[].steps[]", "a step", clock_step_fields, NULL,
                                            NULL };

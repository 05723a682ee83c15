/* command_list.c - `limitlab list`: everything that can be named, from the tables that define it. */
#include <stdarg.h>
#include <string.h>
#include "../algos/keys.h"
#include "../algos/limiters/limiters.h"
#include "../algos/programs.h"
#include "../algos/protocols/protocols.h"
#include "../algos/systems/systems.h"
#include "cli.h"
#include "design.h"
#include "fields.h"
#include "figures.h"
#include "headers.h"
#include "listing.h"
#include "regions.h"
#include "scenario.h"
#include "scenario_files.h"
#include "soundness.h"
#include "units.h"
#include "zoo.h"

enum { NEAREST = 3 };

/* One more row, as json_pack() takes it. */
static void add(json_t *rows, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    json_array_append_new(rows, json_vpack_ex(NULL, 0, format, arguments));
    va_end(arguments);
}

static bool list_limiters(json_t *rows, const char *operand, struct failure *failure)
{
    (void)operand, (void)failure;
    for (unsigned i = 0; i < limiter_count; i++)
        add(rows, "{s:s, s:s, s:s, s:b}", "name", limiters[i]->name, "formula", limiters[i]->formula,
            "good_to_know", limiters[i]->good_to_know, "refunds", limiters[i]->refunds);
    return true;
}

/* ---- coordinations ---- */

static const char *choices_text(const struct parameter *parameter, struct arena *arena)
{
    const char *text = "";

    for (unsigned i = 0; parameter->choices[i]; i++)
        text = arena_format(arena, "%s%s%s", text, i ? ", " : "", parameter->choices[i]);
    return text;
}

static const char *kind_text(const struct parameter *parameter, struct arena *arena)
{
    switch (parameter->kind) {
    case PARAMETER_COUNT:
        return "a count";
    case PARAMETER_SPAN:
        return "a duration";
    case PARAMETER_RATE:
        return "a rate";
    case PARAMETER_REGION:
        return "a region";
    case PARAMETER_CHOICE:
        break;
    }
    return choices_text(parameter, arena);
}

static json_t *parameter_rows(const struct coordination *coordination, struct arena *arena)
{
    json_t *rows = json_array();

    for (const struct parameter *p = coordination->parameter; p->name; p++)
        add(rows, "{s:s, s:s, s:s, s:s}", "name", p->name, "default", p->preset_text, "kind",
            kind_text(p, arena), "meaning", p->meaning);
    return rows;
}

static void add_coordination(json_t *rows, const struct coordination *c, struct arena *arena)
{
    add(rows, "{s:s, s:s?, s:s, s:o}", "name", c->name, "alias", c->alias, "summary", c->summary,
        "parameters", parameter_rows(c, arena));
}

/* Those of systems last. */
static bool list_coordinations(json_t *rows, const char *operand, struct failure *failure)
{
    struct arena arena = { 0 };

    (void)operand, (void)failure;
    for (unsigned i = 0; i < coordination_count; i++)
        add_coordination(rows, coordinations[i], &arena);
    for (unsigned i = 0; system_coordinations[i]; i++)
        add_coordination(rows, system_coordinations[i], &arena);
    arena_free(&arena);
    return true;
}

/* ---- designs ---- */

/* "cannot be: needs ..." for people, from a line that ends in "; expected ...". */
static const char *why_not(const struct failure *failure, struct arena *arena)
{
    static const char expected[] = "; expected ";
    const char *what = strstr(failure->line, expected);

    return what ? arena_format(arena, "cannot be: needs %s", what + strlen(expected)) :
                  arena_text(arena, failure->line);
}

/* Every pair, and of one that cannot be, why not. */
static bool list_designs(json_t *rows, const char *operand, struct failure *failure)
{
    struct arena arena = { 0 };
    struct experiment standard;
    struct policy policy;
    struct design design;

    (void)operand;
    experiment_init(&standard);
    policy = (struct policy){ .limit = standard.limit[0], .period_ns = standard.period_ns,
                              .burst = standard.limit[0] };
    policy_init(&policy);
    for (unsigned i = 0; i < limiter_count * coordination_count; i++) {
        const char *name = arena_format(&arena, "%s@%s", limiters[i / coordination_count]->name,
                                        coordinations[i % coordination_count]->name);
        bool possible =
            design_parse(name, &standard.topology, &policy, (struct origin){ 0 }, &design, failure);
        add(rows, "{s:s, s:s}", "name", name, possible ? "parameters" : "cannot_be",
            possible ? design_parameters(&design, &standard.topology, &arena) : why_not(failure, &arena));
    }
    arena_free(&arena);
    return true;
}

static bool list_systems(json_t *rows, const char *operand, struct failure *failure)
{
    (void)operand, (void)failure;
    for (unsigned family = 0; systems[family]; family++)
        for (const struct system *row = systems[family]; row->name; row++) {
            const struct limiter *limiter = design_limiter(row->name);
            add(rows, "{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "name", row->name, "design", row->design,
                "summary", row->summary, "formula", limiter->formula, "good_to_know", limiter->good_to_know,
                "source", row->source, "scenario", row->scenario);
        }
    return true;
}

static bool list_programs(json_t *rows, const char *operand, struct failure *failure)
{
    (void)operand, (void)failure;
    for (unsigned i = 0; i < program_count; i++)
        add(rows, "{s:s, s:s}", "name", programs[i].name, "meaning", programs[i].meaning);
    return true;
}

static bool list_keys(json_t *rows, const char *operand, struct failure *failure)
{
    (void)operand, (void)failure;
    for (unsigned i = 0; i < key_rule_count; i++)
        add(rows, "{s:s, s:s, s:s?, s:s?}", "name", key_rules[i].name, "meaning", key_rules[i].meaning,
            "cure", key_rules[i].cure, "source", key_rules[i].source);
    return true;
}

/* ---- regions, figures, oracles, headers ---- */

/* Index order settles ties. */
static bool is_nearer(unsigned from, unsigned a, unsigned b)
{
    int64_t to_a = region_round_trip_ns(from, a), to_b = region_round_trip_ns(from, b);

    return to_a < to_b || (to_a == to_b && a < b);
}

/* The region nearest to `from` among those further away than `after`; CLOUD_REGIONS after the last one. */
static unsigned next_nearest(unsigned from, unsigned after)
{
    unsigned best = CLOUD_REGIONS;

    for (unsigned i = 0; i < CLOUD_REGIONS; i++)
        if (is_nearer(from, after, i) && (best == CLOUD_REGIONS || is_nearer(from, i, best)))
            best = i;
    return best;
}

/* "us-east-2 14ms, ca-central-1 15.2ms, ...": all of them are in the JSON. */
static const char *nearest_text(unsigned from, struct arena *arena)
{
    unsigned next = from;
    const char *text = "";

    for (unsigned i = 0; i < NEAREST; i++) {
        char trip[UNITS_TEXT];
        next = next_nearest(from, next);
        text = arena_format(arena, "%s%s%s %s", text, i ? ", " : "", cloud_regions[next].name,
                            duration_text(region_round_trip_ns(from, next), trip));
    }
    return text;
}

static bool refuse_region(const char *name, struct failure *failure)
{
    const char *names[CLOUD_REGIONS + 1] = { NULL };

    for (unsigned i = 0; i < CLOUD_REGIONS; i++)
        names[i] = cloud_regions[i].name;
    const char *nearest = nearest_name(name, names);
    return fail(failure, EXIT_USAGE, "limitlab list", 0, "'%.60s' is not in the table of round trips; %s%s%s",
                name, nearest ? "did you mean '" : "expected one of those that `limitlab list regions` lists",
                nearest ? nearest : "", nearest ? "'?" : "");
}

/* All regions as seen from one, itself first. */
static bool list_round_trips(json_t *rows, const char *name, struct failure *failure)
{
    int from = region_find(name);

    if (from < 0)
        return refuse_region(name, failure);
    for (unsigned i = (unsigned)from; i < CLOUD_REGIONS; i = next_nearest((unsigned)from, i)) {
        int64_t ns = region_round_trip_ns((unsigned)from, i);
        char trip[UNITS_TEXT];
        add(rows, "{s:s, s:s, s:s, s:{s:I}}", "name", cloud_regions[i].name, "round_trip",
            duration_text(ns, trip), "place", cloud_regions[i].place, "round_trip_ns", name, (json_int_t)ns);
    }
    return true;
}

static bool list_regions(json_t *rows, const char *operand, struct failure *failure)
{
    struct arena arena = { 0 };

    if (operand)
        return list_round_trips(rows, operand, failure);
    for (unsigned i = 0; i < CLOUD_REGIONS; i++) {
        json_t *trips = json_object();
        for (unsigned j = 0; j < CLOUD_REGIONS; j++)
            json_object_set_new(trips, cloud_regions[j].name, json_integer(region_round_trip_ns(i, j)));
        add(rows, "{s:s, s:s, s:s, s:o}", "name", cloud_regions[i].name, "place", cloud_regions[i].place,
            "nearest", nearest_text(i, &arena), "round_trip_ns", trips);
    }
    arena_free(&arena);
    return true;
}

static const char *const figure_kinds[] = {
    [FIGURE_COUNT] = "count",         [FIGURE_COST] = "cost",          [FIGURE_DECIMAL] = "fraction",
    [FIGURE_SPAN_NS] = "duration",    [FIGURE_INSTANT_NS] = "instant", [FIGURE_TEXT] = "text",
    [FIGURE_TRUTH] = "true or false", [FIGURE_DIGEST] = "digest",
};

static bool list_figures(json_t *rows, const char *operand, struct failure *failure)
{
    (void)operand, (void)failure;
    for (unsigned i = 0; i < figure_count; i++)
        add(rows, "{s:s, s:s, s:s}", "name", figures[i].path, "kind", figure_kinds[figures[i].kind],
            "meaning", figures[i].meaning);
    return true;
}

static bool list_oracles(json_t *rows, const char *operand, struct failure *failure)
{
    static const char *const oracles[][2] = {
        { "curve", "the target: never more than burst + rate * t, checked by an exact policer and by the "
                   "effective burst" },
        { "window", "the target: at most the limit in any period, checked by an exact sliding log" },
        { "ceiling", "the same for the scenario's ceiling, over all keys that share it" },
        { "store", "lost updates and stale reads, counted from the versions of what is stored" },
    };

    (void)operand, (void)failure;
    for (size_t i = 0; i < sizeof oracles / sizeof *oracles; i++)
        add(rows, "{s:s, s:b, s:s}", "name", oracles[i][0], "sound", false, "meaning", oracles[i][1]);
    for (unsigned i = 0; i < soundness_count; i++)
        add(rows, "{s:s, s:b, s:s}", "name", soundness[i].name, "sound", true, "meaning",
            soundness[i].meaning);
    return true;
}

static const char *header_names(const struct header_style *style, struct arena *arena)
{
    const char *text = "";

    for (unsigned i = 0; style->header[i]; i++)
        text = arena_format(arena, "%s%s%s", text, i ? ", " : "", style->header[i]->name);
    return text;
}

static bool list_headers(json_t *rows, const char *operand, struct failure *failure)
{
    struct arena arena = { 0 };

    (void)operand, (void)failure;
    for (unsigned i = 0; i < header_style_count; i++)
        add(rows, "{s:s, s:s, s:s, s:s}", "name", header_styles[i].name, "headers",
            header_names(&header_styles[i], &arena), "meaning", header_styles[i].meaning, "source",
            header_styles[i].source);
    arena_free(&arena);
    return true;
}

/* ---- faults ---- */

static const struct section *fault_keys_section(void)
{
    const struct section *const *section = scenario_sections;

    while (strcmp((*section)->path, "faults[]") != 0)
        section++;
    return *section;
}

/* The keys that go with one kind, its own word left out. */
static json_t *fault_key_rows(const struct section *section, unsigned kind)
{
    json_t *rows = json_array();

    for (const struct field *field = section->fields; field->name; field++)
        if (field->variants >> kind & 1 && strcmp(field->name, section->variants[kind]) != 0)
            add(rows, "{s:s, s:s, s:s, s:s}", "name", field->name, "default",
                field->standard ? field->standard : "required", "kind", field->type, "meaning",
                field->meaning);
    return rows;
}

static bool list_faults(json_t *rows, const char *operand, struct failure *failure)
{
    const struct section *section = fault_keys_section();

    (void)operand, (void)failure;
    for (const struct field *field = section->fields; field->name; field++) {
        int kind = name_index(field->name, section->variants);
        if (kind >= 0)
            add(rows, "{s:s, s:s, s:s, s:o}", "name", field->name, "value", field->type, "meaning",
                field->meaning, "keys", fault_key_rows(section, (unsigned)kind));
    }
    return true;
}

/* ---- scenarios ---- */

static bool list_scenarios(json_t *rows, const char *operand, struct failure *failure)
{
    struct scenario_files files = { 0 };
    struct arena arena = { 0 };
    struct experiment experiment;
    bool good = scenario_files_add(&files, operand ? operand : "scenarios", &arena, failure);

    for (unsigned i = 0; good && i < files.count; i++) {
        good = scenario_load(files.path[i], NULL, &arena, &experiment, failure);
        if (good)
            add(rows, "{s:o, s:i, s:o}", "name", listing_text(files.path[i]), "claims",
                (int)experiment.claims, "title", listing_text(experiment.title));
    }
    scenario_files_free(&files);
    arena_free(&arena);
    return good;
}

static json_t *texts_row(uint32_t count, const char *const *text, struct arena *arena)
{
    const char *all = "";

    for (uint32_t i = 0; i < count; i++)
        all = arena_format(arena, "%s%s%s", all, i ? ", " : "", text[i]);
    return listing_text(all);
}

static bool list_zoo(json_t *rows, const char *operand, struct failure *failure)
{
    struct scenario_files files = { 0 };
    struct arena arena = { 0 };
    struct experiment experiment;
    bool good = scenario_files_add(&files, operand ? operand : "scenarios/zoo", &arena, failure);

    for (unsigned i = 0; good && i < files.count; i++) {
        const struct zoo_case *zoo = &experiment.zoo;
        good = scenario_load(files.path[i], NULL, &arena, &experiment, failure);
        if (good && zoo->name)
            add(rows, "{s:o, s:s, s:o, s:o, s:o, s:o}", "name", listing_text(experiment.name), "class",
                bug_class_names[zoo->bug_class], "case", listing_text(zoo->name), "flaw",
                texts_row(zoo->flaws, zoo->flaw, &arena), "cure",
                texts_row(zoo->cures, zoo->cure, &arena), "scenario", listing_text(files.path[i]));
    }
    scenario_files_free(&files);
    arena_free(&arena);
    return good;
}

/* ---- the command ---- */

static const struct family {
    const char *name, *meaning;
    bool (*list)(json_t *rows, const char *operand, struct failure *failure);
    bool blocks, takes_operand;
} families[] = {
    { "limiters", "the algorithms that decide", list_limiters, true, false },
    { "coordinations", "where the state lives and who may touch it when, with all parameters",
      list_coordinations, true, false },
    { "designs", "every limiter under every coordination, and which cannot be", list_designs, false, false },
    { "systems", "rate limiters that people really use: which design each is, and the scenario that holds it",
      list_systems, true, false },
    { "programs", "how a request uses its limiter, for any design: takes=NAME", list_programs, false, false },
    { "keys", "what becomes of a key before the limiter sees it, for any design: key=NAME", list_keys, true,
      false },
    { "regions", "public cloud regions and the nearest of each, or all round trips from a named one",
      list_regions, false, true },
    { "figures", "what is measured: for --require, claims and JSON", list_figures, false, false },
    { "oracles", "what judges a run", list_oracles, false, false },
    { "headers", "styles of response headers, for --headers", list_headers, true, false },
    { "faults", "what can go wrong on a scenario's time line, with all keys", list_faults, true, false },
    { "zoo", "known bugs with their cures, below scenarios/zoo or the folder that is named", list_zoo, false,
      true },
    { "scenarios", "those below scenarios/, or below the folder that is named", list_scenarios, false, true },
};

enum { FAMILIES = sizeof families / sizeof *families };

static json_t *family_rows(void)
{
    json_t *rows = json_array();

    for (unsigned i = 0; i < FAMILIES; i++)
        add(rows, "{s:s, s:s}", "name", families[i].name, "meaning", families[i].meaning);
    return rows;
}

static const struct family *find_family(struct invocation *invocation, const char *name)
{
    const char *names[FAMILIES + 1] = { NULL };

    for (unsigned i = 0; i < FAMILIES; i++) {
        names[i] = families[i].name;
        if (strcmp(name, names[i]) == 0)
            return &families[i];
    }
    const char *nearest = nearest_name(name, names);
    refuse(invocation, "'%.60s' cannot be listed; %s%s%s", name, nearest ? "did you mean '" :
           "expected one of those that `limitlab list` lists", nearest ? nearest : "", nearest ? "'?" : "");
    return NULL;
}

static enum exit_code list(struct invocation *invocation)
{
    const struct arguments *arguments = &invocation->arguments;
    const char *operand = arguments->operands > 1 ? arguments->operand[1] : NULL;
    bool json;

    if (!read_json(invocation, &json))
        return EXIT_USAGE;
    if (arguments->operands == 0) {
        listing_print(stdout, family_rows(), json, false);
        return EXIT_HOLDS;
    }
    const struct family *family = find_family(invocation, arguments->operand[0]);
    if (!family)
        return EXIT_USAGE;
    if (arguments->operands > 1u + family->takes_operand) {
        refuse(invocation, "'%.60s' is one word too many; expected one thing to list",
               arguments->operand[arguments->operands - 1]);
        return EXIT_USAGE;
    }
    json_t *rows = json_array();
    if (family->list(rows, operand, &invocation->failure)) {
        listing_print(stdout, rows, json, family->blocks);
        return EXIT_HOLDS;
    }
    json_decref(rows);
    return invocation->failure.code;
}

static const unsigned char option_list[] = { OPTION_FORMAT, OPTION_JSON, OPTIONS_END };

const struct command command_list = {
    "list",
    "[WHAT [NAME]]",
    "what there is: everything that can be named",
    "WHAT is limiters, coordinations, designs, systems, programs, keys, regions [REGION], figures,\n"
    "oracles, headers, faults, zoo [FOLDER] or scenarios [FOLDER].  Without it, the list says what each\n"
    "of them is.\n\n"
    "  limitlab list coordinations\n"
    "  limitlab list regions us-east-1\n"
    "  limitlab list faults\n"
    "  limitlab list figures --json\n",
    option_list, list
};

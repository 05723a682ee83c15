/* test_scenario_docs.c - scenarios/README.md is true, and so are the scenarios that are shipped. */
#include "test.h"
#include <dirent.h>
#include <unistd.h>
#include "scenario_rig.h"
#include "../harness/scenario_keys.h"

/* ---- the documentation ---- */

static const char *row_text(const struct section *section, const struct field *field)
{
    const char *only = "", *others = "";

    for (unsigned i = 0; field->variants && section->variants[i]; i++) {
        const char **list = field->variants >> i & 1 ? &only : &others;
        *list = arena_format(&arena, "%s%s%s", *list, **list ? ", " : "", section->variants[i]);
    }
    if (*only)      /* whichever is shorter */
        only = strlen(only) < strlen(others) ? arena_format(&arena, " Only: %s.", only)
                                             : arena_format(&arena, " Not: %s.", others);
    const char *standard = !field->standard ? "required" : !*field->standard ? "(empty)"
                         : *field->standard == '(' ? field->standard
                         : arena_format(&arena, "`%s`", field->standard);
    return arena_format(&arena, "| `%s` | %s | %s | `%s` | %s%s |\n", field->name, field->type, standard,
                        field->example, field->meaning, only);
}

static const char *section_text(const struct section *section)
{
    const char *text = arena_format(&arena, "### `%s`: %s\n\n| key | type | default | example | meaning |\n"
                                    "|---|---|---|---|---|\n", *section->path ? section->path : "(top)",
                                    section->noun);

    for (const struct field *field = section->fields; field->name; field++)
        text = arena_format(&arena, "%s%s", text, row_text(section, field));
    return text;
}

static void the_readme_lists_every_key_as_the_table_has_it(void **state)
{
    size_t bytes, rows = 0, listed = 0;
    unsigned missing = 0;

    (void)state;
    arena_free(&arena);
    const char *readme = yaml_read_file("scenarios/README.md", &bytes, &arena, &failure);
    assert_non_null(readme);
    for (const struct section *const *section = scenario_sections; *section; section++) {
        const char *text = section_text(*section);
        if (!strstr(readme, text)) {
            fprintf(stderr, "scenarios/README.md should have:\n%s\n", text);
            missing++;
        }
        for (const struct field *field = (*section)->fields; field->name; field++)
            rows++;
    }
    for (const char *at = readme; (at = strstr(at, "\n| `")); at++)
        listed++;
    assert_int_equal(missing, 0);
    assert_int_equal(listed, rows);
}

/* Where an example of a section belongs, and what must be around it. */
struct frame { const char *section, *path, *around; };

static const struct frame frames[] = {
    { "", "", TWO_REGIONS }, { "policy", "policy.", TWO_REGIONS },
    { "policy.variants.NAME", "policy.variants.gold.", "policy: {variants: {gold: {limit: 5}}}\n" STREAM },
    { "ceiling", "ceiling.", "ceiling: {limit: 5}\n" STREAM }, { "target", "target.", TWO_REGIONS },
    { "explore", "explore.", "mode: explore\nexplore: {clients: 2}\n" },
    { "topology", "topology.", TWO_REGIONS }, { "topology.regions.NAME", "topology.regions.fra.", STREAM },
    { "topology.links[]", "topology.links.0.", TWO_REGIONS }, { "DELAY", "topology.local.", STREAM },
    { "DELAY.exponential", "topology.local.exponential.",
      "topology: {local: {exponential: {mean: 20ms}}}\n" STREAM },
    { "DELAY.log_normal", "topology.local.log_normal.",
      "topology: {local: {log_normal: {median: 20ms, sigma: 1}}}\n" STREAM },
    { "topology.clocks[]", "topology.clocks.0.", TWO_REGIONS },
    { "topology.clocks[].steps[]", "topology.clocks.0.steps.0.",
      "topology: {clocks: [{steps: [{at: 1s, by: 1s}]}]}\n" STREAM },
    { "traffic[].retry", "traffic.0.retry.",
      "traffic: [{generator: burst, size: 1, retry: {wait: told}}]\n" },
    { "zoo", "zoo.", TWO_REGIONS "zoo: {class: CLK, case: x, flaw: gcra@kv, cure: gcra@owner}\n" },
    { "lesson", "lesson.", TWO_REGIONS "lesson: {question: a, command: b, look: c, why: d}\n" },
    { "claims[]", "claims.0.", "claims: [{target: holds}]\n" STREAM },
};

static const struct frame *frame_of(const struct section *section)
{
    for (unsigned i = 0; i < COUNT(frames); i++)
        if (strcmp(frames[i].section, section->path) == 0)
            return &frames[i];
    return NULL;
}

/* A stream of each kind with all that it must have. */
static const char *stream_around(unsigned kind)
{
    static const char *const streams[] = {
        "{trace: x}", "{generator: constant, rate: 1/s, duration: 1s}",
        "{generator: poisson, rate: 1/s, duration: 1s}",
        "{generator: on-off, rate: 1/s, duration: 1s, on: 1s, off: 1s}",
        "{generator: ramp, rate: 1/s, end_rate: 2/s, duration: 1s}",
        "{generator: burst, size: 1, duration: 1m}",
        "{generator: closed-loop, in_flight: 1, requests: 1}"
    };

    return arena_format(&arena, "topology: {regions: [fra, iad]}\npolicy: {variants: {gold: {limit: 5}}}\n"
                        "traffic: [%s]\n", streams[kind]);
}

static void try_stream_example(const struct section *section, const struct field *field)
{
    for (unsigned kind = 0; section->variants[kind]; kind++) {
        bool generator = strcmp(field->name, "generator") == 0;     /* would change the kind */
        if (field->variants && (!(field->variants >> kind & 1) || (generator && kind != TRAFFIC_POISSON)))
            continue;
        char around[300], path[60];
        snprintf(around, sizeof around, "%s", stream_around(kind));
        snprintf(path, sizeof path, "traffic.0.%s", field->name);
        accept_with(around, path, field->example);
    }
}

/* A fault of each kind with all that it must have; NULL: a policy, for which others must have been named. */
static const char *fault_around(unsigned kind)
{
    static const char *const faults[] = {
        "{partition: fra}", "{loss: 1%}", "{duplicate: 1%}", "{delay: 1s}", "{lost_answers: 1%}",
        "{outage: all}", "{slow: all, by: 1s}", "{crash: all}", "{recycle: all, at: 1s}",
        "{owner_crash: all, at: 1s}", "{failover: all, at: 1s}", "{forget: all, at: 1s}", "{capacity: 1}",
        "{expiry: late, by: 1s}", NULL
    };

    return faults[kind] ? arena_format(&arena, "%sfaults: [%s]\n", TWO_REGIONS, faults[kind]) : NULL;
}

static void try_fault_example(const struct section *section, const struct field *field)
{
    for (unsigned kind = 0; section->variants[kind]; kind++) {
        char around[300], path[60];
        const char *text = fault_around(kind);
        bool never = strcmp(field->name, "expiry") == 0;    /* must stand alone */
        if (!text || never || !(field->variants >> kind & 1))
            continue;
        snprintf(around, sizeof around, "%s", text);
        snprintf(path, sizeof path, "faults.0.%s", field->name);
        accept_with(around, path, field->example);
    }
}

static void every_example_is_accepted(void **state)
{
    char path[100];

    (void)state;
    for (const struct section *const *section = scenario_sections; *section; section++) {
        const struct frame *frame = frame_of(*section);
        for (const struct field *field = (*section)->fields; field->name; field++) {
            if ((*section)->variants) {
                (*section == &fault_section ? try_fault_example : try_stream_example)(*section, field);
                continue;
            }
            assert_non_null(frame);
            bool one_way = strcmp(field->name, "from") == 0 || strcmp(field->name, "to") == 0;
            snprintf(path, sizeof path, "%s%s", frame->path, field->name);
            accept_with(one_way ? "topology: {regions: [fra, iad], links: [{from: fra, to: iad}]}\n" STREAM
                                : frame->around, path, field->example);
        }
    }
}

/* ---- what is shipped ---- */

static void check_shipped(const char *path)
{
    size_t bytes;

    arena_free(&arena);
    const char *readme = yaml_read_file("scenarios/README.md", &bytes, &arena, &failure);
    assert_non_null(readme);
    if (!strstr(readme, arena_format(&arena, "](%s)", path + strlen("scenarios/"))))
        fail_msg("scenarios/README.md does not name %s", path);
    if (!scenario_load(path, NULL, &arena, &experiment, &failure))
        fail_msg("%s", failure.line);
    if (!*experiment.title || strlen(experiment.story) < 100 || !experiment.claims)
        fail_msg("%s lacks a title, a story or claims", path);
    for (uint32_t i = 0; i < experiment.traffics; i++)
        if (experiment.traffic[i].kind == TRAFFIC_TRACE && access(experiment.traffic[i].trace, R_OK) != 0)
            fail_msg("%s names %s, which is not there", path, experiment.traffic[i].trace);
}

static unsigned check_folder(const char *folder)
{
    DIR *listing = opendir(folder);
    unsigned found = 0;
    char path[600];

    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing));) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".yaml") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        check_shipped(path);
        found++;
    }
    closedir(listing);
    return found;
}

static void shipped_scenarios_load_and_tell_a_story(void **state)
{
    (void)state;
    assert_true(check_folder("scenarios") >= 10);
    assert_true(check_folder("scenarios/lessons") >= 2);
    assert_true(check_folder("scenarios/faults") >= 5);
}

TEST_MAIN(SCENARIO_TEST(the_readme_lists_every_key_as_the_table_has_it),
          SCENARIO_TEST(every_example_is_accepted),
          SCENARIO_TEST(shipped_scenarios_load_and_tell_a_story))

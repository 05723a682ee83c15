/* test_shrink.c - the shrinker: how small, the same failure, the same bytes. */
#include "runner_rig.h"
#include "../harness/shrunk.h"

/* Of the run that failed last. */
static struct shrunk shrunk;
static bool found, minimal;
static int64_t distance;
static uint64_t most_runs;

/* ---- shrinking ---- */

/* Without any one of them nothing is over-admitted by that cause, or at all. */
static bool is_minimal(struct cell *cell)
{
    struct arrival *fewer = arena_alloc(&arena, shrunk.left.requests * sizeof *fewer);
    struct trials trials;
    bool needed = true;

    trials_open(&trials, cell, UINT64_MAX, &arena);
    trials.symptom = shrunk.symptom;
    for (uint32_t i = 0; i < shrunk.left.requests; i++) {
        struct candidate candidate = shrunk.left;
        memcpy(fewer, shrunk.left.arrival, i * sizeof *fewer);
        memcpy(&fewer[i], &shrunk.left.arrival[i + 1], (shrunk.left.requests - i - 1) * sizeof *fewer);
        candidate.arrival = fewer;
        candidate.requests--;
        needed &= !trial(&trials, &candidate);
    }
    trials_close(&trials);
    return needed;
}

static bool shrink_first(void *context, struct cell *cell, const struct result *result, struct failure *why)
{
    struct symptom symptom;

    (void)context;
    const struct experiment *experiment = cell->matrix->experiment;
    if (!shrink_finds(result, experiment->require, experiment->requires, &symptom))
        return true;
    found = shrink(cell, &symptom, most_runs, &arena, &shrunk, why) && shrunk.reproduced;
    minimal = found && is_minimal(cell);
    distance = found ? shrunk_distance(cell, &shrunk, &arena) : -1;
    return false;
}

static void shrink_run_of(const char *text)
{
    found = false;
    most_runs = SHRINK_RUNS_MAX;
    try_with(text, (struct runner_options){ .probe = shrink_first });
    if (failure.code != EXIT_HOLDS)
        fail_msg("%s", failure.line);
}

static const char *list_of_left(void)
{
    const char *text = "";

    for (uint32_t i = 0; i < shrunk.left.requests; i++)
        text = arena_format(&arena, "%s%lld:%llu:%lld ", text, (long long)shrunk.left.arrival[i].at_ns,
                            (unsigned long long)shrunk.left.arrival[i].id,
                            (long long)shrunk.left.arrival[i].cost);
    return text;
}

/* ---- how small ---- */

#define RACE(limit, design) \
    "policy: {limit: " limit ", period: 10s}\n" THREE BUSY("designs: [" design "]\n")

static void a_race_over_a_limit_of_one_is_two_requests(void **state)
{
    (void)state;
    shrink_run_of(RACE("1", "token-bucket@get-then-set"));
    assert_true(found);
    assert_int_equal(shrunk.before, 600);
    assert_int_equal(shrunk.left.requests, 2);
    assert_int_equal(shrunk.over, 1);
    assert_int_equal(shrunk.symptom.cause, CAUSE_RACE);
    assert_true(shrunk.calm);
    assert_true(minimal);
    assert_int_equal(distance, 0);
}

static void a_race_over_a_limit_of_two_is_two_or_three_requests(void **state)
{
    (void)state;
    shrink_run_of(RACE("2", "fixed-window@get-then-set"));
    assert_true(found && minimal);
    assert_in_range(shrunk.left.requests, 2, 3);        /* one may cost two */
}

/* No fewer than the limit and one can be over it. */
static void tens_of_thousands_of_requests_shrink_to_the_limit_and_one(void **state)
{
    struct experiment experiment;
    static const char *const designs[] = { "token-bucket@get-then-set" };

    (void)state;
    assert_true(scenario_load("scenarios/three-regions.yaml", NULL, &arena, &experiment, &failure));
    experiment.designs = 1;
    experiment.design = designs;
    experiment.design_origin = NULL;
    experiment.requires = 0;
    experiment.causes = CAUSES_OFF;
    found = false;
    most_runs = SHRINK_RUNS_MAX;
    struct runner_options options = { .probe = shrink_first, .finished = finished };
    assert_false(experiment_run(&experiment, &options, &failure));
    assert_int_equal(failure.code, EXIT_HOLDS);
    assert_true(found && minimal);
    assert_int_equal(shrunk.before, 78278);
    assert_int_equal(shrunk.left.requests, 101);
    assert_true(shrunk.runs < 1000);
}

/* Poisson traffic through three regions, with limits of 1 to 4 and six designs that race or share. */
static void fifty_random_failures_are_as_small_as_the_explorer_s(void **state)
{
    static const char *const designs[] = { "token-bucket@get-then-set", "fixed-window@get-then-set",
                                           "gcra@local", "sliding-window-log@get-then-set",
                                           "token-bucket@kv", "fixed-window@regional-counters" };

    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        shrink_run_of(arena_format(&arena, "policy: {limit: %u, period: 10s}\nseeds: %u..%u\n" THREE
                                   "traffic: [{generator: poisson, rate: %u/s, requests: 200, keys: %u}]\n"
                                   "designs: [%s]\n", 1 + i % 4, i + 1, i + 99, 20 + i * 7, 1 + i % 3,
                                   designs[i / 4 % 6]));
        assert_true(found && minimal);
        assert_int_equal(distance, 0);
    }
}

/* ---- the same failure ---- */

/* At the edge of a window alone two more would pass than the curve allows, and the race goes on elsewhere. */
static void a_race_does_not_shrink_into_the_edge_of_a_window(void **state)
{
    (void)state;
    shrink_run_of("policy: {limit: 2, period: 1s}\n" THREE
                  "traffic: [{generator: poisson, rate: 60/s, requests: 600}]\n"
                  "designs: [fixed-window@get-then-set]\n");
    assert_true(found && minimal);
    assert_int_equal(shrunk.symptom.cause, CAUSE_RACE);
    assert_int_equal(shrunk.left.requests, 3);
    assert_true(shrunk.left.arrival[2].at_ns < 1000000000);
}

static void the_rule_s_own_doubling_is_named_as_that(void **state)
{
    (void)state;
    shrink_run_of("policy: {limit: 2, period: 1s}\n"
                  "traffic: [{generator: burst, size: 5, start: 900ms}, "
                  "{generator: burst, size: 5, start: 1s}]\n"
                  "designs: [fixed-window@owner]\n");
    assert_true(found && minimal);
    assert_int_equal(shrunk.symptom.cause, CAUSE_ALGORITHM);
    assert_int_equal(shrunk.left.requests, 3);
}

static void a_clock_s_failure_keeps_the_clock(void **state)
{
    (void)state;
    shrink_run_of("policy: {limit: 3, period: 60s}\n"
                  "topology: {regions: [a, b], clocks: [{region: b, offset: 15s}]}\n"
                  "traffic: [{generator: burst, size: 9, start: 50s, region: a}, "
                  "{generator: burst, size: 9, start: 51s, region: b}]\n"
                  "designs: [fixed-window@atomic]\n");
    assert_true(found && minimal);
    assert_int_equal(shrunk.symptom.cause, CAUSE_CLOCK);
    assert_int_equal(shrunk.symptom.reality, REALITY_WHOLE);
    assert_int_equal(shrunk.left.requests, 4);
}

static void clients_who_react_are_frozen(void **state)
{
    (void)state;
    shrink_run_of("policy: {limit: 2, period: 60s}\ntopology: {local: 5ms}\n"
                  "traffic: [{generator: closed-loop, in_flight: 5, requests: 60}]\n"
                  "designs: [fixed-window@get-then-set]\n");
    assert_true(found && minimal);
    assert_true(shrunk.reacted);
    assert_int_equal(shrunk.left.requests, 3);
}

static void a_condition_that_is_not_met_shrinks_too(void **state)
{
    (void)state;
    shrink_run_of("policy: {limit: 5, period: 10s}\nrequire: [p99<=50ms]\n" THREE
                  BUSY("designs: [token-bucket@owner]\n"));
    assert_true(found);
    assert_int_equal(shrunk.symptom.kind, SYMPTOM_CONDITION);
    assert_int_equal(shrunk.left.requests, 1);
}

static void costs_become_one_where_that_does(void **state)
{
    (void)state;
    shrink_run_of("policy: {limit: 3, period: 60s}\ntopology: {local: 5ms}\n"
                  "traffic: [{generator: burst, size: 20, costs: {2: 1, 3: 1}}]\n"
                  "designs: [fixed-window@get-then-set]\n");
    assert_true(found && minimal);
    for (uint32_t i = 0; i < shrunk.left.requests; i++)
        assert_in_range(shrunk.left.arrival[i].cost, 1, 3);
    assert_int_equal(shrunk.left.requests, 2);
}

/* ---- bounds, bytes ---- */

static void the_same_run_shrinks_to_the_same_bytes(void **state)
{
    (void)state;
    shrink_run_of(RACE("3", "token-bucket@get-then-set"));
    assert_true(found);
    const char *first = list_of_left(), *choices = shrunk.schedule;
    shrink_run_of(RACE("3", "token-bucket@get-then-set"));
    assert_string_equal(first, list_of_left());
    assert_string_equal(choices, shrunk.schedule);
}

static bool shrink_a_little(void *context, struct cell *cell, const struct result *result,
                            struct failure *why)
{
    struct symptom symptom;

    (void)context;
    if (!shrink_finds(result, NULL, 0, &symptom))
        return true;
    found = shrink(cell, &symptom, 30, &arena, &shrunk, why) && shrunk.reproduced;
    return false;
}

static void a_bound_keeps_the_best_so_far(void **state)
{
    (void)state;
    found = false;
    try_with(RACE("4", "token-bucket@get-then-set"), (struct runner_options){ .probe = shrink_a_little });
    assert_true(found && shrunk.cut);
    assert_true(shrunk.left.requests < 600 && shrunk.left.requests > 5);
    assert_non_null(shrunk.fate);
    assert_true(shrunk.over > 0);
}

static void what_does_not_fail_does_not_shrink(void **state)
{
    (void)state;
    shrink_run_of(RACE("3", "token-bucket@owner"));
    assert_false(found);
    assert_int_equal(count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(a_race_over_a_limit_of_one_is_two_requests),
        RUN_TEST(a_race_over_a_limit_of_two_is_two_or_three_requests),
        RUN_TEST(tens_of_thousands_of_requests_shrink_to_the_limit_and_one),
        RUN_TEST(fifty_random_failures_are_as_small_as_the_explorer_s),
        RUN_TEST(a_race_does_not_shrink_into_the_edge_of_a_window),
        RUN_TEST(the_rule_s_own_doubling_is_named_as_that),
        RUN_TEST(a_clock_s_failure_keeps_the_clock),
        RUN_TEST(clients_who_react_are_frozen),
        RUN_TEST(a_condition_that_is_not_met_shrinks_too),
        RUN_TEST(costs_become_one_where_that_does),
        RUN_TEST(the_same_run_shrinks_to_the_same_bytes),
        RUN_TEST(a_bound_keeps_the_best_so_far),
        RUN_TEST(what_does_not_fail_does_not_shrink),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

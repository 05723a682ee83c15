/* test_explore_modes.c - explore by runs, from outside: what samples find and may not claim, and runs without
 * states. */
#include "test.h"
#include "shell.h"

static void expect_number(json_t *value, const char *path, json_int_t expected)
{
    assert_int_equal(json_integer_value(member(value, path)), expected);
}

/* The printed object, of a line that exits with this code; the caller gives it back. */
static json_t *explored(struct shell *shell, int code, const char *line, const char *more)
{
    char whole[2000];

    snprintf(whole, sizeof whole, "$limitlab explore %s %s --json", line, more);
    shell_expect(shell, code, whole);
    return parsed(shell->out);
}

/* The witness that was printed last; replay exits with 1 where the violation shows. */
static void expect_replay(struct shell *shell, json_t *found)
{
    char whole[70000];

    snprintf(whole, sizeof whole, "$limitlab replay '%s'", json_string_value(member(found, "witness")));
    shell_expect(shell, 1, whole);
    assert_has(shell->out, "the violation shows again");
}

/* ---- samples ---- */

static void each_scheduler_has_its_yield(void **state)
{
    static const struct { const char *name; int runs, over, most; } rows[] = {
        { "random", 40, 40, 309 }, { "work", 200, 200, 320 }, { "reads-first", 80, 80, 320 },
        { "preemptions", 40, 40, 78 }, { "priorities", 40, 4, 42 },
    };
    json_t *found = explored(*state, 0, "fixed-window@get-then-set --clients 16 --requests 20 --limit 30",
                             "--sample 400");
    json_t *schedulers = member(found, "sampled.schedulers");

    assert_true(json_is_true(member(found, "sampled.found")));
    assert_int_equal(json_array_size(schedulers), sizeof rows / sizeof *rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *row = json_array_get(schedulers, i);
        assert_string_equal(json_string_value(member(row, "name")), rows[i].name);
        expect_number(row, "runs", rows[i].runs);
        expect_number(row, "over_admitting", rows[i].over);
        expect_number(row, "most_admitted", rows[i].most);
    }
    expect_number(found, "most_admitted", 320);
    json_decref(found);
}

static void what_is_found_has_the_smallest_witness_where_that_can_be_searched(void **state)
{
    json_t *found = explored(*state, 0, "fixed-window@get-then-set --clients 10 --requests 2 --limit 3",
                             "--sample 50");

    expect_number(found, "smallest.requests", 4);
    expect_number(found, "smallest.clients", 2);
    expect_number(found, "smallest.preemptions", 1);
    expect_number(found, "smallest.steps", 6);
    assert_true(json_is_true(member(found, "smallest.minimal")));
    expect_replay(*state, found);
    json_decref(found);
}

static void elsewhere_a_run_is_the_witness_up_to_what_is_over(void **state)
{
    json_t *found = explored(*state, 0, "fixed-window@get-then-set --clients 8 --requests 40 --limit 120",
                             "--sample 20 --max-states 1000");

    expect_number(found, "smallest.requests", 320);
    expect_number(found, "smallest.preemptions", 1);
    expect_number(found, "smallest.steps", 241);
    assert_true(json_is_false(member(found, "smallest.minimal")));
    expect_replay(*state, found);
    json_decref(found);
}

static void what_was_not_found_is_never_a_pass(void **state)
{
#define BROKEN "$limitlab explore fixed-window@get-then-set --clients 12 --requests 2 --limit 3 --sample 50 "
#define SOUND  "$limitlab explore fixed-window@cas --clients 12 --requests 2 --limit 3 --sample 50 "
    static const struct { int code; const char *line, *says; } rows[] = {
        { 0, BROKEN, "found: 24 admitted" },
        { 1, BROKEN "--expect none", "found: " },
        { 0, BROKEN "--expect over", "found: " },
        { 1, BROKEN "--expect 3", "found: " },
        { 3, BROKEN "--expect 24", "found: " },
        { 0, SOUND, "not found in 50 runs" },
        { 3, SOUND "--expect none", "not found in 50 runs" },
        { 3, SOUND "--expect over", "not found in 50 runs" },
        { 3, SOUND "--expect 3", "not found in 50 runs" },
    };
    struct shell *shell = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        shell_expect(shell, rows[i].code, rows[i].line);
        assert_has(shell->out, rows[i].says);
        assert_null(strstr(shell->out, "omplete"));
    }
}

/* 1 - 0.05^(1/n), for the n runs of the random scheduler: one in ten. */
static void a_chance_is_bounded_by_random_runs_that_found_nothing(void **state)
{
    static const struct { const char *runs; double chance; } rows[] = {
        { "--sample 10", 0.95 }, { "--sample 100", 0.258866 }, { "--sample 1000", 0.0295130 },
    };
    struct shell *shell = *state;
    json_t *found;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        found = explored(shell, 0, "fixed-window@cas --clients 4 --limit 1", rows[i].runs);
        assert_float_equal(json_real_value(member(found, "sampled.random_chance_at_most")), rows[i].chance,
                           1e-6);
        json_decref(found);
    }
    found = explored(shell, 0, "fixed-window@get-then-set --clients 4 --limit 1", "--sample 100");
    assert_true(json_is_null(member(found, "sampled.random_chance_at_most")));
    json_decref(found);
    found = explored(shell, 0, "fixed-window@cas --clients 4 --limit 1", "--sample 2");
    assert_true(json_is_null(member(found, "sampled.random_chance_at_most")));
    json_decref(found);
}

static void samples_are_those_of_their_seed(void **state)
{
    static const char world[] = "fixed-window@get-then-set --clients 9 --requests 3 --limit 9 --sample 60";
    json_t *one = explored(*state, 0, world, ""), *again = explored(*state, 0, world, "--seed 1");
    json_t *two = explored(*state, 0, world, "--seed 2");

    assert_true(json_equal(one, again));
    expect_number(two, "limit", 9);
    assert_false(json_equal(member(one, "sampled.schedulers"), member(two, "sampled.schedulers")));
    json_decref(one);
    json_decref(again);
    json_decref(two);
}

static void samples_end_with_their_time(void **state)
{
    json_t *found = explored(*state, 3, "fixed-window@cas --clients 16 --requests 40 --limit 9",
                             "--sample 1000000 --timeout 20ms");

    assert_true(json_integer_value(member(found, "sampled.runs")) < 1000000);
    assert_has(json_string_value(member(found, "stopped_at")), "the end of its time");
    json_decref(found);
}

/* What is kept of earlier runs is only for speed. */
static void less_memory_changes_no_run(void **state)
{
    static const struct { const char *line, *what; } rows[] = {
        { "fixed-window@local-sync:instances=2 --clients 8 --requests 4 --limit 32 --regions 2 --sample 20",
          "sampled" },
        { "fixed-window@get-then-set --clients 9 --requests 3 --limit 9 --sample 60 --max-states 9",
          "sampled" },
        { "fixed-window@cas --clients 4 --limit 2 --stateless", "stateless" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *much = explored(*state, 0, rows[i].line, "");
        json_t *little = explored(*state, 0, rows[i].line, "--max-memory 1K");
        assert_true(json_equal(member(much, rows[i].what), member(little, rows[i].what)));
        assert_true(json_equal(member(much, "most_admitted"), member(little, "most_admitted")));
        json_decref(much);
        json_decref(little);
    }
}

static void a_search_that_stopped_says_that_samples_may_find_more(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 3, "$limitlab explore fixed-window@cas --clients 5 --requests 3 --limit 5 "
                           "--max-states 100");
    assert_has(shell->out, "--sample N");
}

static void ways_that_do_not_go_together_are_refused(void **state)
{
    static const char *const lines[] = {
        "--sample 5 --stateless", "--sample 0", "--sample many", "--sample", "--sample 5 --curve 2",
        "--stateless --curve 2", "--stateless --no-symmetry", "--stateless=yes",
    };
    char whole[200];

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(whole, sizeof whole, "$limitlab explore fixed-window@cas --limit 1 %s", lines[i]);
        shell_expect(*state, 2, whole);
    }
}

/* ---- stateless ---- */

static void runs_without_states_answer_as_the_graph_does(void **state)
{
    static const struct { const char *line; int executions; } rows[] = {
        { "fixed-window@get-then-set --clients 3 --limit 1", 21 },
        { "fixed-window@get-then-set --clients 4 --limit 1", 148 },
        { "fixed-window@cas --clients 3 --limit 1", 12 },
        { "token-bucket@get-then-set --clients 2 --requests 2 --limit 2", 0 },
        { "gcra@owner --clients 3 --limit 2", 0 },
        { "fixed-window@incr --clients 3 --requests 2 --limit 4", 0 },
    };
    static const char *const same[] = { "most_admitted", "least_admitted", "excess", "complete", "witness",
                                        "smallest", "scope" };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *graph = explored(*state, 0, rows[i].line, "");
        json_t *runs = explored(*state, 0, rows[i].line, "--stateless");
        for (size_t k = 0; k < sizeof same / sizeof *same; k++)
            assert_true(json_equal(member(graph, same[k]), member(runs, same[k])));
        bool over = strcmp(json_string_value(member(graph, "over_admitting_interleavings")), "0") != 0;
        assert_int_equal(json_is_true(member(runs, "stateless.over")), over);
        if (rows[i].executions > 0)
            expect_number(runs, "stateless.executions", rows[i].executions);
        json_decref(graph);
        json_decref(runs);
    }
}

static void an_estimate_comes_before_the_runs(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "$limitlab explore fixed-window@get-then-set --clients 3 --limit 1 --stateless");
    assert_has(shell->err, "about 66 interleavings (an estimate)");
    assert_has(shell->out, "about 66 interleavings");
    shell_expect(shell, 0, "$limitlab explore fixed-window@get-then-set --clients 3 --limit 1 --stateless "
                           "--quiet");
    assert_string_equal(shell->err, "");
    shell_expect(shell, 3, "$limitlab explore fixed-window@cas --clients 16 --requests 40 --limit 300 "
                           "--stateless --max-states 2");
    assert_has(shell->err, "more than 18446744073709551615 interleavings");
}

static void runs_without_states_decide_what_is_expected(void **state)
{
    static const struct { int code; const char *line; } rows[] = {
        { 0, "$limitlab explore fixed-window@cas --clients 3 --limit 1 --stateless --expect none" },
        { 1, "$limitlab explore fixed-window@cas --clients 3 --limit 1 --stateless --expect over" },
        { 0, "$limitlab explore fixed-window@cas --clients 3 --limit 1 --stateless --expect 1" },
        { 1, "$limitlab explore fixed-window@get-then-set --limit 1 --stateless --expect none" },
        { 3, "$limitlab explore fixed-window@cas --clients 5 --limit 2 --stateless --max-states 9 "
             "--expect none" },
        { 1, "$limitlab explore fixed-window@get-then-set --clients 5 --limit 2 --stateless --max-states 90 "
             "--expect none" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        shell_expect(*state, rows[i].code, rows[i].line);
}

static void what_runs_cannot_follow_is_refused_with_the_reason(void **state)
{
    static const struct { const char *line, *why; } rows[] = {
        { "fixed-window@cas --limit 1 --crashes 1", "faults" },
        { "token-bucket@kv --limit 1 --regions 2", "cannot follow" },
        { "token-bucket@sharded:shards=2 --limit 2", "cannot follow" },
    };
    struct shell *shell = *state;
    char whole[200];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(whole, sizeof whole, "$limitlab explore %s --stateless", rows[i].line);
        shell_expect(shell, 2, whole);
        assert_has(shell->err, rows[i].why);
        assert_string_equal(shell->out, "");
    }
}

TEST_MAIN(SHELL_TEST(each_scheduler_has_its_yield),
          SHELL_TEST(what_is_found_has_the_smallest_witness_where_that_can_be_searched),
          SHELL_TEST(elsewhere_a_run_is_the_witness_up_to_what_is_over),
          SHELL_TEST(what_was_not_found_is_never_a_pass),
          SHELL_TEST(a_chance_is_bounded_by_random_runs_that_found_nothing),
          SHELL_TEST(samples_are_those_of_their_seed),
          SHELL_TEST(samples_end_with_their_time),
          SHELL_TEST(less_memory_changes_no_run),
          SHELL_TEST(a_search_that_stopped_says_that_samples_may_find_more),
          SHELL_TEST(ways_that_do_not_go_together_are_refused),
          SHELL_TEST(runs_without_states_answer_as_the_graph_does),
          SHELL_TEST(an_estimate_comes_before_the_runs),
          SHELL_TEST(runs_without_states_decide_what_is_expected),
          SHELL_TEST(what_runs_cannot_follow_is_refused_with_the_reason))

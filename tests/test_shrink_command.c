/* test_shrink_command.c - run --shrink from outside: exit codes, files that fail again, choices. */
#include "test.h"
#include "shell.h"

#define RACES "$limitlab run scenarios/cas-under-burst.yaml fixed-window@get-then-set"

static void a_run_that_does_not_fail_says_so(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "$limitlab run scenarios/cas-under-burst.yaml fixed-window@cas --seeds 1..3 "
                 "--shrink");
    assert_string_equal(shell->out, "3 runs, and not one fails: there is nothing to shrink\n");
}

static void the_failure_as_it_is_comes_first(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 1, RACES " --seeds 4..9 --shrink");
    assert_int_equal(strncmp(shell->out, "seed 4, limit 10: fixed-window@get-then-set over-admits 40 of 50 "
                             "requests\n  limitlab run ", 80), 0);
    assert_has(shell->out, "50 requests, 11 left after ");
    assert_has(shell->out, "lets 11 of these 11 requests of login pass, 1 too many. A race does that");
    assert_has(shell->out, "no interleaving of such requests does it with fewer than 11 requests and 1 "
               "preemption; this is 0 more.\n  limitlab replay llw1:");
}

static void what_is_left_is_a_scenario_that_fails(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 1, RACES " --shrink --out \"$d/small\"");
    shell_expect(shell, 0, "$limitlab check \"$d/small/shrunk.yaml\"");
    shell_expect(shell, 0, "test $(wc -l < \"$d/small/shrunk.csv\") = 12");
}

/* Faults and clocks stay as the scenario has them. */
static void a_fault_s_failure_is_a_scenario_with_its_faults(void **state)
{
    static const char *const runs[] = {
        "scenarios/faults/failover-tail.yaml token-bucket@atomic",
        "scenarios/faults/a-partition-heals.yaml fixed-window@regional-counters",
        "scenarios/lessons/a-clock-ahead.yaml fixed-window@atomic",
    };
    static const int left[] = { 11, 117, 11 };
    char line[400], expected[60];

    for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
        snprintf(line, sizeof line, "$limitlab run %s --shrink --out \"$d/fault%u\"", runs[i], i);
        shell_expect(*state, 1, line);
        snprintf(expected, sizeof expected, "requests, %d left after ", left[i]);
        assert_has(((struct shell *)*state)->out, expected);
        snprintf(line, sizeof line, "$limitlab check \"$d/fault%u/shrunk.yaml\"", i);
        shell_expect(*state, 0, line);
    }
}

static void the_least_witness_replays(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 1, RACES " --shrink > \"$d/out\"; "
                 "$limitlab replay \"$(sed -n 's/^  limitlab replay //p' \"$d/out\")\"");
}

static void choices_make_the_same_run_again(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 1, "$limitlab run scenarios/three-regions.yaml token-bucket@get-then-set --shrink "
                 "--out \"$d/three\" > \"$d/out\"");
    shell_expect(shell, 0, "line=$(sed -n 's/^  limitlab \\(run .*--schedule .*\\)/\\1/p' \"$d/out\"); "
                 "test \"$line\" && eval \"$limitlab $line --json\"");
    assert_has(shell->out, "\"over_admitted\": 1");
    shell_expect(shell, 0, "$limitlab check \"$d/three/shrunk.yaml\"");
}

static void choices_of_another_run_are_refused(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 2, RACES " --schedule ll1:0123456789abcdef:1:");
    assert_has(shell->err, "these choices are of another run");
    shell_expect(shell, 2, RACES " --schedule ll2");
    assert_has(shell->err, "--schedule: 'll2' is not a schedule");
}

static void what_is_asked_for_decides_what_fails(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, RACES " --require 'over_admitted<=40' --shrink");
    shell_expect(shell, 1, RACES " --require 'p99<=1ns' --shrink --out \"$d/slow\"");
    assert_has(shell->out, "does not meet p99<=1ns");
    assert_has(shell->out, "50 requests, 1 left after ");
    shell_expect(shell, 0, "$limitlab check \"$d/slow/shrunk.yaml\"");
}

static void it_stands_alone(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 2, RACES " --shrink --json");
    assert_has(shell->err, "--shrink beside --json; expected one of them");
    shell_expect(shell, 4, RACES " --shrink --out /dev/null/there");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_does_not_fail_says_so),
        cmocka_unit_test(the_failure_as_it_is_comes_first),
        cmocka_unit_test(what_is_left_is_a_scenario_that_fails),
        cmocka_unit_test(a_fault_s_failure_is_a_scenario_with_its_faults),
        cmocka_unit_test(the_least_witness_replays),
        cmocka_unit_test(choices_make_the_same_run_again),
        cmocka_unit_test(choices_of_another_run_are_refused),
        cmocka_unit_test(what_is_asked_for_decides_what_fails),
        cmocka_unit_test(it_stands_alone),
    };

    return cmocka_run_group_tests(tests, shell_open, shell_close);
}

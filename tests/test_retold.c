/* test_retold.c - what `explore` and `replay` say of a witness beside its steps, from outside: explanations,
 * pages, a student's own world, lessons. */
#include "test.h"
#include "shell.h"

#define REPLAYED "$limitlab replay \"$(sed -n \"s/.*\\(llw1[^']*\\)'.*/\\1/p\" $d/found)\" "

static const char found[] =
    "$limitlab explore fixed-window@get-then-set --clients 3 --limit 2 --page $d/race.html >$d/found";

static void a_witness_is_explained(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, found);
    shell_expect(shell, 1, REPLAYED "--explain");
    assert_has(shell->out, "at most 2 in 60s: 3 clients, 3 admitted\n");
    assert_has(shell->out, "is the last at which it could be avoided: by letting ");
    assert_has(shell->out, "\n  as it is    3 admitted, 0 denied, 6 round trips: too much\n");
    assert_has(shell->out, "\n  atomic      2 admitted, 1 denied, 3 round trips\n");
}

static void both_commands_write_the_page_of_a_witness(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, found);
    shell_expect(shell, 1, REPLAYED "--page $d/again.html >/dev/null");
    shell_expect(shell, 0, "for page in $d/*.html; do sed -n '/^<script id/,/^<.script>/p' $page | cksum; "
                           "done | sort -u | wc -l | grep -x 1");
    shell_expect(shell, 0, "grep -q 'AWAIT(call, READ)' $d/race.html && grep -c . $d/race.html");
}

static void a_world_without_a_violation_has_a_page_too(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "$limitlab explore gcra@cas --limit 1 --page $d/safe.html && "
                           "grep -q '\"par\":null' $d/safe.html");
}

static void a_page_that_cannot_be_written_is_said(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 4, "$limitlab explore gcra@cas --limit 1 --page $d/no/such.html");
    assert_has(shell->err, "no/such.html");
}

static void a_seed_is_a_world_of_its_own(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "$limitlab explore fixed-window@get-then-set --seed 1");
    assert_has(shell->out, "4 clients, 2 requests each");
    assert_has(shell->out, "1 per 60s");
    shell_expect(shell, 0, "$limitlab explore fixed-window@get-then-set --seed 2 --expect 4");
    assert_has(shell->out, "2 clients, 2 requests each");
    assert_has(shell->out, "2 per 60s");
    shell_expect(shell, 1, "$limitlab explore fixed-window@get-then-set --seed 2 --expect 3");
    shell_expect(shell, 0, "$limitlab explore fixed-window@get-then-set --seed 2 --clients 3 --limit 1");
    assert_has(shell->out, "3 clients, 2 requests each");
    assert_has(shell->out, "1 per 60s");
    shell_expect(shell, 2, "$limitlab explore fixed-window@get-then-set --seed x");
}

static void a_lesson_asks_and_grades(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "$limitlab check scenarios/lessons/both-read-nine-in-every-order.yaml");
    assert_has(shell->err, "question: There is room for one.");
    shell_expect(shell, 1, "$limitlab check scenarios/lessons/both-read-nine-in-every-order.yaml "
                           "--set claims.0.most_admitted=2");
    assert_has(shell->out, "most_admitted is 3; expected most_admitted=2");
    shell_expect(shell, 1, "$limitlab check scenarios/lessons/one-owner-and-an-await.yaml "
                           "--set claims.0.most_admitted=1");
    assert_has(shell->out, "most_admitted is 2");
}

TEST_MAIN(SHELL_TEST(a_witness_is_explained),
          SHELL_TEST(both_commands_write_the_page_of_a_witness),
          SHELL_TEST(a_world_without_a_violation_has_a_page_too),
          SHELL_TEST(a_page_that_cannot_be_written_is_said),
          SHELL_TEST(a_seed_is_a_world_of_its_own),
          SHELL_TEST(a_lesson_asks_and_grades))

/* test_sequence.c - harness/sequence.h: the outcomes of a short run, as letters. */
#include "test.h"
#include "../harness/sequence.h"
#include "shell.h"

static struct arena arena;

static void assert_text(const struct sequence *sequence, const char *expected)
{
    const char *text = sequence_text(sequence, &arena);

    if (!expected)
        assert_null(text);
    else
        assert_string_equal(text, expected);
    arena_free(&arena);
}

static void outcomes_stand_in_order_of_arrival_whatever_the_order_of_decisions(void **state)
{
    struct sequence sequence = { 0 };

    (void)state;
    assert_text(&sequence, NULL);
    for (uint64_t id = 7; id > 4; id--)
        sequence_asked(&sequence, id << 40);
    sequence_settled(&sequence, UINT64_C(5) << 40, 'D');
    sequence_settled(&sequence, UINT64_C(7) << 40, 'A');
    assert_text(&sequence, NULL);                       /* one is not settled */
    sequence_settled(&sequence, UINT64_C(6) << 40, 'F');
    assert_text(&sequence, "A F D");
}

static void more_than_sixty_four_have_no_sequence(void **state)
{
    struct sequence sequence = { 0 };

    (void)state;
    for (uint64_t id = 0; id < SEQUENCE_MAX; id++) {
        sequence_asked(&sequence, id);
        sequence_settled(&sequence, id, 'A');
    }
    assert_int_equal(strlen(sequence_text(&sequence, &arena)), 2 * SEQUENCE_MAX - 1);
    sequence_asked(&sequence, SEQUENCE_MAX);
    sequence_settled(&sequence, SEQUENCE_MAX, 'D');
    assert_text(&sequence, NULL);
}

/* The way to the store is cut: what nobody decides fails, what is decided at home does not. */
static void a_run_says_what_became_of_each_request(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0,
                 "printf '%s\\n' 'policy: {limit: 1}' "
                 "'topology: {regions: [fra, iad], links: [{between: [fra, iad], loss: 100%}]}' 'traffic:' "
                 "'- {generator: burst, size: 2, region: fra}' "
                 "'- {generator: burst, size: 1, start: 1s, region: iad}' "
                 "'designs: gcra@atomic' 'claims: [{decisions: A D F}]' >$d/x.yaml; "
                 "$limitlab check $d/x.yaml");
    assert_string_equal(shell->out, "ok 1 - x: decisions=A D F: gcra@atomic\n1..1\n");
    shell_expect(shell, 1, "sed -i 's/A D F/A D D/' $d/x.yaml; $limitlab check $d/x.yaml");
    assert_has(shell->out, "limit 1, seed 1: decisions is A D F; expected decisions=A D D\n");
}

TEST_MAIN(TEST(outcomes_stand_in_order_of_arrival_whatever_the_order_of_decisions),
          TEST(more_than_sixty_four_have_no_sequence),
          SHELL_TEST(a_run_says_what_became_of_each_request))

/* Choices: calm, keyed, written down, and had again. */
#include "test.h"
#include "../engine/chooser.h"
#include "counting_memory.h"
#include "dice.h"

enum { QUESTIONS = 2000 };

/* The i-th question of a run. */
struct question { struct stream stream; uint64_t n; };

static struct question questions[QUESTIONS];
static struct counting_memory counting;

static int make_questions(void **state)
{
    struct dice dice = { 1 };

    (void)state;
    counting = counting_memory();
    for (uint32_t i = 0; i < QUESTIONS; i++) {
        questions[i].stream = (struct stream){ dice_roll(&dice) % 50, 1 + i % 8, i };
        questions[i].n = dice_chance(&dice, 4) ? 1 : 1 + (dice_roll(&dice) >> dice_between(&dice, 0, 63));
    }
    return 0;
}

static uint64_t ask(struct chooser *chooser, uint32_t i)
{
    return choose(chooser, questions[i].stream, questions[i].n);
}

static void a_calm_chooser_answers_nothing_but_zero(void **state)
{
    struct chooser chooser = { .mode = CHOOSE_CALM, .seed = 3 };

    (void)state;
    for (uint32_t i = 0; i < QUESTIONS; i++)
        assert_int_equal(ask(&chooser, i), 0);
}

static void answers_are_below_n_and_reach_both_ends(void **state)
{
    struct chooser chooser = { .mode = CHOOSE_KEYED, .seed = 3 };
    uint64_t seen = 0;

    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t answer = choose(&chooser, (struct stream){ i, STREAM_SHARD, 0 }, 8);
        assert_true(answer < 8);
        seen |= UINT64_C(1) << answer;
    }
    assert_int_equal(seen, 0xff);
    for (uint32_t i = 0; i < QUESTIONS; i++)
        assert_true(ask(&chooser, i) < questions[i].n);
}

static void a_keyed_answer_depends_on_its_question_alone(void **state)
{
    struct chooser forth = { .mode = CHOOSE_KEYED, .seed = 9 }, back = forth;
    static uint64_t answer[QUESTIONS];

    (void)state;
    for (uint32_t i = 0; i < QUESTIONS; i++)
        answer[i] = ask(&forth, i);
    for (uint32_t i = QUESTIONS; i-- > 0; )
        if (i % 3)                      /* a third of the questions is not even asked */
            assert_int_equal(ask(&back, i), answer[i]);
}

static void seeds_entities_kinds_and_occurrences_all_matter(void **state)
{
    struct chooser one = { .mode = CHOOSE_KEYED, .seed = 1 }, two = { .mode = CHOOSE_KEYED, .seed = 2 };
    struct stream stream = { 5, STREAM_DELAY, 6 };
    uint64_t n = UINT64_C(1) << 60, answer = choose(&one, stream, n);

    (void)state;
    assert_int_equal(choose(&one, stream, n), answer);
    assert_int_not_equal(choose(&two, stream, n), answer);
    assert_int_not_equal(choose(&one, (struct stream){ 4, STREAM_DELAY, 6 }, n), answer);
    assert_int_not_equal(choose(&one, (struct stream){ 5, STREAM_LOSS, 6 }, n), answer);
    assert_int_not_equal(choose(&one, (struct stream){ 5, STREAM_DELAY, 7 }, n), answer);
}

static void what_is_written_down_is_what_was_answered(void **state)
{
    struct chooser plain = { .mode = CHOOSE_KEYED, .seed = 4 }, recording = plain;
    struct schedule record;
    size_t real = 0;

    (void)state;
    schedule_init(&record, &counting.memory);
    recording.record = &record;
    for (uint32_t i = 0; i < QUESTIONS; i++) {
        uint64_t answer = ask(&recording, i);
        assert_int_equal(answer, ask(&plain, i));
        if (questions[i].n == 1)
            continue;                   /* no choice, no trace */
        assert_int_equal(record.n, real + 1);
        assert_int_equal(record.choice[real++], answer);
    }
    assert_in_range(real, QUESTIONS / 2, QUESTIONS - 1);
    assert_int_equal(record.n, real);
    schedule_free(&record);
    assert_int_equal(counting.blocks, 0);
}

static void a_recorded_run_can_be_had_again(void **state)
{
    struct schedule record, again;
    static uint64_t answer[QUESTIONS];

    (void)state;
    schedule_init(&record, &counting.memory);
    schedule_init(&again, &counting.memory);
    struct chooser first = { .mode = CHOOSE_KEYED, .seed = 4, .record = &record };
    struct chooser second = { .mode = CHOOSE_REPLAY, .replay = &record, .record = &again };
    for (uint32_t i = 0; i < QUESTIONS; i++)
        answer[i] = ask(&first, i);
    for (uint32_t i = 0; i < QUESTIONS; i++)
        assert_int_equal(ask(&second, i), answer[i]);
    assert_false(second.strayed);
    assert_int_equal(second.at, record.n);
    assert_int_equal(again.n, record.n);
    assert_memory_equal(again.choice, record.choice, record.n * sizeof *record.choice);
    schedule_free(&record);
    schedule_free(&again);
    assert_int_equal(counting.blocks, 0);
}

static void a_replay_that_has_ended_is_calm(void **state)
{
    uint64_t choice[] = { 2, 1 };
    struct schedule schedule = { .choice = choice, .n = 2 };
    struct chooser chooser = { .mode = CHOOSE_REPLAY, .replay = &schedule };
    struct stream stream = { 0 };

    (void)state;
    assert_int_equal(choose(&chooser, stream, 3), 2);
    assert_int_equal(choose(&chooser, stream, 1), 0);   /* takes nothing from the schedule */
    assert_int_equal(choose(&chooser, stream, 2), 1);
    assert_int_equal(choose(&chooser, stream, 9), 0);
    assert_int_equal(choose(&chooser, stream, 9), 0);
    assert_false(chooser.strayed);
}

static void a_replay_of_another_run_is_noticed(void **state)
{
    uint64_t choice[] = { 2, 3, 1 };
    struct schedule schedule = { .choice = choice, .n = 3 };
    struct chooser chooser = { .mode = CHOOSE_REPLAY, .replay = &schedule };
    struct stream stream = { 0 };

    (void)state;
    assert_int_equal(choose(&chooser, stream, 3), 2);
    assert_false(chooser.strayed);
    assert_int_equal(choose(&chooser, stream, 3), 0);   /* 3 is none of 0, 1, 2 */
    assert_true(chooser.strayed);
    assert_int_equal(choose(&chooser, stream, 3), 1);
    assert_true(chooser.strayed);
}

#define ASKED_TEST(name) cmocka_unit_test_setup(name, make_questions)

TEST_MAIN(ASKED_TEST(a_calm_chooser_answers_nothing_but_zero),
          ASKED_TEST(answers_are_below_n_and_reach_both_ends),
          ASKED_TEST(a_keyed_answer_depends_on_its_question_alone),
          ASKED_TEST(seeds_entities_kinds_and_occurrences_all_matter),
          ASKED_TEST(what_is_written_down_is_what_was_answered),
          ASKED_TEST(a_recorded_run_can_be_had_again),
          ASKED_TEST(a_replay_that_has_ended_is_calm),
          ASKED_TEST(a_replay_of_another_run_is_noticed))

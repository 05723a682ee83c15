/* test_clock.c - engine/clock.h: what nodes believe. */
#include "test.h"
#include "../engine/clock.h"
#include "../engine/limiter.h"
#include "../engine/stream.h"

static const int64_t second = 1000000000;

static void a_clock_without_faults_is_perfect(void **state)
{
    static const struct clock_step nothing[] = { { 5, 0, 0 }, { 6, 0, 9 } };
    struct clock plain = { 0 }, idle = { .steps = 2, .step = nothing };
    (void)state;

    assert_null(clock_init(&plain));
    assert_null(clock_init(&idle));
    assert_true(plain.perfect && idle.perfect);
    for (int64_t t = -3; t <= 3; t++) {
        assert_int_equal(clock_read(&plain, t * second), t * second);
        assert_int_equal(clock_read_imperfect(&plain, t * second), t * second);
    }
}

static void an_offset_is_always_added(void **state)
{
    struct clock clock = { .offset_ns = -250 };
    (void)state;

    assert_null(clock_init(&clock));
    assert_false(clock.perfect);
    assert_int_equal(clock_read(&clock, 0), -250);
    assert_int_equal(clock_read(&clock, second), second - 250);
}

static void drift_is_rounded_towards_minus_infinity(void **state)
{
    static const struct { int64_t drift_ppb, true_ns, reading_ns; } known[] = {
        { 1,          999999999,  999999999 },      /* not quite one ns yet */
        { 1,         1000000000, 1000000001 },
        { 1,                 -1,         -2 },      /* before the start too */
        { -1,                 1,          0 },
        { -1,        1000000000,  999999999 },
        { -1,        1000000001,  999999999 },
        { 100000,   60000000000, 60006000000 },     /* 100 ppm: 6 ms a minute */
        { 1000000000,         7,         14 },      /* twice as fast */
        { -999999999, 1000000000,         1 },
    };
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct clock clock = { .drift_ppb = known[i].drift_ppb };
        assert_null(clock_init(&clock));
        assert_int_equal(clock_read(&clock, known[i].true_ns), known[i].reading_ns);
    }
}

static void a_step_shows_from_its_instant_on_and_steps_add_up(void **state)
{
    static const struct clock_step steps[] = { { 10, 100, 0 }, { 20, -30, 0 }, { 20, -5, 0 }, { 40, 1, 0 } };
    struct clock clock = { .offset_ns = 1000, .steps = 4, .step = steps };
    (void)state;

    assert_null(clock_init(&clock));
    assert_int_equal(clock_read(&clock, 9), 1009);
    assert_int_equal(clock_read(&clock, 10), 1110);
    assert_int_equal(clock_read(&clock, 19), 1119);
    assert_int_equal(clock_read(&clock, 20), 1085);
    assert_int_equal(clock_read(&clock, 39), 1104);
    assert_int_equal(clock_read(&clock, 40), 1106);
}

static void a_slew_is_worked_off_evenly(void **state)
{
    static const struct clock_step forth[] = { { 10, 50, 100 } }, back[] = { { 10, -50, 100 } };
    struct clock fast = { .steps = 1, .step = forth }, slow = { .steps = 1, .step = back };
    (void)state;

    assert_null(clock_init(&fast));
    assert_null(clock_init(&slow));
    assert_int_equal(clock_read(&fast, 9), 9);
    assert_int_equal(clock_read(&fast, 11), 11);            /* half a ns, rounded down */
    assert_int_equal(clock_read(&fast, 12), 13);
    assert_int_equal(clock_read(&fast, 109), 158);
    assert_int_equal(clock_read(&fast, 110), 160);
    assert_int_equal(clock_read(&fast, 1000), 1050);
    assert_int_equal(clock_read(&slow, 60), 35);
    for (int64_t t = 0; t < 200; t++)
        assert_true(clock_read(&slow, t) <= clock_read(&slow, t + 1));
    assert_int_equal(clock_read(&slow, 200), 150);
}

static void a_clock_without_steps_never_runs_backwards(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 10000; i++) {
        int64_t drift = (int64_t)stream_below(1, (struct stream){ i, 1, 0 }, 1999999999) - 999999999;
        int64_t at = (int64_t)stream_below(1, (struct stream){ i, 2, 0 }, UINT64_C(1) << 62)
                - (INT64_C(1) << 61);
        struct clock clock = { .drift_ppb = drift };
        assert_null(clock_init(&clock));
        assert_true(clock_read(&clock, at) <= clock_read(&clock, at + 1));
    }
}

static void readings_stick_at_the_end_of_time(void **state)
{
    struct clock fast = { .offset_ns = INSTANT_MAX, .drift_ppb = INT64_MAX };
    struct clock late = { .offset_ns = -INSTANT_MAX, .drift_ppb = 999999999 };
    (void)state;

    assert_null(clock_init(&fast));
    assert_null(clock_init(&late));
    assert_int_equal(clock_read(&fast, INSTANT_MAX), INSTANT_MAX);
    assert_int_equal(clock_read(&late, -INSTANT_MAX), -INSTANT_MAX);
}

static void clocks_that_cannot_be_are_refused(void **state)
{
    static const struct clock_step unsorted[] = { { 10, 1, 0 }, { 9, 1, 0 } },
                                   far[] = { { 0, INT64_MAX, 0 } }, back[] = { { 0, -10, 10 } },
                                   undone[] = { { 0, 1, -1 } }, endless[] = { { 0, 1, INT64_MAX } };
    struct clock refused[] = {
        { .drift_ppb = -1000000000 }, { .drift_ppb = INT64_MIN }, { .offset_ns = INT64_MAX },
        { .offset_ns = INT64_MIN }, { .steps = 2, .step = unsorted }, { .steps = 1, .step = far },
        { .steps = 1, .step = back }, { .steps = 1, .step = undone }, { .steps = 1, .step = endless },
    };
    (void)state;

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_non_null(clock_init(&refused[i]));
}

TEST_MAIN(TEST(a_clock_without_faults_is_perfect),
          TEST(an_offset_is_always_added),
          TEST(drift_is_rounded_towards_minus_infinity),
          TEST(a_step_shows_from_its_instant_on_and_steps_add_up),
          TEST(a_slew_is_worked_off_evenly),
          TEST(a_clock_without_steps_never_runs_backwards),
          TEST(readings_stick_at_the_end_of_time),
          TEST(clocks_that_cannot_be_are_refused))

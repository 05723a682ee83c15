/* Schedules as text: every list of choices comes back, and no text does harm. */
#include "test.h"
#include "../engine/schedule.h"
#include "counting_memory.h"
#include "dice.h"

#define MOST 100000
#define HEAD "ll1:0000000000000000:0:"

static struct counting_memory counting;

static struct schedule schedule_of(uint64_t subject, uint64_t seed, const uint64_t *choice, size_t n)
{
    struct schedule schedule;

    schedule_init(&schedule, &counting.memory);
    schedule.subject = subject;
    schedule.seed = seed;
    for (size_t i = 0; i < n; i++)
        schedule_append(&schedule, choice[i]);
    return schedule;
}

/* In a block of exactly as many bytes as were asked for, so that sanitizers see one too many. */
static char *text_of(const struct schedule *schedule)
{
    char *text = malloc(schedule_text_bytes(schedule));

    assert_non_null(text);
    schedule_write(schedule, text);
    return text;
}

static void assert_same(const struct schedule *a, const struct schedule *b)
{
    assert_int_equal(a->subject, b->subject);
    assert_int_equal(a->seed, b->seed);
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++)
        assert_int_equal(a->choice[i], b->choice[i]);
}

static void comes_back(uint64_t subject, uint64_t seed, const uint64_t *choice, size_t n)
{
    struct schedule schedule = schedule_of(subject, seed, choice, n), back;
    char *text = text_of(&schedule);

    schedule_init(&back, &counting.memory);
    assert_null(schedule_read(&back, text, n));
    assert_same(&schedule, &back);
    schedule_free(&back);
    schedule_free(&schedule);
    free(text);
}

/* What schedule_read() says of a text; what it read goes to *n. */
static const char *reading(const char *text, size_t most, size_t *n)
{
    struct schedule schedule;

    schedule_init(&schedule, &counting.memory);
    const char *why = schedule_read(&schedule, text, most);
    *n = schedule.n;
    schedule_free(&schedule);
    return why;
}

static void refuse(const char *text, const char *why)
{
    size_t n;
    const char *said = reading(text, MOST, &n);

    if (!said)
        fail_msg("accepted: %s", text);
    assert_string_equal(said, why);
}

static int start(void **state)
{
    (void)state;
    counting = counting_memory();
    return 0;
}

static int nothing_leaks(void **state)
{
    (void)state;
    assert_int_equal(counting.blocks, 0);
    assert_int_equal(counting.used, 0);
    return 0;
}

/* ---- writing ---- */

static void the_text_form_is_as_documented(void **state)
{
    static const uint64_t choice[] = { 0, 0, 0, 5, 300, 0 };    /* bytes 00 03 05 ac 02 00 01 */
    struct schedule schedule = schedule_of(0xabc, 42, choice, 6);
    char *text = text_of(&schedule);

    (void)state;
    assert_string_equal(text, "ll1:0000000000000abc:42:aabqllacaaaq");
    free(text);
    schedule_free(&schedule);
}

static void an_empty_schedule_is_a_head(void **state)
{
    struct schedule schedule = schedule_of(UINT64_MAX, UINT64_MAX, NULL, 0);
    char *text = text_of(&schedule);

    (void)state;
    assert_string_equal(text, "ll1:ffffffffffffffff:18446744073709551615:");
    free(text);
    schedule_free(&schedule);
    comes_back(UINT64_MAX, UINT64_MAX, NULL, 0);
}

static void a_million_zeros_are_seven_digits(void **state)
{
    static uint64_t zeros[1000000];
    struct schedule schedule = schedule_of(0, 0, zeros, 1000000);
    char *text = text_of(&schedule);

    (void)state;
    assert_string_equal(text, HEAD "adaiipi");
    free(text);
    schedule_free(&schedule);
}

static void the_largest_choice_has_sixteen_digits(void **state)
{
    static const uint64_t most[] = { UINT64_MAX };
    struct schedule schedule = schedule_of(0, 0, most, 1);
    char *text = text_of(&schedule);

    (void)state;
    assert_string_equal(text, HEAD "77777777777777yb");
    free(text);
    schedule_free(&schedule);
    comes_back(1, 1, most, 1);
}

/* ---- there and back ---- */

static uint64_t dice_choice(struct dice *dice)
{
    switch (dice_between(dice, 0, 4)) {
    case 0:  return dice_roll(dice) >> dice_between(dice, 0, 63);
    case 1:  return (UINT64_C(1) << 7 * dice_between(dice, 1, 9)) - (uint64_t)dice_between(dice, 0, 1);
    default: return dice_chance(dice, 3);
    }
}

static void every_list_of_choices_comes_back(void **state)
{
    enum { CHOICES = 300 };
    struct dice dice = { 1 };
    uint64_t choice[CHOICES];

    (void)state;
    for (int round = 0; round < 2000; round++) {
        size_t n = 0, want = (size_t)dice_between(&dice, 0, CHOICES);
        while (n < want) {
            choice[n++] = dice_choice(&dice);
            for (int64_t zeros = dice_chance(&dice, 8) ? dice_between(&dice, 0, 200) : 0; zeros > 0; zeros--)
                if (n < want)
                    choice[n++] = 0;
        }
        comes_back(dice_roll(&dice), dice_roll(&dice) >> dice_between(&dice, 0, 63), choice, n);
    }
}

static void zeros_and_huge_numbers_in_turn_still_fit_the_text(void **state)
{
    uint64_t choice[2000];

    (void)state;
    for (size_t i = 0; i < 2000; i++)
        choice[i] = i % 2 ? UINT64_MAX : 0;
    comes_back(UINT64_MAX, UINT64_MAX, choice, 2000);
}

/* ---- what is no schedule ---- */

static void a_text_without_the_mark_is_no_schedule(void **state)
{
    static const char why[] = "is not a schedule; expected text that starts with ll1:";

    (void)state;
    refuse("", why);
    refuse("l", why);
    refuse("ll1", why);
    refuse("ll2:0:0:", why);
    refuse("LL1:0:0:", why);
    refuse(" ll1:0:0:", why);
}

static void a_broken_head_is_refused(void **state)
{
    static const char why[] = "has a broken head; expected ll1:SUBJECT:SEED:CHOICES";

    (void)state;
    refuse("ll1:", why);
    refuse("ll1::0:", why);
    refuse("ll1:0", why);
    refuse("ll1:0:", why);
    refuse("ll1:0::", why);
    refuse("ll1:0:7", why);
    refuse("ll1:g:7:", why);
    refuse("ll1:0:a:", why);
    refuse("ll1:-1:7:", why);
    refuse("ll1:0:+7:", why);
    refuse("ll1:10000000000000000:7:", why);
    refuse("ll1:0:18446744073709551616:", why);
    refuse("ll1:0:99999999999999999999999999999999999:", why);
}

static void broken_choices_are_refused(void **state)
{
    static const char why[] = "has broken choices; expected base32 of whole numbers";

    (void)state;
    refuse(HEAD "A", why);
    refuse(HEAD "ae=", why);
    refuse(HEAD "ae ", why);
    refuse(HEAD "a1", why);                     /* 0, 1, 8 and 9 are no digits */
    refuse(HEAD "\xff\xfe", why);
    refuse(HEAD "a", why);                      /* five bits are no byte */
    refuse(HEAD "af", why);                     /* byte 1, and 1 for the last two bits */
    refuse(HEAD "qa", why);                     /* byte 128: more should follow */
    refuse(HEAD "77777777777777yd", why);       /* 2^64 + ... */
    refuse(HEAD "777777777777777777777777", why);
}

static void a_run_of_zeros_needs_a_length(void **state)
{
    static const char why[] = "has a run of zeros without a length";

    (void)state;
    refuse(HEAD "aa", why);                     /* 00 */
    refuse(HEAD "aaaa", why);                   /* 00 00 */
    refuse(HEAD "acaa", why);                   /* 00 80 */
}

static void a_text_cut_short_is_a_beginning_or_nothing(void **state)
{
    struct dice dice = { 2 };
    uint64_t choice[60];
    size_t refused = 0, n;

    (void)state;
    for (size_t i = 0; i < 60; i++)
        choice[i] = dice_choice(&dice);
    struct schedule schedule = schedule_of(7, 7, choice, 60), back;
    char *text = text_of(&schedule);
    for (size_t length = strlen(text); length-- > 0; ) {
        text[length] = '\0';
        schedule_init(&back, &counting.memory);
        const char *why = schedule_read(&back, text, MOST);
        n = back.n;
        refused += why != NULL;
        assert_true(n <= 60);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(back.choice[i], choice[i]);
        schedule_free(&back);
    }
    assert_true(refused > 100);
    free(text);
    schedule_free(&schedule);
}

static void any_bytes_are_refused_or_come_back(void **state)
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
    struct dice dice = { 3 };
    char text[128];
    int read = 0;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t length = sizeof HEAD - 1, end = length + (size_t)dice_between(&dice, 0, 40);
        memcpy(text, HEAD, length);
        while (length < end)
            text[length++] = dice_chance(&dice, 200) ? (char)dice_between(&dice, 1, 255)
                                                     : digits[dice_between(&dice, 0, 31)];
        text[end] = '\0';
        struct schedule schedule;
        schedule_init(&schedule, &counting.memory);
        if (!schedule_read(&schedule, text, MOST)) {
            read++;
            comes_back(schedule.subject, schedule.seed, schedule.choice, schedule.n);
        }
        schedule_free(&schedule);
    }
    assert_in_range(read, 500, 19000);
}

static void a_long_run_of_zeros_is_refused_before_it_is_held(void **state)
{
    static const char why[] = "has more choices than can be held";
    size_t n;

    (void)state;
    assert_string_equal(reading(HEAD "ad77777777777777ae", MOST, &n), why);   /* a run of 2^64 - 1 */
    assert_int_equal(counting.most, 0);
    assert_string_equal(reading(HEAD "adaiipi", 999999, &n), why);
    assert_int_equal(counting.most, 0);
    assert_null(reading(HEAD "adaiipi", 1000000, &n));
    assert_int_equal(n, 1000000);
    assert_string_equal(reading(HEAD "aeaqcai", 3, &n), why);                   /* 1 1 1 1 */
    assert_int_equal(n, 3);
}

#define CLEAN_TEST(name) cmocka_unit_test_setup_teardown(name, start, nothing_leaks)

TEST_MAIN(CLEAN_TEST(the_text_form_is_as_documented),
          CLEAN_TEST(an_empty_schedule_is_a_head),
          CLEAN_TEST(a_million_zeros_are_seven_digits),
          CLEAN_TEST(the_largest_choice_has_sixteen_digits),
          CLEAN_TEST(every_list_of_choices_comes_back),
          CLEAN_TEST(zeros_and_huge_numbers_in_turn_still_fit_the_text),
          CLEAN_TEST(a_text_without_the_mark_is_no_schedule),
          CLEAN_TEST(a_broken_head_is_refused),
          CLEAN_TEST(broken_choices_are_refused),
          CLEAN_TEST(a_run_of_zeros_needs_a_length),
          CLEAN_TEST(a_text_cut_short_is_a_beginning_or_nothing),
          CLEAN_TEST(any_bytes_are_refused_or_come_back),
          CLEAN_TEST(a_long_run_of_zeros_is_refused_before_it_is_held))

#include "test.h"
#include <gmp.h>
#include <string.h>
#include "../harness/decimal.h"
#include "dice.h"

static void assert_text(i128 n, i128 d, unsigned places, const char *expected)
{
    char text[DECIMAL_TEXT];

    assert_string_equal(decimal_text(decimal_ratio(n, d), places, text), expected);
}

static void a_fraction_rounds_half_away_from_zero(void **state)
{
    (void)state;
    assert_text(1, 3, 9, "0.333333333");
    assert_text(2, 3, 9, "0.666666667");
    assert_text(1, 2000000000, 9, "0.000000001");
    assert_text(1, 2000000001, 9, "0");
    assert_text(3, 2000000000, 9, "0.000000002");
    assert_text(20 * INT64_C(60000000000) - 10, INT64_C(60000000000), 9, "20");
    assert_text(INT64_C(19999999833), 1000000000, 9, "19.999999833");
}

static void fewer_places_round_again(void **state)
{
    (void)state;
    assert_text(1432438, 1000000, 2, "1.43");
    assert_text(1435, 1000, 2, "1.44");
    assert_text(999, 1000, 2, "1");
    assert_text(25, 10, 0, "3");
    assert_text(24, 10, 0, "2");
    assert_text(0, 7, 0, "0");
    assert_text(5, 100, 1, "0.1");
}

static void trailing_zeros_are_dropped(void **state)
{
    (void)state;
    assert_text(20, 1, 9, "20");
    assert_text(3, 2, 9, "1.5");
    assert_text(100, 1, 0, "100");
    assert_text(1001, 1000, 9, "1.001");
}

static void what_is_undefined_is_null(void **state)
{
    (void)state;
    assert_text(1, 0, 9, "null");
    assert_true(decimal_ratio(0, 0).null);
}

static void what_does_not_fit_sticks_at_the_end(void **state)
{
    i128 most = ((i128)1 << 126) - 1;
    char text[DECIMAL_TEXT];

    (void)state;
    assert_string_equal(decimal_text(decimal_ratio(most, 1), 9, text),
                        "170141183460469231731687303715.884105727");
    assert_true(strlen(text) < DECIMAL_TEXT);
    assert_text(most, most, 9, "1");
    assert_text(most - 1, most, 9, "1");
    assert_text(most / 2, most, 9, "0.5");
}

static void to_mpz(mpz_t out, i128 value)
{
    mpz_set_ui(out, (unsigned long)(value >> 64));
    mpz_mul_2exp(out, out, 64);
    mpz_add_ui(out, out, (unsigned long)value);
}

/* 1 .. 126 random bits, most often few. */
static i128 random_wide(struct dice *dice)
{
    i128 bits = (i128)(dice_roll(dice) >> 2) << 64 | dice_roll(dice);

    return bits >> dice_between(dice, 0, 125);
}

/* floor((2 * n * 1e9 + d) / (2 * d)), by GMP. */
static void every_ratio_equals_that_of_gmp(void **state)
{
    struct dice dice = { .state = 1 };
    mpz_t n, d, expected, got;

    (void)state;
    mpz_inits(n, d, expected, got, NULL);
    for (int i = 0; i < 50000; i++) {
        i128 numerator = random_wide(&dice), denominator = random_wide(&dice) | 1;
        if (numerator / denominator >> 96)
            continue;
        to_mpz(n, numerator);
        to_mpz(d, denominator);
        mpz_mul_ui(n, n, 2000000000);
        mpz_add(n, n, d);
        mpz_mul_ui(d, d, 2);
        mpz_fdiv_q(expected, n, d);
        to_mpz(got, decimal_ratio(numerator, denominator).billionths);
        assert_int_equal(mpz_cmp(got, expected), 0);
    }
    mpz_clears(n, d, expected, got, NULL);
}

static void text_reads_back_as_the_same_number(void **state)
{
    struct dice dice = { .state = 2 };
    struct decimal back;
    char text[DECIMAL_TEXT];

    (void)state;
    for (int i = 0; i < 20000; i++) {
        struct decimal value = { .billionths = random_wide(&dice) };
        assert_true(decimal_parse(decimal_text(value, 9, text), &back));
        assert_true(!back.null && back.billionths == value.billionths);
    }
    assert_true(decimal_parse("null", &back) && back.null);
    assert_true(decimal_parse("-1.5", &back) && back.billionths == -INT64_C(1500000000));
    assert_true(decimal_parse("007.5", &back) && back.billionths == INT64_C(7500000000));
}

static void a_negative_number_is_its_opposite_with_a_sign(void **state)
{
    struct decimal small = { .billionths = -1 }, half = { .billionths = -2500000000 };
    char text[DECIMAL_TEXT];

    (void)state;
    assert_string_equal(decimal_text(small, 9, text), "-0.000000001");
    assert_string_equal(decimal_text(small, 3, text), "0");
    assert_string_equal(decimal_text(half, 9, text), "-2.5");
    assert_string_equal(decimal_text(half, 0, text), "-3");
}

static void what_is_no_decimal_is_refused(void **state)
{
    static const char *const bad[] = {
        "", " 1", "1 ", "-", "--1", "- 1", "-.5", "+1", ".5",
        "5.", "1.0000000001", "1e3", "0x10", "nul", "nulll", "1.2.3", "1,5",
        "170141183460469231731687303716", "99999999999999999999999999999999999999999"
    };
    struct decimal out;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(decimal_parse(bad[i], &out));
}

TEST_MAIN(TEST(a_fraction_rounds_half_away_from_zero), TEST(fewer_places_round_again),
          TEST(trailing_zeros_are_dropped), TEST(what_is_undefined_is_null),
          TEST(what_does_not_fit_sticks_at_the_end), TEST(every_ratio_equals_that_of_gmp),
          TEST(text_reads_back_as_the_same_number), TEST(a_negative_number_is_its_opposite_with_a_sign),
          TEST(what_is_no_decimal_is_refused))

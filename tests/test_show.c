#include "test.h"
#include <string.h>
#include "../reports/show.h"

static void numbers_are_shown_in_three_digits(void **state)
{
    char out[SHOW_NUMBER];
    (void)state;
    assert_string_equal(show_span(0, out), "0s");
    assert_string_equal(show_span(-1, out), "-");
    assert_string_equal(show_span(999, out), "999ns");
    assert_string_equal(show_span(41250000, out), "41.3ms");
    assert_string_equal(show_span(999999999, out), "1.00s");
    assert_string_equal(show_span(60000000000, out), "60s");
    assert_string_equal(show_span(86400000000000, out), "86400s");
    assert_string_equal(show_share(0, out), "0%");
    assert_string_equal(show_share(1, out), "<0.01%");
    assert_string_equal(show_share(1000000000, out), "100%");
    assert_string_equal(show_share(123456789, out), "12.3%");
    assert_string_equal(show_ratio(1432437765, out), "1.43");
    assert_string_equal(show_ratio(1000000001, out), ">1.00");
    assert_string_equal(show_ratio(1000000000, out), "1.00");
    assert_string_equal(show_ratio(-1, out), "-");
    assert_string_equal(show_count(99999, out), "99999");
    assert_string_equal(show_count(100000, out), "100k");
    assert_string_equal(show_count(1234567, out), "1.23M");
    assert_string_equal(show_thousandths(2149, out), "2.1");
    assert_string_equal(show_thousandths(0, out), "0");
}

static void no_number_is_wider_than_its_column(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < UINT64_MAX / 3; n = n * 3 / 2 + 1) {
        char out[SHOW_NUMBER];
        assert_true(strlen(show_count(n, out)) <= 6);
        assert_true(strlen(show_span((int64_t)(n >> 1), out)) <= 7);
        assert_true(strlen(show_ratio((int64_t)(n >> 1), out)) <= 6);
    }
}

static void long_names_lose_their_middle_at_whole_letters(void **state)
{
    char out[64];
    (void)state;
    assert_string_equal(show_elided("short", 10, out, sizeof out), "short");
    assert_string_equal(show_elided("0123456789abcdef", 10, out, sizeof out), "012345…def");
    assert_int_equal(show_columns(show_elided("漢字漢字漢字漢字漢字", 9, out, sizeof out)), 9);
    assert_string_equal(show_elided("e\xcc\x81" "bc", 3, out, sizeof out), "e\xcc\x81" "bc");
}

TEST_MAIN(TEST(numbers_are_shown_in_three_digits),
          TEST(no_number_is_wider_than_its_column),
          TEST(long_names_lose_their_middle_at_whole_letters))

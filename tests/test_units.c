/* Units, failures and arenas: what people write, and what they are told. */
#include "test.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "../engine/limiter.h"
#include "../harness/arena.h"
#include "../harness/failure.h"
#include "../harness/units.h"

#define SECOND INT64_C(1000000000)
#define COUNT(array) (sizeof (array) / sizeof *(array))

static void a_duration_is_read_exactly(void **state)
{
    static const struct { const char *text; int64_t ns; } cases[] = {
        { "250ms", 250000000 }, { "1.5s", 1500000000 }, { "60s", 60 * SECOND }, { "5m", 300 * SECOND },
        { "1h", 3600 * SECOND }, { "1d", 86400 * SECOND }, { "100ns", 100 }, { "0", 0 }, { "0.0", 0 },
        { "0s", 0 }, { ".5us", 500 }, { "0.000000001s", 1 }, { "1.000000000000000000000000000000s", SECOND },
        { "0000000000000000000000000000000000001ns", 1 }, { "12.345678901s", 12345678901 },
        { "0.000000000000011574074074074074d", -1 }, { "0.0125d", 1080 * SECOND },
        { "4611686018427387904ns", INSTANT_MAX }, { "4611686018427387905ns", -1 }, { "9999999d", -1 },
        { "0.5ns", -1 }, { "1.0000000001s", -1 }, { "5", -1 }, { "", -1 }, { "s", -1 }, { ".s", -1 },
        { "-5s", -1 }, { "1.2.3s", -1 }, { "1 s", -1 }, { " 1s", -1 }, { "1s ", -1 }, { "1S", -1 },
        { "1e3s", -1 }, { "0x10s", -1 },
        { "99999999999999999999999999999999999999999999999999999999s", -1 }, { "1m30s", -1 }, { "+1s", -1 },
        { "20000000000000000000.0518880000000000000000000000000000000051s", -1 },
        { "0.00000000000000000000000000000000000000000000000000000001s", -1 }
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t ns = -1;
        const char *why = parse_duration(cases[i].text, &ns);
        if ((why == NULL) != (cases[i].ns >= 0) || ns != cases[i].ns)
            fail_msg("%s: got %" PRId64 " (%s)", cases[i].text, ns, why ? why : "accepted");
    }
}

static void only_a_signed_duration_has_a_sign(void **state)
{
    int64_t ns;

    (void)state;
    assert_null(parse_signed_duration("-2.5ms", &ns));
    assert_int_equal(ns, -2500000);
    assert_null(parse_signed_duration("+1s", &ns));
    assert_int_equal(ns, SECOND);
    assert_non_null(parse_signed_duration("--1s", &ns));
    assert_non_null(parse_duration("-1s", &ns));
}

static void a_count_keeps_to_its_range(void **state)
{
    int64_t n;

    (void)state;
    assert_null(parse_count("200_000", 1, COST_MAX, &n));
    assert_int_equal(n, 200000);
    assert_null(parse_count("-9223372036854775808", INT64_MIN, INT64_MAX, &n));
    assert_true(n == INT64_MIN);
    assert_null(parse_count("9223372036854775807", INT64_MIN, INT64_MAX, &n));
    assert_true(n == INT64_MAX);
    assert_null(parse_count("010", 0, 100, &n));
    assert_int_equal(n, 10);
    static const char *const refused[] = { "",
                                           "-",
                                           "1e3",
                                           "1.0",
                                           "0x10",
                                           " 1",
                                           "1 ",
                                           "_1",
                                           "1_",
                                           "1__0",
                                           "+1",
                                           "99999999999999999999999999999999999999999999999",
                                           "-99999999999999999999999999999999999999999",
                                           "0",
                                           "9007199254740992" };
    for (size_t i = 0; i < COUNT(refused); i++) {
        if (parse_count(refused[i], 1, COST_MAX, &n) == NULL)
            fail_msg("accepted \"%s\"", refused[i]);
    }
}

static void a_rate_is_requests_an_hour_exactly(void **state)
{
    static const struct { const char *text; int64_t per_hour; } cases[] = {
        { "400/s", 1440000 }, { "30/m", 1800 }, { "5/h", 5 }, { "1.5/s", 5400 }, { "24/d", 1 },
        { "1/ms", 3600000 }, { "0/s", 0 }, { "0.0001/s", -1 }, { "5/d", -1 }, { "400", -1 }, { "/s", -1 },
        { "1/", -1 }, { "1/y", -1 }, { "-1/s", -1 }, { "9007199254740992/h", -1 }
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t per_hour = -1;
        const char *why = parse_rate(cases[i].text, &per_hour);
        if ((why == NULL) != (cases[i].per_hour >= 0) || per_hour != cases[i].per_hour)
            fail_msg("%s: got %" PRId64, cases[i].text, per_hour);
    }
}

static void a_probability_lies_between_nothing_and_certainty(void **state)
{
    static const struct { const char *text; int64_t billionths; } cases[] = {
        { "1%", 10000000 }, { "0.5%", 5000000 }, { "0.01", 10000000 }, { "100%", SECOND }, { "1", SECOND },
        { "0", 0 }, { "0.0000001%", 1 }, { "0.00000001%", -1 }, { "101%", -1 }, { "1.1", -1 }, { "-1%", -1 },
        { "%", -1 }, { "1%%", -1 }
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t billionths = 0;
        const char *why = parse_probability(cases[i].text, &billionths);
        if ((why == NULL) != (cases[i].billionths >= 0) || (why == NULL && billionths != cases[i].billionths))
            fail_msg("%s: got %" PRIu32, cases[i].text, billionths);
    }
}

static void a_fraction_has_nine_places_at_most(void **state)
{
    int64_t billionths;

    (void)state;
    assert_null(parse_fraction("0.99", &billionths));
    assert_int_equal(billionths, 990000000);
    assert_null(parse_fraction("4.000000001", &billionths));
    assert_int_equal(billionths, 4000000001);
    assert_non_null(parse_fraction("0.0000000001", &billionths));
    assert_non_null(parse_fraction("9223372036.854775808", &billionths));
    assert_non_null(parse_fraction("1%", &billionths));
}

static void a_multiple_is_exact_to_the_nanosecond(void **state)
{
    int64_t ns;

    (void)state;
    assert_null(parse_multiple("12.5", SECOND, &ns));
    assert_int_equal(ns, 12500000000);
    assert_null(parse_multiple("1431857103.123456789", SECOND, &ns));
    assert_true(ns == INT64_C(1431857103123456789));
    assert_non_null(parse_multiple("0.5", 1, &ns));
    assert_non_null(parse_multiple("", 1, &ns));
    assert_non_null(parse_multiple("1s", 1, &ns));
    assert_non_null(parse_multiple("1e9", SECOND, &ns));
}

static void a_time_is_read_in_its_own_zone(void **state)
{
    static const struct { const char *text; int64_t ns; int places; } cases[] = {
        { "1970-01-01T00:00:00Z", 0, 0 }, { "2015-05-17T10:05:03Z", 1431857103 * SECOND, 0 },
        { "2023-11-16 18:17:03.9799600", 1700158623 * SECOND + 979960000, 7 },
        { "2015-05-17T12:05:03+02:00", 1431857103 * SECOND, 0 },
        { "2015-05-17 03:05:03 -0700", 1431857103 * SECOND, 0 },
        { "2015-05-17T11:05:03.5+01", 1431857103 * SECOND + 500000000, 1 },
        { "2015-05-17t10:05:03,25z", 1431857103 * SECOND + 250000000, 2 },
        { "2015-05-17T10:05", 1431857100 * SECOND, 0 }, { "2016-12-31T23:59:60Z", 1483228800 * SECOND, 0 },
        { "1969-12-31T23:59:59.999999999Z", -1, 9 }, { "2000-02-29T00:00:00Z", 951782400 * SECOND, 0 },
        { "2015-05-17T10:05:03.12345678900000Z", 1431857103 * SECOND + 123456789, 9 }
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t ns = 7;
        unsigned places = 99;
        const char *why = parse_iso_time(cases[i].text, &ns, &places);
        if (why || ns != cases[i].ns || places != (unsigned)cases[i].places)
            fail_msg("%s: got %" PRId64 ", %u places (%s)", cases[i].text, ns, places,
                     why ? why : "accepted");
    }
}

static void what_is_no_time_is_refused(void **state)
{
    static const char *const refused[] = { "",
                                           "2015",
                                           "2015-05-17",
                                           "2015-13-01T00:00:00Z",
                                           "2015-00-01T00:00:00Z",
                                           "2015-02-29T00:00:00Z",
                                           "2015-04-31T00:00:00Z",
                                           "1900-02-29T00:00:00Z",
                                           "2015-05-17T24:00:00Z",
                                           "2015-05-17T10:60:00Z",
                                           "2015-05-17T10:05:61Z",
                                           "2015-05-17T10:05:03.Z",
                                           "2015-05-17T10:05:03.1234567891Z",
                                           "2015-05-17T10:05:03+2",
                                           "2015-05-17T10:05:03 ",
                                           "2015-05-17T10:05:03Zx",
                                           "2015-05-17T10:05:03+02:",
                                           "2015/05/17 10:05:03",
                                           "1500-01-01T00:00:00Z",
                                           "2300-01-01T00:00:00Z",
                                           "17/May/2015:10:05:03",
                                           "-2015-05-17T10:05:03Z",
                                           "2015-05-17T10:05:",
                                           "2015-05-17T",
                                           "2015-05-17T10:05:03+24:00" };
    int64_t ns;
    unsigned places;

    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        if (parse_iso_time(refused[i], &ns, &places) == NULL)
            fail_msg("accepted \"%s\"", refused[i]);
    }
}

/* Against a count that walks day by day. */
static void every_day_of_three_centuries_has_its_number(void **state)
{
    int64_t expected = days_from_date(1824, 1, 1), ns;
    unsigned places;
    char text[UNITS_TEXT], back[UNITS_TEXT];

    (void)state;
    assert_int_equal(days_from_date(1970, 1, 1), 0);
    assert_int_equal(expected, -53326);
    for (int year = 1824; year <= 2115; year++) {
        for (unsigned month = 1; month <= 12; month++) {
            for (unsigned day = 1; day <= days_of_month(year, month); day++, expected++) {
                snprintf(text, sizeof text, "%04d-%02u-%02uT13:14:15.016Z", year, month, day);
                assert_null(parse_iso_time(text, &ns, &places));
                assert_true(ns == (expected * 86400 + 13 * 3600 + 14 * 60 + 15) * SECOND + 16000000);
                assert_string_equal(iso_time_text(ns, 3, back), text);
            }
        }
    }
}

static void a_duration_is_written_as_people_would(void **state)
{
    static const struct { int64_t ns; const char *text; } cases[] = {
        { 0, "0s" }, { 60 * SECOND, "60s" }, { 250000000, "250ms" }, { 1500000000, "1.5s" },
        { 300 * SECOND, "5m" }, { 3600 * SECOND, "1h" }, { 86400 * SECOND, "1d" }, { 100, "100ns" },
        { 90 * SECOND, "90s" }, { 1234567, "1234.567us" }, { 1234567890, "1234567.89us" },
        { 12345678901, "12345678.901us" }, { 59999999999, "59999999.999us" }, { 5, "5ns" },
        { -2000000, "-2ms" }, { 1050000, "1.05ms" }, { 5400 * SECOND, "90m" },
        { INT64_MAX, "9223372036854775.807us" }, { INT64_MIN, "-9223372036854775.807us" },
        { 120 * SECOND, "2m" }
    };
    char text[UNITS_TEXT];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(duration_text(cases[i].ns, text), cases[i].text);
}

static void what_is_written_is_read_back_the_same(void **state)
{
    uint64_t mixed = 88172645463325252u;
    char text[UNITS_TEXT];
    int64_t back;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        mixed ^= mixed << 13, mixed ^= mixed >> 7, mixed ^= mixed << 17;
        int64_t ns = (int64_t)(mixed >> (2 + i % 62));
        for (int zeros = i % 7; zeros > 0; zeros--)
            ns = ns / 10 * 10;
        assert_null(parse_duration(duration_text(ns, text), &back));
        assert_true(back == ns);
    }
}

static void a_time_is_cut_to_its_places_also_before_1970(void **state)
{
    char text[UNITS_TEXT];

    (void)state;
    assert_string_equal(iso_time_text(1431857103 * SECOND + 999999999, 0, text), "2015-05-17T10:05:03Z");
    assert_string_equal(iso_time_text(1431857103 * SECOND + 120000000, 3, text), "2015-05-17T10:05:03.120Z");
    assert_string_equal(iso_time_text(-1, 9, text), "1969-12-31T23:59:59.999999999Z");
    assert_string_equal(iso_time_text(INSTANT_MAX, 0, text), "2116-02-20T23:53:38Z");
    assert_string_equal(iso_time_text(-INSTANT_MAX, 0, text), "1823-11-12T00:06:21Z");
}

static void a_failure_is_one_visible_line(void **state)
{
    struct failure failure;
    static char huge[5000];

    (void)state;
    assert_false(fail(&failure, EXIT_USAGE, "a.csv", 7, "t is %s; expected %d", "\"x\n\x1b[2J\"", 3));
    assert_string_equal(failure.line, "a.csv:7: t is \"x\\x0a\\x1b[2J\"; expected 3");
    assert_int_equal(failure.code, EXIT_USAGE);
    fail(&failure, EXIT_TROUBLE, "a.csv", 0, "is gone");
    assert_string_equal(failure.line, "a.csv: is gone");
    fail(&failure, EXIT_USAGE, NULL, 3, "needs a design");
    assert_string_equal(failure.line, "needs a design");
    memset(huge, '\x01', sizeof huge - 1);
    fail(&failure, EXIT_USAGE, huge, 3, "%s", huge);
    assert_true(strlen(failure.line) < sizeof failure.line && strlen(failure.line) > sizeof failure.line - 8);
}

static void visible_text_shows_every_byte_that_is_no_character(void **state)
{
    static const struct { const char *bytes; size_t length; const char *shown; } cases[] = {
        { "plain", 5, "plain" }, { "caf\xc3\xa9", 5, "caf\xc3\xa9" }, { "\xe2\x82\xac", 3, "\xe2\x82\xac" },
        { "\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80" }, { "a\0b", 3, "a\\x00b" }, { "\xff", 1, "\\xff" },
        { "\xc3", 1, "\\xc3" }, { "\xc0\x80", 2, "\\xc0\\x80" }, { "\xc2\x9b", 2, "\\xc2\\x9b" },
        { "\x7f", 1, "\\x7f" }, { "\xed\xa0\x80", 3, "\\xed\\xa0\\x80" },
        { "\xe0\x80\x80", 3, "\\xe0\\x80\\x80" }, { "", 0, "" },
        { "abcdefghijklmnopqrstuvwxyz", 26, "abcdefghijkl..." }
    };
    char out[16];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(visible_text(cases[i].bytes, cases[i].length, out, sizeof out), cases[i].shown);
}

static void the_nearest_name_is_one_that_could_be_meant(void **state)
{
    static const char *const names[] = {
        "token-bucket", "gcra", "fixed-window", "fixed-window-anchored", "t", "t_ms", "key", NULL
    };
    static char huge[10000];

    (void)state;
    assert_string_equal(nearest_name("token-buckt", names), "token-bucket");
    assert_string_equal(nearest_name("TOKEN-BUCKET", names), "token-bucket");
    assert_string_equal(nearest_name("gcar", names), "gcra");
    assert_string_equal(nearest_name("fixed_window", names), "fixed-window");
    assert_string_equal(nearest_name("fixed", names), "fixed-window");
    assert_string_equal(nearest_name("kye", names), "key");
    assert_string_equal(nearest_name("T", names), "t");
    assert_null(nearest_name("x", names));
    assert_null(nearest_name("", names));
    assert_null(nearest_name("leaky", names));
    memset(huge, 'g', sizeof huge - 1);
    assert_null(nearest_name(huge, names));
}

static void an_arena_hands_out_zeroed_and_separate_memory(void **state)
{
    struct arena arena = { 0 };
    char *blocks[300];

    (void)state;
    for (size_t i = 0; i < COUNT(blocks); i++) {
        size_t bytes = i * i % 40000 + 1;
        blocks[i] = arena_alloc(&arena, bytes);
        assert_int_equal((uintptr_t)blocks[i] % 16, 0);
        for (size_t j = 0; j < bytes; j++)
            assert_int_equal(blocks[i][j], 0);
        memset(blocks[i], (int)i, bytes);
    }
    for (size_t i = 0; i < COUNT(blocks); i++)
        assert_int_equal((unsigned char)blocks[i][i * i % 40000], i % 256);
    assert_string_equal(arena_text(&arena, "text"), "text");
    assert_string_equal(arena_format(&arena, "%d-%s", 7, "x"), "7-x");
    arena_free(&arena);
    assert_null(arena.last);
    arena_free(&arena);
}

TEST_MAIN(
    TEST(a_duration_is_read_exactly),
    TEST(only_a_signed_duration_has_a_sign),
    TEST(a_count_keeps_to_its_range),
    TEST(a_rate_is_requests_an_hour_exactly),
    TEST(a_probability_lies_between_nothing_and_certainty),
    TEST(a_fraction_has_nine_places_at_most),
    TEST(a_multiple_is_exact_to_the_nanosecond),
    TEST(a_time_is_read_in_its_own_zone),
    TEST(what_is_no_time_is_refused),
    TEST(every_day_of_three_centuries_has_its_number),
    TEST(a_duration_is_written_as_people_would),
    TEST(what_is_written_is_read_back_the_same),
    TEST(a_time_is_cut_to_its_places_also_before_1970),
    TEST(a_failure_is_one_visible_line),
    TEST(visible_text_shows_every_byte_that_is_no_character),
    TEST(the_nearest_name_is_one_that_could_be_meant),
    TEST(an_arena_hands_out_zeroed_and_separate_memory))

/* test_headers.c - response headers: what they say, and that it is read back. */
#include <stdio.h>
#include "headers_rig.h"
#include "test.h"

/* ---- what is written ---- */

/* All headers of a style in one line; "-" stands for an omitted one. */
static void assert_headers(const char *style, struct answer answer, const char *expected)
{
    const struct header_style *found = header_style_find(style);
    char line[1024] = "", value[HEADER_TEXT];
    size_t length = 0;

    assert_non_null(found);
    for (unsigned i = 0; found->header[i]; i++) {
        bool written = header_write(found->header[i], &answer, value);
        assert_int_equal(written, *value != '\0');
        length += (size_t)snprintf(line + length, sizeof line - length, "%s%s: %s", i ? " | " : "",
                                   found->header[i]->name, written ? value : "-");
    }
    assert_string_equal(line, expected);
}

static struct answer answer_of(const struct policy *policy, struct verdict verdict, int64_t remaining,
                               int64_t reset_ns)
{
    return (struct answer){ policy, "default", 0, verdict, { remaining, reset_ns } };
}

static void fifty_of_a_hundred_a_minute_in_every_style(void **state)
{
    struct policy policy = make_policy(100, 60 * SECOND, 100, YEAR_2023);
    struct answer answer = answer_of(&policy, verdict_allow(), 50, 30 * SECOND);

    (void)state;
    assert_headers("retry-after", answer, "Retry-After: -");
    assert_headers("x-ratelimit-delta", answer,
                   "X-RateLimit-Limit: 100 | X-RateLimit-Remaining: 50 | X-RateLimit-Reset: 30");
    assert_headers("x-ratelimit-epoch", answer,
                   "X-RateLimit-Limit: 100 | X-RateLimit-Remaining: 50 | X-RateLimit-Reset: 1700000030");
    assert_headers("ietf-draft-6", answer, "RateLimit-Policy: 100;w=60 | RateLimit-Limit: 100 | "
                                           "RateLimit-Remaining: 50 | RateLimit-Reset: 30");
    assert_headers("ietf-draft-7", answer,
                   "RateLimit-Policy: 100;w=60 | RateLimit: limit=100, remaining=50, reset=30");
    assert_headers("ietf", answer,
                   "RateLimit-Policy: \"default\";q=100;w=60 | RateLimit: \"default\";r=50;t=30");
}

/* 100 a minute, of which none is left: the next one in 600 ms, all of them in a minute. */
static void a_denied_client_is_told_its_own_wait_and_when_all_is_there(void **state)
{
    struct policy policy = make_policy(100, 60 * SECOND, 100, 0);
    struct answer answer = answer_of(&policy, verdict_deny(600000000), 0, 60 * SECOND);

    (void)state;
    assert_headers("retry-after", answer, "Retry-After: 1");
    assert_headers("x-ratelimit-delta", answer,
                   "X-RateLimit-Limit: 100 | X-RateLimit-Remaining: 0 | X-RateLimit-Reset: 60");
    assert_headers("ietf", answer,
                   "RateLimit-Policy: \"default\";q=100;w=60 | RateLimit: \"default\";r=0;t=1");
}

static void a_nanosecond_of_waiting_is_told_as_a_second(void **state)
{
    static const struct { int64_t ns; const char *text; } waits[] = {
        { -5, "Retry-After: 0" }, { 0, "Retry-After: 0" }, { 1, "Retry-After: 1" },
        { SECOND - 1, "Retry-After: 1" }, { SECOND, "Retry-After: 1" }, { SECOND + 1, "Retry-After: 2" },
        { PERIOD_MAX, "Retry-After: 315619200" }, { NEVER_NS - 1, "Retry-After: 9223372037" },
        { NEVER_NS, "Retry-After: -" },
    };
    struct policy policy = make_policy(100, 60 * SECOND, 100, 0);

    (void)state;
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        assert_headers("retry-after", answer_of(&policy, verdict_deny(waits[i].ns), 0, 0), waits[i].text);
}

static void where_no_wait_will_do_none_is_told(void **state)
{
    struct policy policy = make_policy(100, 60 * SECOND, 100, 0);
    struct answer answer = answer_of(&policy, verdict_deny(NEVER_NS), 100, 0);

    (void)state;
    assert_headers("ietf", answer,
                   "RateLimit-Policy: \"default\";q=100;w=60 | RateLimit: \"default\";r=100");
    answer = answer_of(&policy, verdict_allow(), 100, NEVER_NS);
    assert_headers("x-ratelimit-epoch", answer,
                   "X-RateLimit-Limit: 100 | X-RateLimit-Remaining: 100 | X-RateLimit-Reset: -");
    assert_headers("ietf-draft-7", answer, "RateLimit-Policy: 100;w=60 | RateLimit: -");
}

static void an_epoch_is_rounded_up_on_both_sides_of_1970(void **state)
{
    static const struct { int64_t epoch_ns, now_ns, reset_ns; const char *text; } resets[] = {
        { 0, 0, 0, "0" }, { 0, 1, 0, "1" }, { 0, 20 * SECOND, 10 * SECOND, "30" },
        { YEAR_2023 + SECOND / 2, 0, SECOND / 2, "1700000001" },
        { YEAR_2023 + SECOND / 2, 0, SECOND / 2 + 1, "1700000002" },
        { -10 * SECOND, 0, 7 * SECOND / 2, "-6" }, { -10 * SECOND, 9 * SECOND, 1, "0" },
        { INSTANT_MAX, INSTANT_MAX, NEVER_NS - 1, "18446744074" },
    };
    char value[HEADER_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof resets / sizeof *resets; i++) {
        struct policy policy = make_policy(100, 60 * SECOND, 100, resets[i].epoch_ns);
        struct answer answer = answer_of(&policy, verdict_allow(), 1, resets[i].reset_ns);
        answer.now_ns = resets[i].now_ns;
        assert_true(header_write(header_of("x-ratelimit-epoch", "X-RateLimit-Reset"), &answer, value));
        assert_string_equal(value, resets[i].text);
    }
}

static void a_window_is_whole_seconds_rounded_up_and_never_none(void **state)
{
    struct policy policy = make_policy(5, 3 * SECOND / 2, 5, 0);

    (void)state;
    assert_headers("ietf", answer_of(&policy, verdict_allow(), 5, 0),
                   "RateLimit-Policy: \"default\";q=5;w=2 | RateLimit: \"default\";r=5;t=0");
    policy = make_policy(5, 1, 5, 0);
    assert_headers("ietf-draft-7", answer_of(&policy, verdict_allow(), 4, 1),
                   "RateLimit-Policy: 5;w=1 | RateLimit: limit=5, remaining=4, reset=1");
}

static void a_structured_integer_has_at_most_15_digits(void **state)
{
    struct policy policy = make_policy(COST_MAX, PERIOD_MAX, COST_MAX, 0);
    struct answer answer = answer_of(&policy, verdict_allow(), COST_MAX, PERIOD_MAX);

    (void)state;
    assert_headers("x-ratelimit-delta", answer,
                   "X-RateLimit-Limit: 9007199254740991 | X-RateLimit-Remaining: 9007199254740991 | "
                   "X-RateLimit-Reset: 315619200");
    assert_headers("ietf", answer, "RateLimit-Policy: \"default\";q=999999999999999;w=315619200 | RateLimit: "
                                   "\"default\";r=999999999999999;t=315619200");
    assert_headers("ietf-draft-6", answer, "RateLimit-Policy: 999999999999999;w=315619200 | RateLimit-Limit: "
                                           "999999999999999 | RateLimit-Remaining: 999999999999999 | "
                                           "RateLimit-Reset: 315619200");
}

static void the_name_of_a_policy_is_quoted_or_the_header_omitted(void **state)
{
    struct policy policy = make_policy(1, SECOND, 1, 0);
    struct answer answer = answer_of(&policy, verdict_allow(), 1, 0);
    char name[HEADER_TEXT + 1];

    (void)state;
    answer.policy_name = "a\"b\\c";
    assert_headers("ietf", answer, "RateLimit-Policy: \"a\\\"b\\\\c\";q=1;w=1 | "
                                   "RateLimit: \"a\\\"b\\\\c\";r=1;t=0");
    for (const char *const *bad = (const char *[]){ "caf\xc3\xa9", "a\tb", "\x7f", NULL }; *bad; bad++) {
        answer.policy_name = *bad;
        assert_headers("ietf", answer, "RateLimit-Policy: - | RateLimit: -");
    }
    memset(name, '"', HEADER_TEXT);
    for (size_t length = 0; length <= HEADER_TEXT; length++) {
        char value[HEADER_TEXT];
        struct told told;
        name[length] = '\0';
        answer.policy_name = name;
        const struct header *header = header_of("ietf", "RateLimit");
        assert_int_equal(header_write(header, &answer, value), length <= 40);
        assert_int_equal(*value && header_read(header, value, &told) && told.remaining == 1, length <= 40);
        name[length] = '"';
    }
}

static void without_a_look_at_a_state_only_retry_after_can_be_told(void **state)
{
    struct answer answer = answer_of(NULL, verdict_deny(2 * SECOND), 7, 9 * SECOND);

    (void)state;
    assert_headers("retry-after", answer, "Retry-After: 2");
    assert_headers("x-ratelimit-delta", answer,
                   "X-RateLimit-Limit: - | X-RateLimit-Remaining: - | X-RateLimit-Reset: -");
    assert_headers("x-ratelimit-epoch", answer,
                   "X-RateLimit-Limit: - | X-RateLimit-Remaining: - | X-RateLimit-Reset: -");
    assert_headers("ietf-draft-6", answer, "RateLimit-Policy: - | RateLimit-Limit: - | "
                                           "RateLimit-Remaining: - | RateLimit-Reset: -");
    assert_headers("ietf-draft-7", answer, "RateLimit-Policy: - | RateLimit: -");
    assert_headers("ietf", answer, "RateLimit-Policy: - | RateLimit: -");
}

/* ---- what is read ---- */

static const struct { const char *style, *name, *value; int64_t remaining, wait_s; } read_well[] = {
    { "retry-after", "Retry-After", "0", -1, 0 },
    { "retry-after", "Retry-After", "007", -1, 7 },
    { "retry-after", "Retry-After", "999999999999999", -1, HEADER_INTEGER_MAX },
    { "x-ratelimit-delta", "X-RateLimit-Limit", "9007199254740991", -1, -1 },
    { "x-ratelimit-delta", "X-RateLimit-Remaining", "9007199254740991", COST_MAX, -1 },
    { "x-ratelimit-epoch", "X-RateLimit-Reset", "1700000030", -1, 1700000030 },
    { "x-ratelimit-epoch", "X-RateLimit-Reset", "-6", -1, -6 },
    { "ietf", "RateLimit-Policy", "\"default\";q=100;w=60", -1, -1 },
    { "ietf", "RateLimit-Policy", "\"default\";q=0", -1, -1 },
    { "ietf", "RateLimit-Policy", "\"default\";q=100;qu=\"content-bytes\";w=60;pk=:cGsK:", -1, -1 },
    { "ietf", "RateLimit", "\"default\";r=50;t=30", 50, 30 },
    { "ietf", "RateLimit", "\"default\";t=30;r=50", 50, 30 },
    { "ietf", "RateLimit", "\"a;b\\\"\\\\\"; r=1;  x; y=?1", 1, -1 },
    { "ietf", "RateLimit", "\"twice\";r=1;r=2", 2, -1 },
    { "ietf-draft-6", "RateLimit-Policy", "100;w=60;comment=\"fixed window\"", -1, -1 },
    { "ietf-draft-7", "RateLimit", "limit=100, remaining=50, reset=30", 50, 30 },
    { "ietf-draft-7", "RateLimit", "reset=30,remaining=50 ,\tlimit=100", 50, 30 },
};

static void what_is_well_formed_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof read_well / sizeof *read_well; i++) {
        struct told told;
        if (!header_read(header_of(read_well[i].style, read_well[i].name), read_well[i].value, &told))
            fail_msg("%s: %s", read_well[i].name, read_well[i].value);
        assert_int_equal(told.has_remaining ? told.remaining : -1, read_well[i].remaining);
        assert_int_equal(told.has_wait ? told.wait_s : -1, read_well[i].wait_s);
    }
}

static const struct { const char *style, *name, *value; } misread[] = {
    { "retry-after", "Retry-After", "" }, { "retry-after", "Retry-After", "-1" },
    { "retry-after", "Retry-After", "+1" }, { "retry-after", "Retry-After", " 1" },
    { "retry-after", "Retry-After", "1 " }, { "retry-after", "Retry-After", "1.5" },
    { "retry-after", "Retry-After", "1e3" }, { "retry-after", "Retry-After", "Infinity" },
    { "retry-after", "Retry-After", "NaN" }, { "retry-after", "Retry-After", "1000000000000000" },
    { "retry-after", "Retry-After", "Fri, 31 Dec 1999 23:59:59 GMT" },
    { "x-ratelimit-delta", "X-RateLimit-Reset", "-6" }, { "x-ratelimit-epoch", "X-RateLimit-Reset", "--6" },
    { "x-ratelimit-epoch", "X-RateLimit-Reset", "2026-01-01T00:00:00Z" },
    { "x-ratelimit-delta", "X-RateLimit-Remaining", "10000000000000000" },
    { "ietf-draft-6", "RateLimit-Remaining", "9007199254740991" },
    { "ietf-draft-6", "RateLimit-Policy", "100" }, { "ietf-draft-6", "RateLimit-Policy", "100;w=0" },
    { "ietf-draft-7", "RateLimit", "limit=100, remaining=50" },
    { "ietf-draft-7", "RateLimit", "limit=100, remaining=50, reset=30," },
    { "ietf-draft-7", "RateLimit", "limit=100; remaining=50; reset=30" },
    { "ietf", "RateLimit", "default;r=50;t=30" }, { "ietf", "RateLimit", "\"default\"" },
    { "ietf", "RateLimit", "\"default\";t=30" }, { "ietf", "RateLimit", "\"default\";r=-1" },
    { "ietf", "RateLimit", "\"default\";r=5.0" }, { "ietf", "RateLimit", "\"default\";r=5;t" },
    { "ietf", "RateLimit", "\"default\";r=5;t=" }, { "ietf", "RateLimit", "\"default\";r=5;T=3" },
    { "ietf", "RateLimit", "\"default\";r=5;t=-3" }, { "ietf", "RateLimit", "\"default\";r=5;" },
    { "ietf", "RateLimit", "\"default\" ;r=5" }, { "ietf", "RateLimit", "\"default;r=5" },
    { "ietf", "RateLimit", "\"a\\b\";r=5" }, { "ietf", "RateLimit", "\"a\\" },
    { "ietf", "RateLimit", "\"a\";r=5, \"b\";r=6" }, { "ietf", "RateLimit", "\"a\";r=5;pk=:c" },
    { "ietf", "RateLimit", "\"a\";r=5;pk=:\xc3:" }, { "ietf", "RateLimit", "\"a\";r=1000000000000000" },
    { "ietf", "RateLimit-Policy", "\"default\";w=60" }, { "ietf", "RateLimit-Policy", "\"default\";q=1;w=0" },
};

static void what_is_not_well_formed_is_not_guessed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof misread / sizeof *misread; i++) {
        struct told told;
        if (header_read(header_of(misread[i].style, misread[i].name), misread[i].value, &told))
            fail_msg("%s: %s was read", misread[i].name, misread[i].value);
    }
}

/* What is well formed with a few bytes changed, or many; each text in a block of its own size, so that a
 * sanitizer sees a byte read too many. */
static void random_bytes_are_read_or_refused_within_their_bounds(void **state)
{
    static const char bytes[] = "\";=,:\\0123456789rtqwk limetrsn-.*?\x80\x01";
    struct dice dice = { 5 };
    unsigned accepted = 0;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        const char *style = read_well[dice_between(&dice, 0, sizeof read_well / sizeof *read_well - 1)].style;
        size_t from = (size_t)dice_between(&dice, 0, sizeof read_well / sizeof *read_well - 1);
        char *text = strdup(read_well[from].value);
        for (int64_t change = dice_between(&dice, 0, dice_chance(&dice, 3) ? 30 : 2); *text && change > 0;
             change--)
            text[dice_between(&dice, 0, (int64_t)strlen(text) - 1)] =
                bytes[dice_between(&dice, 0, sizeof bytes - 1)];
        for (const struct header *const *header = header_style_find(style)->header; *header; header++) {
            struct told told;
            bool read = header_read(*header, text, &told);
            accepted += read;
            assert_true(!read || !told.has_remaining || (told.remaining >= 0 && told.remaining < 1e16));
            assert_true(!read || !told.has_wait || ((*header)->epoch || told.wait_s >= 0));
            assert_true(!read || told.wait_s <= HEADER_INTEGER_MAX);
        }
        free(text);
    }
    assert_in_range(accepted, 10000, 400000);
}

/* The draft asks that a client that obeys Retry-After is never told a later `t`. */
static void retry_after_and_t_are_the_same_on_a_denial(void **state)
{
    const struct header *after = header_of("retry-after", "Retry-After");
    const struct header *quota = header_of("ietf", "RateLimit");
    char text[HEADER_TEXT], value[HEADER_TEXT];
    struct dice dice = { 12 };

    (void)state;
    for (int i = 0; i < 10000; i++) {
        struct policy policy = dice_policy(&dice, &gcra);
        struct answer answer = answer_of(&policy, verdict_deny(dice_size(&dice, NEVER_NS)), 0, 1);
        struct told told, told_t;
        bool finite = answer.verdict.retry_after_ns != NEVER_NS;
        assert_int_equal(header_write(after, &answer, text), finite);
        assert_true(header_write(quota, &answer, value) && header_read(quota, value, &told_t));
        assert_int_equal(told_t.has_wait, finite);
        assert_true(!finite || (header_read(after, text, &told) && told.wait_s == told_t.wait_s));
    }
}

TEST_MAIN(TEST(fifty_of_a_hundred_a_minute_in_every_style),
          TEST(a_denied_client_is_told_its_own_wait_and_when_all_is_there),
          TEST(a_nanosecond_of_waiting_is_told_as_a_second),
          TEST(where_no_wait_will_do_none_is_told),
          TEST(an_epoch_is_rounded_up_on_both_sides_of_1970),
          TEST(a_window_is_whole_seconds_rounded_up_and_never_none),
          TEST(a_structured_integer_has_at_most_15_digits),
          TEST(the_name_of_a_policy_is_quoted_or_the_header_omitted),
          TEST(without_a_look_at_a_state_only_retry_after_can_be_told),
          TEST(what_is_well_formed_is_read),
          TEST(what_is_not_well_formed_is_not_guessed),
          TEST(random_bytes_are_read_or_refused_within_their_bounds),
          TEST(retry_after_and_t_are_the_same_on_a_denial))

/* test_headers.c - response headers: what they say, that it is read back, and that it comes true. */
#include <stdio.h>
#include "test.h"
#include "../harness/headers.h"
#include "limiter_rig.h"

#define SECOND INT64_C(1000000000)
#define YEAR_2023 (INT64_C(1700000000) * SECOND)

/* ---- what is written ---- */

static const struct header *header_of(const char *style, const char *name)
{
    const struct header_style *found = header_style_find(style);

    assert_non_null(found);
    for (unsigned i = 0; found->header[i]; i++)
        if (strcmp(found->header[i]->name, name) == 0)
            return found->header[i];
    fail_msg("%s has no %s", style, name);
    return NULL;
}

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
    assert_headers("x-ratelimit-delta", answer, "X-RateLimit-Limit: 9007199254740991 | X-RateLimit-Remaining: "
                                                "9007199254740991 | X-RateLimit-Reset: 315619200");
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

/* Bytes from nowhere, and what is well formed with a few bytes changed; each text in a block of its own size, so
 * that a sanitizer sees a byte read too many. */
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

/* ---- what is judged ---- */

/* A key whose requests were just decided, the last one as `answer` says. */
struct judged {
    struct rig rig;
    struct answer answer;
    struct asked asked;
};

static void judged_open(struct judged *judged, const struct limiter *limiter, struct policy policy,
                        int64_t now_ns)
{
    *judged = (struct judged){ .rig = rig_open(limiter, &policy, now_ns) };
}

static void judged_decide(struct judged *judged, int64_t now_ns, int64_t cost)
{
    struct verdict verdict = rig_decide(&judged->rig, now_ns, cost);
    const struct policy *policy = &judged->rig.policy;

    judged->answer = (struct answer){ policy, "default", now_ns, verdict, rig_quote(&judged->rig, now_ns) };
    judged->asked = (struct asked){ judged->rig.limiter, policy, judged->rig.state, { now_ns, cost },
                                    verdict.allowed };
}

static void assert_finding(const struct judged *judged, const char *style, const char *name,
                           const char *value, const char *expected)
{
    enum finding finding = header_judge(header_of(style, name), value, &judged->asked);

    if (strcmp(finding_text(finding), expected) != 0)
        fail_msg("%s: %s is %s, not %s", name, value, finding_text(finding), expected);
}

/* Three in ten seconds, all taken at once at 0; then a fourth at 8.6 s, which has 1.4 s to go. */
static void take_three_in_ten_seconds(struct judged *judged, int64_t epoch_ns)
{
    judged_open(judged, &fixed_window_anchored, make_policy(3, 10 * SECOND, 3, epoch_ns), 0);
    judged_decide(judged, 0, 3);
    judged_decide(judged, 86 * SECOND / 10, 1);
    assert_int_equal(judged->answer.verdict.retry_after_ns, 14 * SECOND / 10);
}

/* A wait rounded to the nearest second, as by AspNetCoreRateLimit, sends its client back too early. */
static void the_text_is_judged_by_what_then_happens(void **state)
{
    struct judged judged;

    (void)state;
    take_three_in_ten_seconds(&judged, 0);
    assert_finding(&judged, "retry-after", "Retry-After", "1", "too early");
    assert_finding(&judged, "retry-after", "Retry-After", "2", "true");
    assert_finding(&judged, "retry-after", "Retry-After", "3", "too late");
    assert_finding(&judged, "retry-after", "Retry-After", "", "missing");
    assert_finding(&judged, "retry-after", "Retry-After", "1.4", "unreadable");
    assert_finding(&judged, "retry-after", "Retry-After", "999999999999999", "");
    assert_finding(&judged, "ietf", "RateLimit", "\"default\";r=0;t=2", "true");
    assert_finding(&judged, "ietf", "RateLimit", "\"default\";r=1;t=2", "too much");
    assert_finding(&judged, "ietf", "RateLimit", "\"default\";r=0;t=1", "too early");
    assert_finding(&judged, "ietf", "RateLimit", "\"default\";r=0", "missing");
    assert_finding(&judged, "ietf", "RateLimit-Policy", "\"default\";q=3;w=10", "");
    assert_finding(&judged, "ietf-draft-7", "RateLimit", "limit=3, remaining=0, reset=3", "too late");
    judged_decide(&judged, 10 * SECOND, 1);
    assert_finding(&judged, "x-ratelimit-delta", "X-RateLimit-Remaining", "1", "too little");
    assert_finding(&judged, "x-ratelimit-delta", "X-RateLimit-Remaining", "2", "true");
    assert_finding(&judged, "x-ratelimit-delta", "X-RateLimit-Remaining", "3", "too much");
    assert_finding(&judged, "retry-after", "Retry-After", "", "");
    rig_close(&judged.rig);
}

/* The two meanings of Reset, each taken for the other: a retry in 53 years, and one at once. */
static void a_reset_of_the_other_meaning_is_far_too_late_or_no_wait_at_all(void **state)
{
    struct judged judged;

    (void)state;
    take_three_in_ten_seconds(&judged, YEAR_2023);
    assert_finding(&judged, "x-ratelimit-delta", "X-RateLimit-Reset", "2", "true");
    assert_finding(&judged, "x-ratelimit-delta", "X-RateLimit-Reset", "1700000010", "too late");
    assert_finding(&judged, "x-ratelimit-epoch", "X-RateLimit-Reset", "1700000010", "true");
    assert_finding(&judged, "x-ratelimit-epoch", "X-RateLimit-Reset", "1700000009", "too early");
    assert_finding(&judged, "x-ratelimit-epoch", "X-RateLimit-Reset", "1700000011", "too late");
    assert_finding(&judged, "x-ratelimit-epoch", "X-RateLimit-Reset", "2", "too early");
    rig_close(&judged.rig);
}

static void a_finite_wait_that_can_never_come_true_is_too_early(void **state)
{
    struct judged judged;

    (void)state;
    judged_open(&judged, &token_bucket, make_policy(10, 60 * SECOND, 10, 0), 0);
    judged_decide(&judged, 0, 11);
    assert_finding(&judged, "retry-after", "Retry-After", "6", "too early");
    assert_finding(&judged, "retry-after", "Retry-After", "", "");
    assert_finding(&judged, "ietf", "RateLimit", "\"default\";r=10", "true");
    assert_finding(&judged, "ietf", "RateLimit", "\"default\";r=10;t=6", "too early");
    rig_close(&judged.rig);
}

static void which_meanings_a_reset_can_have(void **state)
{
    struct policy policy = make_policy(100, 60 * SECOND, 100, YEAR_2023);

    (void)state;
    assert_int_equal(reset_meanings(&policy, 0, 30), RESET_DELTA);
    assert_int_equal(reset_meanings(&policy, 0, 1700000030), RESET_EPOCH);
    assert_int_equal(reset_meanings(&policy, 0, 120), RESET_DELTA);
    assert_int_equal(reset_meanings(&policy, 0, 121), RESET_NEITHER);
    assert_int_equal(reset_meanings(&policy, 1, 1700000121), RESET_EPOCH);
    assert_int_equal(reset_meanings(&policy, 1, 1700000122), RESET_NEITHER);
    assert_int_equal(reset_meanings(&policy, 1, 1699999999), RESET_NEITHER);
    assert_int_equal(reset_meanings(&policy, 0, -1), RESET_NEITHER);
    assert_int_equal(reset_meanings(&policy, 0, INT64_C(1700000030000)), RESET_NEITHER);  /* milliseconds */
    policy = make_policy(100, 60 * SECOND, 100, 0);
    assert_int_equal(reset_meanings(&policy, 20 * SECOND, 30), RESET_DELTA | RESET_EPOCH);
    policy = make_policy(1, 60 * SECOND, 10, YEAR_2023);        /* ten minutes until all of it is back */
    assert_int_equal(reset_meanings(&policy, 0, 600), RESET_DELTA);
}

/* ---- of every limiter ---- */

/* The same header with a wait that is `more_s` longer.  False when it tells none or it would be below 0. */
static bool reword(const struct header *header, const char *value, int64_t more_s, char longer[HEADER_TEXT])
{
    struct told told;

    assert_true(header_read(header, value, &told));
    long long wait_s = told.wait_s + more_s, remaining = told.remaining;
    if (!told.has_wait || (wait_s < 0 && !header->epoch))
        return false;
    if (!told.has_remaining)
        snprintf(longer, HEADER_TEXT, "%lld", wait_s);
    else if (header->wait == WAIT_EITHER)
        snprintf(longer, HEADER_TEXT, "\"default\";r=%lld;t=%lld", remaining, wait_s);
    else
        snprintf(longer, HEADER_TEXT, "limit=1, remaining=%lld, reset=%lld", remaining, wait_s);
    return true;
}

/* Findings that the property test saw, so that it cannot pass by asking nothing. */
static unsigned seen[FINDING_UNREADABLE + 1];

static enum finding judge(const struct judged *judged, const struct header *header, const char *value)
{
    enum finding finding = header_judge(header, value, &judged->asked);

    seen[finding]++;
    return finding;
}

/* What the header's wait was made from. */
static int64_t wait_told_ns(const struct judged *judged, const struct header *header)
{
    bool full = judged->answer.verdict.allowed || header->wait == WAIT_FULL;

    return full ? judged->answer.quota.reset_after_ns : judged->answer.verdict.retry_after_ns;
}

static void assert_honest(const struct judged *judged, const struct header *header)
{
    char value[HEADER_TEXT], other[HEADER_TEXT];
    bool written = header_write(header, &judged->answer, value);
    enum finding finding = judge(judged, header, value);

    if (finding > FINDING_TRUE)
        fail_msg("%s: %s: %s is %s", judged->rig.limiter->name, header->name, value, finding_text(finding));
    if (!written || finding != FINDING_TRUE || header->wait == WAIT_NONE)
        return;
    int64_t wait_ns = wait_told_ns(judged, header);
    if (judged->answer.now_ns + (i128)wait_ns > INSTANT_MAX - 3 * SECOND)
        return;
    if (wait_ns > 0 && reword(header, value, -1, other))
        assert_int_equal(judge(judged, header, other), FINDING_EARLY);
    if (reword(header, value, 2, other))
        assert_int_equal(judge(judged, header, other), FINDING_LATE);
}

static void assert_true_quota(const struct judged *judged)
{
    struct quota quota = judged->answer.quota;

    assert_int_equal(remaining_judge(&judged->asked, quota.remaining), FINDING_TRUE);
    assert_int_equal(remaining_judge(&judged->asked, quota.remaining + 1), FINDING_TOO_MUCH);
    if (quota.remaining > 0)
        assert_int_equal(remaining_judge(&judged->asked, quota.remaining - 1), FINDING_TOO_LITTLE);
    if (reset_judge(&judged->asked, quota.reset_after_ns) == FINDING_NONE)
        return;
    assert_int_equal(reset_judge(&judged->asked, quota.reset_after_ns), FINDING_TRUE);
    assert_int_equal(reset_judge(&judged->asked, quota.reset_after_ns + 1), FINDING_LATE);
    if (quota.reset_after_ns > 0)
        assert_int_equal(reset_judge(&judged->asked, quota.reset_after_ns - 1), FINDING_EARLY);
}

/* Some requests of one key, the clock never going back. */
static void play_key(struct dice *dice, const struct limiter *limiter)
{
    struct policy policy = dice_policy(dice, limiter);
    int64_t now_ns = dice_between(dice, -3, 3) * dice_size(dice, INSTANT_MAX / 8);
    struct judged judged;

    judged_open(&judged, limiter, policy, now_ns);
    for (int i = 0; i < 12; i++) {
        now_ns += i64_max(0, dice_step_ns(dice, &policy));
        judged_decide(&judged, now_ns, dice_cost(dice, &judged.rig));
        if (judged.asked.request.cost > 0)
            for (unsigned style = 0; style < header_style_count; style++)
                for (const struct header *const *h = header_styles[style].header; *h; h++)
                    assert_honest(&judged, *h);
        assert_true_quota(&judged);
    }
    rig_close(&judged.rig);
}

static void headers_are_true_and_a_second_less_or_two_more_are_not(void **state)
{
    struct dice dice = { 11 };

    (void)state;
    for (unsigned l = 0; l < limiter_count; l++) {
        memset(seen, 0, sizeof seen);
        for (int i = 0; i < 1500; i++)
            play_key(&dice, limiters[l]);
        assert_true(seen[FINDING_TRUE] > 10000 && seen[FINDING_EARLY] > 5000 && seen[FINDING_LATE] > 5000);
    }
}

/* The draft asks that a client that obeys Retry-After is never told a later `t`. */
static void retry_after_and_t_are_the_same_on_a_denial(void **state)
{
    const struct header *after = header_of("retry-after", "Retry-After"), *quota = header_of("ietf", "RateLimit");
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
          TEST(the_text_is_judged_by_what_then_happens),
          TEST(a_reset_of_the_other_meaning_is_far_too_late_or_no_wait_at_all),
          TEST(a_finite_wait_that_can_never_come_true_is_too_early),
          TEST(which_meanings_a_reset_can_have),
          TEST(headers_are_true_and_a_second_less_or_two_more_are_not),
          TEST(retry_after_and_t_are_the_same_on_a_denial))

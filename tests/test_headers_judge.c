/* test_headers_judge.c - response headers: that what they say comes true, or is found out. */
#include <stdio.h>
#include "headers_rig.h"
#include "test.h"

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

TEST_MAIN(TEST(the_text_is_judged_by_what_then_happens),
          TEST(a_reset_of_the_other_meaning_is_far_too_late_or_no_wait_at_all),
          TEST(a_finite_wait_that_can_never_come_true_is_too_early),
          TEST(which_meanings_a_reset_can_have),
          TEST(headers_are_true_and_a_second_less_or_two_more_are_not))

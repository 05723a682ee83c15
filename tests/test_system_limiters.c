/* test_system_limiters.c - the limiters of real systems decide as their sources say: known numbers, and where
 * the textbook rule decides otherwise, its decisions beside them. */
#include "test.h"
#include <math.h>
#include "../algos/systems/system_limiters.h"
#include "limiter_rig.h"

#define MILLI INT64_C(1000000)
#define SECOND (1000 * MILLI)
#define MINUTE (60 * SECOND)

struct asked { int64_t at_ms, cost; };

/* The decisions as 'A' and 'D'. */
static void assert_takes(const struct limiter *limiter, int64_t limit, int64_t period_ns, int64_t burst,
                         const struct asked *takes, const char *expected)
{
    struct policy policy = make_policy(limit, period_ns, burst, 0);
    struct rig rig = rig_open(limiter, &policy, takes[0].at_ms * MILLI);
    char seen[100] = "";

    for (size_t i = 0; i < strlen(expected); i++)
        seen[i] = rig_decide(&rig, takes[i].at_ms * MILLI, takes[i].cost).allowed ? 'A' : 'D';
    assert_string_equal(seen, expected);
    rig_close(&rig);
}

#define TAKES(...) ((const struct asked[]){ __VA_ARGS__ })

/* A state after these takes, all of which are decided. */
static struct rig after(const struct limiter *limiter, int64_t limit, int64_t period_ns, int64_t burst,
                        const struct asked *takes, unsigned n)
{
    struct policy policy = make_policy(limit, period_ns, burst, 0);
    struct rig rig = rig_open(limiter, &policy, takes[0].at_ms * MILLI);

    for (unsigned i = 0; i < n; i++)
        rig_decide(&rig, takes[i].at_ms * MILLI, takes[i].cost);
    return rig;
}

static void assert_wait(struct rig rig, int64_t at_ms, int64_t cost, int64_t wait_ns)
{
    assert_int_equal(rig_check(&rig, at_ms * MILLI, cost).retry_after_ns, wait_ns);
    rig_close(&rig);
}

/* One key's requests, as seen on the real runtime too. */
static const struct asked seen[] = {
    { 59000, 4 }, { 59100, 5 }, { 59200, 3 }, { 59300, 1 }, { 59400, 1 }, { 59999, 1 }, { 60000, 1 },
    { 60500, 9 }, { 65000, 1 }, { 65001, 1 }, { 119000, 10 }, { 119001, 1 }, { 120000, 1 }, { 125000, 11 },
};

static void in_doubles_the_user_limiter_denies_at_65000_ms_what_exact_arithmetic_admits(void **state)
{
    (void)state;
    assert_takes(&token_bucket, 10, MINUTE, 10, seen, "AADADDDDADDAAD");
    assert_takes(&user_limiter, 10, MINUTE, 10, seen, "AADADDDDDADAAD");
}

static void the_user_limiter_tells_a_finite_wait_for_a_cost_that_can_never_pass(void **state)
{
    (void)state;
    assert_wait(after(&user_limiter, 10, MINUTE, 10, TAKES({ 0, 0 }), 1), 0, 11, 6000 * MILLI);
    assert_wait(after(&user_limiter, 10, MINUTE, 10, TAKES({ 0, 0 }), 1), 600000, 11, 6000 * MILLI);
}

static void one_cost_that_is_no_number_disables_the_user_limiter_for_ever(void **state)
{
    struct policy policy = make_policy(10, MINUTE, 10, 0);
    struct rig rig = rig_open(&user_limiter, &policy, 0);
    double tokens = NAN;

    (void)state;
    memcpy(rig.state, &tokens, sizeof tokens);      /* tokens = refilled - NaN */
    for (unsigned i = 0; i < 50; i++)
        assert_true(rig_decide(&rig, 0, 1).allowed);
    assert_true(rig_decide(&rig, 600 * SECOND, 1000).allowed);
    assert_memory_equal(rig.state, (&(uint64_t){ UINT64_C(0x7ff8000000000000) }), 8);
    rig_close(&rig);
}

static void a_refund_of_the_user_limiter_is_capped_when_it_is_next_read(void **state)
{
    (void)state;
    assert_takes(&user_limiter, 10, MINUTE, 10, TAKES({ 0, 5 }, { 0, -100 }, { 0, 11 }, { 0, 10 }, { 0, 1 }),
                 "AADAD");
}

static void portable_says_never_peeks_at_0_and_refunds_no_further_than_full(void **state)
{
    (void)state;
    assert_wait(after(&portable_gcra, 100, MINUTE, 100, TAKES({ 0, 0 }), 1), 0, 101, NEVER_NS);
    assert_wait(after(&portable_gcra, 100, MINUTE, 100, TAKES({ 0, 100 }), 1), 0, 1, 600 * MILLI);
    assert_takes(&portable_gcra, 100, MINUTE, 100,
                 TAKES({ 0, 100 }, { 0, -40 }, { 0, 0 }, { 0, 41 }, { 0, 40 }, { 0, -500 }, { 0, 101 },
                       { 0, 100 }), "AAADAADA");
}

static void portable_keeps_a_key_until_it_is_full_and_at_least_a_ms(void **state)
{
    struct rig rig = after(&portable_gcra, 100, MINUTE, 100, TAKES({ 0, 3 }), 1);

    (void)state;
    assert_int_equal(portable_gcra.ttl_ns(&rig.policy, 0, rig.state), 1800 * MILLI);
    assert_int_equal(portable_gcra.ttl_ns(&rig.policy, 5 * SECOND, rig.state), MILLI);
    rig_close(&rig);
}

static void portable_decides_as_gcra_where_a_unit_is_whole_milliseconds(void **state)
{
    struct dice dice = { 7 };
    struct policy policy = make_policy(100, MINUTE, 20, 0);
    struct rig model = rig_open(&portable_gcra, &policy, 0), rule = rig_open(&gcra, &policy, 0);
    int64_t now_ns = 0;

    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        int64_t cost = dice_between(&dice, -1, 21);
        struct verdict mine = rig_decide(&model, now_ns, cost), exact = rig_decide(&rule, now_ns, cost);
        assert_memory_equal(&mine, &exact, sizeof mine);
        now_ns += dice_between(&dice, 0, 3000) * MILLI;
    }
    rig_close(&model);
    rig_close(&rule);
}

static void half_a_second_is_for_ever_in_redis_and_500_ms_in_memory(void **state)
{
    static const struct asked takes[] = { { 0, 1 }, { 0, 1 }, { 0, 1 }, { 600, 1 }, { 3600000, 1 } };

    (void)state;
    assert_takes(&rlf_redis, 2, 500 * MILLI, 2, takes, "AADDD");
    assert_takes(&rlf_memory, 2, 500 * MILLI, 2, takes, "AADAA");
}

static void in_redis_a_duration_of_2900_ms_is_two_seconds(void **state)
{
    static const struct asked takes[] = { { 0, 2 }, { 1999, 1 }, { 2000, 2 }, { 2900, 1 } };
    struct rig rig = after(&rlf_redis, 2, 2900 * MILLI, 2, takes, 1);

    (void)state;
    assert_takes(&rlf_redis, 2, 2900 * MILLI, 2, takes, "ADAD");
    assert_takes(&rlf_memory, 2, 2900 * MILLI, 2, takes, "ADDA");
    assert_int_equal(rlf_redis.ttl_ns(&rig.policy, 0, rig.state), 2 * SECOND);
    rig_decide(&rig, SECOND, 1);
    assert_int_equal(rlf_redis.ttl_ns(&rig.policy, SECOND, rig.state), 0);
    rig_close(&rig);
}

static void rejected_points_are_charged_and_points_above_the_limit_too(void **state)
{
    (void)state;
    assert_takes(&rlf_memory, 10, MINUTE, 10, TAKES({ 0, 9 }, { 1, 5 }, { 2, 1 }), "ADD");
    assert_takes(&rlf_memory, 10, MINUTE, 10, TAKES({ 0, 11 }, { 59999, 1 }, { 60000, 10 }), "DDA");
    assert_wait(after(&rlf_memory, 10, MINUTE, 10, TAKES({ 0, 11 }), 1), 1000, 11, 59 * SECOND);
}

static void a_bucket_of_limiter_starts_empty(void **state)
{
    (void)state;
    assert_takes(&limiter_token_bucket, 10, MINUTE, 10,
                 TAKES({ 0, 1 }, { 5999, 1 }, { 6000, 1 }, { 66000, 11 }, { 66000, 10 }), "DDADA");
    assert_wait(after(&limiter_token_bucket, 10, MINUTE, 10, TAKES({ 0, 1 }), 1), 0, 1, 6 * SECOND);
}

/* A sixth and five sixths of a token, added in doubles, are less than one: the bucket is a ms late. */
static void a_rate_limiter_of_limiter_asks_its_interval_and_its_bucket(void **state)
{
    (void)state;
    assert_takes(&limiter_rate_limiter, 3, MINUTE, 3,
                 TAKES({ 59000, 1 }, { 59000, 1 }, { 59000, 1 }, { 79000, 1 }, { 119000, 3 }), "AAADA");
    assert_takes(&limiter_rate_limiter, 10, MINUTE, 10,
                 TAKES({ 0, 0 }, { 59000, 10 }, { 60000, 1 }, { 65000, 1 }, { 65001, 1 }), "AADDA");
}

static void bottleneck_refills_1100_ms_every_1250(void **state)
{
    (void)state;
    assert_takes(&bottleneck_reservoir, 1, 1100 * MILLI, 1,
                 TAKES({ 0, 1 }, { 1100, 1 }, { 1249, 1 }, { 1250, 1 }, { 2499, 1 }, { 2500, 1 }, { 3749, 1 },
                       { 3750, 1 }, { 4999, 1 }, { 5000, 1 }), "ADDADADADA");
    assert_takes(&bottleneck_reservoir, 1, SECOND, 1, TAKES({ 0, 1 }, { 999, 1 }, { 1000, 1 }), "ADA");
}

static void upstash_counts_what_it_denies(void **state)
{
    static const struct asked takes[] = { { 0, 9 }, { 1000, 5 }, { 2000, 1 } };

    (void)state;
    assert_takes(&upstash_fixed_window, 10, MINUTE, 10, takes, "ADD");
    assert_takes(&upstash_sliding_window, 10, MINUTE, 10, takes, "ADD");
    assert_takes(&fixed_window, 10, MINUTE, 10, takes, "ADA");
    assert_takes(&sliding_window_counter, 10, MINUTE, 10, takes, "ADA");
}

static void upstash_does_not_count_when_it_is_full_before_asking_the_cost(void **state)
{
    struct rig rig = after(&upstash_sliding_window, 10, MINUTE, 10, TAKES({ 0, 10 }), 1);
    struct rig full = rig_copy(&rig);

    (void)state;
    assert_false(rig_decide(&rig, 1, 1000).allowed);
    rig_assert_same_state(&rig, &full);
    rig_close(&full);
    rig_close(&rig);
}

/* A second into the next window ten weigh 9.83, and there is room for one more by the floor of it. */
static void upstash_rounds_the_weighted_count_down(void **state)
{
    static const struct asked takes[] = { { 0, 10 }, { 61000, 1 }, { 119000, 9 }, { 119000, 1 } };

    (void)state;
    assert_takes(&upstash_sliding_window, 10, MINUTE, 10, takes, "AAAD");
    assert_takes(&sliding_window_counter, 10, MINUTE, 10, takes, "ADAD");
}

static void upstash_tells_every_denied_caller_the_end_of_the_window(void **state)
{
    (void)state;
    assert_wait(after(&upstash_fixed_window, 10, MINUTE, 10, TAKES({ 0, 10 }), 1), 1000, 99, 59 * SECOND);
    assert_wait(after(&upstash_sliding_window, 10, MINUTE, 10, TAKES({ 0, 10 }), 1), 1000, 1, 59 * SECOND);
}

static void upstash_stores_a_debt_and_only_an_empty_bucket_stores_none(void **state)
{
    struct rig rig = after(&upstash_token_bucket, 1, 10 * SECOND, 10, TAKES({ 0, 8 }, { 0, 5 }), 2);

    (void)state;
    assert_takes(&upstash_token_bucket, 1, 10 * SECOND, 10, TAKES({ 0, 8 }, { 0, 5 }, { 0, 1 }), "ADD");
    assert_takes(&batch_bucket, 1, 10 * SECOND, 10, TAKES({ 0, 8 }, { 0, 5 }, { 0, 1 }), "ADA");
    assert_int_equal(upstash_token_bucket.ttl_ns(&rig.policy, 0, rig.state), 130 * SECOND);
    assert_int_equal(rig_quote(&rig, 0).reset_after_ns, 130 * SECOND);
    rig_close(&rig);
    rig = after(&upstash_token_bucket, 1, 10 * SECOND, 10, TAKES({ 0, 1000000 }), 1);
    assert_int_equal(rig_quote(&rig, 0).reset_after_ns, INT64_C(10000000) * SECOND);    /* 115.7 days */
    rig_close(&rig);
    assert_takes(&upstash_token_bucket, 1, 10 * SECOND, 10,
                 TAKES({ 0, 10 }, { 0, 50 }, { 10000, 1 }, { 20000, 1 }), "ADAA");
}

/* max 10, 1 per 10 s: a key that lived only an interval would be full again. */
static void upstash_keeps_a_bucket_until_it_is_full(void **state)
{
    struct rig rig = after(&upstash_token_bucket, 1, 10 * SECOND, 10, TAKES({ 0, 10 }), 1);

    (void)state;
    assert_int_equal(upstash_token_bucket.ttl_ns(&rig.policy, 0, rig.state), 100 * SECOND);
    rig_close(&rig);
}

static void a_batch_bucket_refills_at_once_and_keeps_the_remainder(void **state)
{
    static const struct asked takes[] = { { 0, 10 }, { 14999, 6 }, { 14999, 5 }, { 20000, 5 }, { 20000, 1 } };

    (void)state;
    assert_takes(&batch_bucket, 5, 10 * SECOND, 10, takes, "ADAAD");
    assert_wait(after(&batch_bucket, 5, 10 * SECOND, 10, takes, 1), 1000, 6, 19 * SECOND);
    assert_wait(after(&batch_bucket, 5, 10 * SECOND, 10, takes, 1), 1000, 11, NEVER_NS);
}

static void the_binding_takes_10_or_60_seconds_and_denied_calls_do_not_count(void **state)
{
    struct policy minute = make_policy(1, MINUTE, 1, 0), half = make_policy(1, 30 * SECOND, 1, 0);

    (void)state;
    assert_null(workers_binding_window.refuses(&minute));
    assert_non_null(workers_binding_window.refuses(&half));
    assert_takes(&workers_binding_window, 2, 10 * SECOND, 2,
                 TAKES({ 0, 1 }, { 1, 2 }, { 2, 1 }, { 3, 1 }, { 10000, 2 }), "ADADA");
}

static void nginx_counts_a_clock_that_went_back_as_standing_still(void **state)
{
    (void)state;
    assert_takes(&nginx_limit_req, 10, SECOND, 1, TAKES({ 1000, 1 }, { 900, 1 }, { 1000, 1 }), "ADD");
}

static void nginx_cuts_a_hundred_a_minute_to_1666_thousandths(void **state)
{
    static const struct asked takes[] = { { 0, 1 }, { 600, 1 }, { 601, 1 } };

    (void)state;
    assert_takes(&nginx_limit_req, 100, MINUTE, 1, takes, "ADA");
    assert_takes(&gcra, 100, MINUTE, 1, takes, "AAD");
    assert_wait(after(&nginx_limit_req, 100, MINUTE, 1, takes, 1), 0, 1, 601 * MILLI);
}

static void nginx_lets_burst_and_one_pass_at_once(void **state)
{
    (void)state;
    assert_takes(&nginx_limit_req, 10, SECOND, 5,
                 TAKES({ 0, 1 }, { 0, 1 }, { 0, 1 }, { 0, 1 }, { 0, 1 }, { 0, 1 }, { 100, 1 }, { 100, 1 }),
                 "AAAAADAD");
}

/* Whole tokens, the rest of an interval kept: what interval-bucket already is. */
static void delightstack_is_an_interval_bucket(void **state)
{
    (void)state;
    assert_takes(&interval_bucket, 1, 10 * SECOND, 5,
                 TAKES({ 0, 5 }, { 15000, 1 }, { 15000, 1 }, { 20000, 1 }, { 20000, 1 }), "AADAD");
    assert_takes(&interval_bucket, 1, 300 * SECOND, 5, TAKES({ 0, 5 }, { 60000, 1 }, { 300000, 1 }), "ADA");
}

TEST_MAIN(TEST(in_doubles_the_user_limiter_denies_at_65000_ms_what_exact_arithmetic_admits),
          TEST(the_user_limiter_tells_a_finite_wait_for_a_cost_that_can_never_pass),
          TEST(one_cost_that_is_no_number_disables_the_user_limiter_for_ever),
          TEST(a_refund_of_the_user_limiter_is_capped_when_it_is_next_read),
          TEST(portable_says_never_peeks_at_0_and_refunds_no_further_than_full),
          TEST(portable_keeps_a_key_until_it_is_full_and_at_least_a_ms),
          TEST(portable_decides_as_gcra_where_a_unit_is_whole_milliseconds),
          TEST(half_a_second_is_for_ever_in_redis_and_500_ms_in_memory),
          TEST(in_redis_a_duration_of_2900_ms_is_two_seconds),
          TEST(rejected_points_are_charged_and_points_above_the_limit_too),
          TEST(a_bucket_of_limiter_starts_empty),
          TEST(a_rate_limiter_of_limiter_asks_its_interval_and_its_bucket),
          TEST(bottleneck_refills_1100_ms_every_1250), TEST(upstash_counts_what_it_denies),
          TEST(upstash_does_not_count_when_it_is_full_before_asking_the_cost),
          TEST(upstash_rounds_the_weighted_count_down),
          TEST(upstash_tells_every_denied_caller_the_end_of_the_window),
          TEST(upstash_stores_a_debt_and_only_an_empty_bucket_stores_none),
          TEST(upstash_keeps_a_bucket_until_it_is_full),
          TEST(a_batch_bucket_refills_at_once_and_keeps_the_remainder),
          TEST(the_binding_takes_10_or_60_seconds_and_denied_calls_do_not_count),
          TEST(nginx_counts_a_clock_that_went_back_as_standing_still),
          TEST(nginx_cuts_a_hundred_a_minute_to_1666_thousandths),
          TEST(nginx_lets_burst_and_one_pass_at_once), TEST(delightstack_is_an_interval_bucket))

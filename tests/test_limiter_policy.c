/* test_limiter_policy.c - what policies are accepted, what is derived from them, and how they are shared
 * out. */
#include "test.h"
#include "limiter_rig.h"

static const char *reason(int64_t limit, int64_t period_ns, int64_t burst, int64_t epoch_ns)
{
    struct policy policy = { .limit = limit, .period_ns = period_ns, .burst = burst, .epoch_ns = epoch_ns };

    return policy_init(&policy);
}

static void everything_in_range_is_accepted_to_its_ends(void **unused)
{
    (void)unused;
    assert_null(reason(1, 1, 1, 0));
    assert_null(reason(COST_MAX, PERIOD_MAX, COST_MAX, INSTANT_MAX));
    assert_null(reason(COST_MAX, 1, 1, -INSTANT_MAX));
}

static void everything_out_of_range_is_refused_with_the_reason(void **unused)
{
    static const int64_t bad_costs[] = { 0, -1, COST_MAX + 1, INT64_MAX, INT64_MIN };
    static const int64_t bad_periods[] = { 0, -1, PERIOD_MAX + 1, INT64_MAX, INT64_MIN };

    (void)unused;
    for (int i = 0; i < 5; i++) {
        assert_string_equal(reason(bad_costs[i], 1, 1, 0), "a limit must be 1 to 9007199254740991");
        assert_string_equal(reason(1, bad_periods[i], 1, 0), "a period must be 1ns to 3653d");
        assert_string_equal(reason(1, 1, bad_costs[i], 0), "a burst must be 1 to 9007199254740991");
    }
    assert_string_equal(reason(1, 1, 1, INSTANT_MAX + 1), "a run must start between the years 1824 and 2116");
    assert_string_equal(reason(1, 1, 1, INT64_MIN), "a run must start between the years 1824 and 2116");
}

static void the_texts_name_the_real_bounds(void **unused)
{
    (void)unused;
    assert_int_equal(COST_MAX, 9007199254740991);
    assert_int_equal(PERIOD_MAX, INT64_C(3653) * 24 * 3600 * 1000000000);
}

static void the_rate_is_kept_in_lowest_terms(void **unused)
{
    struct policy policy = make_policy(100, INT64_C(60000000000), 250, 0);

    (void)unused;
    assert_int_equal(policy.credits_per_ns, 1);
    assert_int_equal(policy.credits_per_unit, 600000000);
    assert_true(policy.burst_credits == (i128)250 * 600000000);
    policy = make_policy(7, 10, 7, 0);
    assert_int_equal(policy.credits_per_ns, 7);
    assert_int_equal(policy.credits_per_unit, 10);
    policy = make_policy(COST_MAX, PERIOD_MAX, COST_MAX, 0);
    assert_true((i128)policy.credits_per_ns * PERIOD_MAX == (i128)policy.credits_per_unit * COST_MAX);
    assert_true(policy.burst_credits == (i128)COST_MAX * policy.credits_per_unit);
}

static void the_phase_is_where_the_run_starts_in_its_window_also_before_1970(void **unused)
{
    (void)unused;
    assert_int_equal(make_policy(1, 60, 1, 0).phase_ns, 0);
    assert_int_equal(make_policy(1, 60, 1, 125).phase_ns, 5);
    assert_int_equal(make_policy(1, 60, 1, -125).phase_ns, 55);
    assert_int_equal(make_policy(1, 60, 1, -120).phase_ns, 0);
}

static void making_a_policy_twice_changes_nothing(void **unused)
{
    struct policy once = make_policy(30, 45, 60, -7), twice = once;

    (void)unused;
    assert_null(policy_init(&twice));
    assert_memory_equal(&once, &twice, sizeof once);
}

static void shares_add_up_to_the_whole_and_the_first_ones_get_the_remainder(void **unused)
{
    struct policy policy = make_policy(10, 60, 7, 125);
    static const int64_t limits[] = { 3, 3, 2, 2 }, bursts[] = { 2, 2, 2, 1 };

    (void)unused;
    for (int64_t part = 0; part < 4; part++) {
        struct policy share = policy_share(&policy, 4, part);
        struct policy made = make_policy(limits[part], 60, bursts[part], 125);
        assert_memory_equal(&share, &made, sizeof share);
    }
}

static void a_share_of_nothing_is_refused(void **unused)
{
    struct policy policy = make_policy(2, 60, 5, 0);
    struct policy share = policy_share(&policy, 3, 2);

    (void)unused;
    assert_int_equal(share.limit, 0);
    assert_string_equal(policy_init(&share), "a limit must be 1 to 9007199254740991");
    policy = make_policy(5, 60, 2, 0);
    share = policy_share(&policy, 3, 2);
    assert_string_equal(policy_init(&share), "a burst must be 1 to 9007199254740991");
}

/* All delays must fit: a queue may hold at most ten years of work.  No other limiter refuses anything. */
static void only_a_queue_that_takes_more_than_ten_years_to_drain_is_refused(void **unused)
{
    struct policy fits = make_policy(1, PERIOD_MAX / 4, 4, 0);
    struct policy too_long = make_policy(1, PERIOD_MAX / 4 + 1, 4, 0);

    (void)unused;
    for (unsigned i = 0; i < limiter_count; i++) {
        assert_null(limiters[i]->refuses(&fits));
        assert_int_equal(limiters[i]->refuses(&too_long) != NULL, limiters[i] == &leaky_bucket_queue);
    }
    assert_string_equal(leaky_bucket_queue.refuses(&too_long),
                        "a full queue would take over 3653d to drain; expected a smaller burst");
}

TEST_MAIN(
    TEST(everything_in_range_is_accepted_to_its_ends),
    TEST(everything_out_of_range_is_refused_with_the_reason),
    TEST(the_texts_name_the_real_bounds),
    TEST(the_rate_is_kept_in_lowest_terms),
    TEST(the_phase_is_where_the_run_starts_in_its_window_also_before_1970),
    TEST(making_a_policy_twice_changes_nothing),
    TEST(shares_add_up_to_the_whole_and_the_first_ones_get_the_remainder),
    TEST(a_share_of_nothing_is_refused),
    TEST(only_a_queue_that_takes_more_than_ten_years_to_drain_is_refused))

/* test_zoo_ends.c - when the zoo's flawed stores end a key, and what its flawed limiters need to be right. */
#include "limiter_rig.h"
#include "../algos/zoo/zoo.h"

static int64_t kept_ns(const char *name, struct policy policy, int64_t now_ns, int64_t cost)
{
    const struct limiter *limiter = limiter_find(name);
    struct rig rig = rig_open(limiter, &policy, now_ns);

    rig_charge(&rig, now_ns, cost, true);
    int64_t span_ns = limiter->ttl_ns(&policy, now_ns, rig.state);
    rig_close(&rig);
    return span_ns;
}

static void a_cleanup_comes_with_each_whole_minute(void **state)
{
    struct policy policy = make_policy(6, 600 * ZOO_SECOND, 6, 0);

    (void)state;
    assert_int_equal(kept_ns("zoo/cleanup-of-all", policy, 0, 1), 60 * ZOO_SECOND);
    assert_int_equal(kept_ns("zoo/cleanup-of-all", policy, 59 * ZOO_SECOND, 1), ZOO_SECOND);
    assert_int_equal(kept_ns("zoo/cleanup-of-all", policy, 60 * ZOO_SECOND, 1), 60 * ZOO_SECOND);
    assert_int_equal(kept_ns("zoo/cleanup-of-all", policy, -ZOO_SECOND, 1), ZOO_SECOND);
}

static void an_end_that_is_cut_to_ms_loses_less_than_one(void **state)
{
    (void)state;
    assert_int_equal(kept_ns("zoo/end-cut-to-ms", make_policy(1000000, ZOO_SECOND, 1, 0), 0, 1), 1);
    assert_int_equal(kept_ns("zoo/end-cut-to-ms", make_policy(2, 3 * ZOO_MS, 1, 0), 0, 1), ZOO_MS);
    assert_int_equal(kept_ns("zoo/end-cut-to-ms", make_policy(1, 7 * ZOO_MS, 1, 0), 0, 1), 7 * ZOO_MS);
}

/* The end is set by the first charge, and later ones leave it (0). */
static void a_ttl_from_creation_is_set_once(void **state)
{
    const struct limiter *limiter = limiter_find("zoo/ttl-from-creation");
    struct policy policy = make_policy(2, 12 * ZOO_SECOND, 10, 0);
    struct rig rig = rig_open(limiter, &policy, 0);

    (void)state;
    rig_charge(&rig, 0, 1, true);
    assert_int_equal(limiter->ttl_ns(&policy, 0, rig.state), 120 * ZOO_SECOND);
    for (int64_t t = ZOO_SECOND; t < 5 * ZOO_SECOND; t += ZOO_SECOND) {
        rig_charge(&rig, t, 1, true);
        assert_int_equal(limiter->ttl_ns(&policy, t, rig.state), 0);
    }
    rig_close(&rig);
}

/* ---- what is right with them --------------------------------------------------------------------------- */

/* How many of the answers to `costs` requests of 1, one each step, are other than the rule's. */
static unsigned differences(const char *name, struct policy policy, int64_t step_ns, unsigned requests)
{
    const struct limiter *limiter = limiter_find(name);
    struct rig flawed = rig_open(limiter, &policy, 0), right = rig_open(limiter->rule, &policy, 0);
    unsigned differ = 0;

    for (unsigned i = 0; i < requests; i++) {
        bool allowed = rig_decide(&flawed, i * step_ns, 1).allowed;
        differ += allowed != rig_decide(&right, i * step_ns, 1).allowed;
    }
    rig_close(&flawed);
    rig_close(&right);
    return differ;
}

static void whole_seconds_are_cut_to_themselves(void **state)
{
    (void)state;
    assert_int_equal(differences("zoo/end-in-whole-seconds", make_policy(3, 2 * ZOO_SECOND, 3, 0),
                                 100 * ZOO_MS, 100), 0);
    assert_true(differences("zoo/end-in-whole-seconds", make_policy(3, 1999 * ZOO_MS, 3, 0),
                            100 * ZOO_MS, 100) > 0);
}

static void a_segment_of_whole_milliseconds_moves_the_window_on(void **state)
{
    (void)state;
    assert_int_equal(differences("zoo/timer-of-no-ms", make_policy(1000, ZOO_SECOND, 1000, 0), ZOO_MS / 2,
                                 4000), 0);
    assert_true(differences("zoo/timer-of-no-ms", make_policy(1024, ZOO_SECOND, 1024, 0), ZOO_MS / 2,
                            4000) > 900);
}

static void an_end_looked_at_apart_harms_only_who_comes_at_that_very_end(void **state)
{
    struct policy policy = make_policy(2, ZOO_SECOND, 2, 0);

    (void)state;
    assert_int_equal(differences("zoo/end-looked-at-apart", policy, 300 * ZOO_MS, 100), 0);
    assert_true(differences("zoo/end-looked-at-apart", policy, 250 * ZOO_MS, 100) > 0);
}

static void in_a_window_of_more_than_a_minute_what_comes_early_counts(void **state)
{
    (void)state;
    assert_int_equal(differences("zoo/late-counts-unstored", make_policy(5, 120 * ZOO_SECOND, 5, 0),
                                 10 * ZOO_SECOND, 12), 0);
    assert_true(differences("zoo/late-counts-unstored", make_policy(5, 60 * ZOO_SECOND, 5, 0),
                            5 * ZOO_SECOND, 12) > 0);
}

/* ---- herds --------------------------------------------------------------------------------------------- */

static void a_random_share_of_the_wait_is_seldom_the_whole(void **state)
{
    const struct limiter *limiter = limiter_find("zoo/full-jitter");
    struct policy policy = make_policy(1, 60 * ZOO_SECOND, 1, 0);
    struct rig rig = rig_open(limiter, &policy, 0);
    unsigned in_the_first_half = 0;
    enum { CLIENTS = 1000 };

    (void)state;
    rig_decide(&rig, 0, 1);
    for (unsigned i = 0; i < CLIENTS; i++) {
        int64_t told_ns = rig_decide(&rig, 0, 1).retry_after_ns;
        assert_true(told_ns >= 1 && told_ns <= 60 * ZOO_SECOND);
        in_the_first_half += told_ns <= 30 * ZOO_SECOND;
    }
    assert_true(in_the_first_half > 450 && in_the_first_half < 550);
    rig_close(&rig);
}

static void nobody_is_told_more_than_ten_minutes(void **state)
{
    struct policy policy = make_policy(1, 3600 * ZOO_SECOND, 1, 0);
    struct rig rig = rig_open(limiter_find("zoo/wait-capped"), &policy, 0);

    (void)state;
    rig_charge(&rig, 0, 1, true);
    assert_int_equal(rig_check(&rig, 0, 1).retry_after_ns, 600 * ZOO_SECOND);
    assert_int_equal(rig_check(&rig, 2999 * ZOO_SECOND, 1).retry_after_ns, 600 * ZOO_SECOND);
    assert_int_equal(rig_check(&rig, 3001 * ZOO_SECOND, 1).retry_after_ns, 599 * ZOO_SECOND);
    rig_close(&rig);
}

TEST_MAIN(TEST(a_cleanup_comes_with_each_whole_minute),
          TEST(an_end_that_is_cut_to_ms_loses_less_than_one),
          TEST(a_ttl_from_creation_is_set_once),
          TEST(whole_seconds_are_cut_to_themselves),
          TEST(a_segment_of_whole_milliseconds_moves_the_window_on),
          TEST(an_end_looked_at_apart_harms_only_who_comes_at_that_very_end),
          TEST(in_a_window_of_more_than_a_minute_what_comes_early_counts),
          TEST(a_random_share_of_the_wait_is_seldom_the_whole),
          TEST(nobody_is_told_more_than_ten_minutes))

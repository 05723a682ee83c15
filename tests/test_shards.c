/* Counters: in one piece (incr), in several (sharded), or the limit in several. */
#include "world_rig.h"

static const int64_t hour_ns = 3600 * S;

/* ---- the limit divided ------------------------------------------------------------------------------- */

static void the_shares_of_a_limit_sum_to_it(void **state)
{
    static const int64_t share[] = { 3, 3, 2, 2 }, burst[] = { 2, 2, 2, 1 };
    struct trial *trial = trial_new("token-bucket@sharded:shards=4", 1, 10, hour_ns);

    (void)state;
    trial->policy.burst = 7;
    play(trial);
    assert_int_equal(trial->world.policy_count, 1 + 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(trial->world.policies[1 + i].limit, share[i]);
        assert_int_equal(trial->world.policies[1 + i].burst, burst[i]);
    }
    trial_free(trial);
}

static void round_robin_takes_shards_in_turn_each_to_its_share(void **state)
{
    static const char passes[] = "1111111111000";           /* shards 0 1 2 3, 0 1 2 3, 0 1; 2 3 0 are full */
    struct trial *trial = trial_new("fixed-window@sharded:shards=4:route=round-robin", 1, 10, hour_ns);

    (void)state;
    ask_times(trial, 13, 0, 0);
    play(trial);
    for (uint32_t i = 0; i < 13; i++)
        assert_int_equal(admitted(trial, i), passes[i] == '1');
    assert_int_equal(trial->result.first_denial, 10);
    trial_free(trial);
}

static void weights_find_a_full_shard_while_others_have_room(void **state)
{
    struct trial *trial = trial_new("fixed-window@sharded:shards=4:route=round-robin", 1, 10, hour_ns);

    (void)state;
    for (int i = 0; i < 5; i++)
        ask(trial, i * S, 0, 0, i == 4 ? 2 : 1);            /* the fifth meets shard 0: 1 + 2 of 3 */
    ask(trial, 5 * S, 0, 0, 3);                             /* 1 + 3 of 3, though 4 of 10 are left */
    play(trial);
    assert_true(admitted(trial, 4));
    assert_false(admitted(trial, 5));
    assert_int_equal(trial->result.first_denial, 6);
    trial_free(trial);
}

static void random_shards_make_a_range_of_the_limit(void **state)
{
    int64_t least = INT64_MAX, most = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct trial *trial = trial_new("fixed-window@sharded", 1, 100, hour_ns);
        trial->chooser.seed = seed;
        ask_times(trial, 400, 0, 0);
        play(trial);
        assert_int_equal(trial->admitted, 100);             /* 400 requests fill every shard */
        least = i64_min(least, trial->result.first_denial);
        most = i64_max(most, trial->result.first_denial);
        trial_free(trial);
    }
    /* Shares are 13 or 12: nobody is denied before 12, and hardly ever are the first 90 spread so evenly. */
    assert_in_range(least, 12, 60);
    assert_in_range(most, 65, 95);
}

static void a_limit_is_not_divided_into_nothing(void **state)
{
    struct trial *trial = trial_new("fixed-window@sharded:shards=11", 1, 10, hour_ns);

    (void)state;
    assert_false(trial_possible(trial));
    assert_non_null(strstr(trial->failure.line, "at least one for each shard"));
    trial_free(trial);
    trial = trial_new("fixed-window@sharded", 1, 3, hour_ns);           /* the default gives way */
    ask_times(trial, 1, 0, 0);
    play(trial);
    assert_int_equal(trial->world.policy_count, 1 + 3);
    trial_free(trial);
}

/* ---- a counter in pieces ----------------------------------------------------------------------------- */

static void a_sum_is_one_add_and_then_all_are_read(void **state)
{
    struct trial *trial = trial_new("fixed-window@sharded:shards=4:mode=sum", 2, 1, hour_ns);

    (void)state;
    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    trial->watched = true;
    ask(trial, 0, 1, 0, 1);
    ask(trial, S, 1, 0, 1);
    play(trial);
    assert_true(admitted(trial, 0));
    assert_false(admitted(trial, 1));
    assert_int_equal(retry_ns(trial, 1), hour_ns - S);
    assert_int_equal(trial->effects, 2 * (1 + 4));
    for (uint32_t i = 0; i < trial->effects; i++) {
        assert_int_equal(trial->effect[i].operation, i % 5 == 0 ? OP_ADD : OP_COUNT);
        assert_int_equal(trial->effect[i].at_ns, (i / 5) * S + (i % 5 == 0 ? 45 : 135) * MS);
    }
    assert_int_equal(trial->world.store_reads, 8);
    assert_int_equal(trial->world.store_writes, 2);
    trial_free(trial);
}

static void two_that_add_at_once_may_both_see_too_much(void **state)
{
    struct trial *trial = trial_new("fixed-window@sharded:mode=sum", 2, 1, hour_ns);

    (void)state;
    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    ask_times(trial, 2, 0, 1);
    play(trial);
    assert_int_equal(trial->admitted, 0);
    trial_free(trial);
}

static void windows_that_a_request_opens_cannot_be_summed(void **state)
{
    struct trial *trial = trial_new("fixed-window-anchored@sharded:mode=sum", 1, 10, hour_ns);

    (void)state;
    assert_false(trial_possible(trial));
    assert_non_null(strstr(trial->failure.line, "expected windows that are aligned"));
    trial_free(trial);
}

/* ---- one counter ------------------------------------------------------------------------------------- */

/* Limit 1 per 10 s, from a region 45 ms away: may the second request, at at_ns, pass? */
static bool second_passes(const char *text, int64_t at_ns)
{
    struct trial *trial = trial_new(text, 2, 1, 10 * S);

    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    ask(trial, 0, 1, 0, 1);
    ask(trial, at_ns, 1, 0, 1);
    play(trial);
    bool passes = admitted(trial, 1);
    assert_true(admitted(trial, 0));
    if (!passes)                            /* until the counter's end, from when the increment was applied */
        assert_int_equal(retry_ns(trial, 1), MS);
    trial_free(trial);
    return passes;
}

static void an_anchored_window_begins_with_the_command_that_ends_it(void **state)
{
    (void)state;
    /* INCR arrives at 45 ms and sets the end: 10.045 s. */
    assert_false(second_passes("fixed-window-anchored@incr", 9999 * MS));
    assert_true(second_passes("fixed-window-anchored@incr", 10000 * MS));
    /* EXPIRE is sent at 90 ms and arrives at 135 ms: the end is at 10.135 s. */
    assert_false(second_passes("fixed-window-anchored@incr:form=incr-expire", 10089 * MS));
    assert_true(second_passes("fixed-window-anchored@incr:form=incr-expire", 10090 * MS));
}

static bool expire_was_lost(const struct trial *trial)
{
    bool added = false, expired = false;

    for (uint32_t i = 0; i < trial->effects; i++) {
        added |= trial->effect[i].operation == OP_ADD && trial->effect[i].request == 0;
        expired |= trial->effect[i].operation == OP_EXPIRE;
    }
    return added && !expired;
}

/* The classic: the caller dies, or its EXPIRE is lost, after INCR: the key never ends. */
static void a_counter_whose_expire_was_lost_denies_for_ever(void **state)
{
    unsigned found = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct trial *trial = trial_new("fixed-window-anchored@incr:form=incr-expire", 2, 1, 10 * S);
        trial_link(trial, 0, 1, 45 * MS, 45 * MS);
        trial_hurt(trial, 1, 0, 500000000, 0);
        trial->chooser.seed = seed;
        trial->watched = true;
        ask(trial, 0, 1, 0, 1);
        ask(trial, 24 * hour_ns, 0, 0, 1);
        play(trial);
        bool lost = expire_was_lost(trial);
        assert_int_equal(admitted(trial, 1), !lost);
        assert_true(!lost || !trial->told[0].failed);       /* it was admitted all the same */
        found += lost;
        trial_free(trial);
    }
    assert_in_range(found, 3, 25);                          /* one in four */
}

static void the_denied_count_and_a_refund_always_passes(void **state)
{
    static const struct { int64_t cost; bool passes; int64_t count; } steps[] = {
        { 1, true, 1 }, { 1, true, 2 }, { 2, false, 4 }, { -1, true, 3 }, { 1, false, 4 }, { -4, true, 0 },
        { 1, true, 1 }, { 0, true, 1 }, { 3, false, 4 }, { 1, false, 5 } };     /* 3 can never pass, and
                                                                                   counts */
    static const char *const text[] = { "fixed-window@incr", "fixed-window@sharded:shards=1:mode=sum" };

    (void)state;
    for (int t = 0; t < 2; t++)
        for (uint32_t n = 1; n <= sizeof steps / sizeof *steps; n++) {
            struct trial *trial = trial_new(text[t], 1, 2, hour_ns);
            for (uint32_t i = 0; i < n; i++)
                ask(trial, i * S, 0, 0, steps[i].cost);
            play(trial);
            assert_int_equal(admitted(trial, n - 1), steps[n - 1].passes);
            assert_int_equal(trial->world.store[0].cell[0].state.number[1], steps[n - 1].count);
            trial_free(trial);
        }
}

/* The end is set once: the refund makes the third increment look like the first. */
static void an_end_that_is_set_stays(void **state)
{
    struct trial *trial = trial_new("fixed-window-anchored@incr:form=incr-expire", 1, 1, 10 * S);

    (void)state;
    ask(trial, 0, 0, 0, 1);
    ask(trial, 2 * S, 0, 0, -1);
    ask(trial, 4 * S, 0, 0, 1);
    ask(trial, 10 * S - 1, 0, 0, 1);
    ask(trial, 10 * S, 0, 0, 1);
    play(trial);
    assert_true(admitted(trial, 2));
    assert_false(admitted(trial, 3));
    assert_true(admitted(trial, 4));
    trial_free(trial);
}

static void a_window_gone_by_keeps_its_count_for_those_that_come_late(void **state)
{
    struct trial *trial = trial_new("fixed-window@incr", 2, 3, 60 * S);

    (void)state;
    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    ask(trial, 10 * S, 1, 0, 2);
    ask(trial, 59980 * MS, 1, 0, 1);        /* the third of three ... */
    ask(trial, 59990 * MS, 1, 0, 1);        /* ... and one too many, though the next window has begun */
    ask(trial, 60000 * MS, 0, 0, 1);
    play(trial);
    assert_true(admitted(trial, 1) && admitted(trial, 3));
    assert_false(admitted(trial, 2));
    trial_free(trial);
}

static void an_increment_that_comes_late_finds_its_own_window(void **state)
{
    struct trial *trial = trial_new("fixed-window@incr", 2, 1, 60 * S);

    (void)state;
    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    ask(trial, 59990 * MS, 1, 0, 1);        /* of the first window, there at 60.035 s */
    ask(trial, 60000 * MS, 0, 0, 1);        /* of the second, at once */
    ask(trial, 61000 * MS, 0, 0, 1);
    play(trial);
    assert_true(admitted(trial, 0) && admitted(trial, 1));
    assert_false(admitted(trial, 2));
    assert_int_equal(retry_ns(trial, 2), 59 * S);
    trial_free(trial);
}

TEST_MAIN(TEST(the_shares_of_a_limit_sum_to_it),
          TEST(round_robin_takes_shards_in_turn_each_to_its_share),
          TEST(weights_find_a_full_shard_while_others_have_room),
          TEST(random_shards_make_a_range_of_the_limit),
          TEST(a_limit_is_not_divided_into_nothing),
          TEST(a_sum_is_one_add_and_then_all_are_read),
          TEST(two_that_add_at_once_may_both_see_too_much),
          TEST(windows_that_a_request_opens_cannot_be_summed),
          TEST(an_anchored_window_begins_with_the_command_that_ends_it),
          TEST(a_counter_whose_expire_was_lost_denies_for_ever),
          TEST(the_denied_count_and_a_refund_always_passes),
          TEST(an_end_that_is_set_stays),
          TEST(a_window_gone_by_keeps_its_count_for_those_that_come_late),
          TEST(an_increment_that_comes_late_finds_its_own_window))

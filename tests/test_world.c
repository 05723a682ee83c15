/* What the world does to requests whatever the design: ways, ties, keyed streams, clocks. */
#include "world_rig.h"
#include "dice.h"

enum { SEEDS = 40 };
static const int64_t hour_ns = 3600 * S;

/* ---- ways -------------------------------------------------------------------------------------------- */

/* Limit 2 an hour, one request every ten seconds from a region 45 ms away from the store: ways are 90 ms. */
static const struct way { const char *text; int64_t first_ms, second_ms, denied_ms; } ways[] = {
    { "token-bucket@owner", 90, 90, 90 },
    { "token-bucket@owner:service=7ms", 97, 97, 97 },
    { "token-bucket@owner:home=b", 0, 0, 0 },
    { "token-bucket@home-region", 0, 0, 0 },
    { "token-bucket@get-then-set", 180, 180, 90 },
    { "token-bucket@get-then-set:denied=writes", 180, 180, 180 },
    { "token-bucket@cas", 180, 180, 90 },
    { "fixed-window-anchored@cas", 180, 180, 180 },
    { "token-bucket@atomic", 90, 90, 90 },
    { "fixed-window@incr", 90, 90, 90 },
    { "fixed-window@incr:form=incr-expire", 180, 90, 90 },
    { "token-bucket@sharded:shards=1", 90, 90, 90 },
    { "fixed-window@sharded:mode=sum", 180, 180, 180 },
    { "token-bucket@kv", 180, 90, 0 },
    { "token-bucket@local", 0, 0, 0 },
    { "token-bucket@local-sync", 0, 0, 0 },
    { "fixed-window@regional-counters", 0, 0, 0 },
    { "token-bucket@lease", 90, 90, 90 },
    { "token-bucket@lease:block=2", 90, 0, 90 },
};

static void every_operation_is_one_way_there_and_back(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct trial *trial = trial_new(ways[i].text, 2, 2, hour_ns);
        int64_t expected[] = { ways[i].first_ms, ways[i].second_ms, ways[i].denied_ms };
        trial_link(trial, 0, 1, 45 * MS, 45 * MS);
        for (int n = 0; n < 3; n++)
            ask(trial, n * 10 * S, 1, 0, 1);
        play(trial);
        for (uint32_t n = 0; n < 3; n++)
            if (latency_ns(trial, n) != expected[n] * MS || admitted(trial, n) != (n < 2))
                fail_msg("%s: request %u took %lld ns, admitted %d; expected %lld ms", ways[i].text, n,
                         (long long)latency_ns(trial, n), admitted(trial, n), (long long)expected[n]);
        trial_free(trial);
    }
}

static void a_failed_swap_costs_another_round(void **state)
{
    struct trial *trial = trial_new("token-bucket@cas", 2, 10, hour_ns);

    (void)state;
    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    ask_times(trial, 3, 0, 1);
    play(trial);
    /* All read at 45 ms and swap at 135 ms: one wins.  The others read again at 225 ms, and so on. */
    assert_int_equal(latency_ns(trial, 0), 180 * MS);
    assert_int_equal(latency_ns(trial, 1), 360 * MS);
    assert_int_equal(latency_ns(trial, 2), 540 * MS);
    assert_int_equal(trial->world.retries, 2 + 1);
    trial_free(trial);
}

static void attempts_run_out_as_the_design_says(void **state)
{
    static const char *const text[] = { "token-bucket@cas:attempts=2",
                                        "token-bucket@cas:attempts=2:then=error" };

    (void)state;
    for (int error = 0; error < 2; error++) {
        struct trial *trial = trial_new(text[error], 2, 10, hour_ns);
        trial_link(trial, 0, 1, 45 * MS, 45 * MS);
        ask_times(trial, 3, 0, 1);
        play(trial);
        assert_int_equal(trial->admitted, 2);
        assert_int_equal(trial->denied, !error);
        assert_int_equal(trial->failed, error);
        assert_int_equal(latency_ns(trial, 2), 360 * MS);
        if (!error)
            assert_int_equal(retry_ns(trial, 2), hour_ns / 10);
        trial_free(trial);
    }
}

static void a_shaped_request_departs_before_its_verdict_goes_home(void **state)
{
    static const struct { const char *text; int64_t first_ms, departs_ms, second_ms; } cases[] = {
        { "leaky-bucket-queue@atomic", 90, 500, 500 },      /* read at 0, known at 90, leaves at 0 + 500 */
        { "leaky-bucket-queue@owner", 90, 545, 590 },       /* read at the owner's at 45, and 45 home */
        { "leaky-bucket-queue@local", 0, 500, 500 },
    };

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct trial *trial = trial_new(cases[i].text, 2, 2, S);
        trial_link(trial, 0, 1, 45 * MS, 45 * MS);
        ask_times(trial, 2, 0, 1);
        play(trial);
        assert_int_equal(latency_ns(trial, 0), cases[i].first_ms * MS);
        assert_int_equal(trial->told[1].departed_ns, cases[i].departs_ms * MS);
        assert_int_equal(latency_ns(trial, 1), cases[i].second_ms * MS);
        trial_free(trial);
    }
}

/* ---- ties -------------------------------------------------------------------------------------------- */

/* Nine of ten are used; then a request in each of two regions at one instant, equally far from the store. */
static struct trial *both_read_nine(const char *text, uint64_t seed)
{
    struct trial *trial = trial_new(text, 3, 10, 60 * S);

    trial->topology.store = 2;
    trial_link(trial, 0, 2, 45 * MS, 45 * MS);
    trial_link(trial, 1, 2, 45 * MS, 45 * MS);
    trial->chooser.seed = seed;
    ask(trial, 0, 0, 0, 9);
    ask(trial, 2 * S, 0, 0, 1);
    ask(trial, 2 * S, 1, 0, 1);
    play(trial);
    return trial;
}

static void two_that_read_nine_both_pass_and_one_write_is_lost(void **state)
{
    unsigned second_wrote_last = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct trial *trial = both_read_nine("fixed-window@get-then-set", seed);
        assert_int_equal(trial->admitted, 3);
        assert_int_equal(trial->world.lost_updates, 1);
        assert_int_equal(trial->result.over_admitted, 1);
        assert_int_equal(trial->world.store[0].cell[0].state.number[1], 10);
        second_wrote_last += trial->told[2].order > trial->told[1].order;
        trial_free(trial);
    }
    assert_in_range(second_wrote_last, SEEDS / 4, 3 * SEEDS / 4);
}

static void who_comes_first_at_one_instant_is_a_choice(void **state)
{
    static const char *const text[] = { "fixed-window@owner", "fixed-window@cas", "fixed-window@atomic",
                                        "fixed-window@incr" };

    (void)state;
    for (int t = 0; t < 4; t++) {
        unsigned first_won = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct trial *trial = both_read_nine(text[t], seed);
            assert_int_equal(admitted(trial, 1) + admitted(trial, 2), 1);
            assert_int_equal(trial->world.lost_updates + trial->result.over_admitted, 0);
            first_won += admitted(trial, 1);
            trial_free(trial);
        }
        assert_in_range(first_won, SEEDS / 4, 3 * SEEDS / 4);
    }
}

/* Each choice among what is left is a choice of its own. */
static void every_order_of_three_at_one_instant_occurs(void **state)
{
    unsigned orders = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 2 * SEEDS; seed++) {
        struct trial *trial = trial_new("token-bucket@local", 3, 1, hour_ns);
        trial->chooser.seed = seed;
        for (uint32_t region = 0; region < 3; region++)
            ask(trial, 0, region, 0, 1);
        play(trial);
        orders |= 1u << (trial->told[0].order * 3 + (trial->told[1].order < trial->told[2].order));
        trial_free(trial);
    }
    assert_int_equal(orders, 3u << 3 | 3u << 6 | 3u << 9);
}

static void what_one_region_sends_keeps_its_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct trial *trial = trial_new("token-bucket@owner", 3, 100, hour_ns);
        trial_links(trial, 45 * MS, 45 * MS);
        trial->chooser.seed = seed;
        for (uint32_t i = 0; i < 20; i++)
            ask(trial, 0, 1 + i % 2, 0, 1);
        play(trial);
        for (uint32_t i = 2; i < 20; i++)
            assert_true(trial->told[i].order > trial->told[i - 2].order);
        trial_free(trial);
    }
}

static void an_owner_in_one_region_takes_a_trace_in_its_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct trial *trial = trial_new("token-bucket@owner", 1, 1000, hour_ns);
        trial->chooser.seed = seed;
        for (uint32_t i = 0; i < 200; i++)          /* more than one look ahead holds */
            ask(trial, i / 100 * S, 0, i % 3, 1 + i % 7);
        play(trial);
        for (uint32_t i = 0; i < 200; i++)
            assert_int_equal(trial->told[i].order, i + 1);
        trial_free(trial);
    }
}

/* Two instances of one region are two sources: neither is always before the other. */
static void instances_of_one_region_race_too(void **state)
{
    unsigned apart = 0, second_won = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 4 * SEEDS; seed++) {
        struct trial *trial = trial_new("token-bucket@atomic", 2, 1, hour_ns);
        trial_link(trial, 0, 1, 45 * MS, 45 * MS);
        trial->topology.instances[1] = 2;
        trial->chooser.seed = seed;
        ask_times(trial, 2, 0, 1);
        play(trial);
        bool same = trial->told[0].decision.node == trial->told[1].decision.node;
        apart += !same;
        second_won += admitted(trial, 1);
        assert_false(same && admitted(trial, 1));
        trial_free(trial);
    }
    assert_in_range(apart, SEEDS, 3 * SEEDS);
    assert_in_range(second_won, apart / 4, 3 * apart / 4);
}

static void the_calm_run_takes_what_came_first(void **state)
{
    struct trial *trial = trial_new("token-bucket@owner", 3, 100, hour_ns);

    (void)state;
    trial_links(trial, 45 * MS, 90 * MS);
    trial->chooser = (struct chooser){ .mode = CHOOSE_CALM };
    for (uint32_t i = 0; i < 20; i++)
        ask(trial, 0, 1 + i % 2, 0, 1);
    play(trial);
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(trial->told[i].order, i + 1);
        assert_int_equal(latency_ns(trial, i), 90 * MS);
    }
    trial_free(trial);
}

/* ---- keyed streams ----------------------------------------------------------------------------------- */

static int by_instant(const void *a, const void *b)
{
    const struct arrival *one = a, *two = b;

    return (one->at_ns > two->at_ns) - (one->at_ns < two->at_ns);
}

/* 60 requests for one key; where asked for, as many for another.  No two events share an instant: which of
 * them went first would depend on how many there are. */
static struct trial *with_company(const char *text, uint64_t seed, bool company)
{
    struct trial *trial = trial_new(text, 3, 10, S);
    struct dice dice = { seed };

    trial_links(trial, 5 * MS, 80 * MS);
    trial_hurt(trial, 1, 0, 50000000, 50000000);
    trial->topology.instances[2] = 2;
    trial->chooser.seed = seed;
    for (int i = 0; i < 60; i++)
        ask(trial, i * 50 * MS + 13, (uint32_t)dice_between(&dice, 0, 2), 0, 1);
    for (uint32_t i = 0; company && i < 60; i++) {
        ask(trial, 60 * 50 * MS, (uint32_t)dice_between(&dice, 0, 2), 1, 1);
        trial->asked[60 + i].at_ns = i * 50 * MS + 7;
    }
    qsort(trial->asked, trial->asks, sizeof *trial->asked, by_instant);
    play(trial);
    return trial;
}

static void another_keys_traffic_changes_nothing_for_this_one(void **state)
{
    char text[64];

    (void)state;
    for (unsigned c = 0; c < coordination_count; c++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            snprintf(text, sizeof text, "fixed-window@%s", coordinations[c]->name);
            struct trial *alone = with_company(text, seed, false), *beside = with_company(text, seed, true);
            for (uint32_t i = 0; i < 60; i++) {
                const struct told *one = &alone->told[i], *two = &beside->told[i];
                if (one->finished_ns != two->finished_ns || one->failed != two->failed
                    || one->decision.verdict.allowed != two->decision.verdict.allowed)
                    fail_msg("%s, seed %d: request %u fares otherwise in company", text, (int)seed, i);
            }
            trial_free(alone);
            trial_free(beside);
        }
}

/* ---- clocks ------------------------------------------------------------------------------------------ */

/* Limit 1 a minute, asked for in region `from` at 0, 20 and 40 s: with a clock that is 30 s ahead these are
 * 30, 50 and 70 s, and the third lies in the next window. */
static void third_passes(const char *text, uint32_t from, bool of_store, bool passes)
{
    struct trial *trial = trial_new(text, 2, 1, 60 * S);

    trial_offset(trial, of_store ? 0 : 1, of_store, 30 * S);
    for (int i = 0; i < 3; i++)
        ask(trial, i * 20 * S, from, 0, 1);
    play(trial);
    assert_true(admitted(trial, 0));
    assert_false(admitted(trial, 1));
    if (admitted(trial, 2) != passes)
        fail_msg("%s from region %u, %s: %d", text, from, of_store ? "store ahead" : "node ahead", passes);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(trial->told[i].decision.instant_ns, i * 20 * S);
        assert_int_equal(trial->told[i].decision.reading_ns, i * 20 * S + (passes ? 30 * S : 0));
    }
    trial_free(trial);
}

static void a_decision_believes_the_clock_where_it_is_taken(void **state)
{
    static const char *const by_caller[] = { "local", "atomic", "get-then-set", "cas", "incr",
                                             "regional-counters", "local-sync",
                                             "kv", "sharded:mode=sum", "sharded:shards=1" };
    static const char *const by_store[] = { "owner", "atomic:clock=store" };
    char text[64];

    (void)state;
    for (unsigned i = 0; i < sizeof by_caller / sizeof *by_caller; i++) {
        snprintf(text, sizeof text, "fixed-window@%s", by_caller[i]);
        third_passes(text, 1, false, true);
        third_passes(text, 0, false, false);
        third_passes(text, 1, true, false);
    }
    for (unsigned i = 0; i < sizeof by_store / sizeof *by_store; i++) {
        snprintf(text, sizeof text, "fixed-window@%s", by_store[i]);
        third_passes(text, 1, false, false);
        third_passes(text, 1, true, true);
    }
}

/* What region a admits at 40 s, it tells at 41 s; b's clock then says 71 s: it counts in that window. */
static void what_is_told_is_charged_by_the_hearers_clock(void **state)
{
    struct trial *trial = trial_new("fixed-window@local-sync", 2, 2, 60 * S);

    (void)state;
    trial_offset(trial, 1, false, 30 * S);
    ask(trial, 40 * S, 0, 0, 1);
    ask(trial, 42 * S, 1, 0, 2);
    play(trial);
    assert_false(admitted(trial, 1));
    trial_free(trial);
}

TEST_MAIN(TEST(every_operation_is_one_way_there_and_back),
          TEST(a_failed_swap_costs_another_round),
          TEST(attempts_run_out_as_the_design_says),
          TEST(a_shaped_request_departs_before_its_verdict_goes_home),
          TEST(two_that_read_nine_both_pass_and_one_write_is_lost),
          TEST(who_comes_first_at_one_instant_is_a_choice),
          TEST(every_order_of_three_at_one_instant_occurs),
          TEST(what_one_region_sends_keeps_its_order),
          TEST(an_owner_in_one_region_takes_a_trace_in_its_order),
          TEST(instances_of_one_region_race_too),
          TEST(the_calm_run_takes_what_came_first),
          TEST(another_keys_traffic_changes_nothing_for_this_one),
          TEST(a_decision_believes_the_clock_where_it_is_taken),
          TEST(what_is_told_is_charged_by_the_hearers_clock))

/* Instances and regions that decide by themselves, and tell the others, or fetch allowance, or do neither. */
#include "world_rig.h"
#include "dice.h"
#include "../engine/stores/replicated.h"

static const int64_t hour_ns = 3600 * S;

/* ---- nobody tells anybody ---------------------------------------------------------------------------- */

static void every_instance_spends_the_whole_limit(void **state)
{
    struct trial *trial = trial_new("fixed-window@local:instances=4", 1, 10, hour_ns);

    (void)state;
    ask_times(trial, 300, 0, 0);
    play(trial);
    assert_int_equal(trial->admitted, 4 * 10);
    trial_free(trial);
}

static void or_its_share_of_it(void **state)
{
    static const unsigned share[] = { 4, 3, 3 };
    struct trial *trial = trial_new("fixed-window@local:instances=3:share=split", 1, 10, hour_ns);
    unsigned of_node[3] = { 0 };

    (void)state;
    ask_times(trial, 200, 0, 0);
    play(trial);
    for (uint32_t i = 0; i < 200; i++)
        of_node[trial->told[i].decision.node] += admitted(trial, i);
    for (int node = 0; node < 3; node++)
        assert_int_equal(of_node[node], share[node]);
    trial_free(trial);
}

static void a_sticky_key_meets_one_instance_alone(void **state)
{
    struct trial *trial = trial_new("fixed-window@local:instances=4:route=sticky", 1, 10, hour_ns);
    unsigned nodes = 0;

    (void)state;
    for (uint32_t i = 0; i < 400; i++)
        ask(trial, i * MS, 0, i % 16, 1);
    play(trial);
    assert_int_equal(trial->admitted, 16 * 10);
    for (uint32_t i = 0; i < 400; i++) {
        assert_int_equal(trial->told[i].decision.node, trial->told[i % 16].decision.node);
        nodes |= 1u << trial->told[i].decision.node;
    }
    assert_int_equal(nodes, 0xf);           /* 16 keys leave none of four idle, or the hash is poor */
    trial_free(trial);
}

/* ---- counts that are exchanged ----------------------------------------------------------------------- */

static const char *const telling_designs[] = { "fixed-window@local-sync", "fixed-window@regional-counters" };

/* Limit 3 an hour.  a admits 2 at 0.3 s, tells it at the next full second, and 20 ms later b knows. */
static void what_others_admitted_is_known_after_the_telling_and_not_before(void **state)
{
    (void)state;
    for (int d = 0; d < 2; d++)
        for (int after = 0; after < 2; after++) {
            struct trial *trial = trial_new(telling_designs[d], 2, 3, hour_ns);
            trial_link(trial, 0, 1, 20 * MS, 20 * MS);
            ask(trial, 300 * MS, 0, 0, 2);
            ask(trial, after ? 1021 * MS : 1019 * MS, 1, 0, 2);
            play(trial);
            assert_int_equal(admitted(trial, 1), !after);
            assert_int_equal(trial->world.stale_reads, !after);
            trial_free(trial);
        }
}

static void they_are_told_as_often_as_the_design_says(void **state)
{
    static const char *const text[] = { "fixed-window@local-sync:every=250ms",
                                        "fixed-window@regional-counters:every=250ms" };

    (void)state;
    for (int d = 0; d < 2; d++)
        for (int after = 0; after < 2; after++) {
            struct trial *trial = trial_new(text[d], 2, 3, hour_ns);
            trial_link(trial, 0, 1, 20 * MS, 20 * MS);
            ask(trial, 300 * MS, 0, 0, 2);
            ask(trial, after ? 521 * MS : 519 * MS, 1, 0, 2);
            play(trial);
            assert_int_equal(admitted(trial, 1), !after);
            trial_free(trial);
        }
}

/* Three regions, 100 requests a second each, limit 600.  Whoever admits last knows of the others' 1.02 s ago;
 * since then each admitted 102 at most. */
static void over_admission_is_bounded_by_what_is_not_told_yet(void **state)
{
    (void)state;
    for (int d = 0; d < 2; d++) {
        struct trial *trial = trial_new(telling_designs[d], 3, 600, hour_ns);
        trial_links(trial, 20 * MS, 20 * MS);
        for (uint32_t i = 0; i < 1500; i++)
            ask(trial, i / 3 * 10 * MS + 5 * MS, i % 3, 0, 1);
        play(trial);
        assert_in_range(trial->admitted, 601, 600 + 2 * 102);
        assert_int_equal(trial->result.over_admitted, trial->admitted - 600);
        trial_free(trial);
    }
}

static struct trial *chatter(const char *text, uint64_t seed)
{
    struct trial *trial = trial_new(text, 3, 1000, hour_ns);
    struct dice dice = { seed };

    trial_links(trial, 1 * MS, 4 * S);              /* tellings overtake each other */
    trial->chooser.seed = seed;
    for (int i = 0; i < 100; i++)
        ask(trial, i * 100 * MS, (uint32_t)dice_between(&dice, 0, 2), 0, dice_between(&dice, 1, 3));
    play(trial);
    return trial;
}

static void when_all_is_told_everybody_knows_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct trial *trial = chatter("fixed-window@local-sync", seed);
        for (uint32_t node = 0; node < 3; node++) {
            const struct replica *replica = store_more(&trial->world.store[0], node);
            assert_int_equal(trial->world.store[0].cell[node].state.number[1], trial->admitted_cost);
            assert_int_equal(replica->known, trial->admitted);
            assert_int_equal(replica->untold, 0);
        }
        trial_free(trial);
    }
}

static void a_count_told_late_takes_nothing_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct trial *trial = chatter("fixed-window@regional-counters", seed);
        int64_t total = 0;
        for (uint32_t of = 0; of < 3; of++) {
            int64_t real = regional_counter(&trial->world, trial->world.store, 0, of, of)->count;
            total += real;
            for (uint32_t at = 0; at < 3; at++)
                assert_int_equal(regional_counter(&trial->world, trial->world.store, 0, at, of)->count, real);
        }
        assert_int_equal(total, trial->admitted_cost);
        trial_free(trial);
    }
}

/* The same sum, told twice, is one sum; a smaller one, or one of a window gone by, is old news. */
static void told_twice_is_told_once(void **state)
{
    static const struct { int64_t window, count, known; } news[] = {
        { 1, 5, 5 }, { 1, 5, 5 }, { 1, 3, 5 }, { 0, 9, 5 }, { 1, 8, 8 }, { 2, 1, 1 }, { 1, 9, 1 } };
    struct trial *trial = trial_new("fixed-window@regional-counters", 2, 10, 60 * S);

    (void)state;
    ask(trial, 0, 0, 0, 1);
    play(trial);
    for (unsigned i = 0; i < sizeof news / sizeof *news; i++) {
        struct message message = { .operation = OP_SYNC, .from = 0, .to = 1, .until_ns = news[i].window,
                                   .amount = news[i].count };
        regional_store.apply(&trial->world, trial->world.store, &message);
        assert_int_equal(regional_counter(&trial->world, trial->world.store, 0, 1, 0)->count, news[i].known);
    }
    trial_free(trial);
}

static void a_region_always_takes_a_refund(void **state)
{
    struct trial *trial = trial_new("fixed-window@regional-counters", 2, 2, hour_ns);

    (void)state;
    trial_link(trial, 0, 1, 20 * MS, 20 * MS);
    ask(trial, 0, 0, 0, 2);
    ask(trial, 0, 1, 0, 2);
    ask(trial, 2 * S, 0, 0, -1);            /* four are spent: three still are */
    ask(trial, 4 * S, 0, 0, 1);
    play(trial);
    assert_true(admitted(trial, 2));
    assert_false(admitted(trial, 3));
    trial_free(trial);
}

static void windows_begin_with_nothing_known(void **state)
{
    struct trial *trial = trial_new("fixed-window@regional-counters", 2, 2, 60 * S);

    (void)state;
    trial_link(trial, 0, 1, 20 * MS, 20 * MS);
    ask(trial, 58 * S, 0, 0, 2);
    ask(trial, 59500 * MS, 1, 0, 1);        /* has been told */
    ask(trial, 60 * S, 1, 0, 2);
    ask(trial, 60 * S + 1, 1, 0, 1);
    play(trial);
    assert_false(admitted(trial, 1));
    assert_int_equal(retry_ns(trial, 1), 500 * MS);
    assert_true(admitted(trial, 2));
    assert_false(admitted(trial, 3));
    trial_free(trial);
}

/* ---- blocks of allowance ----------------------------------------------------------------------------- */

/* Limit 10, blocks of 4: grants of 4, 4, and then, where 4 are too many, the 1 that is asked for. */
static void a_block_is_spent_without_latency_and_at_the_end_the_least_is_fetched(void **state)
{
    static const int64_t latency_ms[] = { 90, 0, 0, 0, 90, 0, 0, 0, 90, 90, 90 };
    struct trial *trial = trial_new("fixed-window@lease:block=4:expiry=1h", 2, 10, hour_ns);

    (void)state;
    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    for (int i = 0; i < 11; i++)
        ask(trial, i * S, 1, 0, 1);
    play(trial);
    for (uint32_t i = 0; i < 11; i++) {
        assert_int_equal(latency_ns(trial, i), latency_ms[i] * MS);
        assert_int_equal(admitted(trial, i), i < 10);
    }
    assert_int_equal(retry_ns(trial, 10), hour_ns - 10 * S - 45 * MS);      /* the centre's clock said so */
    assert_int_equal(trial->world.store_reads, 5);
    trial_free(trial);
}

static void what_is_not_spent_before_the_block_expires_is_lost(void **state)
{
    for (int after = 0; after < 2; after++) {
        struct trial *trial = trial_new("fixed-window@lease:block=10:expiry=5s", 2, 10, hour_ns);
        (void)state;
        trial_link(trial, 0, 1, 45 * MS, 45 * MS);
        ask(trial, 0, 1, 0, 1);                     /* filled at 0.09 s, until 5.09 s */
        ask(trial, 5090 * MS - !after, 1, 0, 1);
        play(trial);
        assert_int_equal(admitted(trial, 1), !after);
        assert_int_equal(latency_ns(trial, 1), after ? 90 * MS : 0);
        trial_free(trial);
    }
}

static void a_new_block_lasts_as_long_as_the_last_one(void **state)
{
    static const int64_t latency_ms[] = { 90, 0, 0, 90, 0, 90 };
    struct trial *trial = trial_new("fixed-window@lease:block=3:expiry=5s", 2, 10, hour_ns);

    (void)state;
    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    ask(trial, 0, 1, 0, 1);
    ask(trial, S, 1, 0, 1);
    ask(trial, S, 1, 0, 1);
    ask(trial, 2 * S, 1, 0, 1);                     /* filled at 2.09 s */
    ask(trial, 7089 * MS, 1, 0, 1);
    ask(trial, 7091 * MS, 1, 0, 1);                 /* one is left, but too old */
    play(trial);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(latency_ns(trial, i), latency_ms[i] * MS);
    trial_free(trial);
}

static void two_that_fetch_at_once_bring_two_blocks(void **state)
{
    struct trial *trial = trial_new("fixed-window@lease:block=4:expiry=1h", 2, 10, hour_ns);

    (void)state;
    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    ask_times(trial, 2, 0, 1);
    ask_times(trial, 7, S, 1);
    play(trial);
    for (uint32_t i = 0; i < 9; i++)                /* 2 + 6 of twice 4, then the ninth fetches again */
        assert_int_equal(latency_ns(trial, i), i < 2 || i == 8 ? 90 * MS : 0);
    trial_free(trial);
}

static void a_large_cost_fetches_what_it_needs(void **state)
{
    struct trial *trial = trial_new("token-bucket@lease:block=2:expiry=1h", 1, 10, hour_ns);

    (void)state;
    ask(trial, 0, 0, 0, 7);
    ask(trial, S, 0, 0, 3);                         /* all that is left */
    ask(trial, 2 * S, 0, 0, 11);
    ask(trial, 3 * S, 0, 0, 0);
    play(trial);
    assert_true(admitted(trial, 0) && admitted(trial, 1) && admitted(trial, 3));
    assert_false(admitted(trial, 2));
    assert_true(retry_ns(trial, 2) == NEVER_NS);
    trial_free(trial);
}

static void blocks_never_grant_more_than_the_limit(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct trial *trial = trial_new("fixed-window@lease:block=7", 3, 50, hour_ns);
        trial_links(trial, 5 * MS, 80 * MS);
        trial->chooser.seed = seed;
        trial->topology.instances[1] = 3;
        for (uint32_t i = 0; i < 300; i++)
            ask(trial, i * 3 * MS, i % 3, 0, 1);
        play(trial);
        assert_in_range(trial->admitted, 30, 50);   /* up to six of each purse's last block are left over */
        trial_free(trial);
    }
}

TEST_MAIN(TEST(every_instance_spends_the_whole_limit),
          TEST(or_its_share_of_it),
          TEST(a_sticky_key_meets_one_instance_alone),
          TEST(what_others_admitted_is_known_after_the_telling_and_not_before),
          TEST(they_are_told_as_often_as_the_design_says),
          TEST(over_admission_is_bounded_by_what_is_not_told_yet),
          TEST(when_all_is_told_everybody_knows_the_same),
          TEST(a_count_told_late_takes_nothing_back),
          TEST(told_twice_is_told_once),
          TEST(a_region_always_takes_a_refund),
          TEST(windows_begin_with_nothing_known),
          TEST(a_block_is_spent_without_latency_and_at_the_end_the_least_is_fetched),
          TEST(what_is_not_spent_before_the_block_expires_is_lost),
          TEST(a_new_block_lasts_as_long_as_the_last_one),
          TEST(two_that_fetch_at_once_bring_two_blocks),
          TEST(a_large_cost_fetches_what_it_needs),
          TEST(blocks_never_grant_more_than_the_limit))

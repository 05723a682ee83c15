/* Owners: one at a time, in order, at the price of the way and of the queue. */
#include "world_rig.h"
#include "dice.h"

static const int64_t hour_ns = 3600 * S;

static void service_time_bounds_throughput(void **state)
{
    struct trial *trial = trial_new("token-bucket@owner:service=10ms", 2, 60, hour_ns);

    (void)state;
    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    ask_times(trial, 100, 0, 1);
    play(trial);
    for (uint32_t i = 0; i < 100; i++) {            /* the denied keep the object busy too */
        assert_int_equal(trial->told[i].decision.instant_ns, 45 * MS + i * 10 * MS);
        assert_int_equal(latency_ns(trial, i), 45 * MS + (i + 1) * 10 * MS + 45 * MS);
        assert_int_equal(admitted(trial, i), i < 60);
    }
    trial_free(trial);
}

static void the_mailbox_is_first_come_first_served(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct trial *trial = trial_new("gcra@owner:service=9ms", 3, 20, hour_ns);
        struct dice dice = { seed };
        int64_t at_ns = 0, free_ns = 0;
        trial->topology.store = 2;
        for (int i = 0; i < 60; i++)                /* no ways: who asks is there at once */
            ask(trial, at_ns += dice_between(&dice, 1, 12 * MS), (uint32_t)dice_between(&dice, 0, 2), 0, 1);
        play(trial);
        for (uint32_t i = 0; i < 60; i++) {         /* begins when there, and when the object is free */
            int64_t begins_ns = i64_max(trial->asked[i].at_ns, free_ns);
            free_ns = begins_ns + 9 * MS;
            assert_int_equal(trial->told[i].decision.instant_ns, begins_ns);
            assert_int_equal(trial->told[i].finished_ns, free_ns);
        }
        trial_free(trial);
    }
}

static void each_key_has_an_object_unless_one_serves_all(void **state)
{
    static const char *const text[] = { "token-bucket@owner:service=10ms",
                                        "token-bucket@owner:service=10ms:scope=global",
                                        "token-bucket@home-region:service=10ms:scope=global" };

    (void)state;
    for (int t = 0; t < 3; t++) {
        struct trial *trial = trial_new(text[t], 1, 1, hour_ns);
        for (uint32_t key = 0; key < 3; key++)
            ask(trial, 0, 0, key, 1);
        play(trial);
        for (uint32_t key = 0; key < 3; key++) {
            assert_int_equal(latency_ns(trial, key), t == 0 ? 10 * MS : (key + 1) * 10 * MS);
            assert_true(admitted(trial, key));      /* busy with everybody, but each key has its own state */
        }
        trial_free(trial);
    }
}

static void a_key_lives_where_it_was_seen_first(void **state)
{
    struct trial *trial = trial_new("token-bucket@home-region", 3, 9, hour_ns);

    (void)state;
    trial_links(trial, 45 * MS, 45 * MS);
    for (uint32_t key = 0; key < 3; key++)
        ask(trial, 0, key, key, 1);
    for (uint32_t key = 0; key < 3; key++)
        for (uint32_t region = 0; region < 3; region++)
            ask(trial, S, region, key, 1);
    play(trial);
    for (uint32_t i = 0; i < trial->asks; i++)
        assert_int_equal(latency_ns(trial, i), trial->asked[i].region == trial->asked[i].key ? 0 : 90 * MS);
    trial_free(trial);
}

static void a_global_home_is_where_anybody_was_seen_first(void **state)
{
    struct trial *trial = trial_new("token-bucket@home-region:scope=global", 2, 9, hour_ns);

    (void)state;
    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    ask(trial, 0, 1, 0, 1);
    ask(trial, S, 0, 1, 1);
    ask(trial, 2 * S, 1, 1, 1);
    play(trial);
    assert_int_equal(latency_ns(trial, 0), 0);
    assert_int_equal(latency_ns(trial, 1), 90 * MS);
    assert_int_equal(latency_ns(trial, 2), 0);
    trial_free(trial);
}

/* 110 requests of which 20 are under way at a time: whatever the order, inside one window 100 pass. */
static void one_owner_passes_exactly_the_limit_whatever_the_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct trial *trial = trial_new("fixed-window@owner:service=1ms", 3, 100, 60 * S);
        trial_links(trial, 5 * MS, 200 * MS);
        trial->chooser.seed = seed;
        for (uint32_t i = 0; i < 110; i++)
            ask(trial, i / 20 * 300 * MS, i % 3, 0, 1);
        play(trial);
        assert_int_equal(trial->admitted, 100);
        assert_int_equal(trial->denied, 10);
        assert_int_equal(trial->result.first_denial, 100);
        trial_free(trial);
    }
}

/* Half of all requests and of all answers are lost, copies come in between: the gate always opens again. */
static void no_loss_leaves_the_gate_shut(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct trial *trial = trial_new("sliding-window-log@owner:service=30ms:unreachable=undecided", 3, 10,
                                        S);
        trial_links(trial, 5 * MS, 80 * MS);
        trial->chooser.seed = seed;
        for (uint32_t region = 1; region < 3; region++) {
            trial_hurt(trial, region, 0, 500000000, 500000000);
            trial_hurt(trial, 0, region, 500000000, 0);
        }
        for (uint32_t i = 0; i < 90; i++)
            ask(trial, i * 20 * MS, i % 3, 0, 1);
        play(trial);
        assert_in_range(trial->failed, 25, 60);     /* of 60 from afar three in four */
        for (uint32_t i = 0; i < 90; i++)
            assert_false(trial->told[i].failed && i % 3 == 0);
        trial_free(trial);
    }
}

TEST_MAIN(TEST(service_time_bounds_throughput),
          TEST(the_mailbox_is_first_come_first_served),
          TEST(each_key_has_an_object_unless_one_serves_all),
          TEST(a_key_lives_where_it_was_seen_first),
          TEST(a_global_home_is_where_anybody_was_seen_first),
          TEST(one_owner_passes_exactly_the_limit_whatever_the_order),
          TEST(no_loss_leaves_the_gate_shut))

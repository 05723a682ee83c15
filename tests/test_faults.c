/* Faults on a time line: what each kind does to links and stores, in exact numbers; and what
 * faults leave alone. */
#include "fault_rig.h"

/* ---- links ------------------------------------------------------------------------------------------- */

/* b asks at 1 s, within the fault, and at 20 s, after it; then a.  Limit 2. */
static struct trial *cut(enum fault_kind kind, int32_t from, int32_t to, bool both_ways, uint32_t billionths)
{
    struct trial *trial = apart("token-bucket@atomic", 2);
    struct fault *fault = trial_fault(trial, kind, 1 * S, 10 * S);

    fault->from = from;
    fault->to = to;
    fault->both_ways = both_ways;
    fault->billionths = billionths;
    ask(trial, 1 * S, 1, 0, 1);
    ask(trial, 20 * S, 1, 0, 1);
    ask(trial, 40 * S, 0, 0, 1);
    play(trial);
    return trial;
}

static const struct {
    enum fault_kind kind;
    int32_t from, to;
    bool both_ways;
    uint32_t billionths;
    bool reaches, heard;                /* the request its store, and the answer its caller */
} cuts[] = {
    { FAULT_PARTITION, 1, 0, false, FAULT_CERTAIN, false, false },
    { FAULT_PARTITION, 0, 1, false, FAULT_CERTAIN, true, false },   /* took effect, and the reply was lost */
    { FAULT_PARTITION, 0, 1, true, FAULT_CERTAIN, false, false },
    { FAULT_PARTITION, 1, -1, true, FAULT_CERTAIN, false, false },
    { FAULT_PARTITION, -1, 1, false, FAULT_CERTAIN, true, false },
    { FAULT_LOSS, 1, 0, false, FAULT_CERTAIN, false, false },
    { FAULT_LOSS, 0, 1, false, FAULT_CERTAIN, true, false },
    { FAULT_LOSS, -1, -1, false, FAULT_CERTAIN, false, false },
    { FAULT_LOSS, -1, -1, false, 0, true, true },
    { FAULT_LOST_ANSWERS, -1, -1, false, FAULT_CERTAIN, true, false },
    { FAULT_LOST_ANSWERS, 1, 0, false, FAULT_CERTAIN, true, true },
    { FAULT_LOST_ANSWERS, -1, -1, false, 0, true, true },
};

static void a_link_that_is_cut_loses_what_sets_out_meanwhile(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        struct trial *trial = cut(cuts[i].kind, cuts[i].from, cuts[i].to, cuts[i].both_ways,
                                  cuts[i].billionths);
        if (trial->told[0].failed == cuts[i].heard || admitted(trial, 2) == cuts[i].reaches)
            fail_msg("row %u: failed %d, the last one is admitted %d", i, trial->told[0].failed,
                     admitted(trial, 2));
        assert_int_equal(latency_ns(trial, 0), cuts[i].heard ? 90 * MS : 5 * S);
        assert_true(admitted(trial, 1));            /* it has healed */
        assert_int_equal(latency_ns(trial, 1), 90 * MS);
        trial_free(trial);
    }
}

static void a_partition_leaves_the_inside_of_a_region_alone(void **state)
{
    struct trial *trial = apart("token-bucket@atomic", 2);

    (void)state;
    trial_fault(trial, FAULT_PARTITION, 0, NEVER_NS);
    ask(trial, 1 * S, 0, 0, 1);
    ask(trial, 1 * S, 1, 0, 1);
    play(trial);
    assert_true(admitted(trial, 0));
    assert_true(trial->told[1].failed);
    trial_free(trial);
}

static void a_fault_holds_from_its_beginning_to_before_its_end(void **state)
{
    static const int64_t at_ns[] = { 2 * S - 1, 2 * S, 3 * S - 1, 3 * S };
    struct trial *trial = apart("token-bucket@atomic", 100);

    (void)state;
    trial_fault(trial, FAULT_LOSS, 2 * S, 3 * S);
    for (int i = 0; i < 4; i++)
        ask(trial, at_ns[i], 0, 0, 1);
    play(trial);
    assert_false(trial->told[0].failed);
    assert_true(trial->told[1].failed && trial->told[2].failed);
    assert_false(trial->told[3].failed);
    trial_free(trial);
}

static void a_doubled_message_is_charged_twice(void **state)
{
    struct trial *trial = apart("token-bucket@atomic", 4);

    (void)state;
    trial_fault(trial, FAULT_DUPLICATE, 0, NEVER_NS);
    for (int i = 0; i < 6; i++)
        ask(trial, i * 5 * S, 1, 0, 1);
    play(trial);
    assert_int_equal(trial->admitted, 2);
    trial_free(trial);
}

/* a admits 4 and tells b of it, which counts 4 or, told twice, 8 of its 10. */
static void what_is_told_in_the_background_may_come_twice_as_well(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        struct trial *trial = apart("token-bucket@local-sync", 10);
        if (way == 1)
            trial_fault(trial, FAULT_DUPLICATE, 0, 5 * S);
        if (way == 2)
            trial_hurt(trial, 0, 1, 0, FAULT_CERTAIN);
        ask_times(trial, 4, 0, 0);
        ask_times(trial, 10, 10 * S, 1);
        play(trial);
        assert_int_equal(passed(trial, 4, 13), way == 0 ? 6 : 2);
        trial_free(trial);
    }
}

static void a_delay_adds_to_each_way_and_lets_later_ones_overtake(void **state)
{
    unsigned overtaken = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct trial *trial = apart("token-bucket@atomic", 4);
        trial->chooser.seed = seed;
        trial_fault(trial, FAULT_DELAY, 0, NEVER_NS)->span_ns = 1 * S;
        ask(trial, 0, 1, 0, 1);
        ask(trial, 10 * MS, 1, 0, 1);
        play(trial);
        assert_in_range(latency_ns(trial, 0), 90 * MS, 2090 * MS);
        assert_true(latency_ns(trial, 0) != 90 * MS);
        overtaken += trial->effect[0].request == 1;
        trial_free(trial);
    }
    assert_in_range(overtaken, 5, 15);
}

/* ---- stores ------------------------------------------------------------------------------------------ */

static struct trial *struck(const char *text, enum fault_kind kind, int64_t span_ns, bool refuses)
{
    struct trial *trial = apart(text, 1);
    struct fault *fault = trial_fault(trial, kind, 1 * S, 10 * S);

    fault->region = 0;
    fault->span_ns = span_ns;
    fault->refuses = refuses;
    ask(trial, 1 * S, 1, 0, 1);
    ask(trial, 20 * S, 1, 0, 1);
    play(trial);
    return trial;
}

static void a_store_that_is_out_does_nothing_and_is_heard_of_late_or_at_once(void **state)
{
    (void)state;
    for (int refuses = 0; refuses < 2; refuses++) {
        struct trial *trial = struck("token-bucket@atomic", FAULT_OUTAGE, 0, refuses);
        assert_true(trial->told[0].failed);
        assert_int_equal(latency_ns(trial, 0), refuses ? 90 * MS : 5 * S);
        assert_int_equal(trial->effects, 1);
        assert_true(admitted(trial, 1));
        trial_free(trial);
    }
}

static void an_owner_that_is_out_is_caught_at_once_when_it_says_so(void **state)
{
    (void)state;
    for (int refuses = 0; refuses < 2; refuses++) {
        struct trial *trial = struck("token-bucket@owner:unreachable=open", FAULT_OUTAGE, 0, refuses);
        assert_true(admitted(trial, 0) && admitted(trial, 1));
        assert_int_equal(latency_ns(trial, 0), refuses ? 90 * MS : 5 * S);
        trial_free(trial);
    }
}

static void an_outage_elsewhere_is_none(void **state)
{
    struct trial *trial = apart("token-bucket@atomic", 1);

    (void)state;
    trial_fault(trial, FAULT_OUTAGE, 0, NEVER_NS)->region = 1;
    ask(trial, 1 * S, 1, 0, 1);
    play(trial);
    assert_true(admitted(trial, 0));
    trial_free(trial);
}

static void a_slow_store_acts_later(void **state)
{
    struct trial *trial = struck("token-bucket@atomic", FAULT_SLOW, 200 * MS, false);

    (void)state;
    assert_true(admitted(trial, 0));
    assert_int_equal(latency_ns(trial, 0), 290 * MS);
    assert_int_equal(trial->effect[0].at_ns, 1245 * MS);
    trial_free(trial);
}

static void who_gives_up_on_a_slow_store_is_charged_all_the_same(void **state)
{
    struct trial *trial = struck("token-bucket@atomic", FAULT_SLOW, 7 * S, false);

    (void)state;
    assert_true(trial->told[0].failed);
    assert_int_equal(latency_ns(trial, 0), 5 * S);
    assert_int_equal(trial->effect[0].at_ns, 8045 * MS);
    assert_true(trial->effect[0].request == NOBODY);
    assert_false(admitted(trial, 1));
    trial_free(trial);
}

/* There in 45 ms, but the answer would be there after 90 ms. */
static void an_answer_that_comes_after_the_timeout_is_lost(void **state)
{
    struct trial *trial = apart("token-bucket@atomic", 1);

    (void)state;
    trial->timeout_ns = 89 * MS;
    ask(trial, 0, 1, 0, 1);
    ask(trial, 1 * S, 0, 0, 1);
    play(trial);
    assert_true(trial->told[0].failed);
    assert_int_equal(latency_ns(trial, 0), 89 * MS);
    assert_false(admitted(trial, 1));
    trial_free(trial);
}

/* ---- what faults leave alone ------------------------------------------------------------------------- */

/* Requests of b every 100 ms over a link that varies, half of them lost. */
static struct trial *lossy(bool with_more)
{
    struct trial *trial = trial_new("token-bucket@get-then-set", 2, 1000, hour_ns);

    trial_link(trial, 0, 1, 10 * MS, 90 * MS);
    if (with_more) {
        trial_fault(trial, FAULT_DELAY, 20 * S, 30 * S)->span_ns = 10 * MS;
        trial_fault(trial, FAULT_SLOW, 25 * S, 30 * S)->billionths = FAULT_CERTAIN / 3;
        trial_fault(trial, FAULT_RECYCLE, 3 * S, NEVER_NS);
    }
    trial_fault(trial, FAULT_LOSS, 0, 10 * S)->billionths = FAULT_CERTAIN / 2;
    for (int i = 0; i < 300; i++)
        ask(trial, i * 100 * MS + 1, 1, (uint32_t)i, 1);
    play(trial);
    return trial;
}

static void a_fault_that_is_added_changes_only_what_it_hits(void **state)
{
    struct trial *without = lossy(false), *with = lossy(true);

    (void)state;
    assert_in_range(undecided(without, 0, 99), 40, 90);     /* lost before the decision: 1/2 + 1/4 */
    for (uint32_t i = 0; i < 190; i++) {
        assert_int_equal(without->told[i].failed, with->told[i].failed);
        assert_int_equal(latency_ns(without, i), latency_ns(with, i));
    }
    assert_true(without->digest != with->digest);
    trial_free(without);
    trial_free(with);
}

static void the_same_faults_make_the_same_run(void **state)
{
    struct trial *first = lossy(true), *second = lossy(true);

    (void)state;
    assert_true(first->digest == second->digest);
    trial_free(first);
    trial_free(second);
}

static void a_fault_after_the_end_changes_nothing(void **state)
{
    uint64_t digest[2];

    (void)state;
    for (int late = 0; late < 2; late++) {
        struct trial *trial = apart("token-bucket@atomic", 10);
        for (int kind = FAULT_OUTAGE; late && kind <= FAULT_FORGET; kind++)
            trial_fault(trial, (enum fault_kind)kind, 100 * S, NEVER_NS);
        for (int i = 0; i < 20; i++)
            ask(trial, i * 100 * MS, i % 2, 0, 1);
        play(trial);
        digest[late] = trial->digest;
        assert_true(trial->world.now_ns < 100 * S);
        trial_free(trial);
    }
    assert_true(digest[0] == digest[1]);
}

/* Every kind at once, at odd moments, under every coordination: nothing is left over (see play()). */
static const char *const everybody[] = {
    "token-bucket@owner:service=3ms", "sliding-window-log@owner:unreachable=local:scope=global:service=1ms",
    "token-bucket@home-region", "sliding-window-log@get-then-set", "sliding-window-log@cas", "gcra@cas",
    "sliding-window-log@atomic", "token-bucket@atomic:clock=store", "fixed-window@incr",
    "fixed-window-anchored@incr:form=incr-expire", "token-bucket@sharded:shards=3",
    "fixed-window@sharded:mode=sum", "sliding-window-log@kv", "token-bucket@local",
    "sliding-window-log@local-sync", "fixed-window@regional-counters", "token-bucket@lease",
    "leaky-bucket-queue@atomic", "leaky-bucket-queue@get-then-set", "leaky-bucket-queue@owner:service=2ms",
};

static void add_everything(struct trial *trial, int64_t seed)
{
    static const enum fault_kind kinds[] = { FAULT_LOSS, FAULT_DUPLICATE, FAULT_SLOW, FAULT_CRASH,
                                             FAULT_OWNER_CRASH, FAULT_FAILOVER, FAULT_CAPACITY,
                                             FAULT_RECYCLE };
    for (int i = 0; i < TRIAL_FAULTS; i++) {
        struct fault *fault = trial_fault(trial, kinds[i], (100 + 37 * seed + 91 * i) * MS % (2 * S), 4 * S);
        fault->billionths = FAULT_CERTAIN / 5;
        fault->span_ns = 40 * MS;
        fault->most = 3;
        if (kinds[i] == FAULT_OWNER_CRASH || kinds[i] == FAULT_RECYCLE)
            fault->every_ns = 170 * MS;
        if (kinds[i] == FAULT_CRASH)
            fault->to_ns = fault->from_ns + 300 * MS;
    }
}

static void nothing_is_left_over_when_everything_goes_wrong(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof everybody / sizeof *everybody; i++)
        for (int64_t seed = 1; seed <= 6; seed++) {
            struct trial *trial = trial_new(everybody[i], 3, 20, 5 * S);
            trial->topology.instances[1] = 2;
            trial->timeout_ns = 150 * MS;
            trial->chooser.seed = (uint64_t)seed;
            trial_links(trial, 5 * MS, 60 * MS);
            add_everything(trial, seed);
            for (int n = 0; n < 300; n++)
                ask(trial, n * 13 * MS, (uint32_t)n % 3, (uint32_t)n % 5, 1);
            play(trial);
            trial_free(trial);
        }
}

TEST_MAIN(TEST(a_link_that_is_cut_loses_what_sets_out_meanwhile),
          TEST(a_partition_leaves_the_inside_of_a_region_alone),
          TEST(a_fault_holds_from_its_beginning_to_before_its_end),
          TEST(a_doubled_message_is_charged_twice),
          TEST(what_is_told_in_the_background_may_come_twice_as_well),
          TEST(a_delay_adds_to_each_way_and_lets_later_ones_overtake),
          TEST(a_store_that_is_out_does_nothing_and_is_heard_of_late_or_at_once),
          TEST(an_owner_that_is_out_is_caught_at_once_when_it_says_so),
          TEST(an_outage_elsewhere_is_none),
          TEST(a_slow_store_acts_later),
          TEST(who_gives_up_on_a_slow_store_is_charged_all_the_same),
          TEST(an_answer_that_comes_after_the_timeout_is_lost),
          TEST(a_fault_that_is_added_changes_only_what_it_hits),
          TEST(the_same_faults_make_the_same_run),
          TEST(a_fault_after_the_end_changes_nothing),
          TEST(nothing_is_left_over_when_everything_goes_wrong))

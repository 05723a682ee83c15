/* The zoo beyond its scenarios' claims: what callers are told to the nanosecond, what a flaw needs to show,
 * and that nothing breaks however a case is used. */
#include "world_rig.h"
#include "limiter_rig.h"
#include "../algos/zoo/zoo.h"

/* One request after another at one place; the last one is what a test asks about. */
struct asked { int64_t at_ns, cost; };

static struct trial *told_by(const char *design, struct policy policy, const struct asked *asked)
{
    struct trial *trial = trial_new(design, 1, policy.limit, policy.period_ns);

    trial->policy.burst = policy.burst ? policy.burst : policy.limit;
    trial->policy.epoch_ns = policy.epoch_ns;
    for (; asked->cost; asked++)
        ask(trial, asked->at_ns, 0, 0, asked->cost);
    play(trial);
    return trial;
}

/* The last request is denied by both; what they say about when to come back. */
static void assert_told(const char *flaw, int64_t wrong_ns, const char *cure, int64_t right_ns,
                        struct policy policy, const struct asked *asked)
{
    struct trial *flawed = told_by(flaw, policy, asked), *cured = told_by(cure, policy, asked);

    assert_false(admitted(flawed, flawed->asks - 1));
    assert_false(admitted(cured, cured->asks - 1));
    assert_int_equal(retry_ns(flawed, flawed->asks - 1), wrong_ns);
    assert_int_equal(retry_ns(cured, cured->asks - 1), right_ns);
    trial_free(flawed);
    trial_free(cured);
}

#define ASKED(...) ((const struct asked[]){ __VA_ARGS__, { 0, 0 } })
#define PER(limit_, period) (struct policy){ .limit = (limit_), .period_ns = (period) }

static void buckets_say_how_long_wrongly(void **state)
{
    (void)state;
    assert_told("zoo/whole-token-wait@owner", 1000 * MS, "token-bucket@owner", 800 * MS, PER(1, S),
                ASKED({ 0, 1 }, { 200 * MS, 1 }));
    assert_told("zoo/wait-for-never@owner", 666666667, "token-bucket@owner", NEVER_NS, PER(3, 2 * S),
                ASKED({ 0, 4 }));
    assert_told("zoo/whole-burst-never@owner", NEVER_NS, "token-bucket@owner", S, PER(6, 6 * S),
                ASKED({ 0, 1 }, { 0, 6 }));
}

static void a_log_says_when_it_will_be_empty(void **state)
{
    (void)state;
    assert_told("zoo/newest-frees-the-slot@owner", 50 * S, "sliding-window-log@owner", 40 * S, PER(2, 60 * S),
                ASKED({ 0, 1 }, { 10 * S, 1 }, { 20 * S, 1 }));
}

static void windows_say_wrongly_when_they_end(void **state)
{
    (void)state;
    assert_told("zoo/wait-a-whole-window@owner", 60 * S, "fixed-window@owner", 10 * S, PER(1, 60 * S),
                ASKED({ 0, 1 }, { 50 * S, 1 }));
    assert_told("zoo/wait-a-share-of-it@owner", 6 * S, "fixed-window@owner", 48 * S, PER(10, 60 * S),
                ASKED({ 0, 10 }, { 12 * S, 1 }));
    assert_told("zoo/wait-in-local-time@owner", 7500 * S, "fixed-window@owner", 300 * S, PER(1, 300 * S),
                ASKED({ 0, 1 }, { 0, 1 }));
}

static void without_a_reset_a_wait_is_minus_the_time(void **state)
{
    const struct limiter *limiter = limiter_find("zoo/wait-for-no-reset");
    struct policy policy = make_policy(1, 3600 * S, 1, 1484742194 * S);
    struct rig rig = rig_open(limiter, &policy, 0);

    (void)state;
    rig_charge(&rig, 0, 1, true);
    struct verdict verdict = limiter->check(&policy, (struct request){ S, 1 }, rig.state);
    assert_false(verdict.allowed);
    assert_int_equal(verdict.retry_after_ns, -1484742195 * S);
    assert_int_equal(rig_quote(&rig, S).reset_after_ns, 2205 * S);
    rig_close(&rig);
}

static void a_million_asked_for_once_locks_a_key_for_115_days(void **state)
{
    struct policy policy = { .limit = 1, .period_ns = 10 * S, .burst = 10 };

    struct trial *trial = told_by("zoo/debt-stored@owner", policy, ASKED({ 0, 1000000 }, { 0, 1 }));

    (void)state;
    assert_int_equal(trial->admitted, 0);
    assert_int_equal(retry_ns(trial, 1), 9999910 * S);
    trial_free(trial);
}

/* ---- what a flaw needs to show ------------------------------------------------------------------------- */

static uint64_t admitted_by(const char *design, uint32_t regions, int64_t limit, int64_t one_way_ns,
                            const struct asked *asked)
{
    struct trial *trial = trial_new(design, regions, limit, 60 * S);

    trial_links(trial, one_way_ns, one_way_ns);
    for (unsigned i = 0; i < regions; i++)
        trial_link(trial, i, i, one_way_ns, one_way_ns);
    for (; asked->cost; asked++)
        for (uint32_t region = 0; region < regions; region++)
            ask_times(trial, (int)asked->cost, asked->at_ns, region);
    play(trial);
    uint64_t passed = trial->admitted;
    trial_free(trial);
    return passed;
}

static void a_lock_of_ones_own_is_exact_for_one_process_alone(void **state)
{
    (void)state;
    assert_int_equal(admitted_by("fixed-window@zoo/process-lock", 1, 10, 5 * MS, ASKED({ 0, 20 })), 10);
    assert_int_equal(admitted_by("fixed-window@zoo/process-lock", 2, 10, 5 * MS, ASKED({ 0, 20 })), 20);
}

static void two_cached_counters_overshoot_and_a_wrong_comparison_hides_some_of_it(void **state)
{
    const struct asked *asked = ASKED({ 0, 1 }, { 200 * MS, 10 });
    const char *below = "fixed-window@zoo/cached-counter";
    const char *at_most = "fixed-window@zoo/cached-counter:compare=at-most";

    (void)state;
    assert_int_equal(admitted_by(below, 2, 10, 50 * MS, asked), 17);
    assert_int_equal(admitted_by(at_most, 2, 10, 50 * MS, asked), 19);
}

static void a_counter_read_before_it_is_added_to_is_right_where_nobody_is_near(void **state)
{
    (void)state;
    assert_int_equal(admitted_by("fixed-window@zoo/check-then-add", 1, 2, 5 * MS,
                                 ASKED({ 0, 1 }, { S, 1 }, { 2 * S, 1 })), 2);
    assert_int_equal(admitted_by("fixed-window@zoo/check-then-add", 1, 2, 5 * MS, ASKED({ 0, 3 })), 3);
}

/* ---- whatever is asked --------------------------------------------------------------------------------- */

/* play() checks that every request ends once and that nothing is left under way. */
static void play_roughly(const char *design, bool refunds, uint64_t seed)
{
    struct dice dice = { seed };
    struct trial *trial = trial_new(design, 3, dice_between(&dice, 1, 20), dice_between(&dice, 1, 5) * S);
    int64_t at_ns = 0;

    trial->timeout_ns = 200 * MS;
    trial_links(trial, 0, 40 * MS);
    for (uint32_t from = 0; from < 3; from++) {
        trial_offset(trial, from, false, dice_between(&dice, -2000, 2000) * MS);
        trial_hurt(trial, from, (from + 1) % 3, 50000000, 50000000);
        trial_hurt(trial, from, (from + 2) % 3, 50000000, 50000000);
    }
    for (int i = 0; i < 200; i++) {
        at_ns += dice_between(&dice, 0, 60) * MS;
        ask(trial, at_ns, (uint32_t)dice_between(&dice, 0, 2), (uint32_t)dice_between(&dice, 0, 1),
            dice_between(&dice, refunds ? -1 : 0, 5));
    }
    if (trial_possible(trial))
        play(trial);
    trial_free(trial);
}

static void every_request_to_a_coordination_of_the_zoo_ends_once(void **state)
{
    char design[200];

    (void)state;
    for (unsigned i = 0; zoo_coordinations[i]; i++)
        for (unsigned j = 0; zoo_coordinations[i][j]; j++)
            for (unsigned k = 0; k < limiter_count; k++) {
                snprintf(design, sizeof design, "%s@%s", limiters[k]->name, zoo_coordinations[i][j]->name);
                for (uint64_t seed = 1; seed <= 3; seed++)
                    play_roughly(design, limiters[k]->refunds, seed);
            }
}

/* What tests/test_zoo.c asks of all limiters of the zoo, where costs are negative too. */
static void use_roughly(const struct limiter *limiter, uint64_t seed)
{
    struct dice dice = { seed };
    struct policy policy = dice_policy(&dice, limiter);
    int64_t now_ns = dice_between(&dice, 0, INSTANT_MAX / 4);
    struct rig rig = rig_open(limiter, &policy, now_ns);

    for (int i = 0; i < 100; i++) {
        now_ns = i64_min(INSTANT_MAX, i64_max(0, now_ns + dice_step_ns(&dice, &policy)));
        int64_t cost = dice_size(&dice, dice_chance(&dice, 2) ? policy.limit : COST_MAX);
        struct request request = { now_ns, dice_chance(&dice, 3) ? -cost : cost };
        struct verdict verdict = limiter->check(&policy, request, rig.state);
        rig_charge(&rig, now_ns, request.cost, verdict.allowed);
        assert_true(rig_quote(&rig, now_ns).remaining >= 0);
    }
    rig_close(&rig);
}

static void whoever_takes_refunds_takes_any(void **state)
{
    (void)state;
    for (unsigned i = 0; zoo_limiters[i]; i++)
        for (unsigned j = 0; zoo_limiters[i][j]; j++)
            for (uint64_t seed = 1; zoo_limiters[i][j]->refunds && seed <= 200; seed++)
                use_roughly(zoo_limiters[i][j], seed);
}

TEST_MAIN(TEST(buckets_say_how_long_wrongly),
          TEST(a_log_says_when_it_will_be_empty),
          TEST(windows_say_wrongly_when_they_end),
          TEST(without_a_reset_a_wait_is_minus_the_time),
          TEST(a_million_asked_for_once_locks_a_key_for_115_days),
          TEST(a_lock_of_ones_own_is_exact_for_one_process_alone),
          TEST(two_cached_counters_overshoot_and_a_wrong_comparison_hides_some_of_it),
          TEST(a_counter_read_before_it_is_added_to_is_right_where_nobody_is_near),
          TEST(every_request_to_a_coordination_of_the_zoo_ends_once),
          TEST(whoever_takes_refunds_takes_any))

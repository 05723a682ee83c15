/* test_limiter_reference.c - every limiter against a slow exact reference, on random and on extreme
 * histories. */
#include "test.h"
#include "limiter_rig.h"
#include "reference_limiters.h"

enum { CASES = 500, STEPS = 24 };

struct pair {
    struct rig rig;
    struct reference reference;
};

static struct pair pair_open(const struct limiter *limiter, const struct policy *policy, int64_t now_ns)
{
    return (struct pair){
        .rig = rig_open(limiter, policy, now_ns),
        .reference = { .name = limiter->name, .limit = policy->limit, .period_ns = policy->period_ns,
                       .burst = policy->burst, .epoch_ns = policy->epoch_ns, .fresh_ns = now_ns },
    };
}

/* wait_ns is the least after which the cost passes; or that lies beyond the last instant of a run. */
static void assert_least_wait(const struct pair *pair, int64_t now_ns, int64_t cost, int64_t wait_ns)
{
    if (wait_ns == NEVER_NS || (i128)now_ns + wait_ns > INSTANT_MAX) {
        i128 last_ns = i128_min(INSTANT_MAX, (i128)now_ns + NEVER_NS - 1);         /* that a wait can name */
        assert_false(reference_passes(&pair->reference, (int64_t)last_ns, cost));
        return;
    }
    assert_true(reference_passes(&pair->reference, now_ns + wait_ns, cost));
    assert_false(reference_passes(&pair->reference, now_ns + wait_ns - 1, cost));
}

static void assert_same_verdict(const struct pair *pair, int64_t now_ns, int64_t cost)
{
    const struct reference *reference = &pair->reference;
    struct verdict verdict = rig_check(&pair->rig, now_ns, cost);

    assert_int_equal(verdict.allowed, reference_passes(reference, now_ns, cost));
    if (verdict.allowed)
        assert_int_equal(verdict.delay_ns, cost > 0 ? reference_delay_ns(reference, now_ns) : 0);
    else if (cost > reference_capacity(reference))
        assert_int_equal(verdict.retry_after_ns, NEVER_NS);
    else
        assert_least_wait(pair, now_ns, cost, verdict.retry_after_ns);
}

static void assert_same_quota(const struct pair *pair, int64_t now_ns)
{
    const struct reference *reference = &pair->reference;
    int64_t capacity = reference_capacity(reference);
    struct quota quota = rig_quote(&pair->rig, now_ns);

    assert_in_range(quota.remaining, 0, capacity);
    assert_true(reference_passes(reference, now_ns, quota.remaining));
    if (quota.remaining < capacity)
        assert_false(reference_passes(reference, now_ns, quota.remaining + 1));
    if (now_ns < reference_latest_ns(reference))
        return;
    if (quota.reset_after_ns > 0)
        assert_least_wait(pair, now_ns, capacity, quota.reset_after_ns);
    else
        assert_int_equal(quota.remaining, capacity);
}

/* Charges as decided, except that now and then a cost is taken although it was denied: debt. */
static void pair_step(struct pair *pair, struct dice *dice, int64_t now_ns)
{
    int64_t cost = dice_cost(dice, &pair->rig);

    assert_same_verdict(pair, now_ns, cost);
    assert_same_quota(pair, now_ns);
    bool allowed = rig_passes(&pair->rig, now_ns, cost) || dice_between(dice, 0, 9) == 0;
    rig_charge(&pair->rig, now_ns, cost, allowed);
    reference_charge(&pair->reference, now_ns, cost, allowed);
    assert_same_quota(pair, now_ns);
}

static void compare_history(const struct limiter *limiter, struct dice *dice, int64_t start_ns)
{
    struct policy policy = dice_policy(dice, limiter);
    struct pair pair = pair_open(limiter, &policy, start_ns);
    int64_t now_ns = start_ns;

    for (int step = 0; step < STEPS; step++) {
        pair_step(&pair, dice, now_ns);
        now_ns = i64_min(i64_max(now_ns + dice_step_ns(dice, &policy), -INSTANT_MAX), INSTANT_MAX);
    }
    rig_close(&pair.rig);
}

static void compare_histories(const struct limiter *limiter, uint64_t seed, int64_t low_ns, int64_t high_ns)
{
    struct dice dice = { seed };

    for (int i = 0; i < CASES; i++)
        compare_history(limiter, &dice, dice_between(&dice, low_ns, high_ns));
}

static void every_limiter_equals_its_reference_on_random_histories(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < limiter_count; i++)
        compare_histories(limiters[i], 1 + i, -100, 100);
}

static void every_limiter_equals_its_reference_near_the_first_and_the_last_instant(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < limiter_count; i++) {
        compare_histories(limiters[i], 100 + i, -INSTANT_MAX, -INSTANT_MAX + 20);
        compare_histories(limiters[i], 200 + i, INSTANT_MAX - 200, INSTANT_MAX);
    }
}

struct extreme { int64_t limit, period_ns, burst; };

static const struct extreme extremes[] = {
    { 1, 1, 1 }, { COST_MAX, 1, COST_MAX }, { 1, PERIOD_MAX, 1 }, { COST_MAX, PERIOD_MAX, COST_MAX },
    { COST_MAX, PERIOD_MAX - 1, 1 }, { COST_MAX - 1, 1, 1 }, { 1, PERIOD_MAX, COST_MAX }, { 1, 1, COST_MAX },
};

enum { EXTREMES = sizeof extremes / sizeof *extremes };

/* From the first instant to the last in one step, with costs that are the largest there are. */
static void compare_extreme(const struct limiter *limiter, const struct policy *policy)
{
    static const int64_t instants[] = { -INSTANT_MAX, -INSTANT_MAX, -INSTANT_MAX + 1, 0, 1, INSTANT_MAX,
                                        -INSTANT_MAX, INSTANT_MAX };
    struct pair pair = pair_open(limiter, policy, -INSTANT_MAX);

    for (unsigned i = 0; i < sizeof instants / sizeof *instants; i++) {
        int64_t cost = rig_capacity(&pair.rig);
        assert_same_verdict(&pair, instants[i], cost);
        assert_same_verdict(&pair, instants[i], 1);
        assert_same_quota(&pair, instants[i]);
        rig_charge(&pair.rig, instants[i], cost, true);
        reference_charge(&pair.reference, instants[i], cost, true);
        assert_same_quota(&pair, instants[i]);
    }
    rig_close(&pair.rig);
}

static void every_limiter_equals_its_reference_at_the_ends_of_every_range(void **unused)
{
    static const int64_t epochs[] = { 0, INSTANT_MAX, -INSTANT_MAX };

    (void)unused;
    for (unsigned i = 0; i < limiter_count; i++)
        for (unsigned j = 0; j < EXTREMES; j++)
            for (unsigned k = 0; k < sizeof epochs / sizeof *epochs; k++) {
                const struct extreme *at = &extremes[j];
                struct policy policy = make_policy(at->limit, at->period_ns, at->burst, epochs[k]);
                if (!limiters[i]->refuses(&policy))
                    compare_extreme(limiters[i], &policy);
            }
}

/* The whole of a run's cost on one key: no sum or product may overflow (the sanitizers look). */
static void run_into_the_deepest_debt(const struct limiter *limiter, const struct extreme *at)
{
    enum { CHARGES = (int)(TOTAL_COST_MAX / COST_MAX) };
    struct policy policy = make_policy(at->limit, at->period_ns, at->burst, 0);
    struct pair pair = pair_open(limiter, &policy, INSTANT_MAX);

    for (int i = 0; i < CHARGES; i++) {
        rig_charge(&pair.rig, INSTANT_MAX, COST_MAX, true);
        reference_charge(&pair.reference, INSTANT_MAX, COST_MAX, true);
    }
    assert_same_verdict(&pair, INSTANT_MAX, 1);
    assert_same_verdict(&pair, -INSTANT_MAX, rig_capacity(&pair.rig));
    assert_same_quota(&pair, INSTANT_MAX);
    rig_close(&pair.rig);
}

static void no_limiter_overflows_under_the_debt_of_a_whole_run(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < limiter_count; i++)
        for (unsigned j = 0; j < EXTREMES; j++)
            run_into_the_deepest_debt(limiters[i], &extremes[j]);
}

TEST_MAIN(
    TEST(every_limiter_equals_its_reference_on_random_histories),
    TEST(every_limiter_equals_its_reference_near_the_first_and_the_last_instant),
    TEST(every_limiter_equals_its_reference_at_the_ends_of_every_range),
    TEST(no_limiter_overflows_under_the_debt_of_a_whole_run))

/* test_limiter_promise.c - each limiter keeps its promise, by brute force over the definitions in
 * README.md; and the promise is the least that it could make. */
#include "test.h"
#include "limiter_rig.h"

enum { ADMISSIONS = 400 };

struct admissions {
    unsigned count;
    struct admission { int64_t at_ns, cost; } of[ADMISSIONS];
};

/* A shaped request is admitted when it departs. */
static bool ask(struct rig *rig, struct admissions *admissions, int64_t now_ns, int64_t cost)
{
    struct verdict verdict = rig_decide(rig, now_ns, cost);

    if (verdict.allowed && cost > 0) {
        assert_in_range(admissions->count, 0, ADMISSIONS - 1);
        admissions->of[admissions->count++] = (struct admission){ now_ns + verdict.delay_ns, cost };
    }
    return verdict.allowed;
}

/* The largest sum over i .. j, for all j >= i, of costs less what its kind of promise forgives for the
 * time between, rounded up to whole units. */
static int64_t curve_excess(const struct policy *policy, const struct admissions *admissions, unsigned i)
{
    const struct admission *of = admissions->of;
    i128 credits = 0, worst = 0;

    for (unsigned j = i; j < admissions->count; j++) {
        credits += (i128)of[j].cost * policy->period_ns;
        worst = i128_max(worst, credits - (i128)(of[j].at_ns - of[i].at_ns) * policy->limit);
    }
    return (int64_t)div_ceil(worst, policy->period_ns);
}

static int64_t window_sum(const struct policy *policy, const struct admissions *admissions, unsigned i)
{
    const struct admission *of = admissions->of;
    int64_t sum = 0;

    for (unsigned j = i; j < admissions->count && of[j].at_ns < of[i].at_ns + policy->period_ns; j++)
        sum += of[j].cost;
    return sum;
}

static int64_t aligned_sum(const struct policy *policy, const struct admissions *admissions, unsigned i)
{
    const struct admission *of = admissions->of;
    i128 number = div_floor((i128)of[i].at_ns + policy->epoch_ns, policy->period_ns);
    int64_t sum = 0;

    for (unsigned j = i; j < admissions->count; j++)
        if (div_floor((i128)of[j].at_ns + policy->epoch_ns, policy->period_ns) == number)
            sum += of[j].cost;
    return sum;
}

/* The least `most` with which these admissions keep a promise of this kind. */
static int64_t measured(const struct rig *rig, const struct admissions *admissions)
{
    static int64_t (*const measure[])(const struct policy *, const struct admissions *, unsigned) = {
        [PROMISE_CURVE] = curve_excess, [PROMISE_WINDOW] = window_sum, [PROMISE_ALIGNED] = aligned_sum,
    };
    enum promise_kind kind = rig->limiter->promise(&rig->policy).kind;
    int64_t worst = 0;

    for (unsigned i = 0; i < admissions->count; i++)
        worst = i64_max(worst, measure[kind](&rig->policy, admissions, i));
    return worst;
}

static void assert_kept(const struct rig *rig, const struct admissions *admissions)
{
    int64_t most = rig->limiter->promise(&rig->policy).most, found = measured(rig, admissions);

    if (found > most)
        fail_msg("%s, limit %lld per %lldns, burst %lld: %lld admitted, %lld promised", rig->limiter->name,
                 (long long)rig->policy.limit, (long long)rig->policy.period_ns, (long long)rig->policy.burst,
                 (long long)found, (long long)most);
}

static void play_random_costs(struct rig *rig, struct dice *dice)
{
    struct admissions admissions = { 0 };
    int64_t now_ns = dice_between(dice, -50, 50);

    for (int step = 0; step < 60; step++) {
        ask(rig, &admissions, now_ns, i64_max(0, dice_cost(dice, rig)));
        now_ns += i64_max(0, dice_step_ns(dice, &rig->policy));
    }
    assert_kept(rig, &admissions);
}

/* Takes everything there is, at instants that lie around the edges of windows and ticks. */
static void play_greedily(struct rig *rig, struct dice *dice)
{
    struct admissions admissions = { 0 };
    int64_t now_ns = 0, part = dice_between(dice, 1, 3);

    for (int step = 0; step < 60; step++) {
        int64_t remaining = rig_quote(rig, now_ns).remaining;
        ask(rig, &admissions, now_ns, (remaining + part - 1) / part);
        struct verdict one = rig_check(rig, now_ns, 1);
        bool soon = !one.allowed && dice_chance(dice, 2);
        now_ns += soon ? one.retry_after_ns : i64_max(0, dice_step_ns(dice, &rig->policy));
    }
    assert_kept(rig, &admissions);
}

static void play_against_every_limiter(void (*play)(struct rig *rig, struct dice *dice), uint64_t seed)
{
    for (unsigned i = 0; i < limiter_count; i++)
        for (unsigned j = 0; j < 600; j++) {
            struct dice dice = { seed + 1000 * i + j };
            struct policy policy = dice_policy(&dice, limiters[i]);
            if ((i128)policy.period_ns * 200 > INSTANT_MAX)
                continue;
            struct rig rig = rig_open(limiters[i], &policy, 0);
            play(&rig, &dice);
            rig_close(&rig);
        }
}

static void promises_are_kept_under_random_weighted_costs(void **unused)
{
    (void)unused;
    play_against_every_limiter(play_random_costs, 1);
}

static void promises_are_kept_against_whoever_takes_all_there_is_at_every_edge(void **unused)
{
    (void)unused;
    play_against_every_limiter(play_greedily, 500000);
}

/* Every sequence of requests of cost 0 .. limit at the instants now .. end-1; where denials change
 * nothing, without them. */
static int64_t worst_of_all(const struct rig *rig, const struct admissions *before, int64_t now_ns,
                            int64_t end)
{
    int64_t worst = 0;

    if (now_ns == end) {
        assert_kept(rig, before);
        return measured(rig, before);
    }
    for (int64_t cost = 0; cost <= rig->policy.limit; cost++) {
        struct rig after = rig_copy(rig);
        struct admissions admissions = *before;
        if (ask(&after, &admissions, now_ns, cost) || rig->limiter->charges_denied)
            worst = i64_max(worst, worst_of_all(&after, &admissions, now_ns + 1, end));
        rig_close(&after);
    }
    return worst;
}

/* In this small world nothing is left out: so the promise is true, and it is tight. */
static void promises_are_the_least_that_is_true_of_every_sequence_in_a_small_world(void **unused)
{
    enum { LIMIT = 2, PERIOD_NS = 3, INSTANTS = 8 };
    struct policy policy = make_policy(LIMIT, PERIOD_NS, LIMIT, 1);

    (void)unused;
    for (unsigned i = 0; i < limiter_count; i++) {
        struct rig rig = rig_open(limiters[i], &policy, 0);
        struct admissions none = { 0 };
        assert_int_equal(worst_of_all(&rig, &none, 0, INSTANTS), limiters[i]->promise(&policy).most);
        rig_close(&rig);
    }
}

/* Sequences that reach the bounds where they differ from limit and burst. */
static void the_anchored_window_lets_2L_minus_1_through_in_a_period(void **unused)
{
    struct policy policy = make_policy(100, 1000, 100, 0);
    struct rig rig = rig_open(&fixed_window_anchored, &policy, 0);
    struct admissions admissions = { 0 };

    (void)unused;
    assert_true(ask(&rig, &admissions, 0, 1));
    assert_true(ask(&rig, &admissions, 999, 99));
    assert_true(ask(&rig, &admissions, 1000, 100));
    assert_int_equal(measured(&rig, &admissions), 199);
    rig_close(&rig);
}

static void the_sliding_counter_lets_nearly_2L_through_in_a_period_but_keeps_its_curve(void **unused)
{
    struct policy policy = make_policy(100, 60000, 100, 0);
    struct rig rig = rig_open(&sliding_window_counter, &policy, 0);
    struct admissions admissions = { 0 };

    (void)unused;
    assert_true(ask(&rig, &admissions, 59999, 100));
    assert_false(ask(&rig, &admissions, 60000, 1));
    assert_true(ask(&rig, &admissions, 119998, 99));
    assert_int_equal(window_sum(&policy, &admissions, 0), 199);
    assert_int_equal(measured(&rig, &admissions), 100);
    rig_close(&rig);
}

static void rounding_departures_costs_the_queue_what_it_says(void **unused)
{
    struct policy policy = make_policy(3, 2, 5, 0);     /* a unit each 2/3 ns */
    struct rig rig = rig_open(&leaky_bucket_queue, &policy, 0);
    struct admissions admissions = { 0 };

    (void)unused;
    for (int i = 0; i < 3; i++)
        assert_true(ask(&rig, &admissions, 0, 1));      /* due at 0, 2/3 and 4/3, the last leaves at 2 */
    assert_true(ask(&rig, &admissions, 2, 5));
    assert_int_equal(measured(&rig, &admissions), 6);
    assert_int_equal(leaky_bucket_queue.promise(&policy).most, 6);
    rig_close(&rig);
}

TEST_MAIN(
    TEST(promises_are_kept_under_random_weighted_costs),
    TEST(promises_are_kept_against_whoever_takes_all_there_is_at_every_edge),
    TEST(promises_are_the_least_that_is_true_of_every_sequence_in_a_small_world),
    TEST(the_anchored_window_lets_2L_minus_1_through_in_a_period),
    TEST(the_sliding_counter_lets_nearly_2L_through_in_a_period_but_keeps_its_curve),
    TEST(rounding_departures_costs_the_queue_what_it_says))

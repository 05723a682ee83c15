/* test_limiters.c - what limiter.h says of every limiter, asked of each in the table. */
#include "test.h"
#include "limiter_rig.h"

enum { CASES = 300, STEPS = 20 };

/* Where a claim begins: a limiter with a random policy, after a random history. */
struct scene {
    struct dice dice;
    struct rig rig;
    int64_t now_ns;                     /* not before the latest request of the history */
};

/* Random requests, decided as they come; now and then a cost is taken although it was denied. */
static void play_history(struct scene *scene, bool refunds)
{
    struct rig *rig = &scene->rig;

    for (int64_t steps = dice_between(&scene->dice, 0, STEPS); steps > 0; steps--) {
        int64_t cost = dice_cost(&scene->dice, rig);
        if (cost < 0 && !refunds)
            cost = 1;
        bool forced = dice_chance(&scene->dice, 10);
        rig_charge(rig, scene->now_ns, cost, forced || rig_passes(rig, scene->now_ns, cost));
        scene->now_ns += i64_max(0, dice_step_ns(&scene->dice, &rig->policy));
    }
}

static void claim_of_every_limiter(void (*claim)(struct scene *scene), bool refunds)
{
    for (unsigned i = 0; i < limiter_count; i++)
        for (unsigned j = 0; j < CASES; j++) {
            struct scene scene = { .dice = { 1000 * i + j } };
            struct policy policy = dice_policy(&scene.dice, limiters[i]);
            scene.rig = rig_open(limiters[i], &policy, 0);
            play_history(&scene, refunds);
            claim(&scene);
            rig_close(&scene.rig);
        }
}

static void assert_charge_changes_nothing(struct scene *scene, int64_t cost, bool allowed)
{
    rig_make_room(&scene->rig);
    struct rig before = rig_copy(&scene->rig);

    rig_charge(&scene->rig, scene->now_ns, cost, allowed);
    rig_assert_same_state(&before, &scene->rig);
    rig_close(&before);
}

static void start_afresh(struct scene *scene)
{
    struct rig fresh = rig_open(scene->rig.limiter, &scene->rig.policy, scene->now_ns);
    struct quota quota = rig_quote(&fresh, scene->now_ns);

    assert_int_equal(quota.remaining, rig_capacity(&fresh));
    assert_int_equal(quota.reset_after_ns, 0);
    assert_true(rig_passes(&fresh, scene->now_ns, rig_capacity(&fresh)));
    rig_close(&fresh);
}

static void a_key_never_seen_is_full(void **unused)
{
    (void)unused;
    claim_of_every_limiter(start_afresh, true);
}

static void peek(struct scene *scene)
{
    assert_true(rig_passes(&scene->rig, scene->now_ns, 0));
    assert_charge_changes_nothing(scene, 0, true);
    assert_charge_changes_nothing(scene, 0, false);
}

static void a_peek_passes_and_changes_nothing(void **unused)
{
    (void)unused;
    claim_of_every_limiter(peek, true);
}

static void ask_too_much(struct scene *scene)
{
    int64_t cost = dice_between(&scene->dice, rig_capacity(&scene->rig) + 1, COST_MAX + 1);

    assert_int_equal(rig_check(&scene->rig, scene->now_ns, cost).retry_after_ns, NEVER_NS);
    if (!scene->rig.limiter->charges_denied)
        assert_charge_changes_nothing(scene, cost, false);
}

static void what_can_never_pass_is_told_never_and_changes_nothing_unless_denials_count(void **unused)
{
    (void)unused;
    claim_of_every_limiter(ask_too_much, true);
}

static void be_denied(struct scene *scene)
{
    int64_t cost = rig_capacity(&scene->rig);

    if (!scene->rig.limiter->charges_denied && !rig_passes(&scene->rig, scene->now_ns, cost))
        assert_charge_changes_nothing(scene, cost, false);
}

static void a_denied_request_changes_nothing_unless_its_limiter_says_so(void **unused)
{
    (void)unused;
    claim_of_every_limiter(be_denied, true);
}

static void be_denied_and_charged(struct scene *scene)
{
    struct rig *rig = &scene->rig;
    int64_t left = rig_quote(rig, scene->now_ns).remaining;

    if (!rig->limiter->charges_denied || left == 0 || left == rig_capacity(rig))
        return;
    rig_charge(rig, scene->now_ns, left + 1, false);
    assert_int_equal(rig_quote(rig, scene->now_ns).remaining, 0);
}

static void a_denied_request_counts_where_its_limiter_says_so(void **unused)
{
    (void)unused;
    claim_of_every_limiter(be_denied_and_charged, true);
}

static void wait_as_told(struct scene *scene)
{
    struct rig *rig = &scene->rig;
    int64_t cost = dice_size(&scene->dice, rig_capacity(rig));
    struct verdict verdict = rig_check(rig, scene->now_ns, cost);

    if (verdict.allowed || (i128)scene->now_ns + verdict.retry_after_ns > INSTANT_MAX)
        return;
    assert_true(rig_passes(rig, scene->now_ns + verdict.retry_after_ns, cost));
    assert_false(rig_passes(rig, scene->now_ns + verdict.retry_after_ns - 1, cost));
}

static void who_waits_as_told_passes_and_not_a_ns_sooner(void **unused)
{
    (void)unused;
    claim_of_every_limiter(wait_as_told, true);
}

static void take_what_remains(struct scene *scene)
{
    struct rig *rig = &scene->rig;
    int64_t remaining = rig_quote(rig, scene->now_ns).remaining;

    assert_in_range(remaining, 0, rig_capacity(rig));
    assert_true(rig_passes(rig, scene->now_ns, remaining));
    assert_false(rig_passes(rig, scene->now_ns, remaining + 1));
    if (remaining == 0)
        return;
    rig_charge(rig, scene->now_ns, remaining, true);
    assert_int_equal(rig_quote(rig, scene->now_ns).remaining, 0);
}

static void what_remains_passes_and_one_more_does_not(void **unused)
{
    (void)unused;
    claim_of_every_limiter(take_what_remains, true);
}

/* The same verdicts from now on as a fresh state gives.  (An interval bucket is full then, but its ticks
 * go on in the rhythm of its own first request.) */
static void assert_like_fresh(struct scene *scene, int64_t now_ns)
{
    struct rig *rig = &scene->rig, fresh = rig_open(rig->limiter, &rig->policy, now_ns);
    int steps = rig->limiter == &interval_bucket ? 1 : STEPS;

    for (int step = 0; step < steps; step++) {
        int64_t cost = i64_max(0, dice_cost(&scene->dice, rig));
        struct verdict expected = rig_check(&fresh, now_ns, cost), verdict = rig_check(rig, now_ns, cost);
        assert_memory_equal(&verdict, &expected, sizeof verdict);
        rig_charge(&fresh, now_ns, cost, expected.allowed);
        rig_charge(rig, now_ns, cost, expected.allowed);
        now_ns += i64_max(0, dice_step_ns(&scene->dice, &rig->policy));
    }
    rig_close(&fresh);
}

static void wait_for_reset(struct scene *scene)
{
    struct rig *rig = &scene->rig;
    struct quota quota = rig_quote(rig, scene->now_ns);

    if ((i128)scene->now_ns + quota.reset_after_ns > INSTANT_MAX / 2)
        return;
    int64_t reset_ns = scene->now_ns + quota.reset_after_ns;
    struct quota after = rig_quote(rig, reset_ns);
    assert_int_equal(after.remaining, rig_capacity(rig));
    assert_int_equal(after.reset_after_ns, 0);
    if (quota.reset_after_ns > 0)
        assert_true(rig_quote(rig, reset_ns - 1).remaining < rig_capacity(rig));
    assert_like_fresh(scene, reset_ns);
}

static void after_reset_a_key_is_as_good_as_new_and_not_a_ns_sooner(void **unused)
{
    (void)unused;
    claim_of_every_limiter(wait_for_reset, true);
}

static void assert_same_but_later(struct verdict verdict, struct verdict then, int64_t back_ns)
{
    assert_int_equal(verdict.allowed, then.allowed);
    assert_int_equal(verdict.delay_ns, then.delay_ns);
    if (!then.allowed)
        assert_int_equal(verdict.retry_after_ns, i64_clamp((i128)then.retry_after_ns + back_ns));
}

static void turn_the_clock_back(struct scene *scene)
{
    struct rig *rig = &scene->rig;
    int64_t back_ns = dice_size(&scene->dice, 3 * rig->policy.period_ns), before_ns = scene->now_ns - back_ns;
    int64_t cost = dice_size(&scene->dice, rig_capacity(rig));

    if (rig->limiter == &fixed_window)  /* knows the window before: test_limiter_answers.c */
        return;
    rig_charge(rig, scene->now_ns, 1, true);
    rig_make_room(rig);
    struct rig still = rig_copy(rig);
    assert_same_but_later(rig_check(rig, before_ns, cost), rig_check(rig, scene->now_ns, cost), back_ns);
    assert_int_equal(rig_quote(rig, before_ns).remaining, rig_quote(rig, scene->now_ns).remaining);

    rig_charge(rig, before_ns, cost, true);
    rig_charge(&still, scene->now_ns, cost, true);
    rig_assert_same_state(rig, &still);
    rig_close(&still);
}

static void a_clock_that_went_back_counts_as_one_that_stood_still(void **unused)
{
    (void)unused;
    claim_of_every_limiter(turn_the_clock_back, false);
}

static void run_into_debt(struct scene *scene)
{
    struct rig *rig = &scene->rig;

    for (int i = 0; i < 3; i++)
        rig_charge(rig, scene->now_ns, rig_capacity(rig), true);
    assert_int_equal(rig_quote(rig, scene->now_ns).remaining, 0);
    assert_false(rig_passes(rig, scene->now_ns, 1));
    wait_as_told(scene);
    wait_for_reset(scene);
}

static void a_cost_that_is_already_spent_is_taken_as_debt_and_paid_off(void **unused)
{
    (void)unused;
    claim_of_every_limiter(run_into_debt, true);
}

static void give_back(struct scene *scene)
{
    struct rig *rig = &scene->rig;
    int64_t remaining = rig_quote(rig, scene->now_ns).remaining;
    int64_t cost = dice_size(&scene->dice, rig_capacity(rig));

    if (!rig->limiter->refunds || remaining < cost)
        return;
    rig_charge(rig, scene->now_ns, cost, true);
    assert_int_equal(rig_quote(rig, scene->now_ns).remaining, remaining - cost);
    assert_true(rig_passes(rig, scene->now_ns, -cost));
    rig_charge(rig, scene->now_ns, -cost, true);
    assert_int_equal(rig_quote(rig, scene->now_ns).remaining, remaining);
}

static void what_is_given_back_at_once_can_be_taken_again(void **unused)
{
    (void)unused;
    claim_of_every_limiter(give_back, true);
}

static void give_back_too_much(struct scene *scene)
{
    struct rig *rig = &scene->rig;

    if (!rig->limiter->refunds)
        return;
    for (int i = 0; i < 2 * STEPS; i++)
        rig_charge(rig, scene->now_ns, -COST_MAX, true);
    assert_int_equal(rig_quote(rig, scene->now_ns).remaining, rig_capacity(rig));
    assert_int_equal(rig_quote(rig, scene->now_ns).reset_after_ns, 0);
    assert_like_fresh(scene, scene->now_ns);
}

static void refunds_never_fill_a_key_above_full(void **unused)
{
    (void)unused;
    claim_of_every_limiter(give_back_too_much, true);
}

static void the_table_describes_every_limiter(void **unused)
{
    (void)unused;
    assert_int_equal(limiter_count, 8);
    for (unsigned i = 0; i < limiter_count; i++) {
        const struct limiter *limiter = limiters[i];
        assert_ptr_equal(limiter_find(limiter->name), limiter);
        assert_true(*limiter->formula && !strchr(limiter->formula, '\n'));
        assert_true(*limiter->good_to_know && !strchr(limiter->good_to_know, '\n'));
        assert_in_range(limiter->state_bytes, 8, 32);
        assert_int_equal((limiter->state_bytes | limiter->entry_bytes) % 8, 0);
    }
    assert_null(limiter_find("fixed-windo"));
    assert_null(limiter_find(""));
}

static void assert_agree(const struct rig *a, const struct rig *b, int64_t now_ns, int64_t cost)
{
    struct quota quota_a = rig_quote(a, now_ns), quota_b = rig_quote(b, now_ns);
    struct verdict verdict_a = rig_check(a, now_ns, cost), verdict_b = rig_check(b, now_ns, cost);

    assert_memory_equal(&quota_a, &quota_b, sizeof quota_a);
    assert_memory_equal(&verdict_a, &verdict_b, sizeof verdict_a);
}

/* The two are one algorithm, seen from two sides. */
static void gcra_and_token_bucket_agree_on_every_field(void **unused)
{
    struct dice dice = { 7 };

    (void)unused;
    for (int i = 0; i < 2 * CASES; i++) {
        struct policy policy = dice_policy(&dice, &gcra);
        struct rig a = rig_open(&gcra, &policy, 0), b = rig_open(&token_bucket, &policy, 0);
        int64_t now_ns = 0;
        for (int step = 0; step < STEPS; step++) {
            int64_t cost = dice_cost(&dice, &a);
            assert_agree(&a, &b, now_ns, cost);
            bool allowed = rig_passes(&a, now_ns, cost) || dice_chance(&dice, 10);
            rig_charge(&a, now_ns, cost, allowed);
            rig_charge(&b, now_ns, cost, allowed);
            now_ns += dice_step_ns(&dice, &policy);
        }
        rig_close(&a);
        rig_close(&b);
    }
}

TEST_MAIN(
    TEST(the_table_describes_every_limiter),
    TEST(a_key_never_seen_is_full),
    TEST(a_peek_passes_and_changes_nothing),
    TEST(what_can_never_pass_is_told_never_and_changes_nothing_unless_denials_count),
    TEST(a_denied_request_changes_nothing_unless_its_limiter_says_so),
    TEST(a_denied_request_counts_where_its_limiter_says_so),
    TEST(who_waits_as_told_passes_and_not_a_ns_sooner),
    TEST(what_remains_passes_and_one_more_does_not),
    TEST(after_reset_a_key_is_as_good_as_new_and_not_a_ns_sooner),
    TEST(a_clock_that_went_back_counts_as_one_that_stood_still),
    TEST(a_cost_that_is_already_spent_is_taken_as_debt_and_paid_off),
    TEST(what_is_given_back_at_once_can_be_taken_again),
    TEST(refunds_never_fill_a_key_above_full),
    TEST(gcra_and_token_bucket_agree_on_every_field))

/* test_quotas.c - what callers are told of their quota: that a lie is found out, to the unit and to the
 * nanosecond, and that those who tell the truth are believed. */
#include "world_rig.h"
#include "dice.h"
#include "../algos/limiters/limiters.h"
#include "../engine/world_private.h"
#include "../harness/claims.h"
#include "../harness/soundness.h"

/* ---- lies ---- */

/* Four of ten a minute were just taken. */
static struct trial *four_of_ten(const char *design)
{
    struct trial *trial = trial_new(design, 1, 10, 60 * S);

    ask(trial, 0, 0, 0, 4);
    play(trial);
    return trial;
}

static enum quota_told told(struct trial *trial, int64_t remaining, int64_t reset_after_ns)
{
    struct quota quota = { remaining, reset_after_ns };

    return quota_judge(&trial->world, &trial->policy, 0, &trial->world.store[0].cell[0], &quota);
}

static void assert_only_truth_is_true(const char *design, int64_t remaining, int64_t reset_after_ns)
{
    struct trial *trial = four_of_ten(design);

    assert_int_equal(told(trial, remaining, reset_after_ns), QUOTA_TRUE);
    assert_int_equal(told(trial, remaining + 1, reset_after_ns), QUOTA_UNTRUE);
    assert_int_equal(told(trial, remaining - 1, reset_after_ns), QUOTA_UNTRUE);
    assert_int_equal(told(trial, -1, reset_after_ns), QUOTA_UNTRUE);
    assert_int_equal(told(trial, INT64_MAX, reset_after_ns), QUOTA_UNTRUE);
    assert_int_equal(told(trial, remaining, reset_after_ns + 1), QUOTA_UNTRUE);
    assert_int_equal(told(trial, remaining, reset_after_ns - 1), QUOTA_UNTRUE);
    assert_int_equal(told(trial, remaining, 0), QUOTA_UNTRUE);
    assert_int_equal(told(trial, remaining, -1), QUOTA_UNTRUE);
    trial_free(trial);
}

static void one_unit_or_one_nanosecond_off_is_untrue(void **state)
{
    (void)state;
    assert_only_truth_is_true("token-bucket@atomic", 6, 24 * S);
    assert_only_truth_is_true("gcra@cas", 6, 24 * S);
    assert_only_truth_is_true("fixed-window@get-then-set", 6, 60 * S);
    assert_only_truth_is_true("sliding-window-log@atomic", 6, 60 * S);
    assert_only_truth_is_true("sliding-window-counter@atomic", 6, 120 * S);
}

static void a_wait_for_ever_says_nothing(void **state)
{
    struct trial *trial = four_of_ten("gcra@atomic");

    (void)state;
    assert_int_equal(told(trial, 6, NEVER_NS), QUOTA_TRUE);
    assert_int_equal(told(trial, 7, NEVER_NS), QUOTA_UNTRUE);
    assert_int_equal(told(trial, 6, INSTANT_MAX), QUOTA_UNTRUE);
    assert_int_equal(told(trial, 6, INSTANT_MAX + 1), QUOTA_TRUE);
    trial_free(trial);
}

static void judging_changes_no_state(void **state)
{
    struct trial *trial = four_of_ten("sliding-window-log@atomic");
    struct value before = trial->world.store[0].cell[0];

    (void)state;
    told(trial, 6, 60 * S);
    assert_memory_equal(&before, &trial->world.store[0].cell[0], sizeof before);
    trial_free(trial);
}

/* ---- truth ---- */

/* Two regions whose clocks are a second apart, so that readings go back. */
static struct trial *random_trial(const char *design, struct dice *dice, bool judges)
{
    struct trial *trial = trial_new(design, 2, dice_between(dice, 1, 20), dice_between(dice, 1, 60) * S);
    int64_t now_ns = 0;

    trial->judges_quota = judges;
    trial->policy.burst = dice_between(dice, 1, 20);
    trial_links(trial, 0, 40 * MS);
    trial_offset(trial, 1, false, -S);
    for (unsigned i = 0; i < 60; i++) {
        ask(trial, now_ns, dice_between(dice, 0, 1) != 0, 0, dice_between(dice, 0, 9));
        now_ns += dice_between(dice, 0, 3) * dice_between(dice, 0, 2000) * MS;
    }
    return trial;
}

static const char *const coordination[] = { "atomic", "atomic:clock=caller", "cas", "get-then-set", "owner",
                                            "kv", "local", "local:share=split" };

/* Quotas are told and judged; or the design cannot be. */
static bool all_true(const char *design, uint64_t seed)
{
    struct dice dice = { seed };
    struct trial *trial = random_trial(design, &dice, true);
    bool possible = trial_possible(trial);

    if (possible) {
        play(trial);
        if (trial->oracle.quota_told[QUOTA_UNTRUE] > 0)
            fail_msg("%s, seed %llu: %llu untrue", design, (unsigned long long)seed,
                     (unsigned long long)trial->oracle.quota_told[QUOTA_UNTRUE]);
        assert_int_equal(trial->oracle.quota_told[QUOTA_TRUE], trial->decisions);
    }
    trial_free(trial);
    return possible;
}

static void every_textbook_limiter_tells_the_truth_wherever_it_decides(void **state)
{
    enum { COORDINATIONS = sizeof coordination / sizeof *coordination, SEEDS = 20 };
    unsigned played = 0;
    char design[100];

    (void)state;
    for (unsigned i = 0; i < limiter_count; i++)
        for (unsigned c = 0; c < COORDINATIONS; c++)
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                snprintf(design, sizeof design, "%s@%s", limiters[i]->name, coordination[c]);
                played += all_true(design, seed);
            }
    assert_true(played > limiter_count * COORDINATIONS * SEEDS / 2);
}

static void a_bare_counter_tells_no_quota(void **state)
{
    struct dice dice = { 1 };
    struct trial *trial = random_trial("fixed-window@incr", &dice, true);

    (void)state;
    play(trial);
    for (uint32_t i = 0; i < trial->asks; i++)
        assert_true(trial->asked[i].cost == 0
                    || trial->told[i].decision.quota_told == QUOTA_UNASKED);
    trial_free(trial);
}

static void judging_changes_no_run(void **state)
{
    struct dice same = { 7 }, again = { 7 };
    struct trial *judged = random_trial("sliding-window-log@cas", &same, true);
    struct trial *unjudged = random_trial("sliding-window-log@cas", &again, false);

    (void)state;
    play(judged);
    play(unjudged);
    assert_int_equal(judged->digest, unjudged->digest);
    assert_int_equal(unjudged->oracle.quota_told[QUOTA_UNASKED], unjudged->decisions);
    trial_free(judged);
    trial_free(unjudged);
}

/* ---- who asks ---- */

static struct condition about(const char *text)
{
    struct condition condition;
    char why[CONDITION_WHY];

    assert_true(condition_parse(text, &condition, why));
    return condition;
}

static void quotas_are_judged_where_somebody_asks(void **state)
{
    struct condition quota = about("quota.false=0"), other = about("admitted=1");
    struct claim sound = { .subject = CLAIM_SOUND }, of_quotas = { .conditions = 1, .condition = &quota };
    struct claim of_others = { .subject = CLAIM_FIGURES, .conditions = 1, .condition = &other };

    (void)state;
    of_quotas.subject = CLAIM_FIGURES;
    assert_false(claims_need_quotas(&(struct experiment){ .claims = 0 }));
    assert_false(claims_need_quotas(&(struct experiment){ .claims = 1, .claim = &of_others }));
    assert_false(claims_need_quotas(&(struct experiment){ .requires = 1, .require = &other }));
    assert_true(claims_need_quotas(&(struct experiment){ .claims = 1, .claim = &sound }));
    assert_true(claims_need_quotas(&(struct experiment){ .claims = 1, .claim = &of_quotas }));
    assert_true(claims_need_quotas(&(struct experiment){ .requires = 1, .require = &quota }));
    assert_true(claims_need_quotas(&(struct experiment){ .zoo = { .name = "owner/project#1" } }));
}

static void unjudged_quotas_are_undefined_and_hold(void **state)
{
    struct condition none_false = about("quota.false=0"), none_true = about("quota.true=0");
    struct result result = { .promise_kept = true };
    char text[SOUNDNESS_TEXT];

    (void)state;
    assert_false(condition_holds(&none_false, &result) || condition_holds(&none_true, &result));
    assert_true(result_is_sound(&result));
    result.quota.judged = true;
    assert_true(condition_holds(&none_false, &result) && condition_holds(&none_true, &result));
    assert_true(result_is_sound(&result));
    result.quota.wrong = 1;
    assert_false(condition_holds(&none_false, &result) || result_is_sound(&result));
    assert_string_equal(soundness_text(&result, text), "untrue remaining or reset");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_unit_or_one_nanosecond_off_is_untrue),
        TEST(a_wait_for_ever_says_nothing),
        TEST(judging_changes_no_state),
        TEST(every_textbook_limiter_tells_the_truth_wherever_it_decides),
        TEST(a_bare_counter_tells_no_quota),
        TEST(judging_changes_no_run),
        TEST(quotas_are_judged_where_somebody_asks),
        TEST(unjudged_quotas_are_undefined_and_hold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

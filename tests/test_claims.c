/* Claims: what comes true, what does not, and which designs are run for them. */
#include "test.h"
#include <string.h>
#include "../harness/claims.h"

static const char *const contenders[] = { "a@owner", "b@cas", "c@kv", NULL };

static struct result keeping(void)
{
    return (struct result){
        .design = "a@owner", .seed = 1, .limit = 10, .promise_kept = true, .promise = "at most 10"
    };
}

static struct result breaking(void)
{
    struct result result = keeping();

    result.over_admitted = 1;
    result.excess = decimal_ratio(2, 3);
    result.promise_kept = false;
    return result;
}

static bool comes_true(struct claim claim, struct result result, const char *expected_why)
{
    char why[CLAIM_WHY] = "";
    bool good = claim_comes_true(&claim, &result, why);

    if (expected_why)
        assert_string_equal(why, expected_why);
    return good;
}

static void holds_and_breaks_are_equally_strict_about_the_target(void **state)
{
    struct claim holds = { .subject = CLAIM_TARGET, .expect = HOLDS };
    struct claim breaks = { .subject = CLAIM_TARGET, .expect = BREAKS };

    (void)state;
    assert_true(comes_true(holds, keeping(), NULL));
    assert_true(comes_true(breaks, breaking(), NULL));
    assert_false(comes_true(holds, breaking(),
                            "over_admitted is 1 and excess is 0.666666667; expected the target to hold"));
    assert_false(
        comes_true(breaks, keeping(), "over_admitted is 0 and excess is 0; expected the target to break"));
}

static void the_target_breaks_by_an_excess_alone(void **state)
{
    struct claim holds = { .subject = CLAIM_TARGET, .expect = HOLDS };
    struct result result = keeping();

    (void)state;
    result.excess = decimal_ratio(1, 1000000000);
    assert_false(comes_true(holds, result,
                            "over_admitted is 0 and excess is 0.000000001; expected the target to hold"));
}

static void the_promise_is_judged_apart_from_the_target(void **state)
{
    struct claim holds = { .subject = CLAIM_PROMISE, .expect = HOLDS };
    struct claim breaks = { .subject = CLAIM_PROMISE, .expect = BREAKS };
    struct result doubled = breaking();

    (void)state;
    doubled.promise_kept = true;
    assert_true(comes_true(holds, doubled, NULL));
    assert_false(comes_true(breaks, doubled, "the promise (at most 10) is kept; expected it to break"));
    assert_false(comes_true(holds, breaking(), "the promise (at most 10) is broken; expected it to hold"));
}

static void all_conditions_of_a_claim_must_come_true(void **state)
{
    struct condition conditions[2];
    char why[CONDITION_WHY];
    struct claim claim = { .subject = CLAIM_FIGURES, .conditions = 2, .condition = conditions };
    struct result result = breaking();

    (void)state;
    assert_true(condition_parse("over_admitted=1", &conditions[0], why));
    assert_true(condition_parse("lost_updates>=1", &conditions[1], why));
    assert_false(comes_true(claim, result, "lost_updates is 0; expected lost_updates>=1"));
    result.lost_updates = 1;
    assert_true(comes_true(claim, result, NULL));
}

static void a_figure_that_is_undefined_fails_its_condition(void **state)
{
    struct condition condition;
    char why[CONDITION_WHY];
    struct claim claim = { .subject = CLAIM_FIGURES, .conditions = 1, .condition = &condition };
    struct result result = keeping();

    (void)state;
    result.first_denial = -1;
    assert_true(condition_parse("first_denial<=10", &condition, why));
    assert_false(comes_true(claim, result, "first_denial is undefined; expected first_denial<=10"));
}

static void only_designs_with_claims_are_run(void **state)
{
    static const char *const named[] = { "c@kv", "a@owner" };
    struct claim claims[] = { { .designs = 2, .design = named }, { .designs = 1, .design = named } };
    struct experiment experiment = { .claims = 2, .claim = claims };
    struct arena arena = { 0 };
    struct claim_verdicts verdicts = claims_prepare(&experiment, contenders, &arena);

    (void)state;
    assert_int_equal(verdicts.count, 3);
    assert_int_equal(experiment.designs, 2);
    assert_string_equal(experiment.design[0], "c@kv");
    assert_string_equal(experiment.design[1], "a@owner");
    arena_free(&arena);
}

static void a_claim_without_designs_is_about_all_of_them(void **state)
{
    struct claim claim = { .subject = CLAIM_TARGET };
    struct experiment experiment = { .claims = 1, .claim = &claim };
    struct arena arena = { 0 };
    struct claim_verdicts verdicts = claims_prepare(&experiment, contenders, &arena);

    (void)state;
    assert_int_equal(verdicts.count, 3);
    assert_int_equal(experiment.designs, 3);
    assert_string_equal(verdicts.verdict[1].design, "b@cas");
    arena_free(&arena);
}

static void one_seed_that_fails_fails_the_claim(void **state)
{
    static const char *const named[] = { "a@owner" };
    struct claim claim = { .subject = CLAIM_TARGET, .expect = HOLDS, .designs = 1, .design = named };
    struct experiment experiment = { .claims = 1, .claim = &claim };
    struct arena arena = { 0 };
    struct claim_verdicts verdicts = claims_prepare(&experiment, contenders, &arena);
    struct result good = keeping(), bad = breaking(), other = breaking();

    (void)state;
    assert_false(claim_came_true(&verdicts.verdict[0]));            /* nothing has come yet */
    other.design = "b@cas";
    claims_judge(&verdicts, &good, &arena);
    claims_judge(&verdicts, &other, &arena);
    assert_true(claim_came_true(&verdicts.verdict[0]));
    bad.seed = 7;
    claims_judge(&verdicts, &bad, &arena);
    claims_judge(&verdicts, &good, &arena);
    assert_false(claim_came_true(&verdicts.verdict[0]));
    assert_non_null(strstr(verdicts.verdict[0].why, "limit 10, seed 7: over_admitted is 1"));
    arena_free(&arena);
}

TEST_MAIN(
    TEST(holds_and_breaks_are_equally_strict_about_the_target),
    TEST(the_target_breaks_by_an_excess_alone),
    TEST(the_promise_is_judged_apart_from_the_target),
    TEST(all_conditions_of_a_claim_must_come_true),
    TEST(a_figure_that_is_undefined_fails_its_condition),
    TEST(only_designs_with_claims_are_run),
    TEST(a_claim_without_designs_is_about_all_of_them),
    TEST(one_seed_that_fails_fails_the_claim)
)

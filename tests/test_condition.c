#include "test.h"
#include <stdio.h>
#include <string.h>
#include "../harness/condition.h"
#include "../harness/figures.h"
#include "plausible.h"

static bool holds(const char *text, const struct result *r)
{
    struct condition condition;
    char why[CONDITION_WHY] = "";
    bool parsed = condition_parse(text, &condition, why);
    assert_string_equal(why, "");
    assert_true(parsed);
    return condition_holds(&condition, r);
}

static const char *refusal(const char *text)
{
    static char why[CONDITION_WHY];
    struct condition condition;
    why[0] = '\0';
    assert_false(condition_parse(text, &condition, why));
    assert_true(strlen(why) > 0);
    return why;
}

static void each_operator_decides_at_its_bound(void **state)
{
    struct result r = { .over_admitted = 5 };
    static const struct { const char *sign; bool at[3]; } operators[] = {      /* 5 against 4, 5 and 6 */
        { "<=", { false, true, true } }, { "<", { false, false, true } }, { ">=", { true, true, false } },
        { ">", { true, false, false } }, { "=", { false, true, false } }, { "==", { false, true, false } },
    };
    (void)state;
    for (unsigned i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        for (unsigned bound = 4; bound <= 6; bound++) {
            char text[64];
            snprintf(text, sizeof text, "over_admitted%s%u", operators[i].sign, bound);
            assert_int_equal(holds(text, &r), operators[i].at[bound - 4]);
        }
    }
}

static void a_range_includes_both_ends(void **state)
{
    (void)state;
    for (uint64_t n = 88; n <= 112; n++) {
        struct result r = { .admitted = n };
        assert_int_equal(holds("admitted=90..110", &r), n >= 90 && n <= 110);
    }
}

static void spans_are_written_as_durations(void **state)
{
    struct result r = { .latency_ns = { .p50 = 10000000, .p99 = 10000001 } };
    (void)state;
    assert_true(holds("p50<=10ms", &r));
    assert_false(holds("p99<=10ms", &r));
    assert_true(holds("latency_ns.p99 <= 0.010000001s", &r));
    assert_true(holds("p99=10ms..11ms", &r));
    assert_non_null(strstr(refusal("p99<=10"), "as in 250ms"));
    assert_non_null(strstr(refusal("p99<=10parsecs"), "as in 250ms"));
}

static void decimals_are_compared_exactly(void **state)
{
    struct result r = { .boundary_burst = { .billionths = 1100000001 } };
    (void)state;
    assert_false(holds("boundary_burst<=1.1", &r));
    assert_true(holds("boundary_burst<=1.100000001", &r));
    r.boundary_burst.billionths--;
    assert_true(holds("boundary_burst<=1.1", &r));
    assert_true(holds(" boundary_burst\t= 1.1 ", &r));
}

static void truths_are_true_or_false(void **state)
{
    struct result r = { .promise_kept = true };
    (void)state;
    assert_true(holds("promise_kept=true", &r));
    assert_false(holds("promise_kept=false", &r));
    refusal("promise_kept=maybe");
}

static void a_null_figure_meets_no_condition(void **state)
{
    struct result r = { .first_denial = -1, .boundary_burst = DECIMAL_NULL };
    (void)state;
    assert_false(holds("first_denial>=0", &r));
    assert_false(holds("first_denial<0", &r));
    assert_false(holds("boundary_burst<=2", &r));
}

static void a_wrong_name_is_told_the_nearest(void **state)
{
    (void)state;
    assert_string_equal(refusal("boundry_burst<=1"),
                        "no figure is called 'boundry_burst'; did you mean 'boundary_burst'?");
    assert_string_equal(refusal("p98<=1ms"), "no figure is called 'p98'; did you mean 'p90'?");
    assert_non_null(strstr(refusal("digest=1"), "is a digest"));
}

static void a_text_is_equal_or_not(void **state)
{
    struct result r = { .decisions = "A A D" };
    (void)state;
    assert_true(holds("decisions=A A D", &r));
    assert_true(holds(" decisions == A A D\t", &r));
    assert_false(holds("decisions=A A", &r));
    assert_false(holds("decisions=A A D D", &r));
    assert_false(holds("decisions=A A A", &r));
    r.decisions = NULL;
    assert_false(holds("decisions=A A D", &r));
    assert_string_equal(refusal("decisions>=A"), "'decisions' is a text; expected decisions=TEXT");
    assert_string_equal(refusal("decisions= "), "nothing to compare with; expected decisions=TEXT");
}

static void malformed_conditions_are_refused(void **state)
{
    static const char *const malformed[] = {
        "", "p99", "=", "<=5", "p99<=", "retries=x", "retries=1..", "retries=..1", "retries=5..4",
        "retries<=1..2", "retries=1=2", "retries=-", "retries=null", "retries=0x10", "retries=1e3",
        "excess=1.0000000001",
        "p99=1ms..2", "retries=1 2", "p99<>1ms", "retries=\xff", "\xff\x01=1",
    };
    (void)state;
    for (unsigned i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        refusal(malformed[i]);
}

static void endless_texts_are_refused_within_bounds(void **state)
{
    static char text[100001];
    (void)state;
    memset(text, 'a', sizeof text - 1);
    refusal(text);
    memcpy(text, "over_admitted=", 14);
    memset(text + 14, '1', sizeof text - 15);
    refusal(text);
    memset(text, ' ', 1000);
    memcpy(text + 1000, "over_admitted=1", 16);
    struct result r = { .over_admitted = 1 };
    assert_true(holds(text, &r));
}

static void without_conditions_the_target_decides(void **state)
{
    struct result r = { .over_admitted = 0, .excess = { .billionths = 0 } };
    struct condition need[2];
    char why[CONDITION_WHY];
    (void)state;
    assert_true(result_qualifies(&r, NULL, 0));
    r.excess.billionths = 1;
    assert_false(result_qualifies(&r, NULL, 0));
    r = (struct result){ .failed = 1 };
    assert_true(result_keeps_target(&r));
    assert_false(result_qualifies(&r, NULL, 0));
    r = (struct result){ .over_admitted = 1 };
    assert_false(result_qualifies(&r, NULL, 0));
    assert_true(condition_parse("over_admitted<=1", &need[0], why));
    assert_true(condition_parse("retries=0", &need[1], why));
    assert_true(result_qualifies(&r, need, 2));
    r.retries = 1;
    assert_false(result_qualifies(&r, need, 2));
}

TEST_MAIN(TEST(each_operator_decides_at_its_bound),
          TEST(a_range_includes_both_ends),
          TEST(spans_are_written_as_durations),
          TEST(decimals_are_compared_exactly),
          TEST(truths_are_true_or_false),
          TEST(a_null_figure_meets_no_condition),
          TEST(a_wrong_name_is_told_the_nearest),
          TEST(a_text_is_equal_or_not),
          TEST(malformed_conditions_are_refused),
          TEST(endless_texts_are_refused_within_bounds),
          TEST(without_conditions_the_target_decides))

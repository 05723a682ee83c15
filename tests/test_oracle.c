#include "test.h"
#include "../harness/units.h"
#include "oracle_rig.h"

#define S INT64_C(1000000000)

static void assert_decimal(struct decimal value, const char *expected)
{
    char text[DECIMAL_TEXT];

    assert_string_equal(decimal_text(value, 9, text), expected);
}

static void a_burst_each_period_is_no_excess(void **state)
{
    struct bench bench;

    (void)state;
    bench_open_alike(&bench, &gcra, policy_of(5, 60 * S, 5));
    tell_times(&bench, 5, 0, 0, true);
    tell_times(&bench, 5, 0, 60 * S, true);
    const struct result *result = bench_finish(&bench, 61 * S);
    assert_decimal(result->excess, "0");
    assert_decimal(result->effective_burst, "5");
    assert_int_equal(result->worst_window.cost, 5);
    assert_int_equal(result->worst_window.start_ns, -60 * S);
    assert_int_equal(result->worst_window.end_ns, 0);
    assert_int_equal(result->over_admitted, 0);
    assert_true(result->promise_kept);
    assert_string_equal(result->promise, "at most 5 at once, then 5 per 60s");
    bench_close(&bench);
}

static void the_double_at_a_windows_edge_is_seen(void **state)
{
    struct bench bench;
    char text[DECIMAL_TEXT];

    (void)state;
    bench_open_alike(&bench, &fixed_window, policy_of(10, 60 * S, 10));
    tell_times(&bench, 10, 1, 60 * S - 1, true);
    tell_times(&bench, 10, 1, 60 * S, true);
    const struct result *result = bench_finish(&bench, 61 * S);
    assert_int_equal(result->worst_window.cost, 20);
    assert_decimal(result->worst_window.ratio, "2");
    assert_string_equal(result->worst_window.key, "k1");
    assert_int_equal(result->worst_window.end_ns, 60 * S);
    assert_int_equal(result->worst_window.start_ns, 0);
    assert_decimal(result->effective_burst, "20");          /* 20 - 10/60e9 */
    assert_true(bench.oracle.key[1].curve.worst
                == 20 * (i128)bench.target.credits_per_unit - bench.target.credits_per_ns);
    assert_string_equal(decimal_text(result->boundary_burst, 2, text), "2");
    assert_int_equal(result->over_admitted, 10);
    assert_int_equal(result->ideal_admitted, 20);
    assert_int_equal(result->wrongly_admitted, 0);
    assert_true(result->promise_kept);                      /* it promises no more */
    bench_close(&bench);
}

static void both_read_nine(void **state)
{
    for (enum target_kind kind = TARGET_CURVE; kind <= TARGET_WINDOW; kind++) {
        struct bench bench;
        struct policy policy = policy_of(10, 60 * S, 10);
        (void)state;
        bench_open(&bench, &fixed_window, policy, kind, policy, 1);
        tell(&bench, 0, 0, 9, true);
        tell_times(&bench, 2, 0, 2 * S, true);
        const struct result *result = bench_finish(&bench, 3 * S);
        assert_int_equal(result->over_admitted, 1);
        assert_int_equal(result->over_admitted_cost, 1);
        assert_int_equal(result->wrongly_admitted, 1);
        assert_decimal(result->excess, kind == TARGET_CURVE ? "0.666666667" : "1");
        assert_decimal(result->boundary_burst, kind == TARGET_CURVE ? "1.066666667" : "null");
        bench_close(&bench);
    }
}

static void an_entry_exactly_one_period_old_has_left_the_window(void **state)
{
    struct bench bench;

    (void)state;
    bench_open_alike(&bench, &sliding_window_log, policy_of(1, 100, 1));
    tell(&bench, 0, 0, 1, true);
    tell(&bench, 0, 100, 1, true);
    assert_int_equal(bench_finish(&bench, 200)->worst_window.cost, 1);
    bench_close(&bench);
    bench_open_alike(&bench, &sliding_window_log, policy_of(1, 100, 1));
    tell(&bench, 0, 0, 1, true);
    tell(&bench, 0, 99, 1, true);
    assert_int_equal(bench_finish(&bench, 200)->worst_window.cost, 2);
    assert_int_equal(bench.result.wrongly_admitted, 1);
    assert_false(bench.result.promise_kept);
    bench_close(&bench);
}

static void ties_go_to_the_earlier_instant_then_to_the_smaller_name(void **state)
{
    struct policy policy = policy_of(10, 10, 10);
    struct bench bench;

    (void)state;
    bench_open(&bench, &gcra, policy, TARGET_CURVE, policy, 12);
    for (uint32_t key = 2; key < 12; key++)
        tell_times(&bench, 4, key, 10, true);
    tell_times(&bench, 4, 1, 11, true);
    const struct result *result = bench_finish(&bench, 20);
    assert_string_equal(result->worst_window.key, "k10");
    assert_string_equal(result->worst_burst_key, "k10");
    assert_int_equal(result->worst_burst_at_ns, 10);
    bench_close(&bench);
}

static void a_run_that_admits_nothing_has_no_worst_window(void **state)
{
    struct bench bench;

    (void)state;
    bench_open_alike(&bench, &gcra, policy_of(10, 10, 10));
    tell(&bench, 0, 0, 1, false);
    tell(&bench, 0, 0, 0, true);
    const struct result *result = bench_finish(&bench, 20);
    assert_null(result->worst_window.key);
    assert_null(result->worst_burst_key);
    assert_true(result->worst_window.ratio.null);
    assert_int_equal(result->worst_window.cost, 0);
    assert_decimal(result->effective_burst, "0");
    assert_true(result->fairness_keys.null);
    assert_int_equal(result->wrongly_denied, 1);
    bench_close(&bench);
}

static void admissions_count_at_their_reading_not_at_their_decision(void **state)
{
    struct bench bench;

    (void)state;
    bench_open_alike(&bench, &gcra, policy_of(5, 100, 5));
    tell_arrived(&bench, 0, 0, 5);
    uint32_t early = tell_opened(&bench, 0, 0);
    uint32_t lost = tell_opened(&bench, 0, 100);
    tell_decided(&bench, TICKET_NONE, 0, 150, 5, verdict_allow());
    oracle_observer(&bench.oracle)->dropped(oracle_observer(&bench.oracle), lost);
    tell_decided(&bench, early, 0, 0, 5, verdict_allow());
    const struct result *result = bench_finish(&bench, 200);
    assert_int_equal(result->worst_window.cost, 5);
    assert_decimal(result->excess, "0");
    assert_int_equal(result->over_admitted, 0);
    bench_close(&bench);
}

static void equal_instants_keep_the_order_of_decisions(void **state)
{
    struct bench bench;

    (void)state;
    bench_open_alike(&bench, &gcra, policy_of(5, 100, 5));
    tell_arrived(&bench, 0, 7, 4);
    uint32_t first = tell_opened(&bench, 0, 7), second = tell_opened(&bench, 0, 7);
    tell_decided(&bench, second, 0, 7, 4, verdict_allow());     /* kept */
    tell_decided(&bench, first, 0, 7, 2, verdict_allow());      /* 6 > 5: over */
    const struct result *result = bench_finish(&bench, 8);
    assert_int_equal(result->over_admitted, 1);
    assert_int_equal(result->over_admitted_cost, 2);
    bench_close(&bench);
}

static void a_shaped_request_is_admitted_when_it_departs(void **state)
{
    struct bench bench;
    struct verdict later = { .allowed = true, .delay_ns = 50 };

    (void)state;
    bench_open_alike(&bench, &leaky_bucket_queue, policy_of(2, 100, 2));
    tell(&bench, 0, 0, 1, true);
    tell_arrived(&bench, 0, 0, 1);
    tell_decided(&bench, TICKET_NONE, 0, 0, 1, later);
    oracle_observer(&bench.oracle)->departed(oracle_observer(&bench.oracle), 0, 0, 1, 50);
    const struct result *result = bench_finish(&bench, 60);
    assert_int_equal(result->admitted, 2);
    assert_decimal(result->effective_burst, "1");
    assert_int_equal(result->worst_window.cost, 2);
    assert_int_equal(result->worst_window.end_ns, 50);
    assert_int_equal(result->wrongly_admitted, 0);
    assert_true(result->promise_kept);
    bench_close(&bench);
}

static void the_first_denial_is_the_least_that_stood_admitted(void **state)
{
    struct bench bench;

    (void)state;
    bench_open_alike(&bench, &gcra, policy_of(10, 100, 10));
    tell_times(&bench, 7, 0, 0, true);
    tell(&bench, 0, 1, 1, false);           /* 7 stood */
    tell_times(&bench, 3, 1, 2, true);
    tell_decided(&bench, TICKET_NONE, 1, 3, 99, verdict_deny(NEVER_NS));    /* says nothing */
    tell_times(&bench, 2, 1, 4, true);
    tell(&bench, 1, 5, 1, false);           /* 5 stood */
    tell(&bench, 1, 200, 1, false);         /* not its first */
    assert_int_equal(bench_finish(&bench, 300)->first_denial, 5);
    bench_close(&bench);
    bench_open_alike(&bench, &gcra, policy_of(10, 100, 10));
    tell(&bench, 0, 0, 1, true);
    assert_int_equal(bench_finish(&bench, 300)->first_denial, -1);
    bench_close(&bench);
}

static void refused_keys_are_ranked_by_denials_then_name(void **state)
{
    static const int denials[] = { 1, 3, 3, 0, 2, 9, 1, 1, 1, 1, 1, 1, 1 };
    static const char *const expected[] = { "k5", "k1", "k2", "k4", "k0", "k10", "k11", "k12", "k6", "k7" };
    struct bench bench;
    struct policy policy = policy_of(10, 100, 10);

    (void)state;
    bench_open(&bench, NULL, policy, TARGET_CURVE, policy, 13);
    for (uint32_t key = 0; key < 13; key++)
        tell_times(&bench, denials[key], key, key, false);
    const struct result *result = bench_finish(&bench, 20);
    assert_int_equal(result->keys_refused, 12);
    assert_int_equal(result->keys, 12);
    assert_int_equal(result->refused_top[0].denied, 9);
    for (int i = 0; i < REFUSED_TOP; i++)
        assert_string_equal(result->refused_top[i].key, expected[i]);
    bench_close(&bench);
}

static void failed_requests_have_no_latency(void **state)
{
    struct bench bench;

    (void)state;
    bench_open_alike(&bench, &gcra, policy_of(10, 100, 10));
    tell_finished(&bench, 0, 100, 400, false);
    tell_finished(&bench, 0, 100, 90000, true);
    const struct result *result = bench_finish(&bench, 20);
    assert_int_equal(result->failed, 1);
    assert_int_equal(result->latency_ns.p50, 300);
    assert_int_equal(result->latency_ns.max, 300);
    assert_int_equal(result->latency_points, 1);
    assert_int_equal(result->latency[0].count, 1);
    bench_close(&bench);
}

static void an_audit_without_a_limiter_judges_the_target_alone(void **state)
{
    struct bench bench;

    (void)state;
    bench_open_alike(&bench, NULL, policy_of(1, 100, 1));
    tell_times(&bench, 3, 0, 0, true);
    const struct result *result = bench_finish(&bench, 20);
    assert_int_equal(result->over_admitted, 2);
    assert_int_equal(result->ideal_admitted, 0);
    assert_int_equal(result->wrongly_admitted, 0);
    assert_true(result->promise_kept);
    assert_string_equal(result->promise, "");
    bench_close(&bench);
}

static void an_audit_as_a_limiter_sees_each_decision_alone(void **state)
{
    struct bench bench;

    (void)state;
    bench_open_alike(&bench, &gcra, policy_of(1, 100, 1));
    tell_arrived(&bench, 0, 0, 1);
    assert_true(oracle_ideal_allowed(&bench.oracle));
    tell_arrived(&bench, 0, 99, 1);
    assert_false(oracle_ideal_allowed(&bench.oracle));
    tell_arrived(&bench, 0, 100, 1);
    assert_true(oracle_ideal_allowed(&bench.oracle));
    bench_close(&bench);
}

static void the_watched_keys_series_adds_up(void **state)
{
    struct bench bench;
    int64_t asked = 0, admitted = 0, most = 0;

    (void)state;
    bench_open_alike(&bench, &gcra, policy_of(4, 1000, 4));
    for (int64_t i = 0; i < 5000; i++)
        tell(&bench, i % 2 ? 1 : 0, 70000 + 13 * i, 2, i % 3 == 0);
    const struct series *series = &bench_finish(&bench, 200000)->series;
    assert_int_equal(series->start_ns, 70000);
    assert_int_equal(series->width_ns, 256);                    /* 130,000 ns in at most 512 bins */
    assert_int_equal(series->bins, 130000 / 256 + 1);
    for (uint32_t i = 0; i < series->bins; i++) {
        asked += series->bin[i].asked;
        admitted += series->bin[i].admitted;
        most = i64_max(most, series->bin[i].window);
    }
    assert_int_equal(asked, 5000);
    assert_int_equal(admitted, 2 * 834);
    assert_int_equal(most, bench.oracle.key[0].window.worst);
    assert_int_equal(series->bin[series->bins - 1].window, 0);
    bench_close(&bench);
}

static void a_window_stands_in_every_bin_that_it_covers(void **state)
{
    struct bench bench;

    (void)state;
    bench_open_alike(&bench, &gcra, policy_of(4, 100, 4));
    tell(&bench, 0, 0, 3, true);
    tell(&bench, 0, 511, 0, true);
    const struct series *series = &bench_finish(&bench, 511)->series;
    assert_int_equal(series->width_ns, 1);
    for (int i = 0; i < SERIES_BINS; i++)
        assert_int_equal(series->bin[i].window, i < 100 ? 3 : 0);
    bench_close(&bench);
}

static size_t memory_after(int64_t requests)
{
    struct bench bench;

    bench_open_alike(&bench, &sliding_window_log, policy_of(100, 1000, 100));
    for (int64_t i = 0; i < requests; i++)
        tell(&bench, (uint32_t)(i % 3), 7 * i, 1, i % 5 != 0);
    bench_finish(&bench, 7 * requests);
    size_t most = bench.counting.most;
    bench_close(&bench);
    return most;
}

static void memory_does_not_grow_with_requests(void **state)
{
    (void)state;
    assert_int_equal(memory_after(200000), memory_after(20000));
    assert_true(memory_after(200000) < 64 * 1024);
}

/* An admission that stands takes few bytes. */
static void a_day_of_admissions_is_packed(void **state)
{
    struct bench bench;

    (void)state;
    bench_open(&bench, NULL, policy_of(1, 1, 1), TARGET_CURVE, policy_of(100, 86400 * S, 100), 0);
    for (int64_t i = 0; i < 1000000; i++)
        tell(&bench, (uint32_t)(i * 7919 % 1000), i * 1000 * 1000, 1, true);
    assert_true(bench.counting.used < 1000000 * 8);
    bench_close(&bench);
}

/* Costs, periods and instants at the ends of what is allowed; the sanitizers look on. */
static void nothing_overflows_at_the_ends_of_the_range(void **state)
{
    static const int64_t limits[] = { 1, COST_MAX }, periods[] = { 1, PERIOD_MAX };

    (void)state;
    for (int i = 0; i < 8; i++) {
        struct bench bench;
        struct policy policy = policy_of(limits[i & 1], periods[i >> 1 & 1], COST_MAX);
        bench_open(&bench, &gcra, policy, i & 4 ? TARGET_WINDOW : TARGET_CURVE, policy, 2);
        for (int k = 0; k < 500; k++)
            tell(&bench, 0, -INSTANT_MAX, COST_MAX, true);
        tell(&bench, 0, INSTANT_MAX, COST_MAX, true);
        tell(&bench, 0, INSTANT_MAX, -COST_MAX, true);
        const struct result *result = bench_finish(&bench, INSTANT_MAX);
        assert_int_equal(result->worst_window.cost, 500 * COST_MAX);
        assert_decimal(result->effective_burst, limits[i & 1] == 1 && periods[i >> 1 & 1] == PERIOD_MAX
                       ? "4512606826625236461.77689812" : "4503599627370495500");
        assert_int_equal(result->series.bin[0].admitted, 500 * COST_MAX);
        bench_close(&bench);
    }
}

/* Runs limiter alone over ../shared/data/llm-code.csv: 200,000 tokens a minute, cost = both columns. */
static bool tell_llm_trace(struct bench *bench, const struct limiter *limiter)
{
    FILE *file = fopen("../shared/data/llm-code.csv", "r");
    char line[200], time[80];
    long long context, generated;
    int64_t unix_ns, first_ns = -1;
    unsigned places;

    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%79[^,],%lld,%lld", time, &context, &generated) != 3)
            continue;
        assert_null(parse_iso_time(time, &unix_ns, &places));
        if (first_ns < 0) {
            struct policy policy = policy_of(200000, 60 * S, 200000);
            policy.epoch_ns = unix_ns;
            assert_null(policy_init(&policy));
            bench_open_alike(bench, limiter, policy);
            first_ns = unix_ns;
        }
        tell_arrived(bench, 0, unix_ns - first_ns, context + generated);
        tell_decided(bench, TICKET_NONE, 0, unix_ns - first_ns, context + generated,
                     oracle_ideal_allowed(&bench->oracle) ? verdict_allow() : verdict_deny(1));
    }
    fclose(file);
    return true;
}

static void a_fixed_window_on_the_llm_trace_gives_the_known_figures(void **state)
{
    struct bench bench;

    (void)state;
    if (!tell_llm_trace(&bench, &fixed_window))
        skip();
    const struct result *result = bench_finish(&bench, 3600 * S);
    assert_int_equal(result->admitted, 3711);
    assert_int_equal(result->admitted_cost, 7400181);
    assert_int_equal(result->worst_window.cost, 399981);
    char text[DECIMAL_TEXT];
    assert_string_equal(decimal_text(result->excess, 3, text), "86487.553");
    assert_string_equal(decimal_text(result->boundary_burst, 2, text), "1.43");
    assert_int_equal(result->wrongly_admitted + result->wrongly_denied, 0);
    bench_close(&bench);
}

static void a_token_bucket_on_the_llm_trace_gives_the_known_figures(void **state)
{
    struct bench bench;

    (void)state;
    if (!tell_llm_trace(&bench, &token_bucket))
        skip();
    const struct result *result = bench_finish(&bench, 3600 * S);
    assert_int_equal(result->worst_window.cost, 399265);
    assert_decimal(result->excess, "0");
    char text[DECIMAL_TEXT];
    assert_string_equal(decimal_text(result->boundary_burst, 2, text), "1");
    assert_true(result->promise_kept);
    bench_close(&bench);
}

TEST_MAIN(TEST(a_burst_each_period_is_no_excess), TEST(the_double_at_a_windows_edge_is_seen),
          TEST(both_read_nine), TEST(an_entry_exactly_one_period_old_has_left_the_window),
          TEST(ties_go_to_the_earlier_instant_then_to_the_smaller_name),
          TEST(a_run_that_admits_nothing_has_no_worst_window),
          TEST(admissions_count_at_their_reading_not_at_their_decision),
          TEST(equal_instants_keep_the_order_of_decisions),
          TEST(a_shaped_request_is_admitted_when_it_departs),
          TEST(the_first_denial_is_the_least_that_stood_admitted),
          TEST(refused_keys_are_ranked_by_denials_then_name), TEST(failed_requests_have_no_latency),
          TEST(an_audit_without_a_limiter_judges_the_target_alone),
          TEST(an_audit_as_a_limiter_sees_each_decision_alone), TEST(the_watched_keys_series_adds_up),
          TEST(a_window_stands_in_every_bin_that_it_covers), TEST(memory_does_not_grow_with_requests),
          TEST(a_day_of_admissions_is_packed), TEST(nothing_overflows_at_the_ends_of_the_range),
          TEST(a_fixed_window_on_the_llm_trace_gives_the_known_figures),
          TEST(a_token_bucket_on_the_llm_trace_gives_the_known_figures))

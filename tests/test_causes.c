/* test_causes.c - why a run lets too much through: its excess, split by cause. */
#include "test.h"
#include "runner_rig.h"
#include "wild.h"
#include "../algos/systems/systems.h"

#define TEN "policy: {limit: 10, period: 60s}\n"
#define NINE_THEN_TWO "traffic: [{trace: scenarios/traces/both-read-nine.csv}]\nspread: off\n"
#define FAR \
    "topology: {regions: [fra, nrt, iad], store: iad, links: [{between: [fra, iad], round_trip: 90ms}," \
    " {between: [nrt, iad], round_trip: 90ms}]}\n"

/* That of the last run's i-th result, as "algorithm sharing race fault clock". */
static const char *split(unsigned i)
{
    static char text[CAUSES * DECIMAL_TEXT];
    size_t used = 0;

    assert_true(results[i].causes.known);
    for (unsigned cause = 0; cause < CAUSES; cause++) {
        char part[DECIMAL_TEXT];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", cause > 0 ? " " : "",
                                 decimal_text(results[i].causes.excess[cause], 9, part));
    }
    return text;
}

static void splits_into(const char *scenario, const char *expected)
{
    run(scenario);
    assert_string_equal(split(0), expected);
}

/* ---- known answers: one cause, and no other ---- */

static void a_correct_bucket_under_a_stricter_target_is_only_the_algorithm(void **state)
{
    (void)state;
    splits_into("policy: {limit: 20, period: 60s}\ntarget: {limit: 10}\n" FAR
                "traffic: [{generator: burst, size: 30, every: 60s, requests: 30, key: k, region: fra}]\n"
                "designs: token-bucket@owner\n", "10 0 0 0 0");
    assert_int_equal(results[0].causes.over_admitted[CAUSE_ALGORITHM], 10);
}

static void four_instances_with_one_caller_at_a_time_are_only_sharing(void **state)
{
    (void)state;
    splits_into("policy: {limit: 10, period: 1h}\n"
                "topology: {regions: [fra], links: [{from: fra, to: fra, one_way: 1ms}]}\n"
                "traffic: [{generator: closed-loop, in_flight: 1, requests: 400, key: k}]\n"
                "designs: fixed-window@local:instances=4\n", "0 30 0 0 0");
}

static void two_regions_that_both_read_nine_are_only_a_race(void **state)
{
    (void)state;
    splits_into(TEN FAR NINE_THEN_TWO "designs: [fixed-window@get-then-set, fixed-window@owner]\n",
                "0 0 0.666666667 0 0");
    assert_int_equal(results[0].causes.over_admitted[CAUSE_RACE], 1);
    assert_string_equal(split(1), "0 0 0 0 0");
}

/* The second copy of a take refunds twice, so that one more passes than was paid for. */
static void a_refund_that_comes_twice_is_only_a_fault(void **state)
{
    char *trace = file_of("t,key,cost,region\n0s,k,10,fra\n1s,k,-5,fra\n2s,k,10,fra\n");

    (void)state;
    splits_into(arena_format(&arena, "policy: {limit: 10, period: 1h}\n"
                             "topology: {regions: [fra, iad], store: iad, "
                             "links: [{between: [fra, iad], one_way: 1ms, duplicate: 1}]}\n"
                             "traffic: [{trace: %s}]\nspread: off\ndesigns: token-bucket@atomic\n", trace),
                "0 0 0 4.994444444 0");
    unlink(trace);
}

/* Five admissions are forgotten with the primary, and admitted again. */
static void a_failover_is_only_a_fault(void **state)
{
    (void)state;
    splits_into("policy: {limit: 10, period: 1h}\n" FAR
                "traffic: [{generator: burst, size: 5, duration: 1s, region: iad},\n"
                "  {generator: burst, size: 10, start: 10s, duration: 1s, region: iad}]\n"
                "faults: [{failover: iad, at: 5s, loses: 10s}]\n"
                "designs: [token-bucket@atomic, token-bucket@owner, fixed-window@incr]\n",
                "0 0 0 4.972222222 0");
    assert_int_equal(results[0].causes.over_admitted[CAUSE_FAULT], 5);
    assert_string_equal(split(1), split(0));
    assert_string_equal(split(2), split(0));
}

/* Every kind that lets anything through. */
static void what_the_time_line_does_is_only_a_fault(void **state)
{
    static const char *const fault[] = {
        "{forget: all, at: 5s}", "{owner_crash: all, at: 5s}", "{recycle: all, at: 5s}",
        "{outage: all, from: 5s, to: 15s, answers: error}", "{policy: more, at: 5s}",
    };
    static const char *const design[] = {
        "token-bucket@atomic", "interval-bucket@durable-object:state=memory", "token-bucket@local",
        "token-bucket@owner:unreachable=open", "fixed-window@owner",
    };

    (void)state;
    for (unsigned i = 0; i < sizeof fault / sizeof *fault; i++) {
        run(arena_format(&arena, "policy: {limit: 10, period: 1h, variants: {more: {limit: 20}}}\n"
                         "traffic: {generator: burst, size: 10, every: 10s, duration: 11s}\n"
                         "faults: [%s]\ndesigns: '%s'\n", fault[i], design[i]));
        assert_true(results[0].over_admitted >= 9);
        assert_int_equal(results[0].causes.over_admitted[CAUSE_FAULT], results[0].over_admitted);
        assert_true(results[0].causes.excess[CAUSE_FAULT].billionths == results[0].excess.billionths);
    }
}

/* Two keys, or a key for each request: shares of one person's limit. */
static void a_person_with_several_keys_is_only_sharing(void **state)
{
    (void)state;
    splits_into("policy: {limit: 10, period: 60s}\n"
                "traffic: {generator: burst, size: 30, duration: 1s, keys_per_person: 2}\n"
                "designs: [token-bucket@owner, 'token-bucket@owner:key=before-slash']\n", "0 10 0 0 0");
    assert_int_equal(results[0].causes.over_admitted[CAUSE_SHARING], 10);
    assert_string_equal(split(1), "0 0 0 0 0");
}

static void a_key_rule_that_a_client_chooses_is_only_sharing(void **state)
{
    char *trace = file_of("t,who,key\n0s,a,\"x, a\"\n0s,a,\"y, a\"\n0s,a,\"z, a\"\n");

    (void)state;
    splits_into(arena_format(&arena, "policy: {limit: 1, period: 60s}\ntraffic: {trace: %s}\nspread: off\n"
                             "designs: ['gcra@owner:key=forwarded-first', 'gcra@owner:key=forwarded-last']\n",
                             trace), "0 2 0 0 0");
    assert_string_equal(split(1), "0 0 0 0 0");
    unlink(trace);
}

static void a_window_that_is_skewed_is_only_the_clock(void **state)
{
    char *trace = file_of("t,key,cost,region\n50s,k,10,a\n51s,k,10,b\n");

    (void)state;
    splits_into(arena_format(&arena, TEN "topology: {regions: [a, b], store: a, "
                             "clocks: [{region: b, offset: 15s}]}\n"
                             "traffic: [{trace: %s}]\nspread: off\n"
                             "designs: fixed-window@get-then-set\n", trace),
                "0 0 0 0 9.833333333");
    unlink(trace);
}

/* ---- the sum rule, and what is left out ---- */

static void parts_sum_to_the_whole(const struct result *result)
{
    i128 excess = 0;
    int64_t over = 0;

    assert_true(result->causes.known);
    for (unsigned cause = 0; cause < CAUSES; cause++) {
        excess += result->causes.excess[cause].billionths;
        over += result->causes.over_admitted[cause];
    }
    assert_true(excess == result->excess.billionths);
    assert_int_equal(over, result->over_admitted);
}

static void the_parts_sum_to_the_whole_and_leaving_runs_out_changes_nothing(void **state)
{
    struct wild wild = { .dice = { 20 } };
    unsigned seen[CAUSES] = { 0 };

    (void)state;
    for (unsigned i = 0; i < 400; i++) {
        run(wild_scenario(&wild));
        assert_int_equal(count, 1);
        struct result lean = results[0];
        if (!try_with(wild.text, (struct runner_options){ .every_reality = true }))
            fail_msg("%s\n%s", failure.line, wild.text);
        parts_sum_to_the_whole(&lean);
        if (memcmp(&lean.causes, &results[0].causes, sizeof lean.causes) != 0)
            fail_msg("%s\n%s", split(0), wild.text);
        for (unsigned cause = 0; cause < CAUSES; cause++)
            seen[cause] += lean.causes.excess[cause].billionths != 0;
    }
    for (unsigned cause = 0; cause < CAUSES; cause++)
        assert_true(seen[cause] >= 5);
}

static void a_broken_await_is_only_a_race(void **state)
{
    (void)state;
    splits_into("policy: {limit: 20, period: 1h}\n"
                "traffic: {generator: burst, size: 60, duration: 1s}\n"
                "designs: token-bucket@durable-object:await=fetch\n", "0 0 40 0 0");
}

static void leaving_runs_out_changes_nothing_for_any_system(void **state)
{
    unsigned played = 0;

    (void)state;
    for (unsigned family = 0; systems[family]; family++)
        for (const struct system *system = systems[family]; system->name; system++) {
            char *text = arena_format(&arena, TEN THREE "ceiling: {limit: 50}\nwork: 20ms\n"
                                      "traffic: [{generator: poisson, rate: 50/s, duration: 5s, " KEYS "}]\n"
                                      "faults: [{recycle: all, at: 2s}]\ndesigns: %s\n", system->name);
            if (!try_with(text, (struct runner_options){ 0 }))
                continue;
            struct causes lean = results[0].causes;
            assert_true(try_with(text, (struct runner_options){ .every_reality = true }));
            if (memcmp(&lean, &results[0].causes, sizeof lean) != 0)
                fail_msg("%s: %s", system->name, split(0));
            played++;
        }
    assert_true(played >= 45);
}

/* A limiter alone is played once for all its designs. */
static void a_design_has_the_causes_that_it_has_by_itself(void **state)
{
    static const char *const design[] = { "token-bucket@get-then-set", "fixed-window@kv",
                                          "token-bucket@local", "fixed-window@get-then-set" };
    static const char text[] = "policy: {limit: [10, 30], period: 1s}\ntarget: {limit: 8}\n" THREE
                               "traffic: [{generator: closed-loop, in_flight: 9, " KEYS "}]\n";
    struct causes together[8];

    (void)state;
    run(arena_format(&arena, "%sdesigns: ['%s', '%s', '%s', '%s']\n", text, design[0], design[1], design[2],
                     design[3]));
    for (unsigned i = 0; i < 8; i++)
        together[i] = results[i].causes;
    for (unsigned i = 0; i < 4; i++) {
        run(arena_format(&arena, "%sdesigns: ['%s']\n", text, design[i]));
        assert_memory_equal(&together[i], &results[0].causes, sizeof together[i]);
        assert_memory_equal(&together[4 + i], &results[1].causes, sizeof together[i]);
        assert_true(results[0].causes.excess[CAUSE_ALGORITHM].billionths > 0);
    }
    assert_memory_not_equal(&together[0], &together[4], sizeof together[0]);
}

static void nothing_else_of_a_result_depends_on_causes(void **state)
{
    static const char text[] = TEN THREE BUSY("designs: [gcra@kv, gcra@get-then-set]\n");
    struct result with[2];

    (void)state;
    run(text);
    memcpy(with, results, sizeof with);
    run(arena_format(&arena, "%scauses: off\n", text));
    for (unsigned i = 0; i < 2; i++) {
        assert_true(with[i].causes.known && !results[i].causes.known);
        assert_int_equal(with[i].digest, results[i].digest);
        assert_int_equal(with[i].over_admitted, results[i].over_admitted);
        assert_int_equal(with[i].requests, results[i].requests);
    }
}

TEST_MAIN(RUN_TEST(a_correct_bucket_under_a_stricter_target_is_only_the_algorithm),
          RUN_TEST(four_instances_with_one_caller_at_a_time_are_only_sharing),
          RUN_TEST(two_regions_that_both_read_nine_are_only_a_race),
          RUN_TEST(a_refund_that_comes_twice_is_only_a_fault),
          RUN_TEST(a_failover_is_only_a_fault),
          RUN_TEST(what_the_time_line_does_is_only_a_fault),
          RUN_TEST(a_person_with_several_keys_is_only_sharing),
          RUN_TEST(a_key_rule_that_a_client_chooses_is_only_sharing),
          RUN_TEST(a_window_that_is_skewed_is_only_the_clock),
          RUN_TEST(the_parts_sum_to_the_whole_and_leaving_runs_out_changes_nothing),
          RUN_TEST(a_broken_await_is_only_a_race),
          RUN_TEST(leaving_runs_out_changes_nothing_for_any_system),
          RUN_TEST(a_design_has_the_causes_that_it_has_by_itself),
          RUN_TEST(nothing_else_of_a_result_depends_on_causes))

/* test_scenario_faults.c - how faults are written, and what is refused. */
#include "test.h"
#include "scenario_rig.h"
#include "../harness/scenario_keys.h"

#define S INT64_C(1000000000)
#define MS INT64_C(1000000)

/* A scenario of two regions with these faults. */
static const char *with(const char *faults)
{
    return arena_format(&arena, "%sfaults: %s\n", TWO_REGIONS, faults);
}

static const struct fault *only(const char *fault)
{
    static char text[1000];

    snprintf(text, sizeof text, "%s", with(fault));
    accept(text);
    assert_int_equal(experiment.faults, 1);
    return &experiment.fault[0].fault;
}

static void refused(const char *fault, const char *line)
{
    static char text[1000], expected[400];

    snprintf(text, sizeof text, "%s", with(fault));
    snprintf(expected, sizeof expected, "s/file.yaml:3: %s", line);
    refuse(text, expected);
}

static void assert_time(const struct fault *fault, enum fault_kind kind, int64_t from_ns, int64_t to_ns)
{
    assert_int_equal(fault->kind, kind);
    assert_int_equal(fault->from_ns, from_ns);
    assert_int_equal(fault->to_ns, to_ns);
}

static void links_are_cut_both_ways_or_one(void **state)
{
    (void)state;
    const struct fault *fault = only("[{partition: [fra, iad], from: 5s, to: 8s}]");
    assert_time(fault, FAULT_PARTITION, 5 * S, 8 * S);
    assert_int_equal(fault->from, 0);
    assert_int_equal(fault->to, 1);
    assert_true(fault->both_ways);
    assert_int_equal(fault->billionths, FAULT_CERTAIN);
    fault = only("[{partition: iad, ways: one}]");
    assert_time(fault, FAULT_PARTITION, 0, NEVER_NS);
    assert_int_equal(fault->from, 1);
    assert_int_equal(fault->to, -1);
    assert_false(fault->both_ways);
    fault = only("[{loss: 5%, between: [iad, fra], ways: one}]");
    assert_int_equal(fault->from, 1);
    assert_int_equal(fault->to, 0);
    assert_int_equal(fault->billionths, 50000000);
    fault = only("[{lost_answers: 0.5}]");
    assert_int_equal(fault->from, -1);
    assert_int_equal(fault->to, -1);
    assert_true(fault->both_ways);
    fault = only("{delay: 200ms, probability: 1%}");
    assert_int_equal(fault->span_ns, 200 * MS);
    assert_int_equal(fault->billionths, 10000000);
}

static void stores_and_instances_are_named_by_region(void **state)
{
    (void)state;
    const struct fault *fault = only("[{outage: iad, from: 10s, to: 20s, answers: error}]");
    assert_time(fault, FAULT_OUTAGE, 10 * S, 20 * S);
    assert_int_equal(fault->region, 1);
    assert_true(fault->refuses);
    fault = only("[{outage: all}]");
    assert_false(fault->refuses);
    assert_int_equal(fault->region, -1);
    assert_int_equal(only("[{slow: fra, by: 200ms}]")->span_ns, 200 * MS);
    fault = only("[{crash: fra, instance: 0, from: 1s, to: 1s, cold_start: 300ms}]");
    assert_time(fault, FAULT_CRASH, 1 * S, 1 * S);
    assert_int_equal(fault->instance, 0);
    assert_int_equal(fault->span_ns, 300 * MS);
    fault = only("[{recycle: all, every: 60s}]");
    assert_time(fault, FAULT_RECYCLE, 60 * S, NEVER_NS);
    assert_int_equal(fault->every_ns, 60 * S);
    assert_int_equal(fault->instance, -1);
    fault = only("[{owner_crash: iad, at: 1s, every: 5s, to: 30s}]");
    assert_time(fault, FAULT_OWNER_CRASH, 1 * S, 30 * S);
}

static void states_are_lost_as_written(void **state)
{
    (void)state;
    const struct fault *fault = only("[{failover: iad, at: 30s, loses: 2s, offset: -5s}]");
    assert_time(fault, FAULT_FAILOVER, 30 * S, NEVER_NS);
    assert_int_equal(fault->span_ns, 2 * S);
    assert_int_equal(fault->offset_ns, -5 * S);
    assert_null(experiment.fault[0].key);
    only("[{forget: user-7, at: 1s}]");
    assert_string_equal(experiment.fault[0].key, "user-7");
    only("[{forget: all, at: 1s}]");
    assert_null(experiment.fault[0].key);
    fault = only("[{capacity: 100, region: iad}]");
    assert_int_equal(fault->most, 100);
    assert_int_equal(fault->region, 1);
    assert_int_equal(only("[{expiry: early, by: 10s}]")->span_ns, -10 * S);
    assert_int_equal(only("[{expiry: late, by: 10s}]")->span_ns, 10 * S);
    fault = only("[{expiry: never, probability: 10%}]");
    assert_int_equal(fault->span_ns, NEVER_NS);
    assert_int_equal(fault->billionths, 100000000);
}

static void several_faults_keep_their_order(void **state)
{
    (void)state;
    accept(TWO_REGIONS "faults:\n- {loss: 1%}\n- {outage: fra}\n- {loss: 2%}\n");
    assert_int_equal(experiment.faults, 3);
    assert_int_equal(experiment.fault[1].fault.kind, FAULT_OUTAGE);
    assert_int_equal(experiment.fault[2].fault.billionths, 20000000);
    assert_int_equal(experiment.fault[2].origin.line, 6);
}

static void callers_are_patient_for_five_seconds_or_as_stated(void **state)
{
    (void)state;
    accept(STREAM);
    assert_int_equal(experiment.timeout_ns, 5 * S);
    accept("timeout: 200ms\n" STREAM);
    assert_int_equal(experiment.timeout_ns, 200 * MS);
}

static void a_fault_that_cannot_be_is_refused_where_it_stands(void **state)
{
    (void)state;
    refused("[{outge: fra}]", "a fault's kind: 'outge' is not known; did you mean 'outage'?");
    refused("[outage]", "a fault is text; expected a mapping, as in {outage: fra, from: 10s}");
    refused("[{}]", "a fault is empty; expected a mapping, as in {outage: fra, from: 10s}");
    refused("[{outage: fra, crash: fra}]", "a fault is both 'outage' and 'crash'; expected one kind");
    refused("[{outage: frb}]", "outage: 'frb' is not known; did you mean 'fra'?");
    refused("[{outage: fra, by: 2s}]",
            "'by' does not belong to outage; expected only with slow or expiry");
    refused("[{outage: fra, from: 2s, to: 2s}]",
            "this fault ends before it has begun; expected `to` after its beginning");
    refused("[{outage: fra, answer: error}]", "a fault has no key 'answer'; did you mean 'answers'?");
    refused("[{partition: [fra, fra]}]",
            "partition names a region twice; expected two regions, as in [fra, iad]");
    refused("[{partition: [fra]}]", "partition is not a pair; expected two regions, as in [fra, iad]");
    refused("[{loss: 5%, between: fra}]", "between is not a pair; expected two regions, as in [fra, iad]");
    refused("[{loss: 101%}]", "loss: '101%' is not a probability in whole billionths; "
            "expected 0 to 100%, as in 1%, or 0 to 1, as in 0.01");
    refused("[{failover: fra}]", "this fault lacks its time; expected at: 30s");
    refused("[{recycle: all}]", "this fault lacks its time; expected at: 30s, or every: 60s");
    refused("[{expiry: early}]", "an end that comes early or late lacks its span; expected by: 10s");
    refused("[{expiry: never, by: 1s}]",
            "a key that never ends ends `by` no span; expected expiry: never alone");
    refused("[{capacity: 0}]", "capacity: '0' is out of range; expected 1 to 4294967295");
    refused("[{policy: gold, at: 1s}]", "policy: 'gold' is unknown; expected one of policy.variants, "
            "which has none");
}

TEST_MAIN(SCENARIO_TEST(links_are_cut_both_ways_or_one),
          SCENARIO_TEST(stores_and_instances_are_named_by_region),
          SCENARIO_TEST(states_are_lost_as_written),
          SCENARIO_TEST(several_faults_keep_their_order),
          SCENARIO_TEST(callers_are_patient_for_five_seconds_or_as_stated),
          SCENARIO_TEST(a_fault_that_cannot_be_is_refused_where_it_stands))

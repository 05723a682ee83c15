/* The head of a table says where an experiment takes place and what arrives there. */
#include "test.h"
#include <string.h>
#include "../harness/scenario.h"
#include "../harness/setting.h"

static void check(const char *scenario, const char *expected)
{
    struct arena arena = { 0 };
    struct experiment experiment;
    struct failure failure;

    if (!scenario_parse(scenario, strlen(scenario), NULL, NULL, &arena, &experiment, &failure))
        fail_msg("%s", failure.line);
    assert_string_equal(setting_text(&experiment, &arena), expected);
    arena_free(&arena);
}

static void what_goes_without_saying_is_not_said(void **state)
{
    (void)state;
    check("traffic: {trace: t.csv}", "regions: home; store in home\ntraffic: t.csv");
}

static void constant_delays_are_told_as_round_trips(void **state)
{
    (void)state;
    check("topology: {regions: {a: {instances: 2}, b: {}}, store: b, local: 0.5ms,\n"
          "  links: [{between: [a, b], round_trip: 90ms, loss: 1%, duplicate: 0.25%}]}\n"
          "traffic: {trace: t.csv, region: b}",
          "regions: a (2 instances), b; store in b\n"
          "round trips: a - b 90ms (loses 1%) (doubles 0.25%)\n"
          "to a store in a itself, one way: 500us\n"
          "traffic: t.csv in b");
}

static void other_delays_are_told_each_way(void **state)
{
    (void)state;
    check("topology: {regions: [a, b], links: [{from: a, to: b, one_way: {uniform: [1ms, 2ms]}},\n"
          "  {from: b, to: a, one_way: 3ms}]}\n"
          "traffic: {trace: t.csv}",
          "regions: a, b; store in a\n"
          "round trips: a to b 1ms to 2ms, back 3ms\n"
          "traffic: t.csv");
}

static void wrong_clocks_are_told(void **state)
{
    (void)state;
    check("topology: {regions: [a, b], instances: 2, clocks: [{region: b, offset: -5ms, drift_ppm: 20},\n"
          "  {region: a, instance: 1, drift_ppm: -2.5}]}\ntraffic: "
          "{trace: t.csv}",
          "regions: a (2 instances), b (2 instances); store in a\n"
          "round trips: not stated: no delay\n"
          "clocks: instances of b: offset -5ms, drift 20 ppm, instance 1 of a: offset 0s, drift -2.5 ppm\n"
          "traffic: t.csv");
}

static void variants_ceiling_and_work_are_told(void **state)
{
    (void)state;
    check("policy: {limit: 5, variants: {gold: {limit: 9, burst: 20}, next: {format: 1}}}\n"
          "ceiling: {limit: 30, burst: 40, per: prefix}\nwork: 2s\n"
          "traffic: [{generator: burst, size: 3, policy: gold, used: {1: 1, 7: 2}, keys_per_person: fresh},\n"
          "  {generator: burst, size: 4, used: 6}]\n",
          "regions: home; store in home\n"
          "variants: gold 9 per 60s, burst 20; next 5 per 60s, format 1\n"
          "ceiling: 30 per 60s for keys alike up to the first ':', burst 40\n"
          "work: 2s\n"
          "traffic: one burst of 3, each shows 3 in turn, under gold, uses 1 to 7; one burst of 4, uses 6");
}

static void every_stream_is_told(void **state)
{
    (void)state;
    check("traffic:\n"
          "  - {generator: poisson, rate: 400/s, duration: 10s, keys: 300, zipf: 1.0, costs: {5: 1, 100: "
          "2}}\n"
          "  - {generator: burst, size: 20, start: 1s}\n"
          "  - {generator: burst, size: 20, every: 1s, requests: 60}\n"
          "  - {generator: closed-loop, in_flight: 20, requests: 110}\n"
          "  - {generator: ramp, rate: 7/m, end_rate: 5/h, duration: 10s, costs: 5}",
          "regions: home; store in home\n"
          "traffic: poisson 400/s for 10s, 300 keys (zipf 1), costs 5 to 100; one burst of 20 from 1s; "
          "bursts of 20, one every 1s, 60 requests; 20 clients in a loop, 110 requests; "
          "ramp 7/m to 5/h for 10s, cost 5");
}

static void a_crowd_of_regions_is_cut_short(void **state)
{
    (void)state;
    check("topology: {round_trips: cloud, regions: [us-east-1, us-east-2, us-west-1, us-west-2, eu-west-1,\n"
          "  eu-west-2]}\ntraffic: {trace: t.csv}",
          "regions: us-east-1, us-east-2, us-west-1, us-west-2, eu-west-1, eu-west-2; store in us-east-1\n"
          "round trips: us-east-1 - us-east-2 15.4ms, us-east-1 - us-west-1 63.9ms, "
          "us-east-1 - us-west-2 64.1ms, us-east-1 - eu-west-1 69.6ms, us-east-1 - eu-west-2 77.6ms, "
          "us-east-2 - us-west-1 52.7ms, us-east-2 - us-west-2 50.9ms, us-east-2 - eu-west-1 80.3ms, "
          "us-east-2 - eu-west-2 88.3ms, us-west-1 - us-west-2 21.9ms and 5 more pairs\n"
          "to a store in us-east-1 itself, one way: 410us\n"
          "traffic: t.csv");
}

static void pairs_that_nobody_states_are_told_at_once(void **state)
{
    (void)state;
    check("topology: {regions: [a, b, c, d], links: [{between: [a, b], round_trip: 0s},\n"
          "  {between: [d, c], round_trip: 2ms}]}\ntraffic: {trace: t.csv}",
          "regions: a, b, c, d; store in a\n"
          "round trips: a - b 0s, c - d 2ms; others not stated: no delay\n"
          "traffic: t.csv");
}

static void faults_are_told_with_their_times(void **state)
{
    (void)state;
    check("faults: [{outage: all, from: 10s, to: 20s}, {failover: all, at: 30s},\n"
          "  {recycle: all, every: 60s}]\n"
          "traffic: {trace: t.csv}",
          "regions: home; store in home\n"
          "traffic: t.csv\n"
          "faults: outage at 10s until 20s, failover at 30s, recycle at 60s and every 60s");
}

TEST_MAIN(
    TEST(faults_are_told_with_their_times),
    TEST(what_goes_without_saying_is_not_said),
    TEST(constant_delays_are_told_as_round_trips),
    TEST(other_delays_are_told_each_way),
    TEST(wrong_clocks_are_told),
    TEST(variants_ceiling_and_work_are_told),
    TEST(every_stream_is_told),
    TEST(a_crowd_of_regions_is_cut_short),
    TEST(pairs_that_nobody_states_are_told_at_once)
)

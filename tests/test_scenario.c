/* test_scenario.c - what scenario files can say, and where it arrives. */
#include "test.h"
#include <stdlib.h>
#include <unistd.h>
#include "../harness/regions.h"
#include "scenario_rig.h"

/* ---- what a scenario can say ---- */

static void only_traffic_must_be_said(void **state)
{
    struct experiment plain;

    (void)state;
    accept(STREAM);
    experiment_init(&plain);
    assert_string_equal(experiment.file, "s/file.yaml");
    assert_string_equal(experiment.name, "file");
    assert_string_equal(experiment.title, plain.title);
    assert_string_equal(experiment.story, plain.story);
    assert_int_equal(experiment.limits, 1);
    assert_int_equal(experiment.limit[0], plain.limit[0]);
    assert_int_equal(experiment.period_ns, plain.period_ns);
    assert_int_equal(experiment.burst, plain.burst);
    assert_memory_equal(&experiment.target, &plain.target, sizeof plain.target);
    assert_memory_equal(&experiment.topology, &plain.topology, sizeof plain.topology);
    assert_int_equal(experiment.designs, 0);
    assert_int_equal(experiment.first_seed, plain.first_seed);
    assert_int_equal(experiment.last_seed, plain.last_seed);
    assert_int_equal(experiment.claims, 0);
    assert_int_equal(experiment.requires, 0);
    assert_int_equal(experiment.spread, SPREAD_AUTO);
}

/* Section by section, the defaults of the tables are those of experiment_init(). */
static void empty_sections_change_nothing(void **state)
{
    struct experiment plain;

    (void)state;
    accept("policy: {}\ntarget: {}\ntopology: {}\nclaims: []\n" STREAM);
    experiment_init(&plain);
    assert_int_equal(experiment.limit[0], plain.limit[0]);
    assert_int_equal(experiment.period_ns, plain.period_ns);
    assert_memory_equal(&experiment.target, &plain.target, sizeof plain.target);
    assert_int_equal(experiment.topology.regions, 1);
    assert_string_equal(experiment.topology.region[0], "home");
    assert_int_equal(experiment.topology.instances[0], 1);
    assert_int_equal(experiment.topology.links, 0);
    assert_int_equal(experiment.claims, 0);
}

static void the_head_of_a_scenario_is_read(void **state)
{
    (void)state;
    accept("title: T\nstory: 'S: t'\npolicy: {limit: [50, 1_000], period: 1.5s, burst: 7}\n"
           "target: {kind: window, limit: 9, period: 5m, burst: 3}\n"
           "designs: [gcra@cas, \"a@b:c=1\"]\nseeds: 3..22\n"
           "require: ['p99<=10ms', 'over_admitted=0']\nspread: off\n" STREAM);
    assert_string_equal(experiment.title, "T");
    assert_string_equal(experiment.story, "S: t");
    assert_int_equal(experiment.limits, 2);
    assert_int_equal(experiment.limit[0], 50);
    assert_int_equal(experiment.limit[1], 1000);
    assert_int_equal(experiment.period_ns, 1500000000);
    assert_int_equal(experiment.burst, 7);
    assert_int_equal(experiment.target.kind, TARGET_WINDOW);
    assert_int_equal(experiment.target.limit, 9);
    assert_int_equal(experiment.target.period_ns, 300000000000);
    assert_int_equal(experiment.target.burst, 3);
    assert_int_equal(experiment.designs, 2);
    assert_string_equal(experiment.design[1], "a@b:c=1");
    assert_int_equal(experiment.design_origin[1].line, 5);
    assert_int_equal(experiment.first_seed, 3);
    assert_int_equal(experiment.last_seed, 22);
    assert_int_equal(experiment.requires, 2);
    assert_string_equal(experiment.require[0].text, "p99<=10ms");
    assert_int_equal(experiment.spread, SPREAD_OFF);
}

static void one_value_stands_for_a_list_of_one(void **state)
{
    (void)state;
    accept("policy: {limit: 5}\ndesigns: gcra@owner\nrequire: p99<=1s\ntopology: {regions: fra}\n"
           "target: window\nseeds: 7\ntraffic: {trace: /abs/x.csv}\n");
    assert_int_equal(experiment.limits, 1);
    assert_int_equal(experiment.designs, 1);
    assert_int_equal(experiment.requires, 1);
    assert_int_equal(experiment.target.kind, TARGET_WINDOW);
    assert_int_equal(experiment.first_seed, 7);
    assert_int_equal(experiment.last_seed, 7);
    assert_string_equal(experiment.traffic[0].trace, "/abs/x.csv");
}

static void words_that_other_readers_of_yaml_convert_are_just_names(void **state)
{
    (void)state;
    accept("topology: {regions: [no, 1e3, \"010\", ~, null]}\ntraffic: [{trace: x.csv, region: no}]\n");
    assert_int_equal(experiment.topology.regions, 5);
    assert_string_equal(experiment.topology.region[0], "no");
    assert_string_equal(experiment.topology.region[2], "010");
    assert_int_equal(experiment_region(&experiment, "1e3"), 1);
    assert_int_equal(experiment_region(&experiment, "yes"), -1);
}

static void regions_have_instances(void **state)
{
    (void)state;
    accept("topology: {regions: {fra: {instances: 4}, iad: {}}, instances: 2, store: iad}\n" STREAM);
    assert_int_equal(experiment.topology.regions, 2);
    assert_int_equal(experiment.topology.instances[0], 4);
    assert_int_equal(experiment.topology.instances[1], 2);
    assert_int_equal(experiment.topology.store, 1);
    accept("topology: {instances: 3}\n" STREAM);
    assert_int_equal(experiment.topology.instances[0], 3);
}

/* ---- links ---- */

static const struct link_spec *way(const char *from, const char *to)
{
    int64_t a = experiment_region(&experiment, from), b = experiment_region(&experiment, to);

    for (uint32_t i = 0; i < experiment.topology.links; i++)
        if (experiment.topology.link[i].from == a && experiment.topology.link[i].to == b)
            return &experiment.topology.link[i];
    return NULL;
}

static void the_two_ways_of_a_constant_round_trip_sum_to_it(void **state)
{
    (void)state;
    accept("topology: {regions: [fra, iad], links: [{between: [fra, iad], round_trip: 11ns}]}\n" STREAM);
    assert_int_equal(experiment.topology.links, 2);
    assert_int_equal(way("fra", "iad")->delay.low_ns, 5);
    assert_int_equal(way("iad", "fra")->delay.low_ns, 6);
}

static void each_way_draws_half_of_a_round_trip_that_varies(void **state)
{
    (void)state;
    accept("topology:\n  regions: [a, b, c]\n  links:\n"
           "  - {between: [a, b], round_trip: {log_normal: "
           "{floor: 10ms, median: 15ms, sigma: 0.5, most: 1s}}, loss: 1%}\n"
           "  - {between: [b, c], round_trip: {empirical: [3ns, 8ns]}}\n"
           "  - {from: a, to: c, one_way: {exponential: {mean: 4ms}}, duplicate: 0.1%}\n" STREAM);
    const struct link_spec *ab = way("a", "b"), *cb = way("c", "b"), *ac = way("a", "c");
    assert_int_equal(ab->delay.kind, DIST_LOG_NORMAL);
    assert_int_equal(ab->delay.low_ns, 5000000);
    assert_int_equal(ab->delay.scale_ns, 2500000);
    assert_int_equal(ab->delay.high_ns, 500000000);
    assert_int_equal(ab->delay.sigma_billionths, 500000000);
    assert_int_equal(ab->loss_billionths, 10000000);
    assert_int_equal(way("b", "a")->loss_billionths, 10000000);
    assert_int_equal(cb->delay.samples, 2);
    assert_int_equal(cb->delay.samples_ns[0] + way("b", "c")->delay.samples_ns[0], 3);
    assert_int_equal(cb->delay.samples_ns[1], 4);
    assert_int_equal(ac->delay.kind, DIST_EXPONENTIAL);
    assert_int_equal(ac->delay.scale_ns, 4000000);
    assert_int_equal(ac->duplicate_billionths, 1000000);
    assert_null(way("c", "a"));
    assert_int_equal(ac->origin.line, 6);
}

static void what_no_link_states_comes_from_local_and_from_the_table(void **state)
{
    (void)state;
    accept("topology: {regions: [us-east-1, eu-west-1, on-prem], round_trips: cloud, local: 1ms, links: [\n"
           "  {between: [us-east-1, on-prem], round_trip: 4ms}, "
           "{between: [eu-west-1, on-prem], one_way: 3ms},\n"
           "  {from: on-prem, to: on-prem, one_way: 9ms}]}\n" STREAM);
    assert_int_equal(experiment.topology.links, 9);
    assert_int_equal(way("us-east-1", "us-east-1")->delay.low_ns, 1000000);
    assert_int_equal(way("on-prem", "on-prem")->delay.low_ns, 9000000);
    assert_int_equal(way("on-prem", "eu-west-1")->delay.low_ns, 3000000);
    accept("topology: {regions: [us-east-1, on-prem], round_trips: cloud, "
           "links: [{between: [us-east-1, on-prem]}]}\n" STREAM);
    assert_int_equal(way("us-east-1", "us-east-1")->delay.low_ns, REGION_ITSELF_NS / 2);
    assert_null(way("on-prem", "on-prem"));
    accept("topology: {regions: [us-east-1, eu-west-1], round_trips: cloud}\n" STREAM);
    assert_int_equal(experiment.topology.links, 4);
    int64_t round_trip = way("us-east-1", "eu-west-1")->delay.low_ns +
                         way("eu-west-1", "us-east-1")->delay.low_ns;
    assert_in_range(round_trip, 50000000, 120000000);       /* the Atlantic has not moved */
}

static void delays_are_read_from_a_file_of_samples(void **state)
{
    char path[] = "test-scenario-XXXXXX";
    int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, "12ms\r\n\n8ms\n40ms", 15), 15);
    close(file);
    const struct override overrides[] = {
        { "--trace", "traffic.0.trace", "x.csv" }, { "--set", "topology.local.empirical", path }, { 0 }
    };
    bool good = scenario_load(NULL, overrides, &arena, &experiment, &failure);
    unlink(path);
    assert_true(good);
    const struct dist_spec *delay = &experiment.topology.link[0].delay;
    assert_int_equal(delay->kind, DIST_EMPIRICAL);
    assert_int_equal(delay->samples, 3);
    assert_int_equal(delay->samples_ns[0], 8000000);         /* dist_init() has put them in order */
    assert_int_equal(delay->samples_ns[2], 40000000);
}

/* ---- clocks ---- */

static void clocks_are_wrong_as_stated(void **state)
{
    (void)state;
    accept("topology:\n  regions: {fra: {instances: 2}, iad: {}}\n  clocks:\n"
           "  - {region: fra, instance: 1, offset: -5ms, drift_ppm: -12.5, "
           "steps: [{at: 1s, by: -2s}, {at: 2s, by: 1ms}]}\n"
           "  - {store: true, drift_ppm: 20}\n  - {}\n" STREAM);
    const struct clock_spec *clock = experiment.topology.clock;
    assert_int_equal(experiment.topology.clocks, 3);
    assert_int_equal(clock[0].region, 0);
    assert_int_equal(clock[0].instance, 1);
    assert_int_equal(clock[0].clock.offset_ns, -5000000);
    assert_int_equal(clock[0].clock.drift_ppb, -12500);
    assert_int_equal(clock[0].clock.steps, 2);
    assert_int_equal(clock[0].clock.step[0].by_ns, -2000000000);
    assert_false(clock[0].clock.perfect);
    assert_int_equal(clock[0].origin.line, 4);
    assert_int_equal(clock[1].region, -1);
    assert_int_equal(clock[1].instance, -1);
    assert_true(clock[1].store_clock);
    assert_int_equal(clock[1].clock.drift_ppb, 20000);
    assert_true(clock[2].clock.perfect);
}

/* ---- traffic ---- */

static void every_kind_of_generator_is_read(void **state)
{
    (void)state;
    accept("topology: {regions: [fra, iad, nrt]}\ntraffic:\n"
           "- {trace: t/x.csv, region: iad}\n"
           "- {generator: constant, rate: 400/s, requests: 9}\n"
           "- {generator: poisson, rate: 90/m, start: 1s, duration: 10s, keys: 300, key: t-, zipf: 0.99,\n"
           "   costs: {100: 90, 4_000: 10}, regions: {nrt: 3, fra: 1}}\n"
           "- {generator: on-off, rate: 5/h, on: 2s, off: 8s, duration: 1h, costs: 7}\n"
           "- {generator: ramp, rate: 1/s, end_rate: 2/s, duration: 10s}\n"
           "- {generator: burst, size: 20}\n"
           "- {generator: burst, size: 20, every: 60s, duration: 5m}\n"
           "- {generator: closed-loop, in_flight: 20, requests: 110, think: 1ms, region: fra}\n");
    const struct traffic *t = experiment.traffic;
    assert_int_equal(experiment.traffics, 8);
    assert_string_equal(t[0].trace, "s/t/x.csv");
    assert_int_equal(t[0].region, 1);
    assert_int_equal(t[1].kind, TRAFFIC_CONSTANT);
    assert_int_equal(t[1].rate_per_hour, 1440000);
    assert_int_equal(t[1].region, -1);
    assert_int_equal(t[1].keys, 1);
    assert_string_equal(t[1].key_prefix, "key");
    assert_int_equal(t[2].kind, TRAFFIC_POISSON);
    assert_int_equal(t[2].rate_per_hour, 5400);
    assert_int_equal(t[2].start_ns, 1000000000);
    assert_int_equal(t[2].zipf_billionths, 990000000);
    assert_int_equal(t[2].costs, 2);
    assert_int_equal(t[2].cost[1].cost, 4000);
    assert_int_equal(t[2].cost[1].weight, 10);
    assert_int_equal(t[2].region_weights, 3);
    assert_int_equal(t[2].region_weight[0], 1);
    assert_int_equal(t[2].region_weight[1], 0);
    assert_int_equal(t[2].region_weight[2], 3);
    assert_int_equal(t[3].off_ns, 8000000000);
    assert_int_equal(t[3].cost[0].cost, 7);
    assert_int_equal(t[4].end_rate_per_hour, 7200);
    assert_int_equal(t[5].requests, 20);
    assert_int_equal(t[6].every_ns, 60000000000);
    assert_int_equal(t[6].requests, 0);
    assert_int_equal(t[7].kind, TRAFFIC_CLOSED_LOOP);
    assert_int_equal(t[7].in_flight, 20);
    assert_int_equal(t[7].think_ns, 1000000);
    assert_int_equal(t[7].origin.line, 11);
}

/* ---- claims ---- */

static void claims_are_read(void **state)
{
    (void)state;
    accept("designs: [a@b, c@d]\nclaims:\n- {target: breaks, over_admitted: 1, p99: <=10ms, designs: [c@d]}\n"
           "- {first_denial: 90..110, name: a range}\n- {promise: holds}\n" STREAM);
    assert_int_equal(experiment.claims, 3);
    const struct claim *claim = experiment.claim;
    assert_int_equal(claim[0].subject, CLAIM_TARGET);
    assert_int_equal(claim[0].expect, BREAKS);
    assert_int_equal(claim[0].conditions, 2);
    assert_string_equal(claim[0].name, "target breaks, over_admitted=1, p99<=10ms");
    assert_string_equal(claim[0].design[0], "c@d");
    assert_int_equal(claim[1].subject, CLAIM_FIGURES);
    assert_string_equal(claim[1].name, "a range");
    assert_true(claim[1].condition[0].low == 90 * (i128)1000000000 && claim[1].condition[0].has_high);
    assert_int_equal(claim[1].designs, 0);
    assert_int_equal(claim[2].subject, CLAIM_PROMISE);
    assert_int_equal(claim[2].expect, HOLDS);
    assert_int_equal(claim[2].origin.line, 5);
}

static void a_claim_about_target_and_promise_is_two(void **state)
{
    (void)state;
    accept("claims:\n- {target: breaks, promise: holds, admitted: 2}\n"
           "- {target: holds, promise: holds, name: N}\n" STREAM);
    assert_int_equal(experiment.claims, 4);
    assert_int_equal(experiment.claim[0].conditions, 1);
    assert_int_equal(experiment.claim[1].subject, CLAIM_PROMISE);
    assert_int_equal(experiment.claim[1].expect, HOLDS);
    assert_int_equal(experiment.claim[1].conditions, 0);
    assert_string_equal(experiment.claim[1].name, "promise holds");
    assert_string_equal(experiment.claim[2].name, "N");
    assert_string_equal(experiment.claim[3].name, "N, promise holds");
}

TEST_MAIN(SCENARIO_TEST(only_traffic_must_be_said),
          SCENARIO_TEST(empty_sections_change_nothing),
          SCENARIO_TEST(the_head_of_a_scenario_is_read),
          SCENARIO_TEST(one_value_stands_for_a_list_of_one),
          SCENARIO_TEST(words_that_other_readers_of_yaml_convert_are_just_names),
          SCENARIO_TEST(regions_have_instances),
          SCENARIO_TEST(the_two_ways_of_a_constant_round_trip_sum_to_it),
          SCENARIO_TEST(each_way_draws_half_of_a_round_trip_that_varies),
          SCENARIO_TEST(what_no_link_states_comes_from_local_and_from_the_table),
          SCENARIO_TEST(delays_are_read_from_a_file_of_samples),
          SCENARIO_TEST(clocks_are_wrong_as_stated),
          SCENARIO_TEST(every_kind_of_generator_is_read),
          SCENARIO_TEST(claims_are_read),
          SCENARIO_TEST(a_claim_about_target_and_promise_is_two))

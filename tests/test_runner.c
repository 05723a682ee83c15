/* Whole experiments through the runner: known answers, the order of the matrix, what stops it. */
#include "test.h"
#include <inttypes.h>
#include "../harness/design.h"
#include "../harness/import.h"
#include "runner_rig.h"

/* ---- both read nine ---- */

#define NINE(more) \
    "policy: {limit: 10, period: 60s}\n" \
    "topology: {regions: [fra, nrt, iad], store: iad, links: [{between: [fra, iad], round_trip: 90ms}," \
    " {between: [nrt, iad], round_trip: 90ms}]}\n" \
    "traffic: [{trace: scenarios/traces/both-read-nine.csv}]\nspread: off\n" more

static void two_regions_that_both_read_nine(void **state)
{
    static const struct {
        uint64_t admitted, over, lost, retries, wrongly;
        const char *excess;
    } known[] = {
        { 3, 1, 1, 0, 1, "0.666666667" },
        { 2, 0, 0, 0, 0, "0" },
        { 2, 0, 0, 1, 0, "0" },
        { 2, 0, 0, 0, 0, "0" },
    };

    (void)state;
    run(NINE("designs: [fixed-window@get-then-set, fixed-window@owner, fixed-window@cas, "
             "fixed-window@atomic]"));
    assert_int_equal(count, 4);
    for (unsigned i = 0; i < 4; i++) {
        const struct result *result = &results[i];
        assert_int_equal(result->requests, 3);
        assert_int_equal(result->admitted, known[i].admitted);
        assert_int_equal(result->denied, 3 - known[i].admitted);
        assert_int_equal(result->over_admitted, known[i].over);
        assert_int_equal(result->over_admitted_cost, known[i].over);
        assert_int_equal(result->lost_updates, known[i].lost);
        assert_int_equal(result->retries, known[i].retries);
        assert_int_equal(result->wrongly_admitted, known[i].wrongly);
        assert_int_equal(result->wrongly_denied, 0);
        assert_int_equal(result->ideal_admitted, 2);
        assert_int_equal(result->worst_window.cost, 8 + known[i].admitted);
        assert_int_equal(result->promise_kept, known[i].over == 0);
        assert_decimal(result->excess, known[i].excess);
    }
    assert_int_equal(results[0].latency_ns.max, 180000000);     /* there and back to read, and to write */
    assert_int_equal(results[1].latency_ns.max, 90000000);
    assert_int_equal(results[2].latency_ns.max, 270000000);     /* a swap that failed has read, too */
    assert_int_equal(results[3].latency_ns.max, 90000000);
}

static void against_the_window_the_excess_is_the_one_request(void **state)
{
    (void)state;
    run(NINE("target: window\ndesigns: [fixed-window@get-then-set, fixed-window@owner]"));
    assert_decimal(results[0].excess, "1");
    assert_int_equal(results[0].over_admitted, 1);
    assert_true(results[0].boundary_burst.null);
    assert_decimal(results[1].excess, "0");
}

/* ---- a real trace ---- */

static void a_minute_of_tokens_doubles_in_a_fixed_window(void **state)
{
    struct import_options options = { .path = "../shared/data/llm-code.csv", .kind = IMPORT_CSV,
                                      .time = "TIMESTAMP", .key = "=code",
                                      .cost = "ContextTokens+GeneratedTokens", .output = temporary() };
    struct import_summary summary;

    (void)state;
    if (access(options.path, R_OK) != 0) {
        print_message("no %s\n", options.path);
        skip();
    }
    assert_true(import_run(&options, &summary, &failure));
    run(arena_format(&arena, "policy: {limit: 200000, period: 60s}\ntraffic: [{trace: %s}]\n"
                             "designs: [fixed-window@owner, token-bucket@owner]", options.output));
    unlink(options.output);
    assert_int_equal(count, 2);
    assert_int_equal(results[0].admitted, 3711);
    assert_int_equal(results[0].admitted_cost, 7400181);
    assert_int_equal(results[0].worst_window.cost, 399981);
    assert_decimal(results[0].excess, "86487.553333333");
    assert_string_equal(decimal_text(results[0].boundary_burst, 2, (char[DECIMAL_TEXT]){ 0 }), "1.43");
    assert_true(results[0].promise_kept);
    assert_int_equal(results[1].worst_window.cost, 399265);
    assert_decimal(results[1].excess, "0");
    assert_string_equal(decimal_text(results[1].boundary_burst, 2, (char[DECIMAL_TEXT]){ 0 }), "1");
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(results[i].ideal_admitted, results[i].admitted);
        assert_int_equal(results[i].wrongly_admitted + results[i].wrongly_denied, 0);
        assert_int_equal(results[i].latency_ns.max, 0);
        assert_string_equal(results[i].label, "");
    }
}

/* ---- honest time ---- */

static unsigned rows_of(const char *trace, const char *links)
{
    const char *path = file_of(trace);

    run(arena_format(&arena, "policy: {limit: 2, period: 1s}\ntopology: {regions: [fra, iad], links: [%s]}\n"
                             "traffic: [{trace: %s}]\ndesigns: [gcra@owner]", links, path));
    unlink(path);
    return count;
}

static void arrivals_are_spread_only_where_a_wall_clock_is_coarser_than_the_network(void **state)
{
    static const char whole[] = "t\n2026-01-01T00:00:00Z\n2026-01-01T00:00:01Z\n",
                      fine[] = "t\n2026-01-01T00:00:00.0001Z\n2026-01-01T00:00:01.0002Z\n",
                      relative[] = "t\n1s\n2s\n";

    (void)state;
    assert_int_equal(rows_of(whole, "{between: [fra, iad], round_trip: 90ms}"), 2);
    assert_string_equal(results[0].label, "as logged");
    assert_string_equal(results[1].label, "spread");
    assert_int_not_equal(results[0].digest, results[1].digest);
    assert_int_equal(rows_of(whole, ""), 1);
    assert_string_equal(results[0].label, "");
    assert_int_equal(rows_of(whole, "{between: [fra, iad], round_trip: 4s}"), 1);
    assert_int_equal(rows_of(fine, "{between: [fra, iad], round_trip: 90ms}"), 1);
    assert_int_equal(rows_of(relative, "{between: [fra, iad], round_trip: 90ms}"), 1);
}

/* ---- contenders ---- */

static void assert_all_have_finished(void)
{
    for (unsigned i = 0; i < count; i++) {
        const struct result *result = &results[i];
        assert_int_equal(result->requests, 600);
        assert_int_equal(result->admitted + result->denied + result->failed, 600);
        assert_int_equal(result->keys, 3);
        assert_true(result->over_admitted <= result->admitted);
        assert_true(result->digest != 0 && *result->promise);
    }
}

static void every_contender_runs_whatever_the_limit(void **state)
{
    static const int64_t limits[] = { 1, 2, 50, 1000000 };

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        run(arena_format(&arena, "policy: {limit: %" PRId64 ", period: 1s}\n" BUSY(""), limits[i]));
        assert_all_have_finished();
        assert_int_equal(count, limits[i] < 4 ? 11 : 12);       /* less cannot be split over four */
        run(arena_format(&arena, "policy: {limit: %" PRId64 ", period: 1s}\n" THREE BUSY(""), limits[i]));
        assert_all_have_finished();
        assert_int_equal(count, limits[i] < 3 ? 14 : 15);
    }
}

static void contenders_are_named_once_and_can_be_read(void **state)
{
    struct experiment one = experiment_of(BUSY("")), three = experiment_of(THREE BUSY(""));
    const struct experiment *both[] = { &one, &three };

    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *const *all = experiment_contenders(both[i]);
        for (unsigned a = 0; all[a]; a++) {
            assert_true(design_check(all[a], &both[i]->topology, (struct origin){ 0 }, &failure));
            for (unsigned b = 0; b < a; b++)
                assert_string_not_equal(all[a], all[b]);
        }
    }
}

/* ---- determinism and order ---- */

#define TWO_DESIGNS "designs: [gcra@cas, token-bucket@sharded]\n"

static void the_same_seed_is_the_same_run_whoever_else_runs(void **state)
{
    (void)state;
    run(THREE BUSY("policy: {limit: 50, period: 1s}\nseeds: 7..9\n" TWO_DESIGNS));
    assert_int_equal(count, 6);
    uint64_t cas = results[1].digest, sharded = results[4].digest;
    run(THREE BUSY("policy: {limit: 50, period: 1s}\nseeds: 8\ndesigns: [token-bucket@sharded, gcra@cas]\n"));
    assert_int_equal(count, 2);
    assert_int_equal(results[0].digest, sharded);
    assert_int_equal(results[1].digest, cas);
    run(THREE BUSY("policy: {limit: 50, period: 1s}\nseeds: 9\n" TWO_DESIGNS));
    assert_int_not_equal(results[0].digest, cas);
    assert_int_not_equal(results[1].digest, sharded);
}

static void rows_come_by_limit_then_design_then_seed(void **state)
{
    (void)state;
    run(BUSY("policy: {limit: [50, 20], period: 1s}\nseeds: 3..5\n" TWO_DESIGNS));
    assert_int_equal(count, 12);
    for (unsigned i = 0; i < 12; i++) {
        assert_int_equal(results[i].limit, i < 6 ? 50 : 20);
        assert_int_equal(results[i].burst, results[i].limit);
        assert_string_equal(results[i].design, i / 3 % 2 ? "token-bucket@sharded" : "gcra@cas");
        assert_int_equal(results[i].seed, 3 + i % 3);
    }
    assert_string_equal(results[3].parameters, "shards=8 mode=divide route=random");
}

static void a_target_may_differ_from_the_policy(void **state)
{
    (void)state;
    run(BUSY("policy: {limit: 50, period: 1s}\ntarget: {limit: 25, burst: 10}\ndesigns: [gcra@owner]"));
    assert_true(results[0].promise_kept);
    assert_true(results[0].over_admitted > 0);
    assert_int_equal(results[0].limit, 50);
    i128 of_ten = 10 * results[0].boundary_burst.billionths - results[0].effective_burst.billionths;
    assert_true(of_ten >= -5 && of_ten <= 5);
}

/* ---- what stops it ---- */

static void an_interruption_keeps_what_was_finished(void **state)
{
    (void)state;
    stop_after = 3;
    stops(BUSY("policy: {limit: 50, period: 1s}\nseeds: 1..4\n" TWO_DESIGNS), (struct runner_options){ 0 },
          EXIT_INTERRUPTED, "interrupted; what was finished is kept");
    assert_int_equal(count, 3);
    assert_int_equal(results[2].seed, 3);
}

static void who_cannot_take_a_result_stops_the_run(void **state)
{
    (void)state;
    refuse_results = true;
    stops(BUSY("policy: {limit: 50, period: 1s}\n" TWO_DESIGNS), (struct runner_options){ 0 }, EXIT_TROUBLE,
          "the disk is full");
    assert_int_equal(count, 0);
}

static void a_stated_design_that_cannot_be_stops_before_anything_runs(void **state)
{
    (void)state;
    stops(BUSY("policy: {limit: [50, 3], period: 1s}\ndesigns: [gcra@owner, gcra@sharded:shards=4]\n"),
          (struct runner_options){ 0 }, EXIT_USAGE,
          "test.yaml:3: gcra@sharded:shards=4 cannot be with a limit of 3; expected a limit and a burst of "
          "at least one for each shard");
    assert_int_equal(count, 0);
}

static void refunds_are_bad_input_unless_every_limiter_takes_them(void **state)
{
    const char *path = file_of("t,cost\n1s,5\n2s,-3\n3s,5\n");
    const char *text = arena_format(&arena, "policy: {limit: 7, period: 1h}\ntraffic: [{trace: %s}]\n", path);

    (void)state;
    run(arena_format(&arena, "%sdesigns: [token-bucket@owner]", text));
    assert_int_equal(results[0].admitted, 3);
    text = arena_format(&arena, "%sdesigns: [token-bucket@owner, sliding-window-log@owner]", text);
    assert_false(try_with(text, (struct runner_options){ 0 }));
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_non_null(strstr(failure.line, ":3: "));
    unlink(path);
}

/* ---- series ---- */

static void the_watched_key_is_the_one_that_asks_for_most(void **state)
{
    const char *path = file_of("t,key,cost\n1s,few,9\n2s,many,1\n3s,many,4\n4s,many,5\n5s,also,10\n");
    int64_t asked = 0, admitted = 0;

    (void)state;
    assert_true(try_with(arena_format(&arena, "policy: {limit: 7, period: 1h}\ntraffic: [{trace: %s}]\n"
                                              "designs: [token-bucket@owner]", path),
                         (struct runner_options){ .series = true }));
    unlink(path);
    assert_string_equal(results[0].watched_key, "also");        /* as much as many, and the smaller name */
    for (uint32_t i = 0; i < results[0].series.bins; i++) {
        asked += results[0].series.bin[i].asked;
        admitted += results[0].series.bin[i].admitted;
    }
    assert_int_equal(asked, 10);
    assert_int_equal(admitted, 0);                              /* 10 is more than 7 */
}

TEST_MAIN(RUN_TEST(two_regions_that_both_read_nine),
          RUN_TEST(against_the_window_the_excess_is_the_one_request),
          RUN_TEST(a_minute_of_tokens_doubles_in_a_fixed_window),
          RUN_TEST(arrivals_are_spread_only_where_a_wall_clock_is_coarser_than_the_network),
          RUN_TEST(every_contender_runs_whatever_the_limit),
          RUN_TEST(contenders_are_named_once_and_can_be_read),
          RUN_TEST(the_same_seed_is_the_same_run_whoever_else_runs),
          RUN_TEST(rows_come_by_limit_then_design_then_seed),
          RUN_TEST(a_target_may_differ_from_the_policy),
          RUN_TEST(an_interruption_keeps_what_was_finished),
          RUN_TEST(who_cannot_take_a_result_stops_the_run),
          RUN_TEST(a_stated_design_that_cannot_be_stops_before_anything_runs),
          RUN_TEST(refunds_are_bad_input_unless_every_limiter_takes_them),
          RUN_TEST(the_watched_key_is_the_one_that_asks_for_most))

/* Decisions that a run wrote down: what is in the file, and that an audit of it finds what the run found. */
#include "test.h"
#include "../harness/audit.h"
#include "../harness/design.h"
#include "../harness/judging.h"
#include "runner_rig.h"

/* ---- decisions ---- */

static void decisions_are_of_one_run(void **state)
{
    const char *path = temporary();
    struct runner_options options = { .decisions = path };

    (void)state;
    assert_false(try_with(BUSY("policy: {limit: 50, period: 1s}\ndesigns: [gcra@cas, gcra@owner]\n"),
                          options));
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_non_null(strstr(failure.line, "decisions are written of one run, and this is 2"));
    unlink(path);
    assert_false(try_with(BUSY("policy: {limit: 50, period: 1s}\ndesigns: [gcra@cas]"),
                          (struct runner_options){ .decisions = "no/such/folder" }));
    assert_int_equal(failure.code, EXIT_TROUBLE);
}

/* style NULL: without headers. */
static void assert_columns(const char *text, const char *style, const char *expected)
{
    char *path = temporary(), found[1024];
    const struct header_style *headers = style ? header_style_find(style) : NULL;

    assert_true(try_with(text, (struct runner_options){ .decisions = path, .headers = headers }));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    assert_string_equal(found, expected);
}

static void assert_decisions(const char *text, const char *expected)
{
    assert_columns(text, NULL, expected);
}

#define AT_ONCE(topology) \
    "policy: {limit: 10, period: 1s, burst: 3}\n" topology \
    "traffic: [{generator: burst, size: 5, requests: 5, key: 'a,b', region: fra}]\n"
#define HEAD "t_ns,key,cost,allowed,retry_after_ns,delay_ns,region,node\n"

static void a_decision_is_dated_by_its_reading_and_a_shaped_one_by_its_departure(void **state)
{
    (void)state;
    assert_decisions(AT_ONCE("topology: {regions: [fra]}\n") "designs: [leaky-bucket-queue@owner]",
                     HEAD "0,\"a,b\",1,1,0,0,fra,0\n"
                          "100000000,\"a,b\",1,1,0,100000000,fra,0\n"
                          "200000000,\"a,b\",1,1,0,200000000,fra,0\n"
                          "0,\"a,b\",1,0,100000000,0,fra,0\n"
                          "0,\"a,b\",1,0,100000000,0,fra,0\n");
    assert_int_equal(results[0].latency_ns.max, 200000000);
    /* Decided with readings of 0 by a store that is 150 ms away: too late for the second's 100 ms. */
    assert_decisions(AT_ONCE("topology: {regions: [fra, iad], store: iad, "
                             "links: [{between: [fra, iad], one_way: 150ms}]}\n")
                     "designs: [leaky-bucket-queue@atomic]",
                     HEAD "0,\"a,b\",1,1,0,0,fra,0\n"
                          "150000000,\"a,b\",1,1,0,100000000,fra,0\n"
                          "200000000,\"a,b\",1,1,0,200000000,fra,0\n"
                          "0,\"a,b\",1,0,100000000,0,fra,0\n"
                          "0,\"a,b\",1,0,100000000,0,fra,0\n");
    assert_int_equal(results[0].latency_ns.max, 300000000);
}

/* ---- headers ---- */

#define HEAD_WITH(columns) "t_ns,key,cost,allowed,retry_after_ns,delay_ns,region,node," columns "\n"

/* Ten a second, three at once. */
static void a_style_of_headers_adds_its_columns(void **state)
{
    static const char text[] = AT_ONCE("topology: {regions: [fra]}\n") "designs: [token-bucket@owner]";

    (void)state;
    assert_columns(text, "retry-after",
                   HEAD_WITH("Retry-After") "0,\"a,b\",1,1,0,0,fra,0,\n0,\"a,b\",1,1,0,0,fra,0,\n"
                   "0,\"a,b\",1,1,0,0,fra,0,\n0,\"a,b\",1,0,100000000,0,fra,0,1\n"
                   "0,\"a,b\",1,0,100000000,0,fra,0,1\n");
    assert_columns(text, "ietf-draft-7",
                   HEAD_WITH("RateLimit-Policy,RateLimit")
                   "0,\"a,b\",1,1,0,0,fra,0,10;w=1,\"limit=10, remaining=2, reset=1\"\n"
                   "0,\"a,b\",1,1,0,0,fra,0,10;w=1,\"limit=10, remaining=1, reset=1\"\n"
                   "0,\"a,b\",1,1,0,0,fra,0,10;w=1,\"limit=10, remaining=0, reset=1\"\n"
                   "0,\"a,b\",1,0,100000000,0,fra,0,10;w=1,\"limit=10, remaining=0, reset=1\"\n"
                   "0,\"a,b\",1,0,100000000,0,fra,0,10;w=1,\"limit=10, remaining=0, reset=1\"\n");
}

#define THREE_SWAP \
    "policy: {limit: 2, period: 60s}\n" \
    "topology: {regions: [fra, iad], store: iad, links: [{between: [fra, iad], one_way: 50ms}]}\n" \
    "traffic: [{generator: burst, size: 3, requests: 3, key: k, region: fra}]\n"
#define HEAD_OF_THREE HEAD_WITH("X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset")

/* Who loses a compare-and-set looks again, and tells what was left then: 1, 0, and 0 to who is denied.  Who
 * gives up knows no state that decided. */
static void what_remains_is_of_the_state_that_decided(void **state)
{
    (void)state;
    assert_columns(THREE_SWAP "designs: [fixed-window@cas:attempts=1]", "x-ratelimit-delta",
                   HEAD_OF_THREE "100000000,k,1,1,0,0,fra,0,2,1,60\n"
                   "200000000,k,1,0,30000000000,0,fra,0,,,\n200000000,k,1,0,30000000000,0,fra,0,,,\n");
    assert_columns(THREE_SWAP "designs: [fixed-window@cas]", "x-ratelimit-epoch",
                   HEAD_OF_THREE
                   "100000000,k,1,1,0,0,fra,0,2,1,60\n"
                   "300000000,k,1,1,0,0,fra,0,2,0,60\n"
                   "500000000,k,1,0,59500000000,0,fra,0,2,0,60\n");
}

/* A counter that was only added to is no state to look at. */
static void without_a_limiters_check_only_retry_after_is_told(void **state)
{
    static const char text[] = "policy: {limit: 2, period: 60s}\n"
                               "traffic: [{generator: burst, size: 3, requests: 3, key: k}]\n"
                               "designs: [fixed-window@incr]";

    (void)state;
    assert_columns(text, "retry-after", HEAD_WITH("Retry-After") "0,k,1,1,0,0,home,0,\n0,k,1,1,0,0,home,0,\n"
                                        "0,k,1,0,60000000000,0,home,0,60\n");
    assert_columns(text, "x-ratelimit-delta",
                   HEAD_OF_THREE
                   "0,k,1,1,0,0,home,0,,,\n0,k,1,1,0,0,home,0,,,\n0,k,1,0,60000000000,0,home,0,,,\n");
}

static void headers_change_nothing_else(void **state)
{
    (void)state;
    for (unsigned c = 0; c < coordination_count; c++) {
        char *path = temporary();
        const char *name = coordinations[c]->name;
        bool counts = strcmp(name, "incr") == 0 || strcmp(name, "regional-counters") == 0;
        char *text = arena_format(&arena, "policy: {limit: 20, period: 1s}\n" THREE
                                  BUSY("designs: ['%s@%s']\n"), counts ? "fixed-window" : "gcra", name);
        struct runner_options options = { .decisions = path, .headers = header_style_find("ietf") };
        assert_true(try_with(text, options));
        uint64_t digest = results[0].digest;
        run(text);
        assert_true(results[0].digest == digest);
        unlink(path);
    }
}

/* ---- audits ---- */

/* What an audit of the file finds. */
static struct judgement audited(const char *path, enum target_kind target, const struct result *result)
{
    struct keys keys = { 0 };
    struct audit_options options = { .path = path, .keys = &keys };
    struct judging judging = { .target = target, .policy = { .limit = result->limit, .burst = result->burst,
                                                             .period_ns = result->period_ns },
                               .precision_ns = 1 };
    struct judgement judgement;
    struct audit_row row;
    struct audit audit;

    if (!audit_open(&audit, &options, &failure))
        fail_msg("%s", failure.line);
    judging.policy.epoch_ns = audit.epoch_ns;
    assert_null(policy_init(&judging.policy));
    struct judges *judges = judges_call(&judging, &arena, &failure);
    assert_non_null(judges);
    while (audit_next(&audit, &row))
        judges_hear(judges, row.key, row.at_ns, row.cost, row.allowed);
    judges_conclude(judges, &keys, &arena, &judgement);
    audit_close(&audit);
    keys_free(&keys);
    return judgement;
}

static void assert_same_findings(const struct result *run_found, const struct result *audit_found)
{
    assert_int_equal(audit_found->admitted, run_found->admitted);
    assert_int_equal(audit_found->admitted_cost, run_found->admitted_cost);
    assert_int_equal(audit_found->denied, run_found->denied);
    assert_int_equal(audit_found->over_admitted, run_found->over_admitted);
    assert_int_equal(audit_found->over_admitted_cost, run_found->over_admitted_cost);
    assert_true(audit_found->excess.billionths == run_found->excess.billionths);
    assert_true(audit_found->effective_burst.billionths == run_found->effective_burst.billionths);
    assert_int_equal(audit_found->worst_window.cost, run_found->worst_window.cost);
    assert_int_equal(audit_found->worst_window.end_ns, run_found->worst_window.end_ns);
    assert_string_equal(audit_found->worst_window.key ? audit_found->worst_window.key : "",
                        run_found->worst_window.key ? run_found->worst_window.key : "");
}

/* `place` says where and what arrives. */
static void audits_the_same(const char *place, const char *design, const char *target)
{
    char *path = temporary();
    char *text = arena_format(&arena, "%starget: %s\ndesigns: ['%s']\n", place, target, design);
    struct experiment experiment = experiment_of(text);
    struct policy policy = { .limit = experiment.limit[0], .period_ns = experiment.period_ns,
                             .burst = experiment.limit[0] };
    struct design parsed;

    assert_null(policy_init(&policy));
    if (design_parse(design, &experiment.topology, &policy, (struct origin){ 0 }, &parsed, &failure)) {
        if (!try_with(text, (struct runner_options){ .decisions = path }))
            fail_msg("%s", failure.line);
        struct judgement judgement = audited(path, experiment.target.kind, &results[0]);
        assert_int_equal(results[0].admitted + results[0].denied + results[0].failed, results[0].requests);
        assert_same_findings(&results[0], &judgement.result);
    }
    unlink(path);
}

static void an_audit_of_the_decisions_finds_what_the_run_found(void **state)
{
    static const char place[] = "policy: {limit: 20, period: 1s}\n" THREE BUSY("");

    (void)state;
    for (unsigned c = 0; c < coordination_count; c++)
        for (unsigned l = 0; l < limiter_count; l++) {
            const char *design = arena_format(&arena, "%s@%s", limiters[l]->name, coordinations[c]->name);
            audits_the_same(place, design, c % 2 ? "curve" : "window");
            audits_the_same(place, design, c % 2 ? "window" : "curve");
        }
}

static void so_it_does_where_messages_are_lost_and_clocks_are_wrong(void **state)
{
    static const char place[] =
        "policy: {limit: 20, period: 1s}\n"
        "topology: {regions: [fra, iad], store: iad, instances: 2, links: [{between: [fra, iad], "
        "one_way: {uniform: [5ms, 90ms]}, loss: 5%, duplicate: 3%}], "
        "clocks: [{region: fra, offset: 300ms}, {store: true, region: iad, drift_ppm: 200}]}\n" BUSY("");

    (void)state;
    for (unsigned c = 0; c < coordination_count; c++) {
        audits_the_same(place, arena_format(&arena, "fixed-window@%s", coordinations[c]->name), "curve");
        audits_the_same(place, arena_format(&arena, "leaky-bucket-queue@%s", coordinations[c]->name),
                        "curve");
        audits_the_same(place, arena_format(&arena, "sliding-window-log@%s", coordinations[c]->name),
                        "window");
    }
}

static void so_it_does_where_all_happens_at_the_same_instants(void **state)
{
    static const char near[] = "policy: {limit: 20, period: 1s}\n"
                               "traffic: [{generator: burst, size: 20, every: 50ms, " KEYS "}]\n";
    static const char far[] =
        "policy: {limit: 20, period: 1s}\n"
        "topology: {regions: [fra, nrt, iad], store: iad, links: [{between: [fra, iad], one_way: 50ms}, "
        "{between: [nrt, iad], one_way: 50ms}, {between: [fra, nrt], one_way: 100ms}]}\n"
        "traffic: [{generator: burst, size: 20, every: 50ms, " KEYS "}]\n";

    (void)state;
    for (unsigned c = 0; c < coordination_count; c++)
        for (unsigned l = 0; l < limiter_count; l++) {
            const char *design = arena_format(&arena, "%s@%s", limiters[l]->name, coordinations[c]->name);
            audits_the_same(near, design, "curve");
            audits_the_same(far, design, "curve");
        }
}

TEST_MAIN(RUN_TEST(decisions_are_of_one_run),
          RUN_TEST(a_decision_is_dated_by_its_reading_and_a_shaped_one_by_its_departure),
          RUN_TEST(a_style_of_headers_adds_its_columns),
          RUN_TEST(what_remains_is_of_the_state_that_decided),
          RUN_TEST(without_a_limiters_check_only_retry_after_is_told),
          RUN_TEST(headers_change_nothing_else),
          RUN_TEST(an_audit_of_the_decisions_finds_what_the_run_found),
          RUN_TEST(so_it_does_where_messages_are_lost_and_clocks_are_wrong),
          RUN_TEST(so_it_does_where_all_happens_at_the_same_instants))

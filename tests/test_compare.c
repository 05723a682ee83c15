/* limitlab compare, run and audit, from outside: what goes in, what comes out, and that they agree. */
#include "test.h"
#include "shell.h"

#define BOTH_READ_NINE "scenarios/both-read-nine.yaml"

/* ---- compare and run ---- */

static void json_has_every_field_of_the_contract(void **state)
{
    static const char *const fields[] = {
        "design", "seed", "limit", "requests", "admitted", "denied", "failed", "admitted_cost",
        "denied_cost", "over_admitted", "over_admitted_cost", "excess", "effective_burst",
        "boundary_burst", "worst_window.cost", "worst_window.ratio", "worst_window.key",
        "worst_window.start", "worst_window.end", "ideal_admitted", "ideal_admitted_cost",
        "wrongly_admitted", "wrongly_denied", "lost_updates", "stale_reads", "retries", "first_denial",
        "store_reads", "store_writes", "latency_ns.p50", "latency_ns.p90", "latency_ns.p99",
        "latency_ns.p999", "latency_ns.max", "retry.honest", "retry.early", "retry.late", "fairness.keys",
        "fairness.regions", "keys", "keys_refused", "state_bytes", "digest"
    };
    struct shell *shell = *state;

    shell_expect(shell, 0, "$limitlab compare " BOTH_READ_NINE " --set spread=off --json");
    json_t *all = parsed(shell->out), *row = json_array_get(member(all, "results"), 0);
    assert_member(all, "schema", "1");
    assert_member(all, "policy.limit", "10");
    assert_member(all, "target", "\"curve\"");
    assert_int_equal(json_array_size(member(all, "results")), 5);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        member(row, fields[i]);
    assert_member(row, "design", "\"fixed-window@get-then-set\"");
    assert_member(row, "over_admitted", "1");
    assert_member(row, "excess", "0.666666667");
    assert_member(row, "lost_updates", "1");
    json_decref(all);
}

static void limits_and_seeds_multiply(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0,
                 "$limitlab compare " BOTH_READ_NINE " gcra@owner gcra@cas --limit 5,10,20 --seeds 3..4 "
                 "--set spread=off --json");
    json_t *all = parsed(shell->out);
    assert_int_equal(json_array_size(member(all, "results")), 12);
    assert_member(json_array_get(member(all, "results"), 11), "limit", "20");
    assert_member(json_array_get(member(all, "results"), 11), "seed", "4");
    json_decref(all);
}

static void a_trace_and_a_limit_are_an_experiment(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0,
                 "printf 't\\n0s\\n1s\\n59s\\n60s\\n' >$d/t.csv; "
                 "$limitlab compare --trace $d/t.csv --limit 2 --period 60s fixed-window@owner --json");
    json_t *all = parsed(shell->out), *row = json_array_get(member(all, "results"), 0);
    assert_member(row, "admitted", "3");
    assert_member(row, "latency_ns.max", "0");
    json_decref(all);
    assert_string_equal(shell->err, "");
}

/* Regions of clients, by row, from the decisions of a run. */
#define REGIONS_OF "--limit 9 gcra@owner --quiet --decisions $d/d.csv >/dev/null && cut -d, -f2,7 $d/d.csv"

static void several_traces_are_one_a_region(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0,
                 "printf 't,key\\n1s,a\\n' >$d/a.csv; printf 't,key\\n2s,b\\n' >$d/b.csv; "
                 "$limitlab run --trace $d/a.csv --trace $d/b.csv --regions us-west-2,eu-west-1 --set "
                 "spread=off " REGIONS_OF);
    assert_string_equal(shell->out, "key,region\na,us-west-2\nb,eu-west-1\n");
}

static void a_region_column_says_where_requests_arrive(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0,
                 "printf 't,key,region\\n1s,a,eu-west-1\\n3s,b,us-west-2\\n' >$d/t.csv; "
                 "$limitlab run --trace $d/t.csv --regions us-west-2,eu-west-1 --set spread=off " REGIONS_OF);
    assert_string_equal(shell->out, "key,region\na,eu-west-1\nb,us-west-2\n");
    shell_expect(shell, 2,
                 "$limitlab run --trace $d/t.csv --regions us-west-2,eu-west-2 --limit 9 gcra@owner");
    assert_has(shell->err, "t.csv:2: region \"eu-west-1\" is not in the topology");
    shell_expect(shell, 0, "$limitlab run --trace $d/t.csv --limit 9 gcra@owner");
    assert_has(shell->err, "its region column is not used");
}

static void without_a_region_column_requests_are_spread(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0,
                 "{ echo t,key; for i in $(seq 300); do echo ${i}s,k$((i % 7)); done; } >$d/t.csv; "
                 "$limitlab run --trace $d/t.csv --regions us-west-2,eu-west-1,eu-west-2 --set spread=off "
                 "--limit 9 "
                 "gcra@owner --decisions $d/d.csv >/dev/null");
    assert_has(shell->err, "t.csv has no region column: each request goes to a region at random");
    shell_expect(shell, 0,
                 "cut -d, -f7 $d/d.csv | tail -n +2 | sort | uniq -c | awk '$1 > 70 && $1 < 130' | wc -l");
    assert_string_equal(shell->out, "3\n");
    shell_expect(shell, 0,
                 "$limitlab run --trace $d/t.csv --regions us-west-2,eu-west-1,eu-west-2 --region-by key "
                 "--set spread=off " REGIONS_OF " | tail -n +2 | sort -u | wc -l");
    assert_string_equal(shell->out, "7\n");
}

static void the_last_line_names_the_report(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "$limitlab compare " BOTH_READ_NINE " --out $d/report | tail -n 1 >$d/last && "
                           "test -s \"$(sed 's/^report: //' $d/last)\" && ls $d");
    assert_string_equal(shell->out, "last\nreport\n");                       /* no database is left behind */
    shell_expect(shell, 0,
                 "$limitlab compare " BOTH_READ_NINE " --db $d/r.db --json >/dev/null && "
                 "$limitlab report $d/r.db --out $d/again && cmp $d/report/report.html $d/again/report.html "
                 "|| true");
    assert_has(shell->out, "/again/report.html\n");
}

static void quiet_says_nothing_beside_the_results(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0,
                 "printf 't\\n2s\\n1s\\n' >$d/t.csv; $limitlab compare --trace $d/t.csv --limit 5 gcra@cas");
    assert_has(shell->err, "t.csv: 1 of 2 rows were out of time order and have been sorted\n");
    shell_expect(shell, 0, "$limitlab compare --trace $d/t.csv --limit 5 gcra@cas --quiet");
    assert_string_equal(shell->err, "");
}

static void an_interrupted_compare_keeps_what_was_finished(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 130,
                 "timeout --foreground --preserve-status -s INT 2 $limitlab compare "
                 "scenarios/three-regions.yaml token-bucket@local --seeds 1..100000 --json --db $d/r.db");
    assert_string_equal(shell->err, "interrupted; what was finished is kept\n");
    json_t *all = parsed(shell->out);
    assert_true(json_array_size(member(all, "results")) >= 1);
    json_decref(all);
    shell_expect(shell, 0, "$limitlab report $d/r.db --out $d/report");
}

static void the_readme_shows_what_is_printed(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0,
                 "$limitlab compare scenarios/three-regions.yaml >$d/real && "
                 "awk '/^```/ { inside = /^```text$/; next } inside' README.md | grep -vxFf $d/real | cat");
    assert_string_equal(shell->out, "");
}

static void a_ledger_explains_each_over_admission(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "$limitlab run scenarios/three-regions.yaml token-bucket@get-then-set "
                           "--ledger $d/ledger.csv --json");
    json_t *all = parsed(shell->out), *row = json_array_get(member(all, "results"), 0);
    assert_member(row, "over_admitted", "26067");
    assert_member(row, "over_admitted_by_cause.race", "26067");
    assert_member(row, "excess_by_cause.race", "14598.69472347");
    json_decref(all);
    shell_expect(shell, 0, "tail -n +2 $d/ledger.csv | awk -F, '{ print $16 }' | sort | uniq -c");
    assert_string_equal(shell->out, "  26067 race\n");
    shell_expect(shell, 2, "$limitlab compare " BOTH_READ_NINE " --ledger $d/ledger.csv");
    assert_string_equal(shell->err, "limitlab compare: unknown option '--ledger'; expected one of those that "
                                    "--help lists\n");
}

/* ---- known answers ---- */

static void the_edge_of_a_window_in_a_real_trace(void **state)
{
    struct shell *shell = *state;

    if (access("../shared/data/llm-code.csv", R_OK) != 0) {
        print_message("../shared/data/llm-code.csv is not here\n");
        skip();
    }
    shell_expect(shell, 0,
                 "$limitlab import --time TIMESTAMP --key =llm --cost ContextTokens+GeneratedTokens "
                 "../shared/data/llm-code.csv -o $d/t.csv -q && $limitlab compare --trace $d/t.csv --limit "
                 "200000 "
                 "--period 60s fixed-window@owner token-bucket@owner --json");
    json_t *all = parsed(shell->out), *fixed = json_array_get(member(all, "results"), 0);
    json_t *bucket = json_array_get(member(all, "results"), 1);
    assert_member(fixed, "admitted", "3711");
    assert_member(fixed, "admitted_cost", "7400181");
    assert_member(fixed, "worst_window.cost", "399981");
    assert_member(fixed, "excess", "86487.553333333");
    assert_member(fixed, "boundary_burst", "1.432437767");
    assert_member(bucket, "worst_window.cost", "399265");
    assert_member(bucket, "excess", "0");
    json_decref(all);
}

/* ---- audit ---- */

static void decisions_audit_to_the_figures_of_their_run(void **state)
{
    static const char *const designs[] = { "fixed-window@get-then-set", "gcra@cas", "fixed-window@kv",
                                           "token-bucket@owner" };
    static const char *const same[] = {
        "requests", "admitted",        "admitted_cost",  "over_admitted",     "over_admitted_cost",
        "excess",   "effective_burst", "boundary_burst", "worst_window.cost", "worst_window.key",
        "keys"
    };
    struct shell *shell = *state;
    char line[300];

    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        snprintf(line, sizeof line,
                 "$limitlab run scenarios/three-regions.yaml %s --decisions $d/d.csv --json", designs[i]);
        shell_expect(shell, 0, line);
        json_t *run = parsed(shell->out), *row = json_array_get(member(run, "results"), 0);
        shell_run(shell, "$limitlab audit $d/d.csv --limit 100 --period 10s --json");
        assert_int_equal(shell->code, json_integer_value(member(row, "over_admitted")) > 0);
        json_t *audit = parsed(shell->out);
        for (size_t k = 0; k < sizeof same / sizeof *same; k++)
            if (!json_equal(member(row, same[k]), member(audit, same[k])))
                fail_msg("%s: %s differs", designs[i], same[k]);
        json_decref(audit);
        json_decref(run);
    }
}

static void an_exact_run_has_no_mismatches_with_its_limiter(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0,
                 "$limitlab run scenarios/three-regions.yaml --set topology='{regions: [us-east-1, "
                 "eu-west-1, "
                 "ap-northeast-1]}' token-bucket@owner --decisions $d/d.csv --json >/dev/null && "
                 "$limitlab audit $d/d.csv --limit 100 --period 10s --as token-bucket --json");
    json_t *audit = parsed(shell->out);
    assert_member(audit, "mismatches", "0");
    assert_member(audit, "wrongly_denied", "0");
    json_decref(audit);
}

static void audit_exits_with_1_for_what_is_certain_only(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 1, "printf 't,allowed\\n0s,1\\n0s,200\\n0s,429\\n0s,allow\\n' >$d/d.csv; "
                           "$limitlab audit $d/d.csv --limit 2 --period 60s --json");
    json_t *audit = parsed(shell->out);
    assert_member(audit, "admitted", "3");
    assert_member(audit, "over_admitted", "1");
    assert_member(audit, "mismatches", "null");
    assert_member(audit, "keys_over", "1");
    json_decref(audit);
    shell_expect(shell, 0, "$limitlab audit $d/d.csv --limit 3 --period 60s");
    /* Logged in one second, perhaps most of a second apart: one of a limit of 1 per 900 ms may have passed
     * since. */
    shell_expect(shell, 0,
                 "printf 't,allowed\\n2025-01-01T00:00:00Z,1\\n2025-01-01T00:00:00Z,1\\n' >$d/d.csv; "
                 "$limitlab audit $d/d.csv --limit 1 --period 900ms --json");
    audit = parsed(shell->out);
    assert_member(audit, "over_admitted", "1");
    assert_member(audit, "certain.over_admitted", "0");
    assert_member(audit, "possible.over_admitted", "1");
    json_decref(audit);
}

TEST_MAIN(
    SHELL_TEST(json_has_every_field_of_the_contract),
    SHELL_TEST(limits_and_seeds_multiply),
    SHELL_TEST(a_trace_and_a_limit_are_an_experiment),
    SHELL_TEST(several_traces_are_one_a_region),
    SHELL_TEST(a_region_column_says_where_requests_arrive),
    SHELL_TEST(without_a_region_column_requests_are_spread),
    SHELL_TEST(the_last_line_names_the_report),
    SHELL_TEST(quiet_says_nothing_beside_the_results),
    SHELL_TEST(an_interrupted_compare_keeps_what_was_finished),
    SHELL_TEST(the_readme_shows_what_is_printed),
    SHELL_TEST(a_ledger_explains_each_over_admission),
    SHELL_TEST(the_edge_of_a_window_in_a_real_trace),
    SHELL_TEST(decisions_audit_to_the_figures_of_their_run),
    SHELL_TEST(an_exact_run_has_no_mismatches_with_its_limiter),
    SHELL_TEST(audit_exits_with_1_for_what_is_certain_only)
)

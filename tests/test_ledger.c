/* test_ledger.c - the ledger: why each over-admission of a run was one. */
#include "test.h"
#include "runner_rig.h"
#include "wild.h"

#define TEN "policy: {limit: 10, period: 60s}\n"
#define FAR \
    "topology: {regions: [fra, nrt, iad], store: iad, links: [{between: [fra, iad], round_trip: 90ms}," \
    " {between: [nrt, iad], round_trip: 90ms}]}\n"
#define HEAD \
    "t_ns,request,key,cost,region,node,read_version,newest_version,read_age_ns,overwrote,overwrote_ns," \
    "overwritten_by,overwritten_by_ns,excess_before,excess_after,cause,why\n"

static char *contents(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = arena_alloc(&arena, 1 << 20);

    assert_non_null(file);
    text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* The ledger of one run. */
static const char *ledger_of(const char *scenario)
{
    char *path = temporary();

    if (!try_with(scenario, (struct runner_options){ .ledger = path }))
        fail_msg("%s\n%s", failure.line, scenario);
    const char *text = contents(path);
    unlink(path);
    return text;
}

static void has_rows(const char *scenario, const char *rows)
{
    const char *text = ledger_of(scenario);

    assert_true(strncmp(text, HEAD, strlen(HEAD)) == 0);
    assert_string_equal(text + strlen(HEAD), rows);
}

/* The same with traffic from a file of these rows. */
static void traced_has_rows(const char *traffic, const char *scenario, const char *rows)
{
    char *trace = file_of(traffic);

    has_rows(arena_format(&arena, "%straffic: [{trace: %s}]\nspread: off\n", scenario, trace), rows);
    unlink(trace);
}

/* ---- known rows ---- */

static void who_overwrote_whom(void **state)
{
    (void)state;
    has_rows(TEN FAR "traffic: [{trace: scenarios/traces/both-read-nine.csv}]\nspread: off\n"
             "designs: fixed-window@get-then-set\n",
             "3090000000,3,api,1,nrt,1,1,1,0,2,3135000000,,,0,0.666666667,race,"
             "\"its write replaced that of request 2, which it had not read\"\n");
}

static void who_was_overwritten(void **state)
{
    (void)state;
    traced_has_rows("t,key,cost,region\n0s,k,9,fra\n2s,k,1,fra\n2s,k,1,fra\n2s,k,1,nrt\n",
                    TEN FAR "target: window\ndesigns: fixed-window@get-then-set\n",
                    "2090000000,3,k,1,nrt,1,1,1,0,,,2,2135000000,1,2,race,"
                    "\"request 2 replaced its write without having read it\"\n"
                    "2090000000,4,k,1,fra,0,1,1,0,2,2135000000,,,0,1,race,"
                    "\"its write replaced that of request 2, which it had not read\"\n");
}

static void how_old_a_stale_copy_was(void **state)
{
    (void)state;
    traced_has_rows("t,key,cost,region\n0s,k,1,fra\n1s,k,1,nrt\n2s,k,9,nrt\n3s,k,9,fra\n",
                    TEN FAR "target: window\ndesigns: fixed-window@kv\n",
                    "2000000000,3,k,9,nrt,1,2,2,0,,,,,0,1,sharing,"
                    "\"its copy was up to date but does not know what others admitted\"\n"
                    "3000000000,4,k,9,fra,0,1,2,1865000000,2,1135000000,,,1,10,sharing,"
                    "\"it read a copy that was 1 version behind\"\n");
}

static void a_copy_that_nobody_tells(void **state)
{
    (void)state;
    traced_has_rows("t,key,cost,region\n0s,k,10,fra\n1s,k,7,nrt\n",
                    TEN FAR "target: window\ndesigns: fixed-window@local\n",
                    "1000000000,2,k,7,nrt,1,0,0,0,,,,,0,7,sharing,"
                    "\"its copy was up to date but does not know what others admitted\"\n");
}

static void the_rule_itself(void **state)
{
    (void)state;
    traced_has_rows("t,key,cost\n59s,k,10\n60s,k,10\n", TEN "target: window\ndesigns: fixed-window@owner\n",
                    "60000000000,2,k,10,home,0,1,1,0,,,,,0,10,algorithm,"
                    "\"the rule itself: with all admissions in one state it passes as well\"\n");
}

static void a_clock_that_is_ahead(void **state)
{
    (void)state;
    traced_has_rows("t,key,cost,region\n50s,k,10,a\n51s,k,10,b\n",
                    TEN "target: window\ntopology: {regions: [a, b], store: a, "
                    "clocks: [{region: b, offset: 15s}]}\ndesigns: fixed-window@get-then-set\n",
                    "51000000000,2,k,10,b,1,1,1,0,,,,,0,10,clock,\"the clock that decided was 15s ahead\"\n");
}

static void nobody_was_asked(void **state)
{
    (void)state;
    traced_has_rows("t,key,cost,region\n0s,k,10,b\n1s,k,10,a\n",
                    TEN "target: window\ntopology: {regions: [a, b], store: b, "
                    "links: [{between: [a, b], one_way: 1ms, loss: 1}]}\n"
                    "designs: 'fixed-window@owner:unreachable=open'\n",
                    "6000000000,2,k,10,a,0,,,,,,,,0,10,fault,\"no state was asked\"\n");
}

/* ---- all rows ---- */

static unsigned lines_of(const char *text)
{
    unsigned lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Of 3 + 2 the replica knows 3: two more than ten. */
static void what_a_failover_took_away(void **state)
{
    (void)state;
    has_rows("policy: {limit: 5, period: 1h}\n"
             "traffic: [{generator: burst, size: 3, start: 1s, duration: 1s},\n"
             "  {generator: burst, size: 2, start: 9s, duration: 1s},\n"
             "  {generator: burst, size: 4, start: 20s, duration: 1s}]\n"
             "faults: [{failover: all, at: 10s, loses: 2s}]\n"
             "designs: token-bucket@atomic\n",
             "20000000000,6,key,1,home,0,6,6,0,,,,,0,0.973611111,fault,"
             "\"what it read had been restored, expired or forgotten\"\n"
             "20000000000,7,key,1,home,0,7,7,0,,,,,0.973611111,1.973611111,fault,"
             "\"what it read had been restored, expired or forgotten\"\n");
}

static void each_over_admission_has_a_row_and_keeping_a_ledger_changes_nothing(void **state)
{
    struct wild wild = { .dice = { 7 } };
    unsigned over = 0;

    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        run(wild_scenario(&wild));
        struct result plain = results[0];
        const char *text = ledger_of(wild.text);
        if (lines_of(text) != 1 + plain.over_admitted)
            fail_msg("%u over-admissions\n%s\n%s", (unsigned)plain.over_admitted, text, wild.text);
        assert_int_equal(results[0].digest, plain.digest);
        assert_int_equal(results[0].over_admitted, plain.over_admitted);
        over += (unsigned)plain.over_admitted;
    }
    assert_true(over > 1000);
}

static void a_ledger_is_of_one_run(void **state)
{
    char *path = temporary();

    (void)state;
    stops(TEN BUSY("designs: [gcra@cas, gcra@owner]\n"), (struct runner_options){ .ledger = path },
          EXIT_USAGE, "a ledger is written of one run, and this is 2; expected one design, limit and seed");
    unlink(path);
}

static void what_cannot_be_written_is_trouble(void **state)
{
    (void)state;
    assert_false(try_with(TEN BUSY("designs: gcra@cas\n"),
                          (struct runner_options){ .ledger = "no/such/folder/ledger.csv" }));
    assert_int_equal(failure.code, EXIT_TROUBLE);
}

/* Costs of nothing that turn out to be something, the other way round, and ones that wait in a queue. */
static void what_weighs_nothing_at_first_or_at_last_has_a_story_too(void **state)
{
    static const char *const designs[] = { "fixed-window@local:instances=4", "leaky-bucket-queue@local",
                                           "token-bucket@owner:takes=estimate-then-settle" };

    (void)state;
    for (unsigned i = 0; i < sizeof designs / sizeof *designs; i++) {
        const char *text = ledger_of(arena_format(&arena, "policy: {limit: 2, period: 60s}\n"
            "traffic: {generator: constant, rate: 20/s, requests: 99, costs: {0: 1, 1: 1},"
            " used: {0: 1, 1: 1, 5: 1}}\ndesigns: '%s'\n", designs[i]));
        assert_int_equal(lines_of(text), 1 + results[0].over_admitted);
    }
}

static void ledger_and_decisions_can_be_written_at_once(void **state)
{
    char *ledger = temporary(), *decisions = temporary();

    (void)state;
    assert_true(try_with(TEN FAR "traffic: [{trace: scenarios/traces/both-read-nine.csv}]\nspread: off\n"
                         "designs: fixed-window@get-then-set\n",
                         (struct runner_options){ .ledger = ledger, .decisions = decisions }));
    assert_int_equal(lines_of(contents(ledger)), 2);
    assert_int_equal(lines_of(contents(decisions)), 4);
    unlink(ledger);
    unlink(decisions);
}

TEST_MAIN(RUN_TEST(who_overwrote_whom),
          RUN_TEST(who_was_overwritten),
          RUN_TEST(how_old_a_stale_copy_was),
          RUN_TEST(a_copy_that_nobody_tells),
          RUN_TEST(the_rule_itself),
          RUN_TEST(a_clock_that_is_ahead),
          RUN_TEST(nobody_was_asked),
          RUN_TEST(what_a_failover_took_away),
          RUN_TEST(each_over_admission_has_a_row_and_keeping_a_ledger_changes_nothing),
          RUN_TEST(a_ledger_is_of_one_run),
          RUN_TEST(what_cannot_be_written_is_trouble),
          RUN_TEST(what_weighs_nothing_at_first_or_at_last_has_a_story_too),
          RUN_TEST(ledger_and_decisions_can_be_written_at_once))

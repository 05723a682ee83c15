/* An experiment's traffic: whose keys are whose, when it begins, what it costs, that it can be had again. */
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../harness/arrivals.h"

#define SECOND INT64_C(1000000000)
#define JANUARY INT64_C(1767225600)                 /* 2026-01-01T00:00:00Z */

enum { PARTS_MAX = 4 };

static struct arena arena;
static struct failure failure;
static struct experiment experiment;
static struct traffic parts[PARTS_MAX];
static struct arrivals arrivals;
static const char *files[PARTS_MAX];

static int start(void **state)
{
    (void)state;
    experiment_init(&experiment);
    experiment.traffic = parts;
    experiment.traffics = 0;
    experiment.topology.regions = 2;
    experiment.topology.region[0] = "fra";
    experiment.topology.region[1] = "nrt";
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PARTS_MAX; i++)
        if (files[i])
            unlink(files[i]);
    memset(files, 0, sizeof files);
    arena_free(&arena);
    return 0;
}

static struct traffic *add(struct traffic traffic)
{
    parts[experiment.traffics] = traffic;
    return &parts[experiment.traffics++];
}

static struct traffic *add_trace(const char *text)
{
    char *path = arena_format(&arena, "%s/limitlab-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : P_tmpdir);
    int file = mkstemp(path);

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    files[experiment.traffics] = path;
    return add((struct traffic){ .kind = TRAFFIC_TRACE, .trace = path, .region = -1 });
}

static struct traffic *add_constant(const char *prefix, uint32_t keys, uint64_t requests)
{
    return add((struct traffic){ .kind = TRAFFIC_CONSTANT, .rate_per_hour = 3600, .requests = requests,
                                 .keys = keys, .key_prefix = prefix, .origin = { "s.yaml", 4 } });
}

static void open_all(void)
{
    if (!arrivals_open(&arrivals, &experiment, false, &failure))
        fail_msg("%s", failure.line);
}

static void refuse(bool refunds, const char *line)
{
    assert_false(arrivals_open(&arrivals, &experiment, refunds, &failure));
    assert_int_equal(failure.code, EXIT_USAGE);
    if (!strstr(failure.line, line))
        fail_msg("%s", failure.line);
}

/* "1 a 3; 2 b 1": seconds, key and cost of each arrival (region after a slash when it is not the first). */
static const char *played(uint64_t seed, bool spread)
{
    struct playing playing;
    struct arrival arrival;
    const char *all = "";
    int64_t before_ns = INT64_MIN;

    playing_start(&playing, &arrivals, seed, spread);
    while (playing.merged.source.next(&playing.merged.source, &arrival)) {
        assert_true(arrival.at_ns >= before_ns);
        before_ns = arrival.at_ns;
        all = arena_format(&arena, "%s%s%lld %s %lld%s", all, *all ? "; " : "",
                           (long long)(arrival.at_ns / SECOND), key_name(&arrivals.keys, arrival.key, NULL),
                           (long long)arrival.cost, arrival.region ? "/1" : "");
    }
    assert_true(playing_end(&playing, &failure));
    return all;
}

/* ---- keys ---- */

static void a_key_is_its_name_whoever_sends_it(void **state)
{
    (void)state;
    add_trace("t,key\n2s,user1\n3s,other\n4s,b\n");
    add_constant("user", 3, 2);
    add_constant("b", 1, 1);
    add_constant("user", 2, 1);
    open_all();
    assert_int_equal(arrivals.keys.count, 5);       /* user1 other b user0 user2 */
    assert_string_equal(key_name(&arrivals.keys, 0, NULL), "user1");
    assert_int_equal(arrivals.generator_key[1][0], 3);
    assert_int_equal(arrivals.generator_key[1][1], 0);
    assert_int_equal(arrivals.generator_key[1][2], 4);
    assert_int_equal(arrivals.generator_key[2][0], 2);
    assert_int_equal(arrivals.generator_key[3][0], 3);
    assert_int_equal(arrivals.generator_key[3][1], 0);
    arrivals_close(&arrivals);
}

static void the_numbers_of_keys_do_not_depend_on_what_was_played(void **state)
{
    (void)state;
    add_constant("user", 50, 200);
    add_trace("t,key\n2s,user49\n3s,new\n");
    open_all();
    const char *first = played(1, false), *second = played(2, false);
    assert_string_not_equal(first, second);
    assert_int_equal(arrivals.keys.count, 51);
    assert_string_equal(played(1, false), first);
    assert_string_equal(played(2, false), second);
    arrivals_close(&arrivals);
}

static void hostile_names_are_names(void **state)
{
    (void)state;
    add_trace("t,key\n1s,\"a,\"\"b\"\"\"\n2s,\n3s,`id`\n");
    open_all();
    assert_string_equal(played(1, false), "1 a,\"b\" 1; 2  1; 3 `id` 1");
    arrivals_close(&arrivals);
}

/* ---- order ---- */

static void parts_are_merged_by_time_and_at_one_instant_by_their_order(void **state)
{
    (void)state;
    add_trace("t,key,cost\n1s,a,7\n3s,a,7\n");
    add_constant("g", 1, 5);                        /* at 0, 1, 2, 3 and 4 s */
    add_trace("t,key,cost\n1s,z,9\n3s,z,9\n");
    open_all();
    assert_string_equal(played(1, false),
                        "0 g 1; 1 a 7; 1 g 1; 1 z 9; 2 g 1; 3 a 7; 3 g 1; 3 z 9; 4 g 1");
    assert_int_equal(arrivals.requests, 9);
    assert_int_equal(arrivals.last_ns, 3 * SECOND);
    arrivals_close(&arrivals);
}

static void rows_out_of_order_are_sorted(void **state)
{
    (void)state;
    add_trace("t,key\n3s,c\n1s,a\n3s,d\n2s,b\n");
    open_all();
    assert_string_equal(played(1, false), "1 a 1; 2 b 1; 3 c 1; 3 d 1");
    arrivals_close(&arrivals);
}

static void every_id_names_its_part(void **state)
{
    struct playing playing;
    struct arrival arrival;
    unsigned of[2] = { 0, 0 };

    (void)state;
    add_constant("g", 1, 3);
    add_trace("t\n1s\n2s\n");
    open_all();
    playing_start(&playing, &arrivals, 1, false);
    while (playing.merged.source.next(&playing.merged.source, &arrival))
        of[arrival.id >> TRACE_ID_BITS]++;
    assert_true(playing_end(&playing, &failure));
    assert_int_equal(of[0], 3);
    assert_int_equal(of[1], 2);
    arrivals_close(&arrivals);
}

/* ---- epochs and precision ---- */

static void relative_times_have_no_epoch_and_no_rounding(void **state)
{
    (void)state;
    add_trace("t\n5s\n9s\n");
    open_all();
    assert_int_equal(arrivals.epoch_ns, 0);
    assert_int_equal(arrivals.precision_ns, 1);
    assert_int_equal(arrivals.last_ns, 9 * SECOND);
    assert_string_equal(played(1, true), played(1, false));
    arrivals_close(&arrivals);
}

static void absolute_times_begin_with_the_earliest_of_all_traces(void **state)
{
    (void)state;
    add_trace("t,key\n2026-01-01T00:00:05.25Z,a\n2026-01-01T00:00:09.75Z,a\n");
    add_trace("t,key\n2026-01-01T00:00:03Z,b\n");
    open_all();
    assert_int_equal(arrivals.epoch_ns, (JANUARY + 3) * SECOND);
    assert_int_equal(arrivals.precision_ns, SECOND);            /* the coarser clock of the two */
    assert_int_equal(arrivals.last_ns, 27 * SECOND / 4);
    assert_string_equal(played(1, false), "0 b 1; 2 a 1; 6 a 1");
    arrivals_close(&arrivals);
}

static void spread_arrivals_stay_within_the_precision_of_their_clock(void **state)
{
    struct playing playing;
    struct arrival arrival;
    int64_t at_ns[3], n = 0;

    (void)state;
    add_trace("t\n2026-01-01T00:00:00Z\n2026-01-01T00:00:07Z\n2026-01-01T00:00:09Z\n");
    open_all();
    playing_start(&playing, &arrivals, 3, true);
    while (playing.merged.source.next(&playing.merged.source, &arrival))
        at_ns[n++] = arrival.at_ns;
    assert_true(playing_end(&playing, &failure));
    assert_int_equal(n, 3);
    for (int i = 0; i < 3; i++) {
        static const int64_t logged_s[] = { 0, 7, 9 };
        assert_in_range(at_ns[i], logged_s[i] * SECOND, (logged_s[i] + 1) * SECOND - 1);
        assert_int_not_equal(at_ns[i] % SECOND, 0);
    }
    arrivals_close(&arrivals);
}

static void absolute_and_relative_times_do_not_mix(void **state)
{
    (void)state;
    add_trace("t\n2026-01-01T00:00:05Z\n");
    add_trace("t\n5s\n");
    refuse(false, "expected the same kind in all traces of a run");
}

/* ---- regions ---- */

static void a_region_that_is_stated_overrides_the_column(void **state)
{
    (void)state;
    add_trace("t,key,region\n1s,a,fra\n2s,b,nrt\n");
    add_trace("t,key,region\n3s,c,mars\n")->region = 1;
    open_all();
    assert_string_equal(played(1, false), "1 a 1; 2 b 1/1; 3 c 1/1");
    arrivals_close(&arrivals);
}

static void a_region_that_nobody_knows_is_bad_input(void **state)
{
    (void)state;
    add_trace("t,key,region\n1s,a,fra\n2s,b,mars\n");
    refuse(false, ":3: ");
}

/* ---- the key that asks for most ---- */

static int64_t top(void)
{
    open_all();
    int64_t key = arrivals_top_key(&arrivals, 1, false);
    return key;
}

static void assert_top(const char *name)
{
    int64_t key = top();

    assert_true(key >= 0);
    assert_string_equal(key_name(&arrivals.keys, (uint32_t)key, NULL), name);
    arrivals_close(&arrivals);
}

static void the_top_key_asks_for_most_over_all_parts(void **state)
{
    (void)state;
    add_trace("t,key,cost\n1s,few,9\n2s,many,4\n3s,many,4\n");
    assert_top("few");
    add_constant("many", 1, 2);                     /* 2 more make 10 */
    assert_top("many");
}

static void ties_for_the_top_go_to_the_smaller_name(void **state)
{
    (void)state;
    add_trace("t,key,cost\n1s,zeta,5\n2s,beta,2\n3s,eta,5\n4s,beta,3\n");
    assert_top("beta");
}

static void without_costs_there_is_no_top_key(void **state)
{
    (void)state;
    add_trace("t,key,cost\n1s,a,0\n2s,b,0\n");
    assert_int_equal(top(), -1);
    arrivals_close(&arrivals);
}

/* ---- what cannot be ---- */

static void no_traffic_is_bad_input(void **state)
{
    (void)state;
    refuse(false, "there is no traffic; expected a trace or a generator");
}

static void refunds_are_refused_unless_they_are_allowed(void **state)
{
    (void)state;
    add_trace("t,key,cost\n1s,a,5\n2s,a,-3\n");
    refuse(false, ":3: ");
    if (!arrivals_open(&arrivals, &experiment, true, &failure))
        fail_msg("%s", failure.line);
    assert_string_equal(played(1, false), "1 a 5; 2 a -3");
    arrivals_close(&arrivals);
}

static void costs_that_could_overflow_are_refused(void **state)
{
    static const struct cost_weight huge[] = { { COST_MAX, 1 } };
    struct traffic *traffic = add_constant("g", 1, 512);

    (void)state;
    traffic->costs = 1;
    traffic->cost = huge;
    open_all();                                     /* 2^9 times less than 2^53 */
    arrivals_close(&arrivals);
    traffic->requests = 513;
    refuse(false, "the costs of this traffic may sum to more than 2^62; expected fewer requests or smaller "
                  "costs");
}

static void a_generator_that_cannot_be_is_named_by_its_line(void **state)
{
    (void)state;
    add_trace("t\n1s\n");
    add_constant("g", 1, 5)->rate_per_hour = 0;
    refuse(false, "s.yaml:4: this traffic cannot be: ");
}

static void a_trace_that_is_not_there_is_bad_input(void **state)
{
    (void)state;
    add((struct traffic){ .kind = TRAFFIC_TRACE, .trace = "no/such/file.csv", .region = -1 });
    refuse(false, "no/such/file.csv: ");
}

/* ---- closed loops ---- */

static void a_closed_loop_hears_only_of_its_own_requests(void **state)
{
    struct playing playing;
    struct arrival arrival, next;
    struct verdict verdict = verdict_allow();
    unsigned again = 0, others = 0;

    (void)state;
    add_constant("g", 1, 2);
    add((struct traffic){ .kind = TRAFFIC_CLOSED_LOOP, .requests = 5, .in_flight = 2, .think_ns = 7,
                          .keys = 1, .key_prefix = "loop" });
    open_all();
    playing_start(&playing, &arrivals, 1, false);
    struct source *source = &playing.merged.source;
    assert_non_null(source->ended);
    while (source->next(source, &arrival)) {
        bool sends = source->ended(source, &arrival, arrival.at_ns + 100, &verdict, &next);
        others += arrival.client == 0;
        assert_true(arrival.client != 0 || !sends);
        while (sends) {
            assert_int_equal(next.at_ns, arrival.at_ns + 107);
            again++;
            arrival = next;
            sends = source->ended(source, &arrival, arrival.at_ns + 100, &verdict, &next);
        }
    }
    assert_true(playing_end(&playing, &failure));
    assert_int_equal(others, 2);
    assert_int_equal(again, 3);                     /* 5 requests, of which 2 came by themselves */
    arrivals_close(&arrivals);
}

/* ---- notes ---- */

static const char *notes;

static void note(void *context, const char *line)
{
    (void)context;
    notes = arena_format(&arena, "%s%s\n", notes, strchr(line, ':') ? strchr(line, ':') : line);
}

static void people_are_told_what_was_sorted_and_what_was_not_used(void **state)
{
    (void)state;
    notes = "";
    add_trace("t,key,region\n3s,c,fra\n1s,a,fra\n3s,d,nrt\n2s,b,fra\n")->region = 1;
    add_trace("t\n1s\n2s\n");
    add_constant("g", 1, 2);
    open_all();
    arrivals_notes(&arrivals, note, NULL);
    assert_string_equal(notes, ": 2 of 4 rows were out of time order and have been sorted\n"
                               ": its region column is not used, all of it arrives in nrt\n");
    arrivals_close(&arrivals);
}

#define ARRIVALS_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)

TEST_MAIN(ARRIVALS_TEST(a_key_is_its_name_whoever_sends_it),
          ARRIVALS_TEST(the_numbers_of_keys_do_not_depend_on_what_was_played),
          ARRIVALS_TEST(hostile_names_are_names),
          ARRIVALS_TEST(parts_are_merged_by_time_and_at_one_instant_by_their_order),
          ARRIVALS_TEST(rows_out_of_order_are_sorted),
          ARRIVALS_TEST(every_id_names_its_part),
          ARRIVALS_TEST(relative_times_have_no_epoch_and_no_rounding),
          ARRIVALS_TEST(absolute_times_begin_with_the_earliest_of_all_traces),
          ARRIVALS_TEST(spread_arrivals_stay_within_the_precision_of_their_clock),
          ARRIVALS_TEST(absolute_and_relative_times_do_not_mix),
          ARRIVALS_TEST(a_region_that_is_stated_overrides_the_column),
          ARRIVALS_TEST(a_region_that_nobody_knows_is_bad_input),
          ARRIVALS_TEST(the_top_key_asks_for_most_over_all_parts),
          ARRIVALS_TEST(ties_for_the_top_go_to_the_smaller_name),
          ARRIVALS_TEST(without_costs_there_is_no_top_key),
          ARRIVALS_TEST(no_traffic_is_bad_input),
          ARRIVALS_TEST(refunds_are_refused_unless_they_are_allowed),
          ARRIVALS_TEST(costs_that_could_overflow_are_refused),
          ARRIVALS_TEST(a_generator_that_cannot_be_is_named_by_its_line),
          ARRIVALS_TEST(a_trace_that_is_not_there_is_bad_input),
          ARRIVALS_TEST(a_closed_loop_hears_only_of_its_own_requests),
          ARRIVALS_TEST(people_are_told_what_was_sorted_and_what_was_not_used))

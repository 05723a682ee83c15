/* Traces: what is read, what is refused with which words, and that time order holds however the file is
 * ordered. */
#include "test.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../engine/stream.h"
#include "../harness/merge.h"
#include "../harness/trace_cursor.h"

#define SECOND INT64_C(1000000000)
#define COUNT(array) (sizeof (array) / sizeof *(array))

static const char *const two_regions[] = { "fra", "nrt", NULL };

static bool scan_text(struct trace *trace, struct keys *keys, const char *text, struct failure *failure)
{
    struct trace_options options = { .keys = keys, .regions = two_regions };

    return trace_scan_bytes(trace, "t.csv", text, strlen(text), &options, failure);
}

static struct trace_summary summary_of(const char *text)
{
    struct keys keys = { 0 };
    struct trace trace;
    struct failure failure;

    if (!scan_text(&trace, &keys, text, &failure))
        fail_msg("%s", failure.line);
    trace_free(&trace);
    keys_free(&keys);
    return trace.summary;
}

static void columns_are_found_by_name_in_any_order(void **state)
{
    struct keys keys = { 0 };
    struct trace trace;
    struct failure failure;
    struct arrival arrival;

    (void)state;
    assert_true(scan_text(&trace, &keys,
                          "region,agent,cost,key,t\r\nnrt,\"a,\nb\",7,\"x \"\"y\"\"\",1.5s\r\n,,0,x,2s\r\n",
                          &failure));
    assert_int_equal(trace.summary.rows, 2);
    assert_true(trace.summary.has_key && trace.summary.has_cost && trace.summary.has_region);
    struct trace_source *played = trace_play(&trace, &(struct trace_play){ .index = 3, .region = -1 });
    struct source *source = trace_source(played);
    assert_true(source->next(source, &arrival));
    assert_true(arrival.at_ns == 3 * SECOND / 2 && arrival.cost == 7 && arrival.region == 1);
    assert_string_equal(key_name(&keys, arrival.key, NULL), "x \"y\"");
    assert_true(arrival.id == UINT64_C(3) << TRACE_ID_BITS);
    assert_true(source->next(source, &arrival));
    assert_true(arrival.at_ns == 2 * SECOND && arrival.cost == 0 && arrival.region == 0);
    assert_string_equal(key_name(&keys, arrival.key, NULL), "x");
    assert_true(arrival.id == (UINT64_C(3) << TRACE_ID_BITS | 1));
    assert_false(source->next(source, &arrival));
    assert_false(trace_source_failed(played, &failure));
    trace_source_free(played);
    trace_free(&trace);
    keys_free(&keys);
}

static void what_is_left_out_has_a_default(void **state)
{
    struct keys keys = { 0 };
    struct trace trace;
    struct failure failure;
    struct arrival arrival;

    (void)state;
    assert_true(scan_text(&trace, &keys, "\xef\xbb\xbft_ms\n\n250\n   \n1000.5", &failure));
    assert_int_equal(trace.summary.rows, 2);
    assert_false(trace.summary.has_key || trace.summary.has_cost || trace.summary.has_region);
    struct trace_source *played = trace_play(&trace, &(struct trace_play){ .region = 1 });
    struct source *source = trace_source(played);
    assert_true(source->next(source, &arrival));
    assert_true(arrival.at_ns == 250000000 && arrival.cost == 1 && arrival.key == 0 && arrival.region == 1);
    assert_string_equal(key_name(&keys, 0, NULL), "all");
    assert_true(source->next(source, &arrival));
    assert_true(arrival.at_ns == 1000500000);
    trace_source_free(played);
    trace_free(&trace);
    keys_free(&keys);
}

static void every_unit_of_time_is_exact(void **state)
{
    (void)state;
    assert_true(summary_of("t_ns\n1\n2\n").last_ns == 2);
    assert_true(summary_of("t_us\n0.001\n7\n").last_ns == 7000);
    assert_true(summary_of("t_s\n1.000000001\n").last_ns == 1000000001);
    assert_true(summary_of("t\n5m\n").last_ns == 300 * SECOND);
    struct trace_summary absolute = summary_of("t\n2015-05-17T10:05:03+02:00\n2015-05-17 08:05:04.5\n");
    assert_true(absolute.absolute && absolute.first_ns == 1431849903 * SECOND);
    assert_true(absolute.last_ns == 1431849904 * SECOND + SECOND / 2);
}

static void precision_is_the_finest_that_the_clock_shows(void **state)
{
    static const struct { const char *text; int64_t precision_ns; } cases[] = {
        { "t\n0s\n60s\n", SECOND }, { "t_ns\n1000000000\n", SECOND }, { "t\n12.5s\n1s\n", 100000000 },
        { "t\n250ms\n", 10000000 }, { "t_ms\n1000\n1001\n", 1000000 }, { "t_ns\n1\n", 1 },
        { "t\n5m\n", SECOND }, { "t\n", SECOND }, { "t\n2015-05-17T10:05:03Z\n", SECOND },
        { "t\n2015-05-17T10:05:03.000Z\n2015-05-17T10:05:03Z\n", 1000000 },
        { "t\n2015-05-17T10:05:03.100Z\n2015-05-17T10:05:04.000Z\n", 1000000 },
        { "t\n2023-11-16 18:17:03.9799600\n", 100 },
        { "t\n2015-05-17T10:05:03.10Z\n2015-05-17T10:05:04.1Z\n", 10000000 },
        { "t\n1969-12-31T23:59:59.5Z\n", 100000000 }
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t got = summary_of(cases[i].text).precision_ns;
        if (got != cases[i].precision_ns)
            fail_msg("%s: %" PRId64 ", expected %" PRId64, cases[i].text, got, cases[i].precision_ns);
    }
}

static void the_summary_counts_rows_keys_and_regions(void **state)
{
    struct trace_summary summary = summary_of("t,key,cost,region\n3s,a,2,fra\n1s,b,5,fra\n2s,a,3,nrt\n3s,c,5,"
                                              "nrt\n0s,c,0,nrt\n");

    (void)state;
    assert_int_equal(summary.rows, 5);
    assert_int_equal(summary.keys, 3);
    assert_int_equal(summary.keys_in_several_regions, 1);
    assert_int_equal(summary.total_cost, 15);
    assert_int_equal(summary.rows_out_of_order, 2);
    assert_true(summary.late_ns == 3 * SECOND);
    assert_true(summary.first_ns == 0 && summary.last_ns == 3 * SECOND);
    assert_int_equal(summary.top_key, 0);               /* a, b and c ask for 5 each: the smaller name */
    assert_int_equal(summary.top_key_cost, 5);
    assert_int_equal(summary.region_rows[0], 2);
    assert_int_equal(summary.region_rows[1], 3);
}

static const struct { const char *text, *line; } unusable[] = {
    { "", "t.csv: is empty; expected a header line with the names of columns" },
    { "\n\n", "t.csv: is empty; expected a header line with the names of columns" },
    { "time,key\n",
      "t.csv:1: has no column t; expected a column t, t_ns, t_us, t_ms or t_s, as limitlab import writes "
      "(is it \"time\"?)" },
    { "h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5\n",
      "t.csv:1: is a line of an access log; expected a trace, as limitlab import makes of it" },
    { "t,t\n", "t.csv:1: has the column \"t\" twice; expected it once" },
    { "t,t_ms\n", "t.csv:1: has two columns of times; expected one of t, t_ns, t_us, t_ms and t_s" },
    { "t\n1\n",
      "t.csv:2: time \"1\" has no unit; expected ns, us, ms, s, m, h or d after the number, as in "
      "250ms" },
    { "t\n-1s\n",
      "t.csv:2: time \"-1s\" is not a duration; expected a number with ns, us, ms, s, m, h or d, as in "
      "250ms" },
    { "t_s\n1s\n", "t.csv:2: time \"1s\" is not a number; expected digits, as in 1500 or 12.5" },
    { "t\n1s\n2015-05-17T10:05:03Z\n",
      "t.csv:3: time \"2015-05-17T10:05:03Z\" is absolute; expected a duration, as in the rows before" },
    { "t\n2015-05-17T10:05:03Z\n1s\n",
      "t.csv:3: time \"1s\" is a duration; expected a date, as in the rows before" },
    { "t,key\n1s\n", "t.csv:2: has 1 field; expected 2, as in the header" },
    { "t\n\n1s,2\n", "t.csv:3: has 2 fields; expected 1, as in the header" },
    { "t,cost\n1s,1.5\n",
      "t.csv:2: cost \"1.5\" is not usable; expected a whole number up to 9007199254740991" },
    { "t,cost\n1s,\n",
      "t.csv:2: cost \"\" is not usable; expected a whole number up to 9007199254740991" },
    { "t,cost\n1s,9007199254740992\n",
      "t.csv:2: cost \"9007199254740992\" is not usable; expected a whole number up to "
      "9007199254740991" },
    { "t,cost\n1s,-1\n",
      "t.csv:2: cost \"-1\" is negative; expected at least 0, as not every limiter here takes refunds" },
    { "t,region\n1s,fa\n",
      "t.csv:2: region \"fa\" is not in the topology; expected perhaps fra, or more regions" },
    { "t,region\n1s,tokyo\n",
      "t.csv:2: region \"tokyo\" is not in the topology; expected one of its names, as fra, or more "
      "regions" },
    { "t,key\n1s,\"a\n2s,b\n",
      "t.csv:2: has a quote that is never closed; expected a quote at the field's end" },
    { "t,key\n1s,a\"b\n",
      "t.csv:2: has a quote out of place; expected fields as a or \"a\", and \"\" for a quote inside" },
    { "t,key\n1s,\"a\"b\n",
      "t.csv:2: has a quote out of place; expected fields as a or \"a\", and \"\" for a quote inside" },
    { "t,key\n1s,a\r2s,b\n",
      "t.csv:2: has a bare carriage return; expected lines that end in LF or CRLF" },
    { "t,key\n\"1s\n\",a\n",
      "t.csv:2: time \"1s\\x0a\" has no unit of time that is known; expected ns, us, ms, s, m, h or d, "
      "as in 250ms" },
    { "t\n1900-01-01T00:00:00Z\n2100-01-01T00:00:00Z\n",
      "t.csv:3: is more than 146 years from another row; expected times closer together" }
};

static void what_cannot_be_used_is_refused_at_its_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(unusable); i++) {
        struct keys keys = { 0 };
        struct trace trace;
        struct failure failure = { .line = "accepted" };
        assert_false(scan_text(&trace, &keys, unusable[i].text, &failure));
        assert_string_equal(failure.line, unusable[i].line);
        assert_int_equal(failure.code, EXIT_USAGE);
        keys_free(&keys);
    }
}

static void a_nul_byte_is_refused_and_refunds_only_where_allowed(void **state)
{
    struct keys keys = { 0 };
    struct trace trace;
    struct failure failure;
    struct trace_options options = { .keys = &keys, .allow_refunds = true };
    static const char nul[] = "t\n1s\0\n", refund[] = "t,cost\n1s,5\n2s,-3\n";

    (void)state;
    assert_false(trace_scan_bytes(&trace, "t.csv", nul, sizeof nul - 1, &options, &failure));
    assert_string_equal(failure.line, "t.csv:2: has a NUL byte; expected text in UTF-8");
    assert_true(trace_scan_bytes(&trace, "t.csv", refund, sizeof refund - 1, &options, &failure));
    assert_int_equal(trace.summary.total_cost, 8);
    assert_int_equal(trace.summary.top_key_cost, 5);
    trace_free(&trace);
    keys_free(&keys);
}

static void costs_that_sum_too_high_are_refused_at_their_row(void **state)
{
    static char text[20000];
    size_t used = (size_t)snprintf(text, sizeof text, "t,cost\n");
    struct keys keys = { 0 };
    struct trace trace;
    struct failure failure;

    (void)state;
    for (int i = 0; i < 514; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "1s,9007199254740991\n");
    assert_false(scan_text(&trace, &keys, text, &failure));
    assert_string_equal(failure.line, "t.csv:514: brings the costs to more than 2^62; expected smaller "
                                      "costs");
    keys_free(&keys);
}

/* ---- time order, against a stable sort of everything ---- */

struct expected { int64_t at_ns; uint64_t id; };

static int by_time_then_row(const void *a, const void *b)
{
    const struct expected *left = a, *right = b;

    if (left->at_ns != right->at_ns)
        return left->at_ns < right->at_ns ? -1 : 1;
    return left->id < right->id ? -1 : 1;
}

static uint64_t mix(uint64_t n)
{
    return stream_value(7, (struct stream){ .entity = n });
}

enum { ROWS = 3000 };

static void write_disordered(FILE *file, uint64_t disorder, struct expected expected[ROWS])
{
    fprintf(file, "t_s\n");
    for (uint64_t i = 0; i < ROWS; i++) {
        uint64_t t = i / 5 + mix(i) % disorder;
        fprintf(file, "%" PRIu64 "\n", t);
        expected[i] = (struct expected){ (int64_t)t * SECOND, UINT64_C(2) << TRACE_ID_BITS | i };
    }
}

static void check_order(const struct trace *trace, bool spread, const struct expected *rows)
{
    static struct expected expected[ROWS];
    struct trace_play play = { .index = 2, .region = -1, .spread = spread, .seed = 42 };
    struct arrival arrival;
    struct failure failure;

    for (size_t i = 0; i < ROWS; i++) {
        expected[i] = rows[i];
        if (spread)
            expected[i].at_ns +=
                (int64_t)stream_below(42, (struct stream){ rows[i].id, STREAM_SPREAD, 0 }, 1000000000);
    }
    qsort(expected, ROWS, sizeof *expected, by_time_then_row);
    struct trace_source *played = trace_play(trace, &play);
    struct source *source = trace_source(played);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(source->next(source, &arrival));
        assert_true(arrival.at_ns == expected[i].at_ns);
        assert_true(arrival.id == expected[i].id);
    }
    assert_false(source->next(source, &arrival));
    assert_false(trace_source_failed(played, &failure));
    trace_source_free(played);
}

static void rows_come_in_order_of_time_stably_held_or_streamed_spread_or_not(void **state)
{
    static struct expected rows[ROWS];
    static const uint64_t disorders[] = { 1, 2, 60, 100000 };

    (void)state;
    for (size_t i = 0; i < COUNT(disorders); i++) {
        char path[] = P_tmpdir "/limitlab-test-XXXXXX";
        FILE *file = fdopen(mkstemp(path), "w");
        struct keys keys = { 0 };
        struct trace trace;
        struct failure failure;

        write_disordered(file, disorders[i], rows);
        fclose(file);
        assert_true(trace_scan(&trace, path, &(struct trace_options){ .keys = &keys }, &failure));
        assert_int_equal(trace.summary.rows, ROWS);
        assert_true((trace.summary.rows_out_of_order == 0) == (disorders[i] == 1));
        check_order(&trace, false, rows);
        check_order(&trace, true, rows);
        trace_free(&trace);                             /* no longer held: from here on it is streamed */
        check_order(&trace, false, rows);
        check_order(&trace, true, rows);
        keys_free(&keys);
        unlink(path);
    }
}

static void a_file_that_changes_between_runs_is_noticed(void **state)
{
    static const char *const changed[] = { "t\n1s\n2s\n3s\n",      "t\n1s\n", "t\n1s\n9s\n", "t\n1s\nx\n",
                                           "t,cost\n1s,1\n2s,5\n", "" };

    (void)state;
    for (size_t i = 0; i < COUNT(changed); i++) {
        char path[] = P_tmpdir "/limitlab-test-XXXXXX";
        FILE *file = fdopen(mkstemp(path), "w");
        struct keys keys = { 0 };
        struct trace trace;
        struct failure failure;
        struct arrival arrival;

        fputs("t\n1s\n2s\n", file);
        fclose(file);
        assert_true(trace_scan(&trace, path, &(struct trace_options){ .keys = &keys }, &failure));
        trace_free(&trace);
        file = fopen(path, "w");
        fputs(changed[i], file);
        fclose(file);
        struct trace_source *played = trace_play(&trace, &(struct trace_play){ .region = -1 });
        struct source *source = trace_source(played);
        while (source->next(source, &arrival))
            ;
        assert_true(trace_source_failed(played, &failure));
        trace_source_free(played);
        unlink(path);
        played = trace_play(&trace, &(struct trace_play){ .region = -1 });
        assert_true(trace_source_failed(played, &failure));
        trace_source_free(played);
        keys_free(&keys);
    }
}

static void a_trace_that_is_not_there_is_bad_input(void **state)
{
    struct keys keys = { 0 };
    struct trace trace;
    struct failure failure;

    (void)state;
    assert_false(trace_scan(&trace, "no/such/file.csv", &(struct trace_options){ .keys = &keys }, &failure));
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_non_null(strstr(failure.line, "no/such/file.csv: cannot be opened"));
    assert_false(trace_scan(&trace, ".", &(struct trace_options){ .keys = &keys }, &failure));
    assert_int_equal(failure.code, EXIT_USAGE);
    keys_free(&keys);
}

static void traces_of_a_run_share_one_epoch(void **state)
{
    struct keys keys = { 0 };
    struct trace traces[3];
    struct failure failure;
    int64_t epoch_ns;

    (void)state;
    assert_true(scan_text(&traces[0], &keys, "t\n", &failure));
    assert_true(scan_text(&traces[1], &keys, "t\n2015-05-17T10:05:05Z\n", &failure));
    assert_true(scan_text(&traces[2], &keys, "t\n2015-05-17T10:05:09Z\n2015-05-17T10:05:03Z\n", &failure));
    assert_true(traces_epoch(traces, 3, &epoch_ns, &failure));
    assert_true(epoch_ns == 1431857103 * SECOND);
    trace_free(&traces[1]);
    assert_true(scan_text(&traces[1], &keys, "t\n5s\n", &failure));
    assert_false(traces_epoch(traces, 3, &epoch_ns, &failure));
    assert_true(traces_epoch(traces, 2, &epoch_ns, &failure));
    assert_true(epoch_ns == 0);
    for (int i = 0; i < 3; i++)
        trace_free(&traces[i]);
    keys_free(&keys);
}

/* ---- merging ---- */

struct listed { struct source source; const int64_t *at_ns; size_t count, next; uint64_t index; int ended; };

static bool listed_next(struct source *self, struct arrival *out)
{
    struct listed *listed = (struct listed *)(void *)self;

    if (listed->next == listed->count)
        return false;
    *out = (struct arrival){ .at_ns = listed->at_ns[listed->next],
                             .id = listed->index << TRACE_ID_BITS | listed->next };
    listed->next++;
    return true;
}

static bool listed_ended(struct source *self, const struct arrival *arrival, int64_t now_ns,
                         const struct verdict *verdict, struct arrival *out)
{
    (void)arrival, (void)verdict;
    ((struct listed *)(void *)self)->ended++;
    *out = (struct arrival){ .at_ns = now_ns };
    return true;
}

static void sources_merge_by_time_and_the_lower_index_goes_first(void **state)
{
    static const int64_t left[] = { 1, 3, 3, 9 }, right[] = { 0, 3, 4 };
    static const struct { uint64_t index; int64_t at_ns; } expected[] = {
        { 1, 0 }, { 0, 1 }, { 0, 3 }, { 0, 3 }, { 1, 3 }, { 1, 4 }, { 0, 9 }
    };
    struct listed open = { .source = { .next = listed_next }, .at_ns = left, .count = 4, .index = 0 };
    struct listed loop = {
        .source = { .next = listed_next, .ended = listed_ended }, .at_ns = right, .count = 3, .index = 1
    };
    struct source *const parts[] = { &open.source, &loop.source };
    struct merged_head heads[2];
    struct merged_source merged;
    struct arrival arrival, follows;

    (void)state;
    merged_init(&merged, parts, 2, heads);
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_true(merged.source.next(&merged.source, &arrival));
        assert_true(arrival.at_ns == expected[i].at_ns && arrival.id >> TRACE_ID_BITS == expected[i].index);
        bool more =
            merged.source.ended(&merged.source, &arrival, 77, &(struct verdict){ .allowed = true }, &follows);
        assert_int_equal(more, expected[i].index == 1);
    }
    assert_false(merged.source.next(&merged.source, &arrival));
    assert_int_equal(loop.ended, 3);
    merged_init(&merged, parts, 1, heads);
    assert_null(merged.source.ended);
}

TEST_MAIN(
    TEST(columns_are_found_by_name_in_any_order),
    TEST(what_is_left_out_has_a_default),
    TEST(every_unit_of_time_is_exact),
    TEST(precision_is_the_finest_that_the_clock_shows),
    TEST(the_summary_counts_rows_keys_and_regions),
    TEST(what_cannot_be_used_is_refused_at_its_line),
    TEST(a_nul_byte_is_refused_and_refunds_only_where_allowed),
    TEST(costs_that_sum_too_high_are_refused_at_their_row),
    TEST(rows_come_in_order_of_time_stably_held_or_streamed_spread_or_not),
    TEST(a_file_that_changes_between_runs_is_noticed),
    TEST(a_trace_that_is_not_there_is_bad_input),
    TEST(traces_of_a_run_share_one_epoch),
    TEST(sources_merge_by_time_and_the_lower_index_goes_first))

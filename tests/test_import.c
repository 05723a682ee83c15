/* Import: what becomes of other people's logs, and that nothing is written when it fails. */
#include "test.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../harness/accesslog.h"
#include "../harness/import.h"
#include "../harness/trace.h"

#define SECOND INT64_C(1000000000)
#define COUNT(array) (sizeof (array) / sizeof *(array))
#define ONE_PERCENT 10000000

/* The output, or the failure's line.  To be freed. */
static char *imported(struct import_options options, const char *text, struct import_summary *summary)
{
    char *out = NULL;
    size_t length;
    FILE *to = open_memstream(&out, &length);
    struct failure failure;

    options.path = "x";
    bool good = import_bytes(&options, text, strlen(text), to, summary, &failure);
    fclose(to);
    if (good)
        return out;
    assert_int_equal(failure.code, EXIT_USAGE);
    free(out);
    return strdup(failure.line);
}

static void check(struct import_options options, const char *text, const char *expected)
{
    struct import_summary summary;
    char *out = imported(options, text, &summary);

    assert_string_equal(out, expected);
    free(out);
}

static void an_access_log_needs_host_and_time_and_nothing_else(void **state)
{
    (void)state;
    check((struct import_options){ 0 },
          "10.0.0.1 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"x\"\n"
          "::1 - frank [17/May/2015:12:05:03 +0200] \"GET /\" 200 1\r\n"
          "\n"
          "host.example - a [b] c [17/May/2015:03:05:04 -0700]\n"
          "10.0.0.2 - - [17/May/2015:10:05:04.250 +0000] \"GET /cut",
          "t,key,cost\n2015-05-17T10:05:03Z,10.0.0.1,1\n2015-05-17T10:05:03Z,::1,1\n2015-05-17T10:05:04Z,"
          "host.example,1\n"
          "2015-05-17T10:05:04.250Z,10.0.0.2,1\n");
}

static void a_line_that_is_no_access_is_counted_and_skipped(void **state)
{
    static const char *const bad[] = {
        " - - [17/May/2015:10:05:03 +0000]", "h", "h - - [17/Mai/2015:10:05:03 +0000]",
        "h - - [31/Apr/2015:10:05:03 +0000]", "h - - [17/May/2015:10:05:03 +0000",
        "h - - 17/May/2015:10:05:03 +0000]", "h - - []", "h - - [17/May/2015]",
        "h - - [17/May/2015:10:05:03 +000000000000000000000000000000000000000000000000000000000]"
    };
    struct access access;

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        char text[300];
        struct import_summary summary;
        snprintf(text, sizeof text, "ok - - [17/May/2015:10:05:03 +0000]\n%s\n", bad[i]);
        char *out = imported((struct import_options){ .max_bad_billionths = 500000000 }, text, &summary);
        assert_string_equal(out, "t,key,cost\n2015-05-17T10:05:03Z,ok,1\n");
        assert_int_equal(summary.lines, 2);
        assert_int_equal(summary.bad_lines, 1);
        assert_non_null(access_parse(bad[i], &access));
        free(out);
    }
}

static void the_status_is_read_behind_a_request_with_quotes_in_it(void **state)
{
    static const struct { const char *rest; int status; } cases[] = {
        { " \"GET / HTTP/1.1\" 429 5", 429 }, { " \"GET /\\\"x\\\\\" 503", 503 }, { " \"GET /\" 99 1", 0 },
        { " \"GET /\" 600 1", 0 }, { " \"GET /\" 2000 1", 0 }, { " \"GET /", 0 }, { "", 0 },
        { " \"GET /\\", 0 }, { " \"GET /\" ", 0 }, { " 200", 0 }
    };
    struct access access;
    char line[200];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(line, sizeof line, "h - - [17/May/2015:10:05:03 +0000]%s", cases[i].rest);
        assert_null(access_parse(line, &access));
        assert_int_equal(access.status, cases[i].status);
    }
}

static void json_values_are_found_by_name_or_path_and_numbers_kept_to_the_digit(void **state)
{
    struct import_options options = { .time = "ts", .key = "u.id", .cost = "n+m", .region = "a.b" };

    (void)state;
    check(options,
          "{\"ts\":1431857103.123456789,\"u\":{\"x\":[{\"id\":9}],\"id\":\"a,\\\"b\\u00e9\"},\"n\":3.0,\"m\":"
          "9007199254740988,\"a.b\":\"x\"}\n"
          "  {\"s\":\"}\\\"\", \"ts\" : 1431857103.5 , \"u\" : {\"id\" : 7} , "
          "\"n\":1,\"m\":\"2\",\"a\":{\"b\":true}}\n"
          "{\"ts\":\"2015-05-17T12:05:03.25+02:00\",\"u\":{\"id\":\" z\"},\"n\":0,\"m\":0,\"a.b\":\"\"}\n",
          "t,key,cost,region\n2015-05-17T10:05:03.123456789Z,\"a,\"\"b\xc3\xa9\",9007199254740991,x\n"
          "2015-05-17T10:05:03.5Z,7,3,true\n2015-05-17T10:05:03.25Z,\" z\",0,\"\"\n");
}

static void bad_json_is_skipped_with_its_reason(void **state)
{
    static const struct { const char *line, *why; } cases[] = {
        { "{\"ts\":1", "x:2: has no JSON object (" },
        { "[1]", "x:2: has no JSON object (a value of another kind)" },
        { "{\"ts\":1,\"ts\":2}", "x:2: has no JSON object (duplicate object key" },
        { "{\"k\":1}", "x:2: field \"ts\" is missing" },
        { "{\"ts\":1,\"k\":null}", "x:2: field \"k\" has no plain value" },
        { "{\"ts\":1,\"k\":{}}", "x:2: field \"k\" has no plain value" },
        { "{\"ts\":1e3,\"k\":1}", "x:2: time \"1e3\" is neither" },
        { "{\"ts\":-1,\"k\":1}", "x:2: time \"-1\" is neither" },
        { "{\"ts\":1,\"k\":\"\\u0000\"}", "x:2: has no JSON object (" },
        { "{\"ts\":0.0000000001,\"k\":1}",
          "x:2: time \"0.0000000001\" is not a whole number of nanoseconds" },
        { "{\"ts\":\"2015-05-17T10:05:03Z\",\"k\":1}",
          "x:2: time \"2015-05-17T10:05:03Z\" is a date; expected a number" }
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[300], *notes = NULL;
        size_t length;
        struct import_summary summary;
        struct import_options options = { .time = "ts", .key = "k", .max_bad_billionths = 500000000 };
        options.notes = open_memstream(&notes, &length);
        snprintf(text, sizeof text, "{\"ts\":1,\"k\":\"a\"}\n%s\n", cases[i].line);
        char *out = imported(options, text, &summary);
        fclose(options.notes);
        assert_string_equal(out, "t_s,key,cost\n1,a,1\n");
        if (strncmp(notes, cases[i].why, strlen(cases[i].why)) != 0)
            fail_msg("%s", notes);
        free(out);
        free(notes);
    }
}

static void csv_columns_and_constants_make_a_row(void **state)
{
    static const char text[] = "when,who,in,out,in+out\n0.25,a,1,2,9\n1.50,\"b\nc\",4,374.0,9\n";

    (void)state;
    check((struct import_options){ .time = "when", .key = "who", .cost = "in+out" },
          "when,who,in,out\n0.25,a,1,2\n1.50,\"b\nc\",4,374.0\n",
          "t_s,key,cost\n0.25,a,3\n1.50,\"b\nc\",378\n");
    check((struct import_options){ .time = "when", .key = "who", .cost = "in+out" }, text,
          "t_s,key,cost\n0.25,a,9\n1.50,\"b\nc\",9\n");
    check((struct import_options){ .time = "when", .key = "=me", .cost = "=5", .region = "=fra" }, text,
          "t_s,key,cost,region\n0.25,me,5,fra\n1.50,me,5,fra\n");
    check((struct import_options){ .time = "when", .key = "who", .cost = "in", .used = "in+out" }, text,
          "t_s,key,cost,used\n0.25,a,1,9\n1.50,\"b\nc\",4,9\n");
    check((struct import_options){ .time = "when", .key = "who", .cost = "in", .used = "in+out" },
          "when,who,in,out\n0.25,a,1,2\n1.50,b,4,374.0\n",
          "t_s,key,cost,used\n0.25,a,1,3\n1.50,b,4,378\n");
    check((struct import_options){ .time = "when", .cost = "=5", .used = "=7", .region = "=fra" }, text,
          "t_s,cost,used,region\n0.25,5,7,fra\n1.50,5,7,fra\n");
    check((struct import_options){ .time = "when", .time_unit = "ms" }, text, "t_ms,cost\n0.25,1\n1.50,1\n");
}

static void times_that_count_from_1970_become_absolute_in_any_unit(void **state)
{
    struct import_options options = { .time = "t" };

    (void)state;
    check(options, "t\n1431857103\n1431857103.50\n",
          "t,cost\n2015-05-17T10:05:03Z,1\n2015-05-17T10:05:03.50Z,1\n");
    options.time_unit = "ms";
    check(options, "t\n1431857103250\n0\n",
          "t,cost\n2015-05-17T10:05:03.250Z,1\n1970-01-01T00:00:00.000Z,1\n");
    options.time_unit = "ns";
    check(options, "t\n1431857103000000001\n", "t,cost\n2015-05-17T10:05:03.000000001Z,1\n");
    options.time_unit = "s";
    check(options, "t\n99999999\n100000000\n", "t_s,cost\n99999999,1\n100000000,1\n");
}

static void wrong_options_are_refused_in_words(void **state)
{
    static const char csv[] = "when,n\n1,2\n", log[] = "h - - [17/May/2015:10:05:03 +0000]\n";

    (void)state;
    check((struct import_options){ 0 }, csv,
          "x:1: is read as CSV with the columns when, n; expected --time with one of them");
    check((struct import_options){ .time = "whn" }, csv,
          "x:1: has no column \"whn\"; expected it there (is it \"when\"?)");
    check((struct import_options){ .time = "zzz" }, csv,
          "x:1: has no column \"zzz\"; expected one of its own names, as when");
    check((struct import_options){ .time = "when", .cost = "n+" }, csv,
          "--cost has an empty part; expected FIELD, FIELD+FIELD or =NUMBER");
    check((struct import_options){ .time = "when", .cost = "=x" }, csv,
          "--cost \"=x\" is not usable; expected a whole number of at least 0");
    check((struct import_options){ .time = "when", .time_unit = "min" }, csv,
          "--time-unit \"min\" is not known; expected s, ms, us or ns");
    check((struct import_options){ .time = "when" }, log,
          "an access log has its own time and key; expected at most constants, as --region =eu-west-1");
    check((struct import_options){ 0 }, "{\"a\":1}\n",
          "x: is read as JSON lines; expected --time with the field that has the time");
    check((struct import_options){ .kind = IMPORT_COMBINED }, "",
          "x: has no lines to import; expected at least one");
    check((struct import_options){ .time = "when" }, "when\n",
          "x: has no lines to import; expected at least one");
    check((struct import_options){ .time = "when", .max_bad_billionths = 499999999 }, "when\n1\nx\n",
          "x: read as CSV has 1 of 2 lines that cannot be read; expected another --input, other fields or a "
          "higher --max-bad");
}

static void only_the_first_bad_lines_are_told(void **state)
{
    char text[2000] = "t,k\n", *notes = NULL;
    size_t used = strlen(text), length;
    struct import_summary summary;
    struct import_options options = { .time = "t", .max_bad_billionths = 1000000000 };

    (void)state;
    for (int i = 0; i < 20; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "1\n");
    options.notes = open_memstream(&notes, &length);
    char *out = imported(options, text, &summary);
    fclose(options.notes);
    assert_string_equal(out, "t,cost\n");
    assert_int_equal(summary.bad_lines, 20);
    assert_string_equal(notes, "x:2: has 1 field; expected 2, as in the header: skipped\nx:3: has 1 field; "
                               "expected 2, as in the header: "
                               "skipped\nx:4: has 1 field; expected 2, as in the header: skipped\nx:5: has 1 "
                               "field; expected 2, as in "
                               "the header: skipped\nx:6: has 1 field; expected 2, as in the header: "
                               "skipped\n");
    free(out);
    free(notes);
}

static void the_summary_knows_keys_regions_and_order(void **state)
{
    struct import_summary summary;
    char *out = imported((struct import_options){ .time = "t", .key = "k", .region = "r" },
                         "t,k,r\n5,a,x\n3,a,y\n4,b,x\n4,b,x\n2.5,a,z\n", &summary);

    (void)state;
    assert_int_equal(summary.keys, 2);
    assert_int_equal(summary.regions, 3);
    assert_int_equal(summary.keys_in_several_regions, 1);
    assert_int_equal(summary.rows_out_of_order, 2);
    assert_true(summary.late_ns == 5 * SECOND / 2);
    assert_true(summary.precision_ns == SECOND / 10);
    assert_false(summary.absolute);
    free(out);
}

/* ---- files ---- */

static char folder[] = P_tmpdir "/limitlab-test-XXXXXX";
static char output[sizeof folder + 8];

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void read_file(const char *path, char *text, size_t bytes)
{
    FILE *file = fopen(path, "r");

    text[file ? fread(text, 1, bytes - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
}

static void an_output_is_whole_or_untouched(void **state)
{
    char input[sizeof folder + 8], text[200];
    struct import_summary summary;
    struct failure failure;
    struct import_options options = { .path = input, .output = output, .time = "t" };

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(input, sizeof input, "%s/in", folder);
    snprintf(output, sizeof output, "%s/out", folder);
    write_file(input, "t\n1\nbad\n");
    assert_false(import_run(&options, &summary, &failure));
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_int_not_equal(access(output, F_OK), 0);
    write_file(output, "kept");
    chmod(output, 0640);
    assert_false(import_run(&options, &summary, &failure));
    read_file(output, text, sizeof text);
    assert_string_equal(text, "kept");
    write_file(input, "t\n1\n");
    assert_true(import_run(&options, &summary, &failure));
    read_file(output, text, sizeof text);
    assert_string_equal(text, "t_s,cost\n1,1\n");
    struct stat status;
    assert_int_equal(stat(output, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    unlink(output);
    unlink(input);
    assert_int_equal(rmdir(folder), 0);                 /* no temporary was left behind */
}

static void an_output_that_cannot_be_written_is_trouble(void **state)
{
    struct import_summary summary;
    struct failure failure;
    char input[] = P_tmpdir "/limitlab-test-XXXXXX";

    (void)state;
    close(mkstemp(input));
    write_file(input, "t\n1\n");
    assert_false(
        import_run(&(struct import_options){ .path = input, .output = "no/such/folder/out", .time = "t" },
                   &summary, &failure));
    assert_int_equal(failure.code, EXIT_TROUBLE);
    assert_false(import_run(&(struct import_options){ .path = input, .output = "/dev/full", .time = "t" },
                            &summary, &failure));
    assert_int_equal(failure.code, EXIT_TROUBLE);
    assert_int_equal(access("/dev/full", F_OK), 0);
    assert_false(
        import_run(&(struct import_options){ .path = "no/such/input", .time = "t" }, &summary, &failure));
    assert_int_equal(failure.code, EXIT_USAGE);
    unlink(input);
}

/* ---- real logs ---- */

struct known {
    const char *path, *time, *cost;
    uint64_t rows, out_of_order;
    uint32_t keys;
    int64_t late_ns, precision_ns, total;
};

static void check_log(const struct known *known)
{
    char path[] = P_tmpdir "/limitlab-test-XXXXXX";
    struct import_options options = { .path = known->path,
                                      .output = path,
                                      .max_bad_billionths = ONE_PERCENT,
                                      .time = known->time,
                                      .key = known->time ? "=azure" : NULL,
                                      .cost = known->cost };
    struct import_summary summary;
    struct failure failure;
    struct keys keys = { 0 };
    struct trace trace;

    close(mkstemp(path));
    if (!import_run(&options, &summary, &failure))
        fail_msg("%s", failure.line);
    assert_int_equal(summary.bad_lines, 0);
    if (!trace_scan(&trace, path, &(struct trace_options){ .keys = &keys }, &failure))
        fail_msg("%s", failure.line);
    assert_int_equal(summary.rows, known->rows);
    assert_int_equal(trace.summary.rows, known->rows);
    assert_int_equal(summary.keys, known->keys);
    assert_int_equal(trace.summary.keys, known->keys);
    assert_int_equal(summary.rows_out_of_order, known->out_of_order);
    assert_int_equal(trace.summary.rows_out_of_order, known->out_of_order);
    assert_true(summary.late_ns == known->late_ns && trace.summary.late_ns == known->late_ns);
    assert_true(summary.precision_ns == known->precision_ns
                && trace.summary.precision_ns == known->precision_ns);
    assert_true(summary.first_ns == trace.summary.first_ns && summary.last_ns == trace.summary.last_ns);
    assert_true(summary.total_cost == known->total && trace.summary.total_cost == known->total);
    assert_true(summary.absolute && trace.summary.absolute);
    trace_free(&trace);
    keys_free(&keys);
    unlink(path);
}

static void real_logs_come_through_whole(void **state)
{
    static const struct known logs[] = { { "../shared/data/web-access.log", NULL, NULL, 10000, 4915, 1753,
                                           59 * SECOND, SECOND, 10000 },
                                         { "../shared/data/llm-code.csv", "TIMESTAMP",
                                           "ContextTokens+GeneratedTokens", 8819, 0, 1, 0, 100, 18305870 },
                                         { "../shared/data/llm-conv.csv", "TIMESTAMP",
                                           "ContextTokens+GeneratedTokens", 19366, 0, 1, 0, 100, 26450535 } };
    (void)state;
    if (access(logs[0].path, R_OK) != 0) {
        print_message("no %s: skipped\n", logs[0].path);
        skip();
    }
    for (size_t i = 0; i < COUNT(logs); i++)
        check_log(&logs[i]);
}

TEST_MAIN(
    TEST(an_access_log_needs_host_and_time_and_nothing_else),
    TEST(a_line_that_is_no_access_is_counted_and_skipped),
    TEST(the_status_is_read_behind_a_request_with_quotes_in_it),
    TEST(json_values_are_found_by_name_or_path_and_numbers_kept_to_the_digit),
    TEST(bad_json_is_skipped_with_its_reason),
    TEST(csv_columns_and_constants_make_a_row),
    TEST(times_that_count_from_1970_become_absolute_in_any_unit),
    TEST(wrong_options_are_refused_in_words),
    TEST(only_the_first_bad_lines_are_told),
    TEST(the_summary_knows_keys_regions_and_order),
    TEST(an_output_is_whole_or_untouched),
    TEST(an_output_that_cannot_be_written_is_trouble),
    TEST(real_logs_come_through_whole))

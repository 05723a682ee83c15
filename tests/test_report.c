#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <sqlite3.h>
#include "../harness/database.h"
#include "../reports/report.h"
#include "plausible.h"

static char folder[] = P_tmpdir "/limitlab-report-XXXXXX";
static char database_path[128], search_path[4096];

static int in_a_folder(void **state)
{
    (void)state;
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    if (!mkdtemp(folder))
        return -1;
    snprintf(database_path, sizeof database_path, "%s/results.db", folder);
    snprintf(search_path, sizeof search_path, "%s", getenv("PATH"));
    return 0;
}

static int without_folder(void **state)
{
    static const char *const names[] = { "results.db", "report.html", "first.html", "gnuplot" };
    (void)state;
    setenv("PATH", search_path, 1);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

/* ---- a database, a page ---- */

static void store(const struct experiment *e, const struct result *results, unsigned count)
{
    struct failure failure;
    const struct database_run how = { "compare", "limitlab compare x.yaml --db r.db", "0.1", "regions: a" };
    struct database *database = database_open(database_path, &failure);
    assert_non_null(database);
    assert_true(database_begin_run(database, e, &how, &failure));
    for (unsigned i = 0; i < count; i++)
        assert_true(database_add_result(database, &results[i], &failure));
    assert_true(database_end_run(database, &failure));
    database_close(database);
}

static void store_all(const char *key)
{
    struct experiment e = plausible_experiment();
    struct result results[PLAUSIBLE_DESIGNS];
    for (unsigned i = 0; i < PLAUSIBLE_DESIGNS; i++)
        results[i] = plausible_result(i, key);
    store(&e, results, PLAUSIBLE_DESIGNS);
}

static char *contents(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t bytes = (size_t)ftell(file);
    char *text = calloc(1, bytes + 1);
    rewind(file);
    assert_int_equal(fread(text, 1, bytes, file), bytes);
    fclose(file);
    return text;
}

static char *page(void)
{
    char path[REPORT_PATH];
    struct report_failure failure = { 0 };
    if (!report_write(database_path, folder, 0, path, &failure))
        print_error("%s\n", failure.line);
    assert_string_equal(failure.line, "");
    return contents(path);
}

static void no_gnuplot_no_test(void)
{
    if (system("command -v gnuplot >" "/dev/null 2>&1") != 0) {
        print_message("gnuplot is not installed\n");
        skip();
    }
}

static const char *place(const char *text, const char *what)
{
    const char *found = strstr(text, what);
    if (!found)
        print_error("'%s' is not in the page\n", what);
    assert_non_null(found);
    return found;
}

static unsigned occurrences(const char *text, const char *what)
{
    unsigned count = 0;
    while ((text = strstr(text, what))) {
        count++;
        text += strlen(what);
    }
    return count;
}

/* ---- the page ---- */

static void each_excess_is_a_bar_divided_among_its_causes(void **state)
{
    (void)state;
    no_gnuplot_no_test();
    store_all("k");
    char *html = page();
    const char *bars = place(html, "Why they let too much through");
    place(bars, ">fixed-window@get-then-set</text>\n"
                "<rect x=\"290\" y=\"52\" width=\"209\" height=\"16\" fill=\"var(--b1)\"/>\n"
                "<text x=\"394\" y=\"64\" text-anchor=\"middle\" font-size=\"11\" fill=\"var(--paper)\">"
                "50%</text>\n<rect x=\"499\"");
    assert_int_equal(occurrences(html, " over</text>"), 3);
    free(html);
}

static void the_page_shows_the_pick_the_table_and_five_figures(void **state)
{
    (void)state;
    no_gnuplot_no_test();
    store_all("k");
    char *html = page();
    place(html, "<h1>Tokens of a language model</h1>");
    place(html, "Pick: token-bucket@owner (p99 168ms");
    assert_int_equal(occurrences(html, "<figure>"), 5);
    assert_int_equal(occurrences(html, "viewBox=\"0 0 820 360\""), 4);
    assert_int_equal(occurrences(html, "<tr><td class=\"rank\">"), PLAUSIBLE_DESIGNS);
    assert_true(place(html, "token-bucket@<wbr>owner") < place(html, "gcra@<wbr>cas"));
    place(html, "Here fixed-window@owner let 399981 through in one period of 60s, boundary burst 1.43, and "
                "token-bucket@owner let 399265 through, boundary burst 1.00");
    place(html, "<code>limitlab compare x.yaml --db r.db</code>");
    free(html);
}

static void every_column_leads_to_its_meaning(void **state)
{
    (void)state;
    no_gnuplot_no_test();
    store_all("k");
    char *html = page();
    unsigned links = 0;
    for (const char *at = html; (at = strstr(at, "href=\"#")); links++) {
        char id[64];
        size_t bytes = strcspn(at += 7, "\"");
        snprintf(id, sizeof id, "<dt id=\"%.*s\"", (int)bytes, at);
        place(html, id);
    }
    assert_true(links >= 10);
    free(html);
}

static void two_reports_have_the_same_bytes(void **state)
{
    (void)state;
    no_gnuplot_no_test();
    store_all("k");
    char *first = page(), *second = page();
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void the_page_refers_to_nothing_outside_itself(void **state)
{
    static const char *const outside[] = { "http:", "https:", "src=", "@import", "url(", "<link", "<script",
                                           "<iframe", "xlink:href" };
    (void)state;
    no_gnuplot_no_test();
    store_all("k");
    char *html = page();
    for (unsigned i = 0; i < sizeof outside / sizeof outside[0]; i++)
        assert_int_equal(occurrences(html, outside[i]), 0);
    free(html);
}

static void ids_are_unique(void **state)
{
    (void)state;
    no_gnuplot_no_test();
    store_all("k");
    char *html = page();
    unsigned ids = 0;
    for (const char *at = html; (at = strstr(at, " id=\"")); ids++) {
        char id[96];
        at += 5;
        snprintf(id, sizeof id, " id=\"%.*s\"", (int)strcspn(at, "\""), at);
        assert_int_equal(occurrences(html, id), 1);
    }
    assert_true(ids > 12);
    free(html);
}

static void plots_take_their_colours_from_the_page(void **state)
{
    (void)state;
    no_gnuplot_no_test();
    store_all("k");
    char *html = page();
    assert_int_equal(occurrences(html, "rgb("), 0);
    assert_int_equal(occurrences(html, "'black'"), 0);
    assert_int_equal(occurrences(html, "\"black\""), 0);
    assert_true(occurrences(html, "var(--c1)") > 4);
    place(html, "prefers-color-scheme:dark");
    free(html);
}

/* ---- hostile texts and numbers ---- */

static void texts_of_users_reach_the_page_only_escaped(void **state)
{
    static const char evil[] = "</title><script>alert(1)</script>`touch x`\"'$(id)\x1b[31m\xff&amp;";
    struct experiment e = plausible_experiment();
    struct result r[2] = { plausible_result(1, evil), plausible_result(2, evil) };
    (void)state;
    no_gnuplot_no_test();
    e.title = e.story = evil;
    r[0].design = r[0].parameters = r[1].label = evil;
    store(&e, r, 2);
    char *html = page();
    assert_int_equal(occurrences(html, "<script"), 0);
    assert_int_equal(occurrences(html, "</title>"), 1);
    assert_null(strchr(html, '\x1b'));
    place(html, "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;`touch x`&quot;&#39;$(id)");
    place(html, "\\xff&amp;amp;");
    free(html);
    assert_int_equal(access("x", F_OK), -1);
}

static void the_largest_numbers_still_make_a_page(void **state)
{
    struct experiment e = plausible_experiment();
    struct result r = plausible_result(0, "k");
    const struct latency_point points[] = { { 0, 0 }, { INT64_MAX, UINT64_MAX } };
    (void)state;
    no_gnuplot_no_test();
    e.period_ns = INT64_MAX;
    r.limit = r.burst = INT64_MAX;
    r.boundary_burst.billionths = r.worst_window.ratio.billionths = (i128)1 << 120;
    r.over_admitted = r.requests = r.lost_updates = UINT64_MAX;
    r.latency_ns.p50 = r.latency_ns.p99 = INT64_MAX;
    r.series.start_ns = r.series.width_ns = INT64_MAX;
    for (unsigned i = 0; i < SERIES_BINS; i++)
        r.series.bin[i] = (struct series_bin){ INT64_MAX, INT64_MAX, INT64_MAX };
    r.series.bins = SERIES_BINS;
    r.latency = points;
    r.latency_points = 2;
    store(&e, &r, 1);
    free(page());
}

static void a_result_without_anything_still_makes_a_page(void **state)
{
    struct experiment e = plausible_experiment();
    struct result r = { .design = "a@b", .parameters = "", .label = "", .limit = 1, .first_denial = -1,
                        .latency_ns = { -1, -1, -1, -1, -1 }, .boundary_burst = DECIMAL_NULL,
                        .worst_window = { .ratio = DECIMAL_NULL } };
    (void)state;
    no_gnuplot_no_test();
    e.title = e.story = "";
    e.file = NULL;
    store(&e, &r, 1);
    char *html = page();
    place(html, "<h1>limitlab compare</h1>");
    assert_int_equal(occurrences(html, "<figure>"), 1);
    free(html);
}

/* ---- several limits, seeds, runs ---- */

static void each_limit_has_its_own_table_and_the_latest_run_is_shown(void **state)
{
    struct experiment e = plausible_experiment();
    struct result r[4] = { plausible_result(1, "k"), plausible_result(2, "k"), plausible_result(1, "k"),
                           plausible_result(2, "k") };
    (void)state;
    no_gnuplot_no_test();
    store_all("k");
    e.title = "The second run";
    r[0].limit = r[1].limit = 5;
    r[3].seed = 2;
    r[3].design = r[2].design;
    store(&e, r, 4);
    char *html = page();
    place(html, "<h1>The second run</h1>");
    assert_true(place(html, "to pick, limit 5<") < place(html, "to pick, limit 200000<"));
    assert_int_equal(occurrences(html, "<tr><td class=\"rank\">"), 3);
    assert_int_equal(occurrences(html, "<figure>"), 10);
    free(html);
    char path[REPORT_PATH];
    struct report_failure failure;
    assert_true(report_write(database_path, folder, 1, path, &failure));
    html = contents(path);
    place(html, "<h1>Tokens of a language model</h1>");
    free(html);
}

static void parameters_that_differ_by_limit_are_shown_for_each(void **state)
{
    struct experiment e = plausible_experiment();
    struct result r[4] = { plausible_result(1, "k"), plausible_result(2, "k"), plausible_result(1, "k"),
                           plausible_result(2, "k") };
    (void)state;
    no_gnuplot_no_test();
    r[0].limit = r[1].limit = 5;
    r[0].parameters = "block=1";
    store(&e, r, 4);
    char *html = page();
    place(html, "<dt>fixed-window@owner, limit 5</dt><dd>block=1</dd>");
    place(html, "<dt>fixed-window@owner, limit 200000</dt><dd>home=");
    assert_int_equal(occurrences(html, "<dt>token-bucket@owner</dt>"), 1);
    free(html);
}

static void captions_say_whose_lines_and_whose_figures_these_are(void **state)
{
    struct experiment e = plausible_experiment();
    struct result r[6];
    (void)state;
    no_gnuplot_no_test();
    for (unsigned i = 0; i < 6; i++) {
        r[i] = plausible_result(i, "busy");
        r[i].worst_window.ratio.billionths += i == 5 ? (i128)10 * 1000000000 : 0;
    }
    r[2].worst_burst_key = "rare";
    r[2].failed = 158;
    r[2].requests = 400;
    store(&e, r, 6);
    char *html = page();
    assert_int_equal(occurrences(html, "of the key that asked for most, <code>busy</code>; the table"), 2);
    assert_int_equal(occurrences(html, ", for token-bucket@owner  <code>rare</code>"), 1);
    place(html, "Drawn are 4 of the 6 rows; 1 of the others is off the scale, at more than 4 times");
    place(html, ">token-bucket@owner: 158 of 400 requests got no decision.</p>");
    place(html, "Bars with an arrow are cut at 6");
    place(html, "↑11.86");
    free(html);
}

static void an_older_database_lacks_columns_and_is_shown(void **state)
{
    sqlite3 *sqlite;
    (void)state;
    no_gnuplot_no_test();
    store_all("k");
    assert_int_equal(sqlite3_open(database_path, &sqlite), SQLITE_OK);
    static const char sql[] = "DROP VIEW comparison; ALTER TABLE results DROP COLUMN retries";
    assert_int_equal(sqlite3_exec(sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(sqlite);
    char *html = page();
    place(html, "token-bucket@<wbr>owner");
    free(html);
}

/* ---- what goes wrong ---- */

static void fails_with(int code, const char *words)
{
    char path[REPORT_PATH];
    struct report_failure failure = { 0 };
    assert_false(report_write(database_path, folder, 0, path, &failure));
    if (!strstr(failure.line, words))
        print_error("'%s' instead of '%s'\n", failure.line, words);
    assert_non_null(strstr(failure.line, words));
    assert_int_equal(failure.code, code);
}

static void what_is_no_results_database_is_bad_input(void **state)
{
    struct experiment e = plausible_experiment();
    (void)state;
    fails_with(REPORT_BAD_INPUT, "unable to open database file");
    FILE *file = fopen(database_path, "w");
    for (int i = 0; i < 50; i++)
        fputs("this is a text and no database\n", file);
    fclose(file);
    fails_with(REPORT_BAD_INPUT, "file is not a database");
    fclose(fopen(database_path, "w"));
    fails_with(REPORT_BAD_INPUT, "holds no results of limitlab");
    unlink(database_path);
    store(&e, NULL, 0);
    fails_with(REPORT_BAD_INPUT, "has no results yet");
}

static void pretend_gnuplot(const char *script)
{
    char path[256];
    snprintf(path, sizeof path, "%s/gnuplot", folder);
    FILE *file = fopen(path, "w");
    fputs(script, file);
    fclose(file);
    assert_int_equal(chmod(path, 0755), 0);
    setenv("PATH", folder, 1);
}

static void a_failing_gnuplot_is_trouble_with_its_first_words(void **state)
{
    char path[256];
    (void)state;
    store_all("k");
    pretend_gnuplot("#!/bin/sh\necho >&2\necho 'line 3: no such terminal' >&2\necho more >&2\nexit 1\n");
    fails_with(REPORT_TROUBLE, "gnuplot failed: line 3: no such terminal");
    pretend_gnuplot("#!/bin/sh\nkill -9 $$\n");
    fails_with(REPORT_TROUBLE, "gnuplot failed: it said nothing");
    pretend_gnuplot("#!/bin/sh\necho '<svg> cut off'\n");
    fails_with(REPORT_TROUBLE, "it wrote no SVG");
    snprintf(path, sizeof path, "%s/gnuplot", folder);
    unlink(path);
    fails_with(REPORT_TROUBLE, "gnuplot could not be started");
    snprintf(path, sizeof path, "%s/report.html", folder);
    assert_int_equal(access(path, F_OK), -1);
}

/* The script that gnuplot gets holds no byte of a user's text. */
static void gnuplot_sees_numbers_and_fixed_words_only(void **state)
{
    char command[512];
    (void)state;
    store_all("TELLTALE`id`");
    snprintf(command, sizeof command, "#!/bin/sh\n/bin/cat >>%s/first.html\necho '<svg></svg>'\n", folder);
    pretend_gnuplot(command);
    free(page());
    snprintf(command, sizeof command, "%s/first.html", folder);
    char *scripts = contents(command);
    assert_int_equal(occurrences(scripts, "set terminal svg"), 4);
    assert_int_equal(occurrences(scripts, "TELLTALE"), 0);
    assert_null(strchr(scripts, '`'));
    assert_int_equal(occurrences(scripts, "bucket"), 0);
    free(scripts);
}

static void an_unwritable_folder_is_trouble(void **state)
{
    char path[REPORT_PATH], nowhere[256];
    struct report_failure failure;
    (void)state;
    store_all("k");
    snprintf(nowhere, sizeof nowhere, "%s/no/such", folder);
    assert_false(report_write(database_path, nowhere, 0, path, &failure));
    assert_int_equal(failure.code, REPORT_TROUBLE);
    assert_non_null(strstr(failure.line, "No such file or directory"));
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, in_a_folder, without_folder)

TEST_MAIN(FILE_TEST(the_page_shows_the_pick_the_table_and_five_figures),
          FILE_TEST(each_excess_is_a_bar_divided_among_its_causes),
          FILE_TEST(every_column_leads_to_its_meaning),
          FILE_TEST(two_reports_have_the_same_bytes),
          FILE_TEST(the_page_refers_to_nothing_outside_itself),
          FILE_TEST(ids_are_unique),
          FILE_TEST(plots_take_their_colours_from_the_page),
          FILE_TEST(texts_of_users_reach_the_page_only_escaped),
          FILE_TEST(the_largest_numbers_still_make_a_page),
          FILE_TEST(a_result_without_anything_still_makes_a_page),
          FILE_TEST(each_limit_has_its_own_table_and_the_latest_run_is_shown),
          FILE_TEST(parameters_that_differ_by_limit_are_shown_for_each),
          FILE_TEST(captions_say_whose_lines_and_whose_figures_these_are),
          FILE_TEST(an_older_database_lacks_columns_and_is_shown),
          FILE_TEST(what_is_no_results_database_is_bad_input),
          FILE_TEST(a_failing_gnuplot_is_trouble_with_its_first_words),
          FILE_TEST(gnuplot_sees_numbers_and_fixed_words_only),
          FILE_TEST(an_unwritable_folder_is_trouble))

#include "test.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <sqlite3.h>
#include "../harness/database.h"
#include "../harness/database_schema.h"
#include "../harness/figures.h"
#include "plausible.h"

static char folder[] = P_tmpdir "/limitlab-database-XXXXXX";
static char path[128];

static int in_a_folder(void **state)
{
    (void)state;
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/results.db", folder);
    return 0;
}

static int without_folder(void **state)
{
    char journal[160];
    (void)state;
    snprintf(journal, sizeof journal, "%s-journal", path);
    unlink(journal);
    unlink(path);
    return rmdir(folder);
}

static const struct database_run how = {
    "compare", "limitlab compare llm-tokens.yaml", "0.1", "regions: fra nrt",
};

/* ---- asking what is in the file ---- */

static sqlite3 *opened(void)
{
    sqlite3 *sqlite = NULL;
    assert_int_equal(sqlite3_open(path, &sqlite), SQLITE_OK);
    return sqlite;
}

static void ask(const char *sql, char answer[256])
{
    sqlite3 *sqlite = opened();
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL) != SQLITE_OK)
        print_error("%s: %s\n", sql, sqlite3_errmsg(sqlite));
    assert_non_null(statement);
    snprintf(answer, 256, "(no row)");
    if (sqlite3_step(statement) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        snprintf(answer, 256, "%s", text ? text : "NULL");
    }
    sqlite3_finalize(statement);
    sqlite3_close(sqlite);
}

static void file_says(const char *sql, const char *expected)
{
    char answer[256];
    ask(sql, answer);
    if (strcmp(answer, expected) != 0)
        print_error("%s: %s, not %s\n", sql, answer, expected);
    assert_string_equal(answer, expected);
}

static void change(const char *sql)
{
    sqlite3 *sqlite = opened();
    assert_int_equal(sqlite3_exec(sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(sqlite);
}

/* ---- writing ---- */

static struct database *begun(const struct experiment *e)
{
    struct failure failure = { 0 };
    struct database *database = database_open(path, &failure);
    assert_string_equal(failure.line, "");
    assert_non_null(database);
    assert_true(database_begin_run(database, e, &how, &failure));
    return database;
}

static void add_design(struct database *database, unsigned which, const char *key)
{
    struct failure failure;
    struct result r = plausible_result(which, key);
    assert_true(database_add_result(database, &r, &failure));
}

static void write_all(const char *key)
{
    struct experiment e = plausible_experiment();
    struct failure failure;
    struct database *database = begun(&e);
    for (unsigned i = 0; i < PLAUSIBLE_DESIGNS; i++)
        add_design(database, i, key);
    assert_true(database_end_run(database, &failure));
    database_close(database);
}

/* ---- claims ---- */

static void every_figure_has_a_column_with_its_value_and_meaning(void **state)
{
    struct result r = plausible_result(1, "k");
    (void)state;
    write_all("k");
    for (unsigned i = 0; i < figure_count; i++) {
        char column[SCHEMA_COLUMN], sql[256], room[DECIMAL_TEXT];
        schema_column(figures[i].path, column);
        snprintf(sql, sizeof sql, "SELECT ifnull(\"%s\", 'null') FROM results WHERE id = 2", column);
        const char *value = figure_text(figures[i].kind, figures[i].get(&r), room);
        const char *expected = value ? value : "null";
        file_says(sql, figures[i].kind == FIGURE_TRUTH ? (strcmp(expected, "true") ? "0" : "1") : expected);
        snprintf(sql, sizeof sql, "SELECT meaning FROM schema_info WHERE name = 'results.%s'", column);
        file_says(sql, figures[i].meaning);
    }
}

static void a_run_says_how_it_came_to_be(void **state)
{
    (void)state;
    write_all("k");
    file_says("SELECT command || ' ' || invocation || ' ' || version || ' ' || setting FROM runs",
              "compare limitlab compare llm-tokens.yaml 0.1 regions: fra nrt");
    file_says("SELECT title || '|' || scenario || '|' || file FROM runs",
              "Tokens of a language model|llm-tokens|scenarios/llm-tokens.yaml");
    file_says("SELECT target || period_ns || (burst IS NULL) || finished FROM runs", "curve6000000000011");
    file_says("PRAGMA user_version", "2");
    file_says("PRAGMA integrity_check", "ok");
    file_says("PRAGMA foreign_key_check", "(no row)");
}

static void series_latency_and_refused_keys_are_stored(void **state)
{
    (void)state;
    write_all("k");
    file_says("SELECT count(*) || ' ' || sum(asked > 0) FROM series WHERE result = 2", "500 500");
    file_says("SELECT count(*) || ' ' || max(upto_ns) FROM latency WHERE result = 2", "40 186666666");
    file_says("SELECT key || denied FROM refused WHERE result = 2", "k5014");
    file_says("SELECT round(boundary_burst, 2) || ' ' || p99_ms FROM comparison "
              "WHERE design = 'fixed-window@owner'", "1.43 168.0");
}

static void requirements_and_claims_are_stored_with_their_verdicts(void **state)
{
    struct experiment e = plausible_experiment();
    struct condition need[2];
    char why[CONDITION_WHY];
    struct failure failure;
    (void)state;
    assert_true(condition_parse("p99<=200ms", &need[0], why));
    assert_true(condition_parse("over_admitted=0", &need[1], why));
    e.require = need;
    e.requires = 2;
    struct database *database = begun(&e);
    add_design(database, 1, "k");
    add_design(database, 2, "k");
    const struct database_claim claim = { "target breaks", "fixed-window@owner", true, "over_admitted 94" };
    assert_true(database_add_claim(database, &claim, &failure));
    database_close(database);
    file_says("SELECT group_concat(condition) FROM requirements", "p99<=200ms,over_admitted=0");
    file_says("SELECT group_concat(result || position || holds) FROM verdicts", "101,110,201,211");
    file_says("SELECT group_concat(qualifies) FROM results", "0,1");
    file_says("SELECT name || design || came_true || detail FROM claims",
              "target breaksfixed-window@owner1over_admitted 94");
    file_says("SELECT finished FROM runs", "0");
}

static void a_second_run_is_appended(void **state)
{
    (void)state;
    write_all("k");
    write_all("k");
    file_says("SELECT count(*) || ' ' || count(DISTINCT run) FROM results", "12 2");
}

static void hostile_texts_are_just_texts(void **state)
{
    (void)state;
    write_all("'); DROP TABLE results; --`id`<script>\x01\xff\\x");
    file_says("SELECT worst_window_key FROM results WHERE id = 1",
              "'); DROP TABLE results; --`id`<script>\x01\\xff\\x5cx");
    file_says("SELECT key = watched_key FROM refused, results WHERE result = id LIMIT 1", "1");
}

static void nulls_are_null(void **state)
{
    struct experiment e = plausible_experiment();
    struct failure failure;
    struct result r = plausible_result(0, NULL);
    (void)state;
    r.promise = NULL;
    r.boundary_burst = DECIMAL_NULL;
    r.first_denial = -1;
    struct database *database = begun(&e);
    assert_true(database_add_result(database, &r, &failure));
    database_close(database);
    file_says("SELECT count(*) FROM results WHERE worst_window_key IS NULL AND worst_window_cost IS NULL "
              "AND boundary_burst IS NULL AND first_denial IS NULL AND watched_key IS NULL", "1");
}

/* The child says on a pipe how many cells are in; the parent kills it somewhere in its work. */
static unsigned killed_after(unsigned cells, unsigned microseconds)
{
    int line[2];
    unsigned char seen = 0;
    assert_int_equal(pipe(line), 0);
    pid_t child = fork();
    if (child == 0) {
        struct experiment e = plausible_experiment();
        struct database *database = begun(&e);
        for (unsigned char i = 1;; i++) {
            add_design(database, i % PLAUSIBLE_DESIGNS, "k");
            if (write(line[1], &i, 1) != 1)
                _exit(1);
        }
    }
    close(line[1]);
    while (seen < cells && read(line[0], &seen, 1) == 1)
        continue;
    usleep(microseconds);
    kill(child, SIGKILL);
    while (read(line[0], &seen, 1) == 1)
        continue;
    close(line[0]);
    waitpid(child, NULL, 0);
    return seen;
}

static void a_killed_run_leaves_every_finished_cell(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 12; round++) {
        char answer[256];
        unsigned finished = killed_after(2 + round % 3, round * 777);
        ask("SELECT count(*) FROM results WHERE run = (SELECT max(id) FROM runs)", answer);
        unsigned stored = (unsigned)strtoul(answer, NULL, 10);
        assert_true(stored == finished || stored == finished + 1);
        file_says("PRAGMA integrity_check", "ok");
        file_says("SELECT count(*) FROM results "
                  "WHERE (SELECT count(*) FROM series WHERE result = id) <> 500", "0");
        unlink(path);
    }
}

static void a_file_of_other_making_is_refused_and_left_alone(void **state)
{
    struct failure failure;
    (void)state;
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 20; i++)
        fputs("this is a text and no database\n", file);
    fclose(file);
    assert_null(database_open(path, &failure));
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_non_null(strstr(failure.line, "is not a SQLite database"));
    unlink(path);
    change("CREATE TABLE mine(x)");
    assert_null(database_open(path, &failure));
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_non_null(strstr(failure.line, "is a database of another program"));
    file_says("SELECT group_concat(name) FROM sqlite_schema", "mine");
}

static void a_newer_file_is_refused(void **state)
{
    struct failure failure;
    (void)state;
    write_all("k");
    change("PRAGMA user_version = 99");
    assert_null(database_open(path, &failure));
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_non_null(strstr(failure.line, "schema version 99"));
}

/* As a file from before a figure was thought of. */
static void an_older_file_gets_the_columns_that_it_lacks(void **state)
{
    (void)state;
    write_all("k");
    change("ALTER TABLE results DROP COLUMN stale_reads; ALTER TABLE results DROP COLUMN live_keys");
    write_all("k");
    file_says("SELECT group_concat(coalesce(stale_reads, 'null')) FROM results "
              "WHERE design = 'fixed-window@get-then-set'", "null,920");
}

/* Version 1 knew no causes. */
static void a_file_of_version_1_is_brought_up_to_date(void **state)
{
    static const char *const causes[] = { "algorithm", "sharing", "race", "fault", "clock", "total" };
    (void)state;
    write_all("k");
    change("DROP VIEW comparison; CREATE VIEW comparison AS SELECT run FROM results; "
           "PRAGMA user_version = 1");
    for (unsigned i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "ALTER TABLE results DROP COLUMN excess_by_cause_%s", causes[i]);
        change(sql);
    }
    write_all("k");
    file_says("PRAGMA user_version", "2");
    file_says("SELECT group_concat(coalesce(algorithm + race + clock, 'null')) FROM comparison "
              "WHERE design = 'fixed-window@get-then-set'", "null,174800.0");
}

static void an_empty_file_becomes_a_database(void **state)
{
    (void)state;
    fclose(fopen(path, "w"));
    write_all("k");
    file_says("SELECT count(*) FROM results", "6");
}

static void names_with_a_meaning_for_sqlite_are_plain_names(void **state)
{
    struct failure failure;
    char before[512];
    (void)state;
    assert_null(database_open("", &failure));
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    struct database *database = database_open(":memory:", &failure);
    assert_non_null(database);
    database_close(database);
    assert_int_equal(unlink(":memory:"), 0);
    assert_int_equal(chdir(before), 0);
}

static void what_cannot_be_written_is_trouble(void **state)
{
    struct failure failure;
    char nowhere[160];
    (void)state;
    snprintf(nowhere, sizeof nowhere, "%s/no/such/folder.db", folder);
    assert_null(database_open(nowhere, &failure));
    assert_int_equal(failure.code, EXIT_TROUBLE);
    assert_non_null(strstr(failure.line, "unable to open database file"));
}

/* Whichever write fails first, the cell is refused as a whole and the file stays sound. */
static void a_disk_that_fills_up_is_trouble_and_keeps_what_was_finished(void **state)
{
    struct experiment e = plausible_experiment();
    struct failure failure = { 0 };
    (void)state;
    write_all("k");
    struct database *database = begun(&e);
    struct rlimit before, small = { 200 * 1024, RLIM_INFINITY };
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    unsigned added = 0;
    struct result r = plausible_result(0, "k");
    while (added < 100 && database_add_result(database, &r, &failure))
        added++;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    database_close(database);
    assert_true(added < 100);
    assert_int_equal(failure.code, EXIT_TROUBLE);
    char expected[32];
    snprintf(expected, sizeof expected, "%u", added + PLAUSIBLE_DESIGNS);
    file_says("SELECT count(*) FROM results", expected);
    file_says("PRAGMA integrity_check", "ok");
}

static void the_same_results_give_the_same_file(void **state)
{
    char command[512];
    (void)state;
    write_all("k");
    snprintf(command, sizeof command, "mv %s %s-first", path, path);
    assert_int_equal(system(command), 0);
    write_all("k");
    snprintf(command, sizeof command, "cmp %s %s-first && rm %s-first", path, path, path);
    assert_int_equal(system(command), 0);
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, in_a_folder, without_folder)

TEST_MAIN(FILE_TEST(every_figure_has_a_column_with_its_value_and_meaning),
          FILE_TEST(a_run_says_how_it_came_to_be),
          FILE_TEST(series_latency_and_refused_keys_are_stored),
          FILE_TEST(requirements_and_claims_are_stored_with_their_verdicts),
          FILE_TEST(a_second_run_is_appended),
          FILE_TEST(hostile_texts_are_just_texts),
          FILE_TEST(nulls_are_null),
          FILE_TEST(a_killed_run_leaves_every_finished_cell),
          FILE_TEST(a_file_of_other_making_is_refused_and_left_alone),
          FILE_TEST(a_newer_file_is_refused),
          FILE_TEST(an_older_file_gets_the_columns_that_it_lacks),
          FILE_TEST(a_file_of_version_1_is_brought_up_to_date),
          FILE_TEST(an_empty_file_becomes_a_database),
          FILE_TEST(names_with_a_meaning_for_sqlite_are_plain_names),
          FILE_TEST(what_cannot_be_written_is_trouble),
          FILE_TEST(a_disk_that_fills_up_is_trouble_and_keeps_what_was_finished),
          FILE_TEST(the_same_results_give_the_same_file))

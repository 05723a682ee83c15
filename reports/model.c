#include "model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "show.h"

enum { APPLICATION = 0x6c6d6c62, VERSION = 2, SQL_ROOM = 2048, BINS_MOST = 1024, POINTS_MOST = 1 << 16 };

/* Instants, widths and costs of a bin beyond these are cut, so that no sum of them overflows. */
static const int64_t instant_most = (int64_t)1 << 60, width_most = (int64_t)1 << 50;
static const int64_t cost_most = (int64_t)1 << 57;

struct model_text { struct model_text *before; char bytes[]; };

bool report_fail(struct report_failure *failure, int code, const char *format, ...)
{
    char raw[sizeof failure->line];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    failure->code = code;
    show_text(raw, SHOW_ESCAPED, failure->line, sizeof failure->line);
    return false;
}

void *report_memory(void *block, size_t bytes)
{
    void *resized = realloc(block, bytes ? bytes : 1);
    if (!resized) {
        fputs("limitlab: out of memory; expected more, or a smaller database\n", stderr);
        exit(REPORT_TROUBLE);
    }
    return resized;
}

static const char *keep_text(struct model *model, const char *text, unsigned keep)
{
    size_t room = text ? 4 * strlen(text) + 1 : 1;
    struct model_text *kept = report_memory(NULL, sizeof *kept + room);
    kept->before = model->texts;
    model->texts = kept;
    return show_text(text ? text : "", keep | SHOW_KEEP_ESCAPES, kept->bytes, room);
}

const char *model_text(struct model *model, const char *text)
{
    return keep_text(model, text, SHOW_ESCAPED);
}

/* ---- queries ---- */

static bool trouble(const struct model *model, struct report_failure *failure)
{
    int code = sqlite3_errcode(model->sqlite);
    bool unfit = code == SQLITE_NOTADB || code == SQLITE_CANTOPEN || code == SQLITE_CORRUPT;
    return report_fail(failure, unfit ? REPORT_BAD_INPUT : REPORT_TROUBLE,
                       "%s: %s; expected a results database of limitlab", model->path,
                       sqlite3_errmsg(model->sqlite));
}

static sqlite3_stmt *query(const struct model *model, const char *sql, int64_t parameter,
                           struct report_failure *failure)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(model->sqlite, sql, -1, &statement, NULL) != SQLITE_OK) {
        trouble(model, failure);
        return NULL;
    }
    if (sqlite3_bind_parameter_count(statement))
        sqlite3_bind_int64(statement, 1, parameter);
    return statement;
}

/* Ends a query whose last step gave `code`. */
static bool finish(const struct model *model, sqlite3_stmt *statement, int code,
                   struct report_failure *failure)
{
    bool complete = code == SQLITE_DONE || code == SQLITE_ROW || trouble(model, failure);
    sqlite3_finalize(statement);
    return complete;
}

static const char *column_text(struct model *model, sqlite3_stmt *statement, int column)
{
    return model_text(model, (const char *)sqlite3_column_text(statement, column));
}

/* With its line breaks. */
static const char *column_prose(struct model *model, sqlite3_stmt *statement, int column)
{
    return keep_text(model, (const char *)sqlite3_column_text(statement, column), SHOW_KEEP_CONTROLS);
}

/* The first column of the first row, 0 when there is none. */
static bool ask(const struct model *model, const char *sql, int64_t *answer, struct report_failure *failure)
{
    sqlite3_stmt *statement = query(model, sql, 0, failure);
    if (!statement)
        return false;
    int code = sqlite3_step(statement);
    *answer = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    return finish(model, statement, code, failure);
}

/* ---- the run ---- */

static bool recognise(const struct model *model, struct report_failure *failure)
{
    int64_t application, version;
    if (!ask(model, "PRAGMA application_id", &application, failure) ||
        !ask(model, "PRAGMA user_version", &version, failure))
        return false;
    if (application != APPLICATION)
        return report_fail(failure, REPORT_BAD_INPUT,
                           "%s: holds no results of limitlab; expected a file that --db wrote", model->path);
    if (version > VERSION)
        return report_fail(failure, REPORT_BAD_INPUT, "%s: has schema version %lld; expected at most %d",
                           model->path, (long long)version, VERSION);
    return true;
}

static bool choose_run(struct model *model, int64_t run, struct report_failure *failure)
{
    model->run = run;
    if (!run && !ask(model, "SELECT max(run) FROM results", &model->run, failure))
        return false;
    return model->run || report_fail(failure, REPORT_BAD_INPUT,
                                     "%s: has no results yet; expected a finished run", model->path);
}

/* A trace without a scenario has no title: its own words then. */
static const char *title_of(struct model *model, const char *title, const char *command)
{
    char own[128];
    snprintf(own, sizeof own, "limitlab %s", command);
    return *title ? title : model_text(model, own);
}

static bool load_run(struct model *m, struct report_failure *failure)
{
    static const char sql[] =
        "SELECT title, story, invocation, version, command, setting, target = 'window', period_ns, burst, "
        "first_seed, last_seed, target_limit, target_period_ns, target_burst, finished FROM runs "
        "WHERE id = ?";
    sqlite3_stmt *s = query(m, sql, m->run, failure);
    if (!s)
        return false;
    int code = sqlite3_step(s);
    if (code != SQLITE_ROW) {
        bool ended = finish(m, s, code, failure);
        return ended && report_fail(failure, REPORT_BAD_INPUT, "%s: has no run %lld; expected another number",
                                    m->path, (long long)m->run);
    }
    m->story = column_prose(m, s, 1);
    m->invocation = column_text(m, s, 2);
    m->version = column_text(m, s, 3);
    m->command = column_text(m, s, 4);
    m->title = title_of(m, column_text(m, s, 0), m->command);
    m->setting = column_prose(m, s, 5);
    m->window_target = sqlite3_column_int(s, 6);
    int64_t *const numbers[] = { &m->period_ns, &m->burst, &m->first_seed, &m->last_seed, &m->target_limit,
                                 &m->target_period_ns, &m->target_burst };
    for (int i = 0; i < (int)(sizeof numbers / sizeof numbers[0]); i++)
        *numbers[i] = sqlite3_column_int64(s, 7 + i);
    m->finished = sqlite3_column_int(s, 14);
    return finish(m, s, code, failure);
}

static bool load_requirements(struct model *model, struct report_failure *failure)
{
    static const char sql[] =
        "SELECT group_concat(condition, ' and ') FROM (SELECT condition FROM requirements WHERE run = ? "
        "ORDER BY position)";
    sqlite3_stmt *statement = query(model, sql, model->run, failure);
    if (!statement)
        return false;
    int code = sqlite3_step(statement);
    model->require = column_text(model, statement, 0);
    return finish(model, statement, code, failure);
}

static bool load_claims(struct model *model, struct report_failure *failure)
{
    static const char sql[] = "SELECT name, design, detail, came_true FROM claims WHERE run = ? ORDER BY id";
    sqlite3_stmt *s = query(model, sql, model->run, failure);
    int code = SQLITE_DONE;
    while (s && (code = sqlite3_step(s)) == SQLITE_ROW) {
        model->claim = report_memory(model->claim, (model->claims + 1) * sizeof *model->claim);
        model->claim[model->claims++] = (struct model_claim){
            column_text(model, s, 0), column_text(model, s, 1), column_text(model, s, 2),
            sqlite3_column_int(s, 3),
        };
    }
    return s && finish(model, s, code, failure);
}

/* ---- results ---- */

/* What is read of each result; a column that an older file lacks is read as NULL. */
enum field {
    ID, QUALIFIES, WATCHED_KEY, DESIGN, LABEL, PARAMETERS, LIMIT, REQUESTS, ADMITTED, FAILED, OVER_ADMITTED,
    EXCESS, BOUNDARY_BURST, WINDOW_RATIO, IDEAL_ADMITTED, LOST_UPDATES, RETRIES,
    STORE_READS, STORE_WRITES, P50, P99, WINDOW_COST, WINDOW_KEY, BURST_KEY,
    ALGORITHM, SHARING, RACE, FAULT, CLOCK, FIELDS
};

static const char *const fields[FIELDS] = {
    "id", "qualifies", "watched_key", "design", "label", "parameters", "limit", "requests", "admitted",
    "failed", "over_admitted", "excess", "boundary_burst", "worst_window_ratio", "ideal_admitted",
    "lost_updates", "retries", "store_reads", "store_writes", "latency_ns_p50", "latency_ns_p99",
    "worst_window_cost", "worst_window_key", "worst_burst_key", "excess_by_cause_algorithm",
    "excess_by_cause_sharing", "excess_by_cause_race", "excess_by_cause_fault", "excess_by_cause_clock",
};

static bool has_column(const struct model *model, const char *name)
{
    return sqlite3_table_column_metadata(model->sqlite, NULL, "results", name, NULL, NULL, NULL, NULL,
                                         NULL) == SQLITE_OK;
}

static void results_sql(const struct model *model, char sql[SQL_ROOM])
{
    int used = snprintf(sql, SQL_ROOM, "SELECT");
    for (int i = 0; i < FIELDS; i++)
        used += snprintf(sql + used, (size_t)(SQL_ROOM - used),
                         has_column(model, fields[i]) ? "%s \"%s\"" : "%s NULL", i ? "," : "", fields[i]);
    snprintf(sql + used, (size_t)(SQL_ROOM - used), " FROM results WHERE run = ? ORDER BY id");
}

static uint64_t count_of(sqlite3_stmt *s, enum field field)
{
    return (uint64_t)sqlite3_column_int64(s, field);
}

static int64_t within(int64_t n, int64_t least, int64_t most)
{
    return n < least ? least : n > most ? most : n;
}

/* -1 for NULL. */
static int64_t span_of(sqlite3_stmt *s, enum field field)
{
    bool none = sqlite3_column_type(s, field) == SQLITE_NULL;
    return none ? -1 : within(sqlite3_column_int64(s, field), -1, instant_most);
}

/* "1.43" in billionths, as far as an int64_t goes; -1 for NULL. */
static int64_t billionths_of(sqlite3_stmt *s, enum field field)
{
    enum { PLACES = 9 };
    const char *text = (const char *)sqlite3_column_text(s, field);
    int64_t value = 0;
    int places = -1;                    /* digits after the point; -1: before it */
    if (!text)
        return -1;
    for (; *text && places < PLACES; text++) {
        if (*text == '.')
            places = 0;
        else if (value > INT64_MAX / 10 - 10)
            return INT64_MAX;
        else if (*text >= '0' && *text <= '9')
            value = value * 10 + (*text - '0'), places += places >= 0;
    }
    for (places = places < 0 ? 0 : places; places < PLACES; places++)
        value = value > INT64_MAX / 10 ? INT64_MAX : value * 10;
    return value;
}

static struct standing standing_of(sqlite3_stmt *s)
{
    struct standing standing = standing_from(&(struct tally){
        .requests = count_of(s, REQUESTS), .admitted = count_of(s, ADMITTED), .failed = count_of(s, FAILED),
        .over_admitted = count_of(s, OVER_ADMITTED), .ideal_admitted = count_of(s, IDEAL_ADMITTED),
        .store_operations = count_of(s, STORE_READS) + count_of(s, STORE_WRITES),
        .keeps_target = !count_of(s, OVER_ADMITTED) && billionths_of(s, EXCESS) == 0,
    });
    standing.qualifies = sqlite3_column_int(s, QUALIFIES);
    standing.p50_ns = span_of(s, P50);
    standing.p99_ns = span_of(s, P99);
    return standing;
}

/* A part may be below 0. */
static int64_t signed_billionths_of(sqlite3_stmt *s, enum field field)
{
    const char *text = (const char *)sqlite3_column_text(s, field);
    bool negative = text && *text == '-';
    int64_t value = within(billionths_of(s, field), 0, cost_most);
    return negative ? -value : value;
}

static struct blame blame_of(sqlite3_stmt *s)
{
    struct blame blame = { .known = sqlite3_column_type(s, ALGORITHM) != SQLITE_NULL };
    for (int i = 0; blame.known && i < BLAME_CAUSES; i++)
        blame.part[i] = signed_billionths_of(s, (enum field)(ALGORITHM + i));
    return blame;
}

static void keep_result(struct model *model, sqlite3_stmt *s)
{
    size_t n = model->contenders++;
    model->contender = report_memory(model->contender, (n + 1) * sizeof *model->contender);
    model->result = report_memory(model->result, (n + 1) * sizeof *model->result);
    model->result[n] = (struct model_result){
        .id = sqlite3_column_int64(s, ID), .window_cost = sqlite3_column_int64(s, WINDOW_COST),
        .window_key = column_text(model, s, WINDOW_KEY), .burst_key = column_text(model, s, BURST_KEY),
    };
    model->contender[n] = (struct contender){
        .design = column_text(model, s, DESIGN), .label = column_text(model, s, LABEL),
        .parameters = column_text(model, s, PARAMETERS), .limit = sqlite3_column_int64(s, LIMIT),
        .requests = count_of(s, REQUESTS), .failed = count_of(s, FAILED),
        .over_admitted = count_of(s, OVER_ADMITTED), .lost_updates = count_of(s, LOST_UPDATES),
        .retries = count_of(s, RETRIES), .boundary_burst = billionths_of(s, BOUNDARY_BURST),
        .worst_window = billionths_of(s, WINDOW_RATIO), .blame = blame_of(s), .row = standing_of(s),
    };
    if (!*model->watched_key)
        model->watched_key = column_text(model, s, WATCHED_KEY);
}

static bool load_results(struct model *model, struct report_failure *failure)
{
    char sql[SQL_ROOM];
    results_sql(model, sql);
    sqlite3_stmt *s = query(model, sql, model->run, failure);
    int code = SQLITE_DONE;
    model->watched_key = "";
    while (s && (code = sqlite3_step(s)) == SQLITE_ROW)
        keep_result(model, s);
    model->contenders = contenders_rank(model->contender, model->contenders);
    return s && finish(model, s, code, failure);
}

/* A journal left by a killed process is rolled back on the way, hence opened for writing where allowed. */
bool model_load(struct model *model, const char *database, int64_t run, struct report_failure *failure)
{
    *model = (struct model){ .path = database };
    if (sqlite3_open_v2(database, &model->sqlite, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        return trouble(model, failure);
    sqlite3_busy_timeout(model->sqlite, 10000);
    sqlite3_db_config(model->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (!recognise(model, failure) || !choose_run(model, run, failure) || !load_run(model, failure) ||
        !load_requirements(model, failure) || !load_claims(model, failure) || !load_results(model, failure))
        return false;
    return model->contenders || report_fail(failure, REPORT_BAD_INPUT,
                                            "%s: run %lld has no results; expected a finished cell", database,
                                            (long long)model->run);
}

void model_free(struct model *model)
{
    while (model->texts) {
        struct model_text *text = model->texts;
        model->texts = text->before;
        free(text);
    }
    free(model->contender);
    free(model->result);
    free(model->claim);
    sqlite3_close(model->sqlite);
}

int64_t model_result(const struct model *model, const struct contender *contender)
{
    return model->result[contender->position].id;
}

/* ---- series and latency ---- */

static bool load_span(const struct model *model, int64_t result, struct model_series *series,
                      struct report_failure *failure)
{
    static const char sql[] = "SELECT series_start_ns, series_width_ns FROM results WHERE id = ?";
    sqlite3_stmt *s = query(model, sql, result, failure);
    if (!s)
        return false;
    int code = sqlite3_step(s);
    series->start_ns = within(sqlite3_column_int64(s, 0), -instant_most, instant_most);
    series->width_ns = within(sqlite3_column_int64(s, 1), 0, width_most);
    return finish(model, s, code, failure);
}

bool model_series_load(const struct model *model, int64_t result, struct model_series *series,
                       struct report_failure *failure)
{
    *series = (struct model_series){ .bins = 0 };
    if (!load_span(model, result, series, failure))
        return false;
    series->admitted = report_memory(NULL, BINS_MOST * sizeof *series->admitted);
    series->window = report_memory(NULL, BINS_MOST * sizeof *series->window);
    static const char sql[] = "SELECT admitted, \"window\" FROM series WHERE result = ? ORDER BY bin";
    sqlite3_stmt *s = query(model, sql, result, failure);
    int code = SQLITE_DONE;
    while (s && series->bins < BINS_MOST && (code = sqlite3_step(s)) == SQLITE_ROW) {
        series->admitted[series->bins] = within(sqlite3_column_int64(s, 0), 0, cost_most);
        series->window[series->bins++] = sqlite3_column_int64(s, 1);
    }
    return s && finish(model, s, code, failure);
}

void model_series_free(struct model_series *series)
{
    free(series->admitted);
    free(series->window);
}

bool model_latency_load(const struct model *model, int64_t result, struct model_point **points,
                        unsigned *count, struct report_failure *failure)
{
    static const char sql[] = "SELECT upto_ns, verdicts FROM latency WHERE result = ? ORDER BY upto_ns";
    sqlite3_stmt *s = query(model, sql, result, failure);
    int code = SQLITE_DONE;
    *points = NULL;
    *count = 0;
    while (s && *count < POINTS_MOST && (code = sqlite3_step(s)) == SQLITE_ROW) {
        *points = report_memory(*points, (*count + 1) * sizeof **points);
        struct model_point *point = &(*points)[(*count)++];
        *point = (struct model_point){ sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1) };
    }
    return s && finish(model, s, code, failure);
}

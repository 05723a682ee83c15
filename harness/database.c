#include "database.h"

#include <stdio.h>
#include <string.h>
#include <sqlite3.h>
#include "../reports/show.h"
#include "arena.h"
#include "database_schema.h"
#include "figures.h"

enum insert {
    INTO_RUNS, INTO_REQUIREMENTS, INTO_RESULTS, INTO_VERDICTS, INTO_SERIES, INTO_LATENCY, INTO_REFUSED,
    INTO_CLAIMS, INSERTS
};

/* INTO_RESULTS is written by results_sql(): its columns are the figures. */
static const char *const inserts[INSERTS] = {
    [INTO_RUNS] = "INSERT INTO runs(command, invocation, version, scenario, file, title, story, setting, "
                  "period_ns, burst, target, target_limit, target_period_ns, target_burst, first_seed, "
                  "last_seed, finished) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
    [INTO_REQUIREMENTS] = "INSERT INTO requirements VALUES (?, ?, ?)",
    [INTO_VERDICTS] = "INSERT INTO verdicts VALUES (?, ?, ?)",
    [INTO_SERIES] = "INSERT INTO series VALUES (?, ?, ?, ?, ?)",
    [INTO_LATENCY] = "INSERT INTO latency VALUES (?, ?, ?)",
    [INTO_REFUSED] = "INSERT INTO refused VALUES (?, ?, ?, ?)",
    [INTO_CLAIMS] = "INSERT INTO claims(run, name, design, came_true, detail) VALUES (?, ?, ?, ?, ?)",
};

struct database {
    sqlite3 *sqlite;
    const char *path;
    sqlite3_stmt *statement[INSERTS];
    int64_t run;                        /* the one that was begun; 0: none */
    const struct experiment *experiment;
    struct arena arena;                 /* the path and the file's SQL */
    struct arena batch;                 /* texts of one transaction */
};

/* ---- values ---- */

struct value {
    enum { VALUE_NULL, VALUE_INTEGER, VALUE_TEXT } kind;
    int64_t integer;
    const char *text;
};

static struct value integer(int64_t n)
{
    return (struct value){ .kind = VALUE_INTEGER, .integer = n };
}

static struct value unless_zero(int64_t n)
{
    return n ? integer(n) : (struct value){ .kind = VALUE_NULL };
}

/* Any bytes, as valid UTF-8; NULL is NULL. */
static struct value text(struct database *database, const char *bytes)
{
    if (!bytes)
        return (struct value){ .kind = VALUE_NULL };
    size_t room = 4 * strlen(bytes) + 1;
    char *copy = arena_alloc(&database->batch, room);
    return (struct value){ .kind = VALUE_TEXT, .text = show_text(bytes, SHOW_KEEP_CONTROLS, copy, room) };
}

static struct value some_text(struct database *database, const char *bytes)
{
    return text(database, bytes ? bytes : "");
}

static struct value of_figure(struct database *database, const struct figure *figure,
                              const struct result *result)
{
    struct figure_value value = figure->get(result);
    char room[DECIMAL_TEXT];
    if (value.null)
        return (struct value){ .kind = VALUE_NULL };
    return schema_stores_text(figure->kind) ? text(database, figure_text(figure->kind, value, room))
                                            : integer(i64_clamp(value.billionths / 1000000000));
}

/* ---- statements ---- */

static bool trouble(struct database *database, struct failure *failure)
{
    return schema_trouble(database->sqlite, database->path, failure);
}

static bool execute(struct database *database, const char *sql, struct failure *failure)
{
    return sqlite3_exec(database->sqlite, sql, NULL, NULL, NULL) == SQLITE_OK || trouble(database, failure);
}

static int bind(sqlite3_stmt *statement, int place, const struct value *value)
{
    switch (value->kind) {
    case VALUE_INTEGER:
        return sqlite3_bind_int64(statement, place, value->integer);
    case VALUE_TEXT:
        return sqlite3_bind_text64(statement, place, value->text, strlen(value->text), SQLITE_STATIC,
                                   SQLITE_UTF8);
    case VALUE_NULL:
        break;
    }
    return sqlite3_bind_null(statement, place);
}

static bool insert(struct database *database, enum insert into, const struct value *values, unsigned count,
                   struct failure *failure)
{
    sqlite3_stmt *statement = database->statement[into];
    for (unsigned i = 0; i < count; i++)
        if (bind(statement, (int)i + 1, &values[i]) != SQLITE_OK)
            return trouble(database, failure);
    bool stored = sqlite3_step(statement) == SQLITE_DONE || trouble(database, failure);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return stored;
}

#define INSERT(database, into, failure, ...)                                                                \
    insert(database, into, (const struct value[]){ __VA_ARGS__ },                                           \
           sizeof((const struct value[]){ __VA_ARGS__ }) / sizeof(struct value), failure)

/* Ends a transaction: what is in it is kept as a whole or not at all. */
static bool settle(struct database *database, bool done, struct failure *failure)
{
    arena_free(&database->batch);
    if (done && execute(database, "COMMIT", failure))
        return true;
    sqlite3_exec(database->sqlite, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

/* ---- opening ---- */

static const char *results_sql(struct arena *arena)
{
    const char *names = "run, qualifies, promise, worst_burst_at_ns, watched_key, series_start_ns, "
                        "series_width_ns";
    const char *places = "?, ?, ?, ?, ?, ?, ?";
    for (unsigned i = 0; i < figure_count; i++) {
        char column[SCHEMA_COLUMN];
        names = arena_format(arena, "%s, \"%s\"", names, schema_column(figures[i].path, column));
        places = arena_format(arena, "%s, ?", places);
    }
    return arena_format(arena, "INSERT INTO results(%s) VALUES (%s)", names, places);
}

static bool prepare(struct database *database, struct failure *failure)
{
    for (unsigned i = 0; i < INSERTS; i++) {
        const char *sql = inserts[i] ? inserts[i] : results_sql(&database->arena);
        int code = sqlite3_prepare_v3(database->sqlite, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                      &database->statement[i], NULL);
        if (code != SQLITE_OK)
            return trouble(database, failure);
    }
    return true;
}

/* SQLite takes names that begin with a colon, and the empty one, for databases in memory. */
static const char *file_name(struct arena *arena, const char *path)
{
    return arena_format(arena, path[0] == ':' ? "./%s" : "%s", path);
}

struct database *database_open(const char *path, struct failure *failure)
{
    if (!path[0]) {
        fail(failure, EXIT_USAGE, NULL, 0, "the results database has no name; expected a path");
        return NULL;
    }
    struct database *database = process_memory()->resize(process_memory(), NULL, sizeof *database);
    *database = (struct database){ .run = 0 };
    database->path = file_name(&database->arena, path);
    int code = sqlite3_open_v2(database->path, &database->sqlite, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                               NULL);
    bool ready = code == SQLITE_OK ? schema_prepare(database->sqlite, database->path, failure)
                                   : trouble(database, failure);
    if (ready && prepare(database, failure))
        return database;
    database_close(database);
    return NULL;
}

void database_close(struct database *database)
{
    if (!database)
        return;
    for (unsigned i = 0; i < INSERTS; i++)
        sqlite3_finalize(database->statement[i]);
    sqlite3_close(database->sqlite);
    arena_free(&database->batch);
    arena_free(&database->arena);
    memory_free(process_memory(), database);
}

/* ---- a run ---- */

static bool add_run(struct database *database, const struct experiment *e, const struct database_run *run,
                    struct failure *failure)
{
    const struct target *target = &e->target;
    return INSERT(database, INTO_RUNS, failure, some_text(database, run->command),
                  some_text(database, run->invocation), some_text(database, run->version),
                  some_text(database, e->name), text(database, e->file), some_text(database, e->title),
                  some_text(database, e->story), some_text(database, run->setting),
                  integer(e->period_ns), unless_zero(e->burst),
                  some_text(database, target->kind == TARGET_CURVE ? "curve" : "window"),
                  unless_zero(target->limit), unless_zero(target->period_ns), unless_zero(target->burst),
                  integer((int64_t)e->first_seed), integer((int64_t)e->last_seed));
}

static bool add_requirements(struct database *database, const struct experiment *e, struct failure *failure)
{
    bool done = true;
    for (unsigned i = 0; done && i < e->requires; i++)
        done = INSERT(database, INTO_REQUIREMENTS, failure, integer(database->run), integer(i),
                      some_text(database, e->require[i].text));
    return done;
}

bool database_begin_run(struct database *database, const struct experiment *experiment,
                        const struct database_run *run, struct failure *failure)
{
    if (!execute(database, "BEGIN IMMEDIATE", failure))
        return false;
    database->experiment = experiment;
    bool done = add_run(database, experiment, run, failure);
    database->run = sqlite3_last_insert_rowid(database->sqlite);
    return settle(database, done && add_requirements(database, experiment, failure), failure);
}

bool database_end_run(struct database *database, struct failure *failure)
{
    char sql[128];
    snprintf(sql, sizeof sql, "UPDATE runs SET finished = 1 WHERE id = %lld", (long long)database->run);
    return execute(database, sql, failure);
}

/* ---- a cell ---- */

static bool add_figures(struct database *database, const struct result *r, struct failure *failure)
{
    const struct experiment *e = database->experiment;
    const struct value own[] = {
        integer(database->run), integer(result_qualifies(r, e->require, e->requires)),
        some_text(database, r->promise), integer(r->worst_burst_at_ns), text(database, r->watched_key),
        integer(r->series.start_ns), integer(r->series.width_ns),
    };
    enum { OWN = sizeof own / sizeof own[0] };
    struct value *values = arena_alloc(&database->batch, (OWN + figure_count) * sizeof *values);
    memcpy(values, own, sizeof own);
    for (unsigned i = 0; i < figure_count; i++)
        values[OWN + i] = of_figure(database, &figures[i], r);
    return insert(database, INTO_RESULTS, values, OWN + figure_count, failure);
}

static bool add_verdicts(struct database *database, int64_t id, const struct result *r,
                         struct failure *failure)
{
    const struct experiment *e = database->experiment;
    bool done = true;
    for (unsigned i = 0; done && i < e->requires; i++)
        done = INSERT(database, INTO_VERDICTS, failure, integer(id), integer(i),
                      integer(condition_holds(&e->require[i], r)));
    return done;
}

static bool add_series(struct database *database, int64_t id, const struct series *series,
                       struct failure *failure)
{
    bool done = true;
    for (unsigned i = 0; done && series->width_ns && i < series->bins; i++)
        done = INSERT(database, INTO_SERIES, failure, integer(id), integer(i), integer(series->bin[i].asked),
                      integer(series->bin[i].admitted), integer(series->bin[i].window));
    return done;
}

static bool add_latency(struct database *database, int64_t id, const struct result *r,
                        struct failure *failure)
{
    bool done = true;
    for (unsigned i = 0; done && i < r->latency_points; i++)
        done = INSERT(database, INTO_LATENCY, failure, integer(id), integer(r->latency[i].upto_ns),
                      integer(i64_clamp(r->latency[i].count)));
    return done;
}

static bool add_refused(struct database *database, int64_t id, const struct result *r,
                        struct failure *failure)
{
    bool done = true;
    for (unsigned i = 0; done && i < REFUSED_TOP && r->refused_top[i].key; i++)
        done = INSERT(database, INTO_REFUSED, failure, integer(id), integer(i + 1),
                      text(database, r->refused_top[i].key), integer(i64_clamp(r->refused_top[i].denied)));
    return done;
}

bool database_add_result(struct database *database, const struct result *result, struct failure *failure)
{
    if (!execute(database, "BEGIN IMMEDIATE", failure))
        return false;
    bool done = add_figures(database, result, failure);
    int64_t id = sqlite3_last_insert_rowid(database->sqlite);
    done = done && add_verdicts(database, id, result, failure) &&
           add_series(database, id, &result->series, failure) && add_latency(database, id, result, failure) &&
           add_refused(database, id, result, failure);
    return settle(database, done, failure);
}

bool database_add_claim(struct database *database, const struct database_claim *claim,
                        struct failure *failure)
{
    bool done = INSERT(database, INTO_CLAIMS, failure, integer(database->run),
                       some_text(database, claim->name), some_text(database, claim->design),
                       integer(claim->came_true), some_text(database, claim->detail));
    arena_free(&database->batch);
    return done;
}

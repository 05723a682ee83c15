#include "database_schema.h"

#include <stdio.h>
#include <string.h>

enum { APPLICATION = 0x6c6d6c62, SQL_ROOM = 512 };      /* "lmlb": which program's file this is */

/* What makes a file of the version before one of `version`, in order.  A released step is never changed. */
static const struct step { int version; const char *sql; } steps[] = {
    { 1, "CREATE TABLE schema_info (\n"
         "    name TEXT PRIMARY KEY,            -- of a column, as table.column\n"
         "    meaning TEXT NOT NULL\n"
         ") STRICT" },
    { 1, "CREATE TABLE runs (\n"
         "    id INTEGER PRIMARY KEY,           -- in the order in which they began\n"
         "    command TEXT NOT NULL,            -- compare, run, check ...\n"
         "    invocation TEXT NOT NULL,         -- the command line that makes these results again\n"
         "    version TEXT NOT NULL,            -- of the limitlab that wrote them\n"
         "    scenario TEXT NOT NULL,           -- its base name\n"
         "    file TEXT,                        -- its path; NULL: a bare trace\n"
         "    title TEXT NOT NULL,\n"
         "    story TEXT NOT NULL,\n"
         "    setting TEXT NOT NULL,            -- the topology, line by line\n"
         "    period_ns INTEGER NOT NULL,       -- of the policy\n"
         "    burst INTEGER,                    -- of the policy; NULL: as the limit\n"
         "    target TEXT NOT NULL,             -- curve or window\n"
         "    target_limit INTEGER,             -- NULL, as the next two: as the policy\n"
         "    target_period_ns INTEGER,\n"
         "    target_burst INTEGER,\n"
         "    first_seed INTEGER NOT NULL,\n"
         "    last_seed INTEGER NOT NULL,\n"
         "    finished INTEGER NOT NULL         -- 1 when every cell is there\n"
         ") STRICT" },
    { 1, "CREATE TABLE requirements (           -- what --require asked for\n"
         "    run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,\n"
         "    position INTEGER NOT NULL,\n"
         "    condition TEXT NOT NULL,          -- as written: p99<=10ms\n"
         "    PRIMARY KEY (run, position)\n"
         ") STRICT, WITHOUT ROWID" },
    { 1, "CREATE TABLE results (                -- a design, limit and seed each; one more column a figure\n"
         "    id INTEGER PRIMARY KEY,           -- in the order of the matrix\n"
         "    run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,\n"
         "    qualifies INTEGER NOT NULL,       -- 1: meets all requirements; without any, keeps the target\n"
         "    promise TEXT NOT NULL,            -- the limiter's own, in words\n"
         "    worst_burst_at_ns INTEGER NOT NULL, -- when effective_burst was reached\n"
         "    watched_key TEXT,                 -- whose series it is\n"
         "    series_start_ns INTEGER NOT NULL,\n"
         "    series_width_ns INTEGER NOT NULL  -- of one bin; 0: no series\n"
         ") STRICT" },
    { 1, "CREATE INDEX results_run ON results(run)" },
    { 1, "CREATE TABLE verdicts (               -- of each result on each requirement\n"
         "    result INTEGER NOT NULL REFERENCES results(id) ON DELETE CASCADE,\n"
         "    position INTEGER NOT NULL,        -- the requirement's\n"
         "    holds INTEGER NOT NULL,\n"
         "    PRIMARY KEY (result, position)\n"
         ") STRICT, WITHOUT ROWID" },
    { 1, "CREATE TABLE series (                 -- the watched key over time\n"
         "    result INTEGER NOT NULL REFERENCES results(id) ON DELETE CASCADE,\n"
         "    bin INTEGER NOT NULL,             -- from series_start_ns + bin * series_width_ns on\n"
         "    asked INTEGER NOT NULL,           -- cost that arrived\n"
         "    admitted INTEGER NOT NULL,        -- cost admitted\n"
         "    window INTEGER NOT NULL,          -- the most that stood admitted in one period, in this bin\n"
         "    PRIMARY KEY (result, bin)\n"
         ") STRICT, WITHOUT ROWID" },
    { 1, "CREATE TABLE latency (                -- cumulative distribution\n"
         "    result INTEGER NOT NULL REFERENCES results(id) ON DELETE CASCADE,\n"
         "    upto_ns INTEGER NOT NULL,\n"
         "    verdicts INTEGER NOT NULL,        -- so many took at most upto_ns\n"
         "    PRIMARY KEY (result, upto_ns)\n"
         ") STRICT, WITHOUT ROWID" },
    { 1, "CREATE TABLE refused (                -- the keys denied most\n"
         "    result INTEGER NOT NULL REFERENCES results(id) ON DELETE CASCADE,\n"
         "    rank INTEGER NOT NULL,\n"
         "    key TEXT NOT NULL,\n"
         "    denied INTEGER NOT NULL,\n"
         "    PRIMARY KEY (result, rank)\n"
         ") STRICT, WITHOUT ROWID" },
    { 1, "CREATE TABLE claims (                 -- of the scenario, as checked\n"
         "    id INTEGER PRIMARY KEY,\n"
         "    run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,\n"
         "    name TEXT NOT NULL,\n"
         "    design TEXT NOT NULL,\n"
         "    came_true INTEGER NOT NULL,\n"
         "    detail TEXT NOT NULL\n"
         ") STRICT" },
    { 1, "CREATE VIEW comparison AS SELECT run, design, \"limit\", seed, label, qualifies, over_admitted,\n"
         "    CAST(excess AS REAL) AS excess, CAST(boundary_burst AS REAL) AS boundary_burst,\n"
         "    CAST(worst_window_ratio AS REAL) AS worst_window_ratio, wrongly_denied, lost_updates,\n"
         "    retries, latency_ns_p50 / 1e6 AS p50_ms, latency_ns_p99 / 1e6 AS p99_ms,\n"
         "    1.0 * (store_reads + store_writes) / max(requests, 1) AS store_operations FROM results" },
    { 2, "DROP VIEW IF EXISTS comparison" },
    { 2, "CREATE VIEW comparison AS SELECT run, design, \"limit\", seed, label, qualifies, over_admitted,\n"
         "    CAST(excess AS REAL) AS excess, CAST(excess_by_cause_algorithm AS REAL) AS algorithm,\n"
         "    CAST(excess_by_cause_sharing AS REAL) AS sharing, CAST(excess_by_cause_race AS REAL) AS race,\n"
         "    CAST(excess_by_cause_fault AS REAL) AS fault, CAST(excess_by_cause_clock AS REAL) AS clock,\n"
         "    CAST(boundary_burst AS REAL) AS boundary_burst,\n"
         "    CAST(worst_window_ratio AS REAL) AS worst_window_ratio, wrongly_denied, lost_updates,\n"
         "    retries, latency_ns_p50 / 1e6 AS p50_ms, latency_ns_p99 / 1e6 AS p99_ms,\n"
         "    1.0 * (store_reads + store_writes) / max(requests, 1) AS store_operations FROM results" },
};

enum { STEPS = sizeof steps / sizeof steps[0], VERSION = 2 };

bool schema_trouble(sqlite3 *sqlite, const char *path, struct failure *failure)
{
    int code = sqlite3_errcode(sqlite);
    if (code == SQLITE_NOTADB)
        return fail(failure, EXIT_USAGE, path, 0, "is not a SQLite database; expected results or a new file");
    return fail(failure, EXIT_TROUBLE, path, 0, "%s (SQLite %d); expected a database to read and write",
                sqlite3_errmsg(sqlite), sqlite3_extended_errcode(sqlite));
}

bool schema_stores_text(enum figure_kind kind)
{
    return figure_is_text(kind) || kind == FIGURE_DECIMAL;
}

const char *schema_column(const char *path, char out[SCHEMA_COLUMN])
{
    snprintf(out, SCHEMA_COLUMN, "%s", path);
    for (char *dot = out; (dot = strchr(dot, '.'));)
        *dot = '_';
    return out;
}

/* The first column of the first row; `none` when there is no row. */
static bool ask(sqlite3 *sqlite, const char *sql, int64_t none, int64_t *answer)
{
    sqlite3_stmt *statement = NULL;
    bool asked = sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL) == SQLITE_OK;
    int code = asked ? sqlite3_step(statement) : SQLITE_ERROR;
    *answer = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : none;
    sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

static bool run(sqlite3 *sqlite, const char *sql)
{
    return sqlite3_exec(sqlite, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static bool document(sqlite3 *sqlite, const char *column, const char *meaning)
{
    static const char sql[] = "INSERT OR REPLACE INTO schema_info VALUES ('results.' || ?, ?)";
    sqlite3_stmt *statement = NULL;
    bool written = sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL) == SQLITE_OK &&
                   sqlite3_bind_text(statement, 1, column, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                   sqlite3_bind_text(statement, 2, meaning, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                   sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    return written;
}

/* Columns come from the table of figures: one that a file does not know yet is added, NULL in its rows. */
static bool add_figure(sqlite3 *sqlite, const struct figure *figure)
{
    char column[SCHEMA_COLUMN], sql[SQL_ROOM];
    int64_t known;
    schema_column(figure->path, column);
    snprintf(sql, sizeof sql, "SELECT count(*) FROM pragma_table_info('results') WHERE name = '%s'", column);
    if (!ask(sqlite, sql, 0, &known))
        return false;
    snprintf(sql, sizeof sql, "ALTER TABLE results ADD COLUMN \"%s\" %s", column,
             schema_stores_text(figure->kind) ? "TEXT" : "INTEGER");
    return known || (run(sqlite, sql) && document(sqlite, column, figure->meaning));
}

static bool add_figures(sqlite3 *sqlite)
{
    for (unsigned i = 0; i < figure_count; i++)
        if (!add_figure(sqlite, &figures[i]))
            return false;
    return true;
}

static bool upgrade(sqlite3 *sqlite, int64_t version)
{
    char sql[SQL_ROOM];
    for (unsigned i = 0; i < STEPS; i++)
        if (steps[i].version > version && !run(sqlite, steps[i].sql))
            return false;
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION, VERSION);
    return add_figures(sqlite) && (version == VERSION || run(sqlite, sql));
}

/* What is in the file may be any database: its version counts only when it is one of ours. */
static bool recognise(sqlite3 *sqlite, const char *path, int64_t *version, struct failure *failure)
{
    int64_t application, objects;
    if (!ask(sqlite, "PRAGMA application_id", 0, &application) ||
        !ask(sqlite, "SELECT count(*) FROM sqlite_schema", 0, &objects) ||
        !ask(sqlite, "PRAGMA user_version", 0, version))
        return schema_trouble(sqlite, path, failure);
    if (application != APPLICATION && (objects || application || *version))
        return fail(failure, EXIT_USAGE, path, 0,
                    "is a database of another program; expected results of limitlab or a new file");
    if (*version < 0 || *version > VERSION)
        return fail(failure, EXIT_USAGE, path, 0,
                    "has schema version %lld, of a newer limitlab; expected at most %d", (long long)*version,
                    VERSION);
    return true;
}

bool schema_prepare(sqlite3 *sqlite, const char *path, struct failure *failure)
{
    int64_t version = 0;
    sqlite3_busy_timeout(sqlite, 10000);
    sqlite3_db_config(sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (!run(sqlite, "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE"))
        return schema_trouble(sqlite, path, failure);
    bool ready = recognise(sqlite, path, &version, failure);
    if (ready && !upgrade(sqlite, version))
        ready = schema_trouble(sqlite, path, failure);
    if (ready && !run(sqlite, "COMMIT"))
        ready = schema_trouble(sqlite, path, failure);
    if (!ready)
        run(sqlite, "ROLLBACK");
    return ready;
}

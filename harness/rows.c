/* rows.c - see rows.h. */
#include "rows.h"
#include <string.h>
#include <strings.h>
#include "accesslog.h"
#include "units.h"

#define SECOND_NS INT64_C(1000000000)

static const struct { const char *name; enum row_column column; int64_t unit_ns;
} known_columns[] = { { "t", ROW_TIME, 0 },           { "t_ns", ROW_TIME, 1 },
                      { "t_us", ROW_TIME, 1000 },     { "t_ms", ROW_TIME, 1000000 },
                      { "t_s", ROW_TIME, SECOND_NS }, { "key", ROW_KEY, 0 },
                      { "cost", ROW_COST, 0 },        { "region", ROW_REGION, 0 },
                      { "allowed", ROW_ALLOWED, 0 },   { "who", ROW_WHO, 0 },
                      { "used", ROW_USED, 0 },         { "policy", ROW_POLICY, 0 } };

enum { KNOWN = sizeof known_columns / sizeof *known_columns };

static bool row_failed(const struct rows *rows, struct failure *failure, const char *what, const char *text,
                       const char *why)
{
    return fail(failure, EXIT_USAGE, rows->lines.name, rows->table.line, "%s \"%.100s\" %s", what, text, why);
}

static bool missing_column(const struct rows *rows, const char *name, const char *expected,
                           struct failure *failure)
{
    const char *similar = nearest_name(name, rows->table.column);

    if (similar == NULL && strcmp(name, "t") == 0)
        similar = nearest_name("time", rows->table.column);
    return fail(failure, EXIT_USAGE, rows->lines.name, rows->table.line,
                "has no column %s; expected %s%s%.100s%s", name, expected, similar ? " (is it \"" : "",
                similar ? similar : "", similar ? "\"?)" : "");
}

static bool find_columns(struct rows *rows, struct failure *failure)
{
    for (int i = 0; i < ROW_COLUMNS; i++)
        rows->column[i] = -1;
    for (int i = 0; i < KNOWN; i++) {
        int found = csv_table_column(&rows->table, known_columns[i].name);
        if (found < 0)
            continue;
        int *column = &rows->column[known_columns[i].column];
        if (*column >= 0)
            return fail(failure, EXIT_USAGE, rows->lines.name, rows->table.line,
                        "has two columns of times; expected one of t, t_ns, t_us, t_ms and t_s");
        *column = found;
        if (known_columns[i].column == ROW_TIME)
            rows->unit_ns = known_columns[i].unit_ns;
    }
    if (!csv_table_is_clear(&rows->table, failure))
        return false;
    if (rows->options->format == TRACE_ARRIVALS)
        rows->column[ROW_ALLOWED] = -1;
    else
        rows->column[ROW_WHO] = rows->column[ROW_USED] = rows->column[ROW_POLICY] = -1;
    if (rows->column[ROW_TIME] < 0)
        return missing_column(rows, "t", "a column t, t_ns, t_us, t_ms or t_s, as limitlab import writes",
                              failure);
    if (rows->column[ROW_ALLOWED] < 0 && rows->options->format == TRACE_DECISIONS)
        return missing_column(rows, "allowed",
                              "one with 1 and 0, true and false, allow and deny, or an HTTP status", failure);
    return true;
}

bool rows_start(struct rows *rows, struct lines lines, const struct trace_options *options,
                struct failure *failure)
{
    *rows = (struct rows){ .options = options, .lines = lines, .precision_ns = SECOND_NS };
    if (options->format == TRACE_DECISIONS_LOG)
        return true;
    if (access_begins(lines_peek(&rows->lines)))
        return fail(failure, EXIT_USAGE, lines.name, 1, "is a line of an access log; expected %s",
                    options->format == TRACE_DECISIONS ? "--input combined with it"
                                                       : "a trace, as limitlab import makes of it");
    return csv_table_open(&rows->table, &rows->lines, failure) && find_columns(rows, failure);
}

bool rows_open(struct rows *rows, const char *path, const struct trace_options *options,
               struct failure *failure)
{
    struct lines lines;

    *rows = (struct rows){ 0 };
    return lines_open(&lines, path, failure) && rows_start(rows, lines, options, failure);
}

void rows_close(struct rows *rows)
{
    csv_table_close(&rows->table);
    lines_close(&rows->lines);
}

static bool looks_absolute(const char *text)
{
    return strlen(text) >= sizeof "2015-05-17T10:05" - 1 && text[4] == '-';
}

static bool read_time(struct rows *rows, struct row *out, struct failure *failure)
{
    const char *text = csv_table_field(&rows->table, rows->column[ROW_TIME], NULL), *why;
    bool absolute = rows->unit_ns == 0 && looks_absolute(text);
    unsigned places = 0;

    if (rows->unit_ns != 0)
        why = parse_multiple(text, rows->unit_ns, &out->t_ns);
    else if (absolute)
        why = parse_iso_time(text, &out->t_ns, &places);
    else
        why = parse_duration(text, &out->t_ns);
    if (why)
        return row_failed(rows, failure, "time", text, why);
    if (rows->any && absolute != rows->absolute)
        return row_failed(rows, failure, "time", text,
                          absolute ? "is absolute; expected a duration, as in the rows before"
                                   : "is a duration; expected a date, as in the rows before");
    rows->any = true;
    rows->absolute = absolute;
    rows->precision_ns = precision_refined(rows->precision_ns, out->t_ns, absolute, places);
    return true;
}

static bool read_name(struct rows *rows, enum row_column column, const char *what, uint32_t *out,
                      struct failure *failure)
{
    size_t length;
    const char *name = csv_table_field(&rows->table, rows->column[column], &length);

    if (length > KEY_BYTES_MAX)
        return fail(failure, EXIT_USAGE, rows->lines.name, rows->table.line,
                    "%s has %zu bytes; expected at most %d", what, length, KEY_BYTES_MAX);
    *out = key_intern(rows->options->keys, name, length);
    return true;
}

static bool read_key(struct rows *rows, struct row *out, struct failure *failure)
{
    if (rows->column[ROW_KEY] < 0)
        out->key = key_intern_text(rows->options->keys, "all");
    else if (!read_name(rows, ROW_KEY, "key", &out->key, failure))
        return false;
    out->who = out->key;
    return rows->column[ROW_WHO] < 0 || read_name(rows, ROW_WHO, "who", &out->who, failure);
}

static bool read_cost(struct rows *rows, struct row *out, struct failure *failure)
{
    out->cost = 1;
    if (rows->column[ROW_COST] < 0)
        return true;
    const char *text = csv_table_field(&rows->table, rows->column[ROW_COST], NULL);
    if (parse_count(text, -COST_MAX, COST_MAX, &out->cost) != NULL)
        return row_failed(rows, failure, "cost", text,
                          "is not usable; expected a whole number up to 9007199254740991");
    if (out->cost < 0 && !rows->options->allow_refunds)
        return row_failed(rows, failure, "cost", text,
                          "is negative; expected at least 0, as not every limiter here takes "
                          "refunds");
    return true;
}

static bool read_region(struct rows *rows, struct row *out, struct failure *failure)
{
    const char *const *regions = rows->options->regions;

    out->region = 0;
    if (rows->column[ROW_REGION] < 0 || regions == NULL)
        return true;
    const char *text = csv_table_field(&rows->table, rows->column[ROW_REGION], NULL);
    for (uint16_t i = 0; *text && regions[i]; i++) {
        if (strcmp(regions[i], text) == 0) {
            out->region = i;
            return true;
        }
    }
    if (*text == '\0')
        return true;
    const char *similar = nearest_name(text, regions);
    return fail(failure, EXIT_USAGE, rows->lines.name, rows->table.line,
                "region \"%.100s\" is not in the topology; expected %s%s, or more regions", text,
                similar ? "perhaps " : "one of its names, as ", similar ? similar : regions[0]);
}

static bool read_used(struct rows *rows, struct row *out, struct failure *failure)
{
    int64_t used;

    out->surplus = 0;
    if (rows->column[ROW_USED] < 0)
        return true;
    const char *text = csv_table_field(&rows->table, rows->column[ROW_USED], NULL);
    if (*text == '\0')
        return true;
    if (out->cost < 0 || parse_count(text, 0, COST_MAX, &used) != NULL)
        return row_failed(rows, failure, "used", text,
                          out->cost < 0 ? "belongs to a refund; expected nothing there"
                                        : "is not usable; expected a whole number, 0 to 9007199254740991");
    out->surplus = used - out->cost;
    return true;
}

static bool read_policy(struct rows *rows, struct row *out, struct failure *failure)
{
    const char *const *variants = rows->options->variants;

    out->variant = 0;
    if (rows->column[ROW_POLICY] < 0 || variants == NULL || variants[0] == NULL)
        return true;
    const char *text = csv_table_field(&rows->table, rows->column[ROW_POLICY], NULL);
    for (uint8_t i = 0; *text && variants[i]; i++)
        if (strcmp(variants[i], text) == 0)
            out->variant = (uint8_t)(i + 2);
    return *text == '\0' || out->variant > 0
        || row_failed(rows, failure, "policy", text, "is not in policy.variants; expected one of its names");
}

bool status_allows(int64_t status)
{
    return status != 429 && status != 503;
}

static bool read_allowed(struct rows *rows, struct row *out, struct failure *failure)
{
    static const struct { const char *word; bool allowed; } words[] = {
        { "1", true }, { "true", true }, { "allow", true }, { "allowed", true }, { "yes", true },
        { "0", false }, { "false", false }, { "deny", false }, { "denied", false }, { "no", false }
    };
    int64_t status;

    out->allowed = true;
    if (rows->column[ROW_ALLOWED] < 0)
        return true;
    const char *text = csv_table_field(&rows->table, rows->column[ROW_ALLOWED], NULL);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(words[i].word, text) == 0) {
            out->allowed = words[i].allowed;
            return true;
        }
    }
    if (parse_count(text, 100, 599, &status) != NULL)
        return row_failed(rows, failure, "allowed", text,
                          "is not an answer; expected 1 or 0, true or false, allow or deny, "
                          "or an HTTP status");
    out->allowed = status_allows(status);
    return true;
}

static enum reading next_logged(struct rows *rows, struct row *out, struct failure *failure)
{
    struct access access;
    enum reading reading = lines_next_filled(&rows->lines, failure);

    if (reading != READ_ITEM)
        return reading;
    const char *why = access_parse(rows->lines.text, &access);
    if (why == NULL && access.status == 0)
        why = "has no status; expected one after the request, as in \"GET / HTTP/1.1\" 200";
    if (why == NULL && access.host_length > KEY_BYTES_MAX)
        why = "has a host that is too long; expected at most 4096 bytes";
    if (why) {
        fail(failure, EXIT_USAGE, rows->lines.name, rows->lines.line, "%s", why);
        return READ_BAD;
    }
    *out = (struct row){
        .t_ns = access.unix_ns, .cost = 1, .line = rows->lines.line, .allowed = status_allows(access.status)
    };
    out->key = out->who = key_intern(rows->options->keys, access.host, access.host_length);
    rows->any = rows->absolute = true;
    rows->precision_ns = precision_refined(rows->precision_ns, out->t_ns, true, access.places);
    return READ_ITEM;
}

enum reading rows_next(struct rows *rows, struct row *out, struct failure *failure)
{
    if (rows->options->format == TRACE_DECISIONS_LOG)
        return next_logged(rows, out, failure);
    enum reading reading = csv_table_next(&rows->table, failure);
    if (reading != READ_ITEM)
        return reading == READ_BAD ? READ_FAILED : reading;
    out->line = rows->table.line;
    bool good = read_time(rows, out, failure) && read_key(rows, out, failure) && read_cost(rows, out, failure)
             && read_used(rows, out, failure) && read_policy(rows, out, failure)
             && read_region(rows, out, failure) && read_allowed(rows, out, failure);
    return good ? READ_ITEM : READ_FAILED;
}

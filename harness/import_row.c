/* import_row.c - see import_row.h. */
#include "import_row.h"
#include <inttypes.h>
#include "../engine/limiter.h"

/* Recordings do not last three years: a first time from here on counts from 1970. */
#define CLEARLY_UNIX_NS (INT64_C(100000000) * 1000000000)

static bool bad_row(struct import *import, struct failure *failure, const char *what, const char *text,
                    const char *why)
{
    struct import_reader *reader = &import->reader;
    unsigned line = reader->table.parser ? reader->table.line : reader->lines->line;

    return fail(failure, EXIT_USAGE, reader->lines->name, line, "%s \"%.100s\" %s", what, text, why);
}

static unsigned decimals_of(const char *number)
{
    const char *point = strchr(number, '.');
    return point ? (unsigned)strlen(point + 1) : 0;
}

static bool read_number_time(struct import *import, const char *text, struct import_row *row,
                             struct failure *failure)
{
    const char *why = parse_multiple(text, import->unit->ns, &row->t_ns);
    unsigned most = 9 - import->unit->places, places = decimals_of(text);

    if (why)
        return bad_row(import, failure, "time", text, why);
    bool first = import->summary->rows == 0;
    row->absolute = first ? row->t_ns >= CLEARLY_UNIX_NS : import->summary->absolute;
    row->places = places < most ? places : most;
    if (row->absolute)
        row->places += import->unit->places;
    return true;
}

static bool read_time(struct import *import, struct import_row *row, struct failure *failure)
{
    const char *text = import->reader.field[FIELD_TIME].text;

    if (text[strspn(text, "0123456789.")] == '\0')
        return read_number_time(import, text, row, failure);
    const char *why = parse_iso_time(text, &row->t_ns, &row->places);
    if (why)
        return bad_row(import, failure, "time", text,
                       "is neither ISO 8601 nor a number; expected 2023-11-16T18:17:03.25Z or 12.5");
    row->absolute = true;
    if (import->summary->rows > 0 && !import->summary->absolute)
        return bad_row(import, failure, "time", text, "is a date; expected a number, as in the rows before");
    return true;
}

static bool read_key(struct import *import, struct import_row *row, struct failure *failure)
{
    const char *option = import->reader.options->key;

    row->key = import->reader.field[FIELD_KEY];
    if (option && *option == '=')
        row->key = (struct import_text){ option + 1, strlen(option + 1) };
    return row->key.length <= KEY_BYTES_MAX
           || bad_row(import, failure, "key", row->key.text, "is too long; expected at most 4096 bytes");
}

/* "374.0" is what some tools make of a whole number. */
static bool read_whole(const char *text, int64_t *out)
{
    size_t digits = strcspn(text, ".");
    char whole[24];

    if (text[digits] == '.' && (digits == 0 || text[digits + 1 + strspn(text + digits + 1, "0")] != '\0'))
        return false;
    if (digits >= sizeof whole)
        return false;
    snprintf(whole, sizeof whole, "%.*s", (int)digits, text);
    return parse_count(whole, -COST_MAX, COST_MAX, out) == NULL;
}

/* What an option for a cost says of this record: a constant, or the sum of the fields from `first` on. */
static bool read_sum(struct import *import, const char *what, const char *option, int first, int64_t *out,
                     struct failure *failure)
{
    int64_t part;

    *out = 0;
    if (*option == '=')
        return parse_count(option + 1, 0, COST_MAX, out) == NULL;
    for (int i = first; i < first + COST_PARTS_MAX && import->reader.name[i]; i++) {
        const char *text = import->reader.field[i].text;
        if (!read_whole(text, &part))
            return bad_row(import, failure, what, text,
                           "is not usable; expected a whole number up to 9007199254740991");
        *out += part;
    }
    if (*out > COST_MAX || *out < -COST_MAX)
        return bad_row(import, failure, what, option, "sums to too much; expected at most 9007199254740991");
    return true;
}

static bool read_costs(struct import *import, struct import_row *row, struct failure *failure)
{
    const struct import_options *options = import->reader.options;

    row->cost = 1;
    if (options->cost && !read_sum(import, "cost", options->cost, FIELD_COST, &row->cost, failure))
        return false;
    row->used = row->cost;
    if (options->used && !read_sum(import, "used", options->used, FIELD_USED, &row->used, failure))
        return false;
    return !options->used || row->used >= 0
        || bad_row(import, failure, "used", options->used, "is negative; expected at least 0");
}

bool import_read_row(struct import *import, struct import_row *row, struct failure *failure)
{
    const char *region = import->reader.options->region;

    row->region = import->reader.field[FIELD_REGION];
    if (region && *region == '=')
        row->region = (struct import_text){ region + 1, strlen(region + 1) };
    return read_time(import, row, failure) && read_key(import, row, failure)
           && read_costs(import, row, failure);
}

/* ---- from a row to the output ---- */

static void write_text(FILE *to, struct import_text text)
{
    putc(',', to);
    csv_write_text(to, text.text, text.length);
}

void import_write_header(const struct import *import, bool absolute)
{
    const struct import_options *options = import->reader.options;
    bool key = options->key || import->reader.format->times_own;

    fprintf(import->to, "t%s%s%s,cost%s%s\n", absolute ? "" : "_", absolute ? "" : import->unit->name,
            key ? ",key" : "", options->used ? ",used" : "", options->region ? ",region" : "");
}

static void write_time(const struct import *import, const struct import_row *row)
{
    char text[UNITS_TEXT];
    int64_t rest = row->t_ns % import->unit->ns, weight = import->unit->ns;

    if (row->absolute) {
        fputs(iso_time_text(row->t_ns, row->places, text), import->to);
        return;
    }
    fprintf(import->to, "%" PRId64, row->t_ns / import->unit->ns);
    for (unsigned i = 0; i < row->places; i++)
        weight /= 10;
    if (row->places > 0)
        fprintf(import->to, ".%0*" PRId64, (int)row->places, rest / weight);
}

void import_write_row(const struct import *import, const struct import_row *row)
{
    if (import->summary->rows == 0)
        import_write_header(import, row->absolute);
    write_time(import, row);
    if (row->key.text)
        write_text(import->to, row->key);
    fprintf(import->to, ",%" PRId64, row->cost);
    if (import->reader.options->used)
        fprintf(import->to, ",%" PRId64, row->used);
    if (row->region.text)
        write_text(import->to, row->region);
    putc('\n', import->to);
}

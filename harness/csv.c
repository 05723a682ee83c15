/* csv.c - see csv.h.
 *
 * libcsv is fed one physical line at a time, so that line numbers are right: it counts CRLF twice and skips
 * blank lines silently.  Its errors leave it in an undefined state, so it is started anew after each. */
#include "csv.h"
#include <csv.h>
#include <string.h>

static void start_parser(struct csv_table *table)
{
    csv_init(table->parser, CSV_STRICT);
    csv_set_blk_size(table->parser, 1024);
}

static void on_field(void *bytes, size_t length, void *context)
{
    struct csv_table *table = context;
    struct memory *memory = process_memory();

    if (table->records > 0 || table->fields > CSV_COLUMNS_MAX)
        return;
    table->field =
        memory_grow(memory, table->field, &table->fields_have, table->fields + 1, sizeof *table->field);
    table->bytes = memory_grow(memory, table->bytes, &table->bytes_have, table->bytes_used + length + 1, 1);
    table->field[table->fields++] = table->bytes_used;
    if (length > 0)
        memcpy(table->bytes + table->bytes_used, bytes, length);
    table->bytes_used += length;
    table->bytes[table->bytes_used++] = '\0';
}

static void on_record(int terminator, void *context)
{
    struct csv_table *table = context;

    (void)terminator;
    table->records++;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t")] == '\0';
}

static enum reading bad_record(struct csv_table *table, struct failure *failure, const char *why)
{
    csv_free(table->parser);
    start_parser(table);
    fail(failure, EXIT_USAGE, table->lines->name, table->line, "%s", why);
    return READ_BAD;
}

/* Gives one more line to the parser; false when its quotes are wrong.  The NUL behind the text serves as its
 * newline. */
static bool feed_line(struct csv_table *table)
{
    struct lines *lines = table->lines;
    size_t length = lines->length + 1;

    lines->text[lines->length] = '\n';
    size_t done = csv_parse(table->parser, lines->text, length, on_field, on_record, table);
    lines->text[lines->length] = '\0';
    table->record_lines++;
    return done == length;
}

/* Reads lines until they make a whole record, however many fields it has. */
static enum reading read_record(struct csv_table *table, struct failure *failure)
{
    size_t bytes = 0;

    table->bytes_used = table->fields = 0;
    table->records = table->record_lines = 0;
    while (table->records == 0) {
        enum reading reading = lines_next(table->lines, failure);
        if (table->record_lines == 0)
            table->line = table->lines->line;
        if (reading == READ_END && table->record_lines > 0)
            return bad_record(table, failure,
                              "has a quote that is never closed; expected a quote at the field's end");
        if (reading == READ_BAD) {
            csv_free(table->parser);
            start_parser(table);
            table->record_lines++;
        }
        if (reading != READ_ITEM)
            return reading;
        if (table->record_lines == 0 && is_blank(table->lines->text))
            continue;
        bytes += table->lines->length + 1;
        if (bytes > LINE_BYTES_MAX)
            return bad_record(table, failure,
                              "has a quoted field that goes on for too long; expected a quote at its end");
        if (!feed_line(table))
            return bad_record(table, failure,
                              "has a quote out of place; expected fields as a or \"a\", and \"\" for a "
                              "quote inside");
    }
    if (table->records > 1)
        return bad_record(table, failure,
                          "has a bare carriage return; expected lines that end in LF or CRLF");
    return READ_ITEM;
}

enum reading csv_table_next(struct csv_table *table, struct failure *failure)
{
    enum reading reading = read_record(table, failure);

    if (reading != READ_ITEM || table->fields == table->columns)
        return reading;
    fail(failure, EXIT_USAGE, table->lines->name, table->line,
         "has %s%zu field%s; expected %u, as in the header",
         table->fields > CSV_COLUMNS_MAX ? "more than " : "",
         table->fields - (table->fields > CSV_COLUMNS_MAX), table->fields == 1 ? "" : "s", table->columns);
    return READ_BAD;
}

bool csv_table_open(struct csv_table *table, struct lines *lines, struct failure *failure)
{
    *table = (struct csv_table){ .lines = lines };
    table->parser = arena_alloc(&table->texts, sizeof *table->parser);
    start_parser(table);
    enum reading reading = read_record(table, failure);
    if (reading == READ_END)
        return fail(failure, EXIT_USAGE, lines->name, 0,
                    "is empty; expected a header line with the names of columns");
    if (reading != READ_ITEM)
        return false;
    if (table->fields > CSV_COLUMNS_MAX)
        return fail(failure, EXIT_USAGE, lines->name, table->line, "has more than %d columns; expected fewer",
                    CSV_COLUMNS_MAX);
    const char **names = arena_alloc(&table->texts, (table->fields + 1) * sizeof *names);
    for (size_t i = 0; i < table->fields; i++)
        names[i] = arena_text(&table->texts, csv_table_field(table, (int)i, NULL));
    table->column = names;
    table->columns = (unsigned)table->fields;
    return true;
}

int csv_table_column(struct csv_table *table, const char *name)
{
    int found = -1;

    for (unsigned i = 0; i < table->columns; i++) {
        if (strcmp(table->column[i], name) != 0)
            continue;
        if (found >= 0)
            table->twice = table->column[i];
        else
            found = (int)i;
    }
    return found;
}

bool csv_table_is_clear(const struct csv_table *table, struct failure *failure)
{
    return !table->twice || fail(failure, EXIT_USAGE, table->lines->name, table->line,
                                 "has the column \"%.100s\" twice; expected it once", table->twice);
}

const char *csv_table_field(const struct csv_table *table, int column, size_t *length)
{
    size_t start = table->field[column];
    size_t stop = (size_t)column + 1 < table->fields ? table->field[column + 1] : table->bytes_used;

    if (length)
        *length = stop - start - 1;
    return table->bytes + start;
}

void csv_table_close(struct csv_table *table)
{
    if (table->parser)
        csv_free(table->parser);
    memory_free(process_memory(), table->bytes);
    memory_free(process_memory(), table->field);
    arena_free(&table->texts);
    *table = (struct csv_table){ 0 };
}

/* ---- writing ---- */

/* Readers trim blanks at the ends, tabs too. */
static bool is_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] <= ' ' || text[i] == '"' || text[i] == ',')
            return false;
    return length > 0;
}

void csv_write_text(FILE *to, const char *text, size_t length)
{
    if (is_plain(text, length)) {
        fwrite(text, 1, length, to);
        return;
    }
    putc('"', to);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            putc('"', to);
        putc(text[i], to);
    }
    putc('"', to);
}

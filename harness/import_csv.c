/* import_csv.c - CSV files as records. */
#include "import_reader.h"

static bool find_column(struct import_reader *reader, int field, struct failure *failure)
{
    const char *name = reader->name[field];

    reader->column[field] = name ? csv_table_column(&reader->table, name) : -1;
    if (name == NULL || reader->column[field] >= 0)
        return true;
    const char *similar = nearest_name(name, reader->table.column);
    return fail(failure, EXIT_USAGE, reader->lines->name, reader->table.line,
                "has no column \"%.100s\"; expected %s%.100s%s", name,
                similar ? "it there (is it \"" : "one of its own names, as ",
                similar ? similar : reader->table.column[0], similar ? "\"?)" : "");
}

/* A column may have a + in its name. */
static void undo_split(struct import_reader *reader, const char *sum, int first)
{
    if (sum == NULL || reader->name[first] == NULL || csv_table_column(&reader->table, sum) < 0)
        return;
    reader->name[first] = sum;
    for (int i = first + 1; i < first + COST_PARTS_MAX; i++)
        reader->name[i] = NULL;
}

/* Only the user can say which column has the times; the file's names help. */
static bool ask_for_time(struct import_reader *reader, struct failure *failure)
{
    char names[300] = "";
    size_t used = 0;

    for (unsigned i = 0; i < reader->table.columns && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.60s", i ? ", " : "",
                                 reader->table.column[i]);
    return fail(failure, EXIT_USAGE, reader->lines->name, reader->table.line,
                "is read as CSV with the columns %s; expected --time with one of them", names);
}

static bool open_csv(struct import_reader *reader, struct failure *failure)
{
    if (!csv_table_open(&reader->table, reader->lines, failure))
        return false;
    if (reader->name[FIELD_TIME] == NULL)
        return ask_for_time(reader, failure);
    undo_split(reader, reader->options->cost, FIELD_COST);
    undo_split(reader, reader->options->used, FIELD_USED);
    for (int i = 0; i < FIELDS; i++) {
        if (!find_column(reader, i, failure))
            return false;
    }
    return csv_table_is_clear(&reader->table, failure);
}

static enum reading next_record(struct import_reader *reader, struct failure *failure)
{
    enum reading reading = csv_table_next(&reader->table, failure);

    reader->record_lines = reader->table.record_lines;
    for (int i = 0; reading == READ_ITEM && i < FIELDS; i++) {
        struct import_text *field = &reader->field[i];
        if (reader->column[i] >= 0)
            field->text = csv_table_field(&reader->table, reader->column[i], &field->length);
    }
    return reading;
}

static void close_csv(struct import_reader *reader)
{
    csv_table_close(&reader->table);
}

const struct import_format import_csv = {
    .name = "CSV", .taken_for = " (taken for CSV)", .times_own = false,
    .open = open_csv, .next = next_record, .close = close_csv
};

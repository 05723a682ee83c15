/* listing.c - see listing.h. */
#include "listing.h"
#include <string.h>
#include "../reports/show.h"
#include "arena.h"

enum { COLUMNS_MAX = 8, LABELLED_ROOM = 80 };

json_t *listing_text(const char *text)
{
    struct arena arena = { 0 };
    size_t room = 4 * strlen(text) + 1;
    json_t *value = json_string(show_text(text, SHOW_ESCAPED, arena_alloc(&arena, room), room));

    arena_free(&arena);
    return value;
}

/* What a value looks like in a column. */
static const char *cell(const json_t *value, char room[SHOW_NUMBER])
{
    if (json_is_string(value))
        return json_string_value(value);
    if (!json_is_integer(value))
        return json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "-";
    snprintf(room, SHOW_NUMBER, "%lld", (long long)json_integer_value(value));
    return room;
}

/* In a column nothing else says what a number counts: "claims 3". */
static const char *labelled(const char *key, const json_t *value, char room[LABELLED_ROOM])
{
    char number[SHOW_NUMBER];

    if (!json_is_integer(value))
        return cell(value, number);
    snprintf(room, LABELLED_ROOM, "%s %s", key, cell(value, number));
    return room;
}

static void print_padded(FILE *out, const char *text, unsigned width)
{
    unsigned columns = show_columns(text);

    fprintf(out, "%s%*s", text, columns < width ? (int)(width - columns) : 0, "");
}

static void measure(const json_t *rows, unsigned width[COLUMNS_MAX])
{
    size_t index;
    json_t *row, *value;
    const char *key;

    json_array_foreach(rows, index, row) {
        unsigned column = 0;
        json_object_foreach(row, key, value) {
            char room[LABELLED_ROOM];
            unsigned columns = show_columns(labelled(key, value, room));
            if (column < COLUMNS_MAX && columns > width[column])
                width[column] = columns;
            column++;
        }
    }
}

/* The last member that people see. */
static unsigned last_column(json_t *row)
{
    unsigned column = 0, last = 0;
    const char *key;
    json_t *value;

    json_object_foreach(row, key, value) {
        last = json_is_object(value) ? last : column;
        column++;
    }
    return last;
}

static void print_columns(FILE *out, const json_t *rows, unsigned indent)
{
    unsigned width[COLUMNS_MAX] = { 0 };
    size_t index;
    json_t *row, *value;
    const char *key;

    measure(rows, width);
    json_array_foreach(rows, index, row) {
        unsigned column = 0, last = last_column(row);
        fprintf(out, "%*s", (int)indent, "");
        json_object_foreach(row, key, value) {
            char room[LABELLED_ROOM];
            bool padded = column < last && column < COLUMNS_MAX;
            if (!json_is_object(value))
                print_padded(out, labelled(key, value, room), padded ? width[column] + 2 : 0);
            column++;
        }
        putc('\n', out);
    }
}

static void print_block(FILE *out, const json_t *row)
{
    const char *key;
    json_t *value;
    bool first = true;

    json_object_foreach((json_t *)row, key, value) {
        char room[SHOW_NUMBER];
        if (json_is_array(value))
            print_columns(out, value, 4);
        else if (first)
            fprintf(out, "%s\n", cell(value, room));
        else if (!json_is_null(value))
            fprintf(out, "    %s: %s\n", key, cell(value, room));
        first = false;
    }
}

void listing_print(FILE *out, json_t *rows, bool json, bool blocks)
{
    size_t index;
    json_t *row;

    if (json)
        json_dumpf(rows, out, JSON_INDENT(2));
    else if (!blocks)
        print_columns(out, rows, 0);
    json_array_foreach(rows, index, row)
        if (!json && blocks)
            print_block(out, row);
    if (json)
        putc('\n', out);
    json_decref(rows);
}

/* csv.h - a CSV file with a header: records with columns by name (RFC 4180, strict about quotes; libcsv
 * underneath).
 *
 * Spaces around unquoted fields do not count, blank lines are skipped, a quoted field may span lines. */
#ifndef LIMITLAB_CSV_H
#define LIMITLAB_CSV_H
#include <stdio.h>
#include "arena.h"
#include "lines.h"

enum { CSV_COLUMNS_MAX = 1024 };

struct csv_table {
    struct lines *lines;                /* borrowed */
    unsigned line;                      /* where the current record begins ... */
    unsigned record_lines;              /* ... and over how many lines it goes */
    unsigned columns;
    const char *const *column;          /* names, NULL-terminated */
    /* private: */
    struct arena texts;
    struct csv_parser *parser;
    char    *bytes;                     /* the record's fields, each NUL-terminated */
    size_t   bytes_used, bytes_have;
    size_t  *field;                     /* where each begins in bytes */
    size_t   fields, fields_have;
    const char *twice;                  /* a column that was asked for and is there twice; NULL: none */
    unsigned records;                   /* that the lines of this record turned out to hold */
};

/* Reads the header.  Fails when there is none.  In any case csv_table_close() is due. */
bool csv_table_open(struct csv_table *table, struct lines *lines, struct failure *failure);

/* The next record.  BAD: its quotes are wrong, it has another number of fields than the header, or a line of
 * it is bad. */
enum reading csv_table_next(struct csv_table *table, struct failure *failure);

/* The index of a column, -1 when there is none of that name. */
int csv_table_column(struct csv_table *table, const char *name);

/* False when a column that was asked for is there twice; others may be. */
bool csv_table_is_clear(const struct csv_table *table, struct failure *failure);

/* A field of the current record, NUL-terminated; lives until the next one is read.  length may be NULL. */
const char *csv_table_field(const struct csv_table *table, int column, size_t *length);

void csv_table_close(struct csv_table *table);

/* A field that is read back as it is: quoted where it must be. */
void csv_write_text(FILE *to, const char *text, size_t length);
#endif

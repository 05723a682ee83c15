/* import_row.h - within import: one row, from the texts of a record to a line of the trace. */
#ifndef LIMITLAB_IMPORT_ROW_H
#define LIMITLAB_IMPORT_ROW_H
#include "import_reader.h"
#include "keys.h"

/* What a time that is a number counts. */
struct time_unit { const char *name; int64_t ns; unsigned places; };    /* places: decimals of a second */

struct import_row {
    int64_t  t_ns;
    bool     absolute;
    unsigned places;                    /* decimals written: of a second when absolute, else of the unit */
    int64_t  cost, used;
    struct import_text key, region;     /* text NULL: no such column */
};

struct import {
    struct import_reader reader;
    struct import_summary *summary;     /* of the rows so far: the first one decides on absolute or
                                           relative */
    const struct time_unit *unit;
    FILE    *to;
    struct keys keys, regions;
    struct key_places { uint32_t first_region; bool several; } *place;  /* by key */
    size_t   places;
    int64_t  before_ns;                 /* time of the row before */
};

/* From reader.field[]; false: this record cannot be used. */
bool import_read_row(struct import *import, struct import_row *row, struct failure *failure);

/* Writes the header first when there is no row yet. */
void import_write_row(const struct import *import, const struct import_row *row);
void import_write_header(const struct import *import, bool absolute);
#endif

/* import_reader.h - within import: a log of some kind as records of texts, one by one. */
#ifndef LIMITLAB_IMPORT_READER_H
#define LIMITLAB_IMPORT_READER_H
#include <jansson.h>
#include "csv.h"
#include "import.h"
#include "units.h"

enum { COST_PARTS_MAX = 16 };
enum import_field { FIELD_TIME, FIELD_KEY, FIELD_REGION, FIELD_COST, FIELD_USED = FIELD_COST + COST_PARTS_MAX,
                    FIELDS = FIELD_USED + COST_PARTS_MAX };

struct import_text { const char *text; size_t length; };

struct import_reader {
    const struct import_options *options;
    const struct import_format *format;
    struct lines *lines;
    const char *name[FIELDS];           /* of the fields to read; NULL: none */
    unsigned record_lines;              /* that the current record took, bad or not */
    struct import_text field[FIELDS];   /* of the current record, NUL-terminated; live until the next one */
    struct arena texts;
    /* of single formats: */
    char stamp[UNITS_TEXT];             /* access log: its time */
    struct csv_table table;             /* CSV */
    int column[FIELDS];
    json_t *decoded[FIELDS];            /* JSON: texts, without their escapes */
};

struct import_format {
    const char *name;
    const char *taken_for;              /* for the summary, when the kind was found out */
    bool times_own;                     /* has a time, and a key, of its own */
    bool (*open)(struct import_reader *reader, struct failure *failure);
    enum reading (*next)(struct import_reader *reader, struct failure *failure);
    void (*close)(struct import_reader *reader);
};

extern const struct import_format import_combined, import_json, import_csv;
#endif

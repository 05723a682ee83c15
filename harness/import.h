/* import.h - other people's logs as traces: access logs, JSON lines and any CSV.
 *
 * The output is what trace.h reads: t, key and cost, and used and region when they were given.  Absolute
 * times are written as ISO 8601 in UTC with as many decimal places as the log has (so that its precision is
 * known later), numbers from the start of the recording as t_s, t_ms, t_us or t_ns with the decimals that
 * they came with. */
#ifndef LIMITLAB_IMPORT_H
#define LIMITLAB_IMPORT_H
#include <stdint.h>
#include <stdio.h>
#include "failure.h"

enum import_kind { IMPORT_DETECT, IMPORT_COMBINED, IMPORT_JSONL, IMPORT_CSV };

/* Names of fields: a column of a CSV, a member of a JSON object (its name as written, or a path with dots:
 * "request.user").  "=TEXT" is that text for all rows.  NULL: not there. */
struct import_options {
    const char *path;                   /* "-": standard input */
    enum import_kind kind;              /* DETECT: by the first lines */
    const char *time;                   /* required, but not allowed for an access log, which has its own */
    const char *key;                    /* NULL: the client's host of an access log, else one key for all */
    const char *cost;                   /* also a sum, "A+B"; NULL: 1 */
    const char *used;                   /* what it turned out to cost, likewise; NULL: no such column */
    const char *region;
    const char *time_unit;              /* "s", "ms", "us" or "ns": what a time that is a number counts.
                                           NULL: seconds */
    uint32_t max_bad_billionths;        /* the import fails when more than this share of the lines cannot be
                                           read */
    const char *output;                 /* NULL: standard output */
    FILE *notes;                        /* first bad lines, then the summary, for a person; NULL: nothing */
};

struct import_summary {
    enum import_kind kind;
    uint64_t lines;                     /* in the file, blank ones and a CSV's header aside */
    uint64_t bad_lines;                 /* could not be read, were skipped */
    uint64_t rows;                      /* written */
    uint64_t rows_out_of_order;         /* earlier than the row before them */
    uint32_t keys, keys_in_several_regions, regions;
    bool     absolute;
    int64_t  late_ns, precision_ns;     /* as in trace.h */
    int64_t  first_ns, last_ns;         /* least and greatest time */
    int64_t  total_cost;                /* of the costs' sizes */
};

/* "combined", "common", "jsonl", "csv"; false when it is none of them (nearest_name() over import_kinds may
 * help). */
bool import_kind_parse(const char *name, enum import_kind *kind);
extern const char *const import_kinds[];        /* NULL-terminated */

/* Writes the trace.  On failure nothing is written. */
bool import_run(const struct import_options *options, struct import_summary *summary,
                struct failure *failure);

/* The same from bytes in memory (options->path is the name for messages) to an open stream, which then has
 * part of it on failure. */
bool import_bytes(const struct import_options *options, const void *bytes, size_t length, FILE *to,
                  struct import_summary *summary, struct failure *failure);
#endif

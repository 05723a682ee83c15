/* audit.h - recorded decisions of any system, as rows in order of time.
 *
 * Either CSV as traces (trace.h) with one more column:
 *   allowed   1 or 0, true or false, allow or deny, allowed or denied, yes or no (in any case), or an HTTP
 *             status: 429 and 503 are denials, everything else from 100 to 599 is an admission
 * or an access log, whose status says it: its lines that cannot be read are skipped and counted, and so are
 * lines without a status (cut short: whether they were allowed is not known). */
#ifndef LIMITLAB_AUDIT_H
#define LIMITLAB_AUDIT_H
#include <stdio.h>
#include "trace.h"
#include "trace_cursor.h"

struct audit_options {
    const char *path;                   /* "-": standard input */
    bool access_log;                    /* else CSV */
    struct keys *keys;                  /* where names are interned */
    bool allow_refunds;                 /* negative costs */
    uint32_t max_bad_billionths;        /* of an access log's lines */
    FILE *notes;                        /* first bad lines, for a person; NULL: nothing */
};

struct audit_row {
    int64_t  at_ns;                     /* since the audit's epoch */
    int64_t  cost;
    uint32_t key;
    unsigned line;                      /* in the file */
    bool     allowed;
};

struct audit {
    struct trace decisions;             /* its summary has precision, order and counts */
    int64_t  epoch_ns;                  /* Unix time of at_ns == 0 when times are absolute, else 0 */
    struct trace_cursor cursor;
    FILE    *notes;
    uint64_t noted;
};

/* Scans the file.  Where it succeeds, audit_close() is due; the struct must not be moved meanwhile. */
bool audit_open(struct audit *audit, const struct audit_options *options, struct failure *failure);
/* The same from bytes in memory; options->path is the name for messages. */
bool audit_open_bytes(struct audit *audit, const struct audit_options *options, const void *bytes,
                      size_t length, struct failure *failure);

/* The next row by time, at one instant in the file's order; false at the end, and when the file changed since
 * it was scanned. */
bool audit_next(struct audit *audit, struct audit_row *row);
bool audit_failed(const struct audit *audit, struct failure *failure);

void audit_close(struct audit *audit);
#endif

/* rows.h - the rows of a trace or of recorded decisions, one by one, as the file has them.  See trace.h for
 * the format. */
#ifndef LIMITLAB_ROWS_H
#define LIMITLAB_ROWS_H
#include "csv.h"
#include "trace.h"

struct row {
    int64_t  t_ns;                      /* since the Unix epoch, or since t = 0 */
    int64_t  cost;
    int64_t  surplus;                   /* what it turned out to cost beyond that */
    uint32_t key;                       /* as sent */
    uint32_t who;                       /* who really asks */
    unsigned line;
    uint16_t region;
    bool     allowed;                   /* decisions; else true */
    uint8_t  variant;                   /* of the policy, that it carries, + 1; 0: none */
};

enum row_column { ROW_TIME, ROW_KEY, ROW_COST, ROW_REGION, ROW_ALLOWED, ROW_WHO, ROW_USED, ROW_POLICY,
                  ROW_COLUMNS };

struct rows {
    const struct trace_options *options;    /* borrowed */
    struct lines lines;
    struct csv_table table;             /* not of an access log */
    int      column[ROW_COLUMNS];       /* -1: not there */
    int64_t  unit_ns;                   /* of the time column; 0: texts with their own unit, or ISO 8601 */
    bool     any, absolute;             /* absolute: known after any row */
    int64_t  precision_ns;              /* of the times so far */
};

/* How much its cost weighs in the sum that is bounded. */
static inline int64_t row_size(const struct row *row)
{
    return row->cost < 0 ? -row->cost : row->cost + i64_max(0, row->surplus);
}

/* Reads the header.  In any case rows_close() is due. */
bool rows_open(struct rows *rows, const char *path, const struct trace_options *options,
               struct failure *failure);

/* The same over lines that are open already; closes them in the end. */
bool rows_start(struct rows *rows, struct lines lines, const struct trace_options *options,
                struct failure *failure);

/* BAD: a line of an access log that is to be skipped.  Everything else that is wrong is FAILED. */
enum reading rows_next(struct rows *rows, struct row *out, struct failure *failure);

void rows_close(struct rows *rows);

/* 429 and 503 are denials. */
bool status_allows(int64_t status);
#endif

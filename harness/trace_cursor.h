/* trace_cursor.h - the rows of a scanned trace in order of time, spread inside the clock's precision when
 * asked. */
#ifndef LIMITLAB_TRACE_CURSOR_H
#define LIMITLAB_TRACE_CURSOR_H
#include "reorder.h"

/* All rows of a trace, in the file's order. */
struct held_rows {
    size_t count, have;
    struct row *row;
};

struct trace_cursor {
    const struct trace *trace;          /* borrowed */
    struct trace_play play;
    struct rows rows;                   /* the file, unless the trace is held */
    bool     reading;                   /* more rows may come */
    uint64_t next_row;
    int64_t  horizon_ns;                /* no row to come is earlier */
    int64_t  last_ns;                   /* instant of the row handed out last */
    int64_t  cost;                      /* sizes of costs so far */
    struct reorder reorder;
    bool     failed;
    struct failure failure;             /* when failed */
};

void trace_cursor_open(struct trace_cursor *cursor, const struct trace *trace, const struct trace_play *play);

/* The next row in order of time, at_ns since instant 0 of the run.  READ_ITEM, READ_END, or READ_FAILED: see
 * cursor->failure. */
enum reading trace_cursor_next(struct trace_cursor *cursor, struct waiting_row *out);

void trace_cursor_close(struct trace_cursor *cursor);
#endif

/* trace.h - recorded arrivals: a CSV file scanned once, then played as often as wanted.
 *
 *     struct trace trace;
 *     trace_scan(&trace, "web.csv", &options, &failure)      the whole file is checked, its keys are interned
 *     struct trace_source *source = trace_play(&trace, &play);
 *     trace_source(source)->next(...)                        arrivals in order of time
 *     trace_source_failed(source, &failure)                  the file changed since it was scanned?
 *     trace_source_free(source); trace_free(&trace);
 *
 * Columns by name, in any order, others ignored:
 *   t       a duration ("12.5s"), or ISO 8601 (absolute; without a zone UTC), never both in one file; or
 *           t_ns, t_us, t_ms, t_s: numbers in that unit.  Relative times are 0 or more.
 *   key     any bytes, up to KEY_BYTES_MAX; without the column all rows have the key "all".
 *   cost    a whole number, 0 .. COST_MAX, below 0 only with allow_refunds; without the column 1.  The sizes
 *           of all costs sum to at most TOTAL_COST_MAX.
 *   region  a region's name, empty for the first region; without the column the first region.
 *   who     who really asks, and is judged; `key` is what they show.  Without the column the key.
 *   used    what the request turned out to cost, 0 .. COST_MAX, once its work was done; empty or without the
 *           column its cost.
 *   policy  the name of the policy's variant that the request carries; empty or without the column none.
 *
 * Rows out of time order are sorted, stably.  A file is streamed: memory holds the rows that lie between a
 * row and the latest row that comes before it in time yet after it in the file (for a sorted file, none),
 * and, when there are at most TRACE_HELD_ROWS of them or the input cannot be read twice (a pipe, "-"), all
 * rows at 40 bytes each, so that a matrix of runs parses once. */
#ifndef LIMITLAB_TRACE_H
#define LIMITLAB_TRACE_H
#include "../engine/network.h"
#include "../engine/traffic.h"
#include "experiment.h"
#include "failure.h"
#include "keys.h"

enum { TRACE_HELD_ROWS = 1 << 19, TRACE_ID_BITS = 40 };

/* What is in the file: a trace, or decisions, which audit.h describes. */
enum trace_format { TRACE_ARRIVALS, TRACE_DECISIONS, TRACE_DECISIONS_LOG };

struct trace_options {
    enum trace_format format;
    struct keys *keys;                  /* where names are interned, in the file's order; shared by the traces
                                           of a run */
    const char *const *variants;        /* names of the policy's variants, NULL-terminated; NULL: the column
                                           is ignored */
    const char *const *regions;         /* names of the topology's regions, NULL-terminated; NULL: the column
                                           is ignored, all rows are of region 0 */
    bool allow_refunds;
    /* TRACE_DECISIONS_LOG only: lines that cannot be read are told to bad() (which may be NULL) and skipped;
     * when they are more than this share of all, the scan fails. */
    uint32_t max_bad_billionths;
    void (*bad)(void *context, const struct failure *failure);
    void *context;
};

struct trace_summary {
    uint64_t rows;
    int64_t  first_ns, last_ns;         /* least and greatest time: since the Unix epoch when absolute, else
                                           since t = 0 */
    bool     absolute;
    int64_t  precision_ns;              /* of the recording clock, 1 .. 1e9, a power of ten.  Absolute: the
                                           most decimal places written; relative: the finest decimal used */
    uint64_t rows_out_of_order;         /* rows that are earlier than the row before them */
    int64_t  late_ns;                   /* the most that a row is earlier than any row before it; 0: the file
                                           is sorted */
    uint32_t keys;                      /* different keys */
    uint32_t keys_in_several_regions;
    int64_t  total_cost;                /* of the costs' sizes */
    uint32_t top_key;                   /* index of the key that asks for most (ties: the smaller name); 0
                                           without rows */
    int64_t  top_key_cost;
    bool     has_key, has_cost, has_region;     /* which columns are there */
    uint64_t region_rows[REGIONS_MAX];
    uint64_t bad_lines;                 /* TRACE_DECISIONS_LOG: skipped */
};

/* How much the recorded instants may be off.  Only a clock on a wall rounds: times since the start of a run
 * are meant as they are written. */
static inline int64_t trace_rounding_ns(const struct trace_summary *summary)
{
    return summary->absolute ? summary->precision_ns : 1;
}

struct trace {
    const char *path;                   /* borrowed; "-" is standard input */
    struct trace_options options;
    struct trace_summary summary;
    struct held_rows *held;             /* all rows in the file's order, or NULL */
};

/* Reads and checks all of it.  An empty trace (a header, no rows) is fine: rows is 0. */
bool trace_scan(struct trace *trace, const char *path, const struct trace_options *options,
                struct failure *failure);
/* The same for bytes in memory, which need not outlive the call; name is borrowed, for messages. */
bool trace_scan_bytes(struct trace *trace, const char *name, const void *bytes, size_t length,
                      const struct trace_options *options, struct failure *failure);
/* Also after a scan that failed. */
void trace_free(struct trace *trace);

/* The Unix time of instant 0 of a run that plays these traces together: the earliest row's when times are
 * absolute, else 0.  Fails when some are absolute and some are not, or when they span more than
 * INSTANT_MAX. */
bool traces_epoch(const struct trace *traces, uint32_t count, int64_t *epoch_ns, struct failure *failure);

/* How a trace is played. */
struct trace_play {
    int64_t  epoch_ns;                  /* from traces_epoch(); subtracted when times are absolute */
    uint32_t index;                     /* of the trace in its run: arrival.id = index << TRACE_ID_BITS |
                                           row */
    int64_t  region;                    /* >= 0: of all arrivals, whatever the file says; -1: the column's */
    enum region_by region_by;           /* region -1 and no region column: see experiment.h; one of the first
                                           `regions` */
    uint32_t regions;
    bool     spread;                    /* put each arrival at a random instant within the clock's precision:
                                           at_ns + stream_below(seed, {id, STREAM_SPREAD, 0}, precision_ns),
                                           sorted again (stably) */
    uint64_t seed;
};

/* Borrows the trace.  Never NULL: a file that cannot be opened any more is a source that has failed. */
struct trace_source *trace_play(const struct trace *trace, const struct trace_play *play);
struct source *trace_source(struct trace_source *source);

/* After next() has returned false: true when that was not the end of the trace; fills failure. */
bool trace_source_failed(const struct trace_source *source, struct failure *failure);
void trace_source_free(struct trace_source *source);
#endif

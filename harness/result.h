/* result.h - what one run measured: one row of every table, one object of every JSON.  Definitions:
 * README.md.
 *
 * Everything is an integer or an exact decimal.  Texts are owned by whoever made the result. */
#ifndef LIMITLAB_RESULT_H
#define LIMITLAB_RESULT_H
#include <stdint.h>
#include "decimal.h"

enum { SERIES_BINS = 512, REFUSED_TOP = 10 };

/* One key's traffic over time, for plots.  Bin i covers [start_ns + i*width_ns, + width_ns).  The width
 * doubles whenever the run outgrows the bins, so memory is fixed. */
struct series {
    int64_t  start_ns, width_ns;        /* width is 0 when nothing was recorded */
    uint32_t bins;
    struct series_bin {
        int64_t asked;                  /* cost that arrived */
        int64_t admitted;               /* cost admitted, by the instant of admission */
        int64_t window;                 /* the largest cost that stood admitted in (t - period, t] for any t
                                           of the bin */
    } bin[SERIES_BINS];
};

/* Latency distribution: cumulative counts at rising upper edges (the histogram's own). */
struct latency_point { int64_t upto_ns; uint64_t count; };

struct window_at {                      /* null (cost 0, key NULL) when nothing was admitted */
    int64_t cost;
    struct decimal ratio;               /* cost / target limit */
    const char *key;
    int64_t start_ns, end_ns;           /* (start, end]: end is the instant of the last admission in it */
};

enum cause { CAUSE_ALGORITHM, CAUSE_SHARING, CAUSE_RACE, CAUSE_FAULT, CAUSE_CLOCK, CAUSES };

/* What each cause adds to a run's excess and over-admissions, taken in this order (see causes.h): signed;
 * they sum to the run's own, exactly. */
struct causes {
    bool known;
    struct decimal excess[CAUSES];
    int64_t over_admitted[CAUSES];
};

struct result {
    const char *design;                 /* as typed or listed: LIMITER@COORDINATION[:...] */
    const char *parameters;             /* every resolved parameter, "shards=8 mode=divide route=random" */
    const char *label;                  /* "" or what sets this row apart ("as logged", "spread") */
    uint64_t seed;
    int64_t limit, period_ns, burst;    /* of the policy that the limiter ran */

    uint64_t requests, admitted, denied, failed;
    const char *decisions;              /* "A A D", in order of arrival; NULL: too many (sequence.h) */
    int64_t  admitted_cost, denied_cost;
    uint64_t over_admitted;             /* against the target */
    int64_t  over_admitted_cost;
    struct decimal excess, effective_burst, boundary_burst;
    struct causes causes;               /* of excess and over_admitted */
    struct window_at worst_window;
    const char *worst_burst_key;        /* whose effective_burst it is; NULL when nothing was admitted */
    int64_t  worst_burst_at_ns;

    uint64_t ideal_admitted;            /* the limiter alone, on the same arrivals */
    int64_t  ideal_admitted_cost;
    uint64_t wrongly_admitted, wrongly_denied;
    uint64_t lost_updates, stale_reads, retries;
    int64_t  first_denial;              /* -1: nobody was denied */
    uint64_t store_reads, store_writes;
    uint32_t most_operations;           /* that one request sent to stores */

    struct { int64_t p50, p90, p99, p999, max; } latency_ns;        /* -1: no request got a verdict */
    struct { uint64_t honest, early, late; } retry;
    struct { bool judged; uint64_t right, wrong; } quota;           /* what decisions told of it */
    struct decimal fairness_keys, fairness_regions;
    uint64_t keys, keys_refused, live_keys, state_bytes;            /* state_bytes: stored for one key, all
                                                                       copies */
    uint64_t stored_peak;               /* states that stores held at once, copies counted */
    int64_t  stuck_keys;                /* refused, long after the end (liveness.h); -1: not tried */
    struct refused { const char *key; uint64_t denied; } refused_top[REFUSED_TOP];  /* unused: key NULL */

    struct {
        bool judged;                    /* the scenario has a ceiling */
        uint64_t over_admitted;         /* as above, of the ceiling: over all keys that share it */
        struct decimal excess;
        int64_t worst_window;
    } ceiling;

    bool     promise_kept;              /* the limiter's own promise, whatever the target */
    const char *promise;                /* in words: "at most 10 in any window of 60s" */
    uint64_t digest;

    const char *watched_key;            /* whose series it is: the key that asked for most */
    struct series series;
    const struct latency_point *latency;
    uint32_t latency_points;
};
#endif

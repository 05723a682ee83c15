/* contender.h - the designs of a comparison, ranked: the order of every table, and which design to pick.
 *
 * More of a figure is worse, unless it says otherwise: the worst of several seeds is the largest of each. */
#ifndef LIMITLAB_CONTENDER_H
#define LIMITLAB_CONTENDER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "blame.h"

enum { CONTENDER_SENTENCE = 1024 };

/* What a design is ranked by, the worst of all its rows for one limit. */
struct standing {
    bool qualifies;                     /* meets --require, or without one keeps the target and decides all */
    bool exact;                         /* keeps the target, decides every request, and admits at least
                                           99.9 % as many requests as the ideal */
    uint64_t over_share;                /* billionths: over-admitted of the admitted */
    uint64_t harm_share;                /* billionths of what the ideal admits: over-admitted here, and
                                           admitted by the ideal beyond what was admitted here */
    int64_t  ideal_share;               /* billionths: admitted of the ideal's; here less is worse; -1: the
                                           ideal admitted nothing */
    int64_t  p99_ns, p50_ns;            /* -1: no verdict at all */
    uint64_t store_operations;          /* thousandths a request */
};

/* What a standing is made from: counts of one result.  The ideal is the same limiter alone, without delays,
 * on the same arrivals. */
struct tally {
    uint64_t requests, admitted, failed, over_admitted, ideal_admitted, store_operations;
    bool keeps_target;
};

struct contender {
    const char *design, *label, *parameters;        /* shown texts (show.h), borrowed */
    int64_t  limit;
    uint64_t requests, failed, over_admitted, lost_updates, retries;
    int64_t  boundary_burst, worst_window;          /* billionths; -1: undefined */
    struct blame blame;                 /* of several seeds: that of the largest excess */
    struct standing row;                /* of this row */
    struct standing design_wide;        /* of the design, over its rows: filled in by the ranking */
    size_t   position;                              /* where it came from, for ties */
};

/* All but `qualifies` and the latencies. */
struct standing standing_from(const struct tally *tally);

/* Folds the rows that differ only in their seed into one (the worst of each figure) and sorts: by limit, then
 * those that qualify, then best first; rows of one design stay together.  How many are left. */
size_t contenders_rank(struct contender *list, size_t count);

/* How many rows at the head of a ranked list share the first one's limit. */
size_t contenders_of_one_limit(const struct contender *list, size_t count);

/* Which to pick and what it costs, for the rows of one limit: plain sentences, each on a line of its own. */
const char *contenders_pick(const struct contender *list, size_t count, char out[CONTENDER_SENTENCE]);

/* "NAME: 158 of 400 requests got no decision", or "" when all got one. */
const char *contender_undecided(const struct contender *contender, char out[CONTENDER_SENTENCE]);

/* Whose parameters those of row i are: the name of the design, with the limit when they differ from limit to
 * limit; "" when an earlier row says the same.  For all rows of a ranked list. */
const char *contenders_parameters_of(const struct contender *list, size_t count, size_t i,
                                     char out[CONTENDER_SENTENCE]);

/* True when some row keeps the curve (boundary burst 1) and yet has a worst window well above the limit. */
bool contenders_need_window_note(const struct contender *list, size_t count);

/* Why those two differ. */
extern const char contenders_window_note[];
#endif

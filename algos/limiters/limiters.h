/* limiters.h - every limiter there is, in the order in which `limitlab list` shows them.
 *
 * A new limiter is one file, its name below and one line in limiters.c; by being in the table it gets the
 * conformance tests, the matrix and the help text. */
#ifndef LIMITLAB_LIMITERS_H
#define LIMITLAB_LIMITERS_H
#include "../../engine/limiter.h"

extern const struct limiter *const limiters[];
extern const unsigned limiter_count;

/* By its name, as in LIMITER@COORDINATION; those of systems and of the zoo as well.  NULL when there is
 * none. */
const struct limiter *limiter_find(const char *name);

extern const struct limiter fixed_window;
extern const struct limiter fixed_window_anchored;
extern const struct limiter sliding_window_log;
extern const struct limiter sliding_window_counter;
extern const struct limiter token_bucket;
extern const struct limiter interval_bucket;
extern const struct limiter gcra;
extern const struct limiter leaky_bucket_queue;
#endif

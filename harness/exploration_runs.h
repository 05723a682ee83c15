/* exploration_runs.h - exploring by runs from the start, for worlds whose states cannot all be kept.
 *
 * Sampling (engine/sample.h) takes so many runs by a portfolio of schedulers: what they find is found, what
 * they do not find is not known.  Stateless exploring (engine/dpor.h) takes one run for each class of
 * interleavings that come to the same: complete when it ends by itself. */
#ifndef LIMITLAB_EXPLORATION_RUNS_H
#define LIMITLAB_EXPLORATION_RUNS_H
#include "exploration.h"

/* The world is open; `runs` >= 1.  keep_on of the bounds is asked before each run, and may end it; at
 * most_bytes, what was kept of earlier runs is forgotten; both, and most_states, bound the search for a small
 * witness.  Where none is found a run with few
 * preemptions is the witness, or the worst run itself.  Clear it
 * afterwards. */
void exploration_sample(struct exploration *out, struct explored_world *world,
                        const struct explored_bounds *bounds, uint64_t seed, uint64_t runs,
                        struct arena *arena);

/* NULL, or why runs alone cannot tell all about this world, as far as its first run shows (static text). */
const char *exploration_refused(struct explored_world *world);

/* most_states of the bounds: the most runs.  `estimate` is only passed on. */
void exploration_stateless(struct exploration *out, struct explored_world *world,
                           const struct explored_bounds *bounds, uint64_t estimate, struct arena *arena);

/* The chance of something that did not happen in n independent runs (n >= 1), at most: a greater one would
 * have shown itself with a probability of 95%.  It is 1 - 0.05^(1/n), about 3 / n. */
double chance_at_most(uint64_t n);
#endif

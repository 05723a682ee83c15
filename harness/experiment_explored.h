/* experiment_explored.h - a scenario whose mode is to explore: its small world with each design and limit. */
#ifndef LIMITLAB_EXPERIMENT_EXPLORED_H
#define LIMITLAB_EXPERIMENT_EXPLORED_H
#include "claims.h"
#include "failure.h"

/* Explores each design that a claim is about, with each limit, and judges.  Becoming 1, *interrupted ends
 * it.  False: a design or the file of arrivals is not for this world, or it was interrupted. */
bool explore_experiment(const struct experiment *experiment, const struct claim_verdicts *verdicts,
                        const volatile int *interrupted, struct arena *arena, struct failure *failure);
#endif

/* least.h - the least that it takes to break a target, by the explorer, for requests that a run had.
 *
 * A client for each request, all at one instant: what refills meanwhile is left out of it, as are delays. */
#ifndef LIMITLAB_LEAST_H
#define LIMITLAB_LEAST_H
#include "arena.h"
#include "experiment.h"
#include "../engine/observer.h"

/* All borrowed. */
struct least_of {
    const struct arrival *arrival;
    uint32_t requests;
    const struct topology *topology;
    int64_t limit, period_ns, burst;
    enum target_kind target;
    const char *design;
};

struct least {
    uint32_t requests, preemptions;
    bool minimal;                       /* known to be the least */
    const char *text;                   /* its witness (witness.h), on the arena */
};

/* False where the requests are no small world (one key, one cost, few of them), or none was found. */
bool least_find(const struct least_of *of, struct arena *arena, struct least *out);
#endif

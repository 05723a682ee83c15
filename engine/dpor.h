/* dpor.h - all that interleavings can lead to, without ever keeping a state: for programs that cannot be
 * snapshotted.
 *
 * Runs start from the beginning each time.  Of a step only that is used which an opaque program shows: whose
 * it is, which cells it read, which it wrote.  Two runs that differ in the order of steps that do not touch
 * each other's cells come to the same, so one of each such class is made: source sets with sleep sets
 * (Abdulla, Aronis, Jonsson, Sagonas, POPL'14).
 *
 * What this cannot follow it refuses: clients with more than one step to choose from (free choices, several
 * operations at once), steps that nobody makes (propagation, time), faults, clients that wait for others,
 * runs of more than DPOR_STEPS_MAX steps (a request that goes round for ever). */
#ifndef LIMITLAB_DPOR_H
#define LIMITLAB_DPOR_H
#include "walk.h"

enum dpor_end { DPOR_COMPLETE, DPOR_RUNS, DPOR_STOPPED, DPOR_REFUSED };

enum { DPOR_STEPS_MAX = 1 << 13 };

struct dpor_setup {
    struct explorer *explorer;          /* borrowed; initialised, explored or not */
    struct worth worth;
    uint64_t most_runs;                 /* 0: no bound */
    bool (*keep_on)(void *context, uint64_t runs);      /* asked before each run; may be NULL */
    void *context;
};

struct dpor_result {
    enum dpor_end end;
    uint64_t executions;                /* runs that came to their end */
    uint64_t blocked;                   /* runs that turned out to repeat others: work for nothing */
    uint64_t most, least;               /* worth, of any run */
    uint32_t *client;                   /* who moved, step by step, in the first run that is worth the most
                                           (memory_free() it) */
    uint32_t steps;
    const char *refused;                /* static text: why, when end is DPOR_REFUSED */
};

void dpor_run(const struct dpor_setup *setup, struct dpor_result *result);

/* About how many interleavings there are, before anything is explored: the mean of some random walks'
 * products of ways (Knuth, Mathematics of Computation 29, 1975).  There will be at most as many executions,
 * mostly far fewer.  Saturates. */
uint64_t dpor_estimate(struct explorer *explorer, uint64_t seed, uint32_t walks);
#endif

/* cell.h - one cell of the matrix: a design, a limit, a seed, and how the arrivals are read. */
#ifndef LIMITLAB_CELL_H
#define LIMITLAB_CELL_H
#include "arrivals.h"
#include "causes.h"
#include "lab.h"
#include "oracle.h"
#include "runner.h"

/* Everything that the cells of one experiment share. */
struct matrix {
    const struct experiment *experiment;
    const struct runner_options *options;
    const char *const *designs;
    uint32_t design_count;
    bool stated;                        /* the designs were asked for: one that cannot be is an error */
    struct arrivals arrivals;
    struct arena arena;
    struct lab lab;
    struct lone_run *lone;              /* of limiters alone, so far: see causes.h */
    uint64_t cells, done;
    const volatile int *interrupted;    /* NULL: nobody watches */
};

/* What stands between an experiment and a run of it: for those who play a part of it, or as they were told.
 * It borrows what it names. */
struct intervention {
    /* The source that the world is given instead of the traffic's own; NULL: that one. */
    struct source *(*source)(struct intervention *self, struct source *inner);
    struct schedule *record;            /* the run's choices are written down here; NULL: nowhere */
    const struct schedule *replay;      /* ... or were, and are made again; NULL: keyed by the seed */
    const struct fault *fault;          /* what goes wrong instead of the experiment's own faults */
    uint32_t faults;
};

struct cell {
    struct matrix *matrix;
    struct intervention *intervention;  /* NULL: none */
    const char *text;                   /* the design, as written */
    const char *label;
    bool spread;
    uint64_t seed;
    int64_t watched;
    struct policy policy, target, ceiling;      /* ceiling: limit 0 where there is none */
    struct policy *policies;            /* as a world wants them: by layer and variant */
    struct buckets buckets;             /* of the run that was played last */
    struct design design;
    struct arena arena;
    struct world_setup setup;
    struct world world;                 /* of the run that was played last */
    struct chooser chooser;
    uint32_t instances[REGIONS_MAX];
};

/* The policies of a cell for one limit of the experiment. */
bool cell_policies(struct cell *cell, int64_t limit, struct failure *failure);

/* Does its design keep every policy that may come to hold? */
bool cell_suits(struct cell *cell, struct origin origin, struct failure *failure);

/* Runs it, finds the causes of its excess, and hands the result to options->finished. */
bool cell_run(struct cell *cell, struct failure *failure);

/* Only measures it, whole, without files, causes or anybody who hears of it; texts hang on the cell's
 * arena. */
bool cell_measure(struct cell *cell, struct result *result, struct failure *failure);

/* Plays the traffic through the design, in so much of the experiment's world; the observer hears of it.
 * False when it could not be played to its end.  In any case cell_clear() is due. */
bool cell_play(struct cell *cell, enum reality reality, struct observer *observer, struct failure *failure);
void cell_clear(struct cell *cell);

/* Somebody wants the run to stop; then what was played is not whole. */
bool cell_interrupted(const struct cell *cell, struct failure *failure);
#endif

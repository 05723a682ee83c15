/* runner.h - the matrix: every design x limit x seed (x "as logged" and "spread") of an experiment, run and
 * measured. */
#ifndef LIMITLAB_RUNNER_H
#define LIMITLAB_RUNNER_H
#include <stdio.h>
#include "arena.h"
#include "experiment.h"
#include "failure.h"
#include "headers.h"
#include "result.h"

struct cell;

struct runner_options {
    const char *decisions;              /* where every decision is written, as `audit` reads them; or NULL */
    const struct header_style *headers; /* columns of that file for response headers; or NULL */
    const char *ledger;                 /* where every over-admission is explained (ledger.h); or NULL */
    const struct schedule *schedule;    /* the choices to be made instead of the seed's, of just this run: of
                                           any other it is refused; NULL: none */
    bool series;                        /* fill result.series (costs a pass over the traffic) */
    bool every_reality;                 /* for tests: causes are found without leaving any run out */
    /* Begins to watch for signals, and returns what becomes 1 when one has come: the run then stops and what
     * is finished is kept.  Called when the traffic has been read and the first cell is about to run; may be
     * NULL. */
    const volatile int *(*watch)(void);
    /* Called for each finished cell, in the order of the matrix; what it gets lives until it returns.  False
     * stops. */
    bool (*finished)(void *context, const struct result *result, struct failure *failure);
    /* Called after it with the cell that was run, for who wants to play on with it; may be NULL.  False
     * stops. */
    bool (*probe)(void *context, struct cell *cell, const struct result *result, struct failure *failure);
    /* Called now and then with the share done, 0 .. 1000, and what runs; may be NULL. */
    void (*progress)(void *context, unsigned permille, const char *what);
    /* One line for stderr about the input: rows that were sorted, regions that were drawn; may be NULL. */
    void (*note)(void *context, const char *line);
    void *context;
};

/* Designs of the experiment, or the usual contenders for its topology when it names none
 * (experiment_contenders). */
bool experiment_run(const struct experiment *experiment, const struct runner_options *options,
                    struct failure *failure);

/* The usual contenders: NULL-terminated, static texts. */
const char *const *experiment_contenders(const struct experiment *experiment);
#endif

/* decisions.h - writes every decision of a run as CSV that `limitlab audit` reads, and passes the news on.
 *
 * Columns: t (ISO 8601, when the run has absolute times) or t_ns, key, cost, allowed, retry_after_ns,
 * delay_ns, region, node.  One row a decision, in the order in which they took effect; t is the instant of
 * the reading that decided (of a shaped request: of its departure), so that audit's stable sort by time finds
 * what the oracle saw. */
#ifndef LIMITLAB_DECISIONS_H
#define LIMITLAB_DECISIONS_H
#include <stdio.h>
#include "../engine/observer.h"
#include "experiment.h"
#include "failure.h"
#include "keys.h"
#include "outfile.h"

struct decisions {
    struct observer observer;           /* first: a decisions file is an observer */
    struct observer *next;              /* who hears the news too */
    struct outfile out;
    const struct keys *keys;
    const struct topology *topology;
    int64_t epoch_ns;
};

bool decisions_open(struct decisions *decisions, const char *path, struct observer *next,
                    const struct keys *keys, const struct topology *topology, int64_t epoch_ns,
                    struct failure *failure);
/* The file is there as a whole, or (whole is false: the run was stopped) as it was before.  False when it
 * could not be written. */
bool decisions_close(struct decisions *decisions, bool whole, struct failure *failure);
#endif

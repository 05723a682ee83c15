/* decisions.h - writes every decision of a run as CSV that `limitlab audit` reads, and passes the news on.
 *
 * Columns: t (ISO 8601, when the run has absolute times) or t_ns, key, cost, allowed, retry_after_ns,
 * delay_ns, region, node.  One row a decision, in the order in which they took effect; t is the instant of
 * the reading that decided (of a shaped request: of its departure), so that audit's stable sort by time finds
 * what the oracle saw.
 *
 * With a style of headers (headers.h) one column more for each of its headers, named as it is: what the
 * response to this request would carry.  It speaks of the policy that decided (a share's, where limits are
 * divided), under the name "default".  An omitted header is an empty field; so is all but Retry-After where
 * no limiter's check decided: a bare counter (`incr`), leased budgets, summed shards, fail-open and
 * fail-closed. */
#ifndef LIMITLAB_DECISIONS_H
#define LIMITLAB_DECISIONS_H
#include <stdio.h>
#include "../engine/observer.h"
#include "experiment.h"
#include "failure.h"
#include "headers.h"
#include "keys.h"
#include "outfile.h"

struct decisions {
    struct observer observer;           /* first: a decisions file is an observer */
    struct observer *next;              /* who hears the news too */
    struct outfile out;
    const struct keys *keys;
    const struct topology *topology;
    int64_t epoch_ns;
    const struct header_style *headers; /* NULL: none */
};

bool decisions_open(struct decisions *decisions, const char *path, struct observer *next,
                    const struct keys *keys, const struct topology *topology, int64_t epoch_ns,
                    const struct header_style *headers, struct failure *failure);
/* The file is there as a whole, or (whole is false: the run was stopped) as it was before.  False when it
 * could not be written. */
bool decisions_close(struct decisions *decisions, bool whole, struct failure *failure);
#endif

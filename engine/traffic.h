/* traffic.h - where requests come from.
 *
 * A source hands out arrivals in order of time.  Open sources (traces, generators) do not depend on what
 * happens to a request; closed loops do: their next request follows the end of an earlier one. */
#ifndef LIMITLAB_TRAFFIC_H
#define LIMITLAB_TRAFFIC_H
#include "observer.h"

struct source {
    /* The next arrival, at_ns not before the last one's; false when there is none (for a closed loop: none
     * for now). */
    bool (*next)(struct source *self, struct arrival *out);
    /* A request of this source ended.  True: *out is what its client sends next, at_ns >= now_ns.  NULL when
     * open. */
    bool (*ended)(struct source *self, const struct arrival *arrival, int64_t now_ns,
                  const struct verdict *verdict, struct arrival *out);
};
#endif

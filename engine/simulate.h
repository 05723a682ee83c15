/* simulate.h - the timed driver: virtual time, latencies, the order in which things happen.
 *
 * Tie rule.  What happens at one instant happens in an order that the chooser picks.  Candidates are the
 * queued events, oldest first, then the arrivals of that instant in the source's order; of each channel (one
 * source to one node) only its first one is a candidate, so that what one source sends to one node keeps its
 * order.  The calm pick is the first candidate.  At most TIES_MAX events and TIES_MAX arrivals of an instant
 * are looked at.
 *
 * Checks after a run: every call ended, no gate is held, every invariant of world_check(). */
#ifndef LIMITLAB_SIMULATE_H
#define LIMITLAB_SIMULATE_H
#include "world.h"

/* Runs the source through the world until nothing is left to happen.  keep_on is asked now and then and may
 * be NULL; when it says false the run stops where it is (and proves nothing).  Another source may follow in
 * the same world, none of whose arrivals is earlier. */
void simulate(struct world *world, struct source *source, bool (*keep_on)(void *context), void *context);
#endif

/* liveness.h - once a run is over, all has healed and a long time has passed: is every key served again?
 *
 * Long is two periods, the time that the burst takes to come back (once for each instance, as they may have
 * admitted independently), every span that the design declares (a store's propagation, a lease's expiry), and
 * whatever clocks and late ends of keys can add.  Then each key that asked sends one request of cost 1, and
 * nobody else does.  Who is refused asks once more, as long after that (an instance may have had to tell of
 * what it once admitted), and is stuck when that is refused as well.  All this from one region after the
 * other.  Nothing is lost any more, and nothing late by chance. */
#ifndef LIMITLAB_LIVENESS_H
#define LIMITLAB_LIVENESS_H
#include "arena.h"
#include "oracle.h"
#include "../engine/world.h"

enum { LIVENESS_REQUESTS_MAX = 100000 };

/* How many keys are stuck in some region, refused or undecided; -1 when it was not tried: more than
 * LIVENESS_REQUESTS_MAX requests, costs that are settled afterwards (nobody knows how deep in debt a key may
 * be), or the end of time.  The oracle has heard the run, which must have come to its end.  Afterwards the
 * world is good for nothing but world_free(): take all figures before.
 *
 * bucket: what the design takes for each key (buckets.h); NULL: the key itself. */
int64_t liveness_stuck_keys(struct world *world, const struct oracle *oracle, const uint32_t *bucket,
                            struct arena *arena);
#endif

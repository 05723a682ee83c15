/* buckets.h - which state each key of a run leads to: its own bucket, by a design's rule, and the ceiling
 * above it.
 *
 * Keys as they are sent are numbered by the run's arrivals.  A rule (algos/keys.h) gives the buckets numbers
 * of their own, in order of the keys that lead to them, so that a design's run does not depend on what ran
 * before.  Ceilings are numbered behind the buckets; those that judge are numbered by who asks. */
#ifndef LIMITLAB_BUCKETS_H
#define LIMITLAB_BUCKETS_H
#include "../algos/keys.h"
#include "experiment.h"
#include "keys.h"

struct buckets {                        /* starts as { 0 }; tables hang on the arena that is handed in */
    uint32_t count;                     /* of buckets */
    const uint32_t *bucket;             /* of each key, as sent; NULL: every key is its own */
    const uint32_t *ceiling;            /* of each bucket: the limiter's key of layer 1, count or more; NULL:
                                           there is no ceiling */
    const uint32_t *group;              /* of each key, as a person: the ceiling it is judged under, from 0 */
};

/* rule NULL: keys as they are sent.  No key may be added to `keys` while the buckets are used. */
void buckets_make(struct buckets *buckets, const struct keys *keys, const struct key_rule *rule,
                  const struct ceiling *ceiling, struct arena *arena);
#endif

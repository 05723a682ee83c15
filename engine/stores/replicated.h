/* replicated.h - a copy of each key's state on every node (or in every region), which tell each other what
 * they admitted.
 *
 * Two ways to tell: how much was admitted since the last time (replicated_store: any limiter, the receiver
 * charges it), or the count of the current window so far (regional_store: fixed windows; told twice is told
 * once).
 *
 * A decision is a stale read when another copy has admitted something that this one has not been told. */
#ifndef LIMITLAB_REPLICATED_H
#define LIMITLAB_REPLICATED_H
#include "../world.h"

struct replica {
    int64_t  untold;                    /* cost admitted here and not told yet */
    uint32_t admissions;                /* so many admissions are in it */
    uint32_t known;                     /* admissions of this key that this copy knows of, its own included */
    uint32_t next_dirty;                /* cells with something untold, by number + 1 */
    uint32_t dirty;
};

/* What copies have to tell.  (How much of a key was admitted anywhere is kept in its extra cell, after its
 * copies.) */
struct telling { int64_t every_ns; uint32_t copies, first_dirty[NODES_MAX]; };

static inline struct telling *telling(const struct world *world) { return world->extra; }

/* Makes world->extra. */
void telling_init(struct world *world, int64_t every_ns, uint32_t copies);
/* Notes that copy `copy` of a key admitted cost, and sees to it that the others are told at the next multiple
 * of every_ns. node: whose timer it is. */
void replica_admitted(struct world *world, struct store *store, uint32_t key, uint32_t copy, uint32_t node,
                      int64_t cost);
/* Counts a stale read of this copy when there is something that it does not know. */
void replica_read(struct world *world, const struct store *store, uint32_t key, uint32_t copy);

/* What region `at` knows of the count of region `of` (its own: the count itself).  It lives in the store
 * after `store`. */
struct counter *regional_counter(struct world *world, struct store *store, uint32_t key, uint32_t at,
                                 uint32_t of);

/* Takes the first cell off a copy's list, as it was; false when the list is empty. */
bool replica_next_untold(struct world *world, struct store *store, uint32_t copy, uint32_t *key,
                         struct replica *told);
#endif

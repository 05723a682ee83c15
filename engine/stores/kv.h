/* kv.h - a key-value store with one central copy and a cache in every region.
 *
 * A write is accepted by the centre, last writer wins, at most one each gap_ns for a key (the others are
 * refused).  A region reads its cache while that is younger than cache_ns; else it fetches from the centre,
 * where a write of another region shows spread_ns after it was accepted.  The region that wrote sees its own
 * write.  That a key is missing is cached too. */
#ifndef LIMITLAB_KV_H
#define LIMITLAB_KV_H
#include "../world.h"

/* The cell of the centre is key * (regions + 1); the cache of region r is that + 1 + r. */
struct kv_cell {
    struct value visible;               /* centre: what fetches of other regions see */
    int64_t visible_expires_ns;
    int64_t expires_ns;                 /* of the value, after which there is no such key; 0: none */
    int64_t since_ns;                   /* centre: last accepted write; cache: when it was filled */
    uint32_t writer;                    /* centre: region of that write */
    uint32_t filled;                    /* cache: holds an answer; centre: has been written */
};

struct kv_rules { int64_t spread_ns, cache_ns, gap_ns; bool cache_missing; };

/* The rules of the world's kv store: kept in world->extra by whoever made it. */
static inline struct kv_rules *kv_rules(const struct world *world) { return world->extra; }

static inline uint32_t kv_centre(const struct world *world, uint32_t key)
{
    return key * (world->setup->network->regions + 1);
}

/* Reads region's cache into the value; false when it holds nothing young enough.  Counts a stale read. */
bool kv_read_cache(struct world *world, struct store *store, uint32_t key, uint32_t region,
                   struct value *value);
/* Keeps an answer of the centre (what a get returned, or a put that was accepted). */
void kv_fill_cache(struct world *world, struct store *store, const struct message *answer, uint32_t region);
#endif

/* expiry.c - keys that a store keeps for a while only (limiter.ttl_ns), and how many it has.
 *
 * The end of a key is kept beside its cell, by the store's own clock.  Whoever looks at a cell whose end has
 * come finds the key missing; its version moves on, as versions are never used twice. */
#include <assert.h>
#include "world_private.h"

void cell_look(struct world *world, struct store *store, uint32_t cell, int64_t now_ns)
{
    assert(cell / store->cells_per_key < store->keys);
    if (!store->ends || store->ends[cell] == 0 || now_ns < store->ends[cell])
        return;
    store->ends[cell] = 0;
    value_clear(&world->values, &store->cell[cell]);
    store->cell[cell].version++;
    cell_count(world, store, cell);
}

void cell_count(struct world *world, const struct store *store, uint32_t cell)
{
    bool is_there = store->cell[cell].present != 0;

    assert(cell / store->cells_per_key < store->keys);
    if (!store->counted || store->counted[cell] == is_there)
        return;
    store->counted[cell] = is_there;
    assert(is_there || world->stored > 0);
    world->stored += is_there ? 1 : UINT64_MAX;
    if (world->stored > world->stored_peak)
        world->stored_peak = world->stored;
}

/* The end as it comes to pass; 0 where it does not. */
static int64_t end_or_none(struct world *world, const struct store *store, uint32_t cell, int64_t now_ns,
                           int64_t end_ns)
{
    int64_t real_ns = world->faulty ? faults_end_ns(world, store, cell, now_ns, end_ns) : end_ns;

    assert(end_ns >= now_ns);
    return real_ns == NEVER_NS ? 0 : real_ns;
}

void cell_keep(struct world *world, struct store *store, uint32_t cell, const struct policy *policy,
               int64_t reading_ns, int64_t now_ns)
{
    const struct limiter *limiter = world->values.limiter;
    const struct value *value = &store->cell[cell];

    assert(cell / store->cells_per_key < store->keys);
    if (!store->ends || !value->present || !limiter->ttl_ns)
        return;
    int64_t span_ns = limiter->ttl_ns(policy, reading_ns, value_state(&world->values, value));
    assert(span_ns >= 0);
    if (span_ns == NEVER_NS)
        store->ends[cell] = 0;
    else if (span_ns > 0)
        store->ends[cell] = end_or_none(world, store, cell, now_ns, i64_clamp((i128)now_ns + span_ns));
}

/* faults_capacity.c - a store that keeps so many keys and no more: who was not used for longest goes.
 *
 * The keys hang in a list in the order of their last use.  Its arrays are made when the fault begins. */
#include <assert.h>
#include "faults_private.h"

static void reserve(struct world *world, struct recency *recency, uint32_t key)
{
    recency->older = memory_grow(world->memory, recency->older, &recency->older_room, key + (size_t)2,
                                 sizeof *recency->older);
    recency->newer = memory_grow(world->memory, recency->newer, &recency->newer_room, key + (size_t)2,
                                 sizeof *recency->newer);
    assert(recency->older_room == recency->newer_room);
}

/* Links are by number + 1; recency->older[n] is that of key n - 1. */
static bool is_listed(const struct recency *recency, uint32_t n)
{
    assert(n > 0 && n < recency->older_room);
    return recency->newest == n || recency->newer[n] > 0;
}

static void unlist(struct recency *recency, uint32_t n)
{
    uint32_t older = recency->older[n], newer = recency->newer[n];

    assert(is_listed(recency, n));
    *(newer ? &recency->older[newer] : &recency->newest) = older;
    *(older ? &recency->newer[older] : &recency->oldest) = newer;
    recency->older[n] = recency->newer[n] = 0;
    recency->keys--;
}

static void list_newest(struct recency *recency, uint32_t n)
{
    assert(!is_listed(recency, n));
    recency->older[n] = recency->newest;
    *(recency->newest ? &recency->newer[recency->newest] : &recency->oldest) = n;
    recency->newest = n;
    recency->keys++;
}

static bool is_there(const struct world *world, uint32_t key)
{
    assert(world->stores <= STORES_MAX);
    for (uint32_t s = 0; s < world->stores; s++) {
        const struct store *store = &world->store[s];
        for (uint32_t c = 0; !store->model->memory_only && key < store->keys && c < store->cells_per_key; c++)
            if (store->cell[key * store->cells_per_key + c].present)
                return true;
    }
    return false;
}

static void evict(struct world *world, struct recency *recency, uint32_t most)
{
    assert(most >= 1);
    while (recency->keys > most) {
        uint32_t n = recency->oldest;
        unlist(recency, n);
        fault_forget_key(world, n - 1);
    }
}

static void use(struct world *world, uint32_t i, uint32_t key)
{
    struct recency *recency = &world->faults->state[i].recency;

    assert(fault_at(world, i)->kind == FAULT_CAPACITY);
    reserve(world, recency, key);
    if (is_listed(recency, key + 1))
        unlist(recency, key + 1);
    if (is_there(world, key))
        list_newest(recency, key + 1);
    evict(world, recency, fault_at(world, i)->most);
}

void fault_begin_capacity(struct world *world, uint32_t i)
{
    assert(world->faults->state[i].recency.keys == 0);
    for (uint32_t key = 0; key < fault_keys(world); key++)
        if (is_there(world, key) && fault_hits_key(world, fault_at(world, i), key))
            use(world, i, key);
}

void fault_end_capacity(struct world *world, uint32_t i)
{
    struct recency *recency = &world->faults->state[i].recency;

    assert(i < world->setup->faults);
    memory_free(world->memory, recency->older);
    memory_free(world->memory, recency->newer);
    *recency = (struct recency){ 0 };
}

void faults_used(struct world *world, const struct store *store, uint32_t key)
{
    const struct faults *faults = world->faults;

    assert(world->faulty);
    for (uint32_t a = 0; a < faults->actives && !store->model->memory_only; a++) {
        const struct fault *fault = fault_at(world, faults->active[a]);
        if (fault->kind == FAULT_CAPACITY && fault_hits_key(world, fault, key))
            use(world, faults->active[a], key);
    }
}

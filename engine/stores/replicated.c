#include <assert.h>
#include "cells.h"
#include "replicated.h"

void telling_init(struct world *world, int64_t every_ns, uint32_t copies)
{
    assert(every_ns > 0 && copies >= 1 && copies <= NODES_MAX);
    world->extra = memory_grow(world->memory, world->extra, &world->extra_room, 1, sizeof(struct telling));
    world->extra_bytes = sizeof(struct telling);
    telling(world)->every_ns = every_ns;
    telling(world)->copies = copies;
}

/* The copies of a key are neighbours, and one more cell holds how much they admitted together. */
static struct replica *replica_of(const struct world *world, const struct store *store, uint32_t key,
                                  uint32_t copy)
{
    assert(copy <= telling(world)->copies && store->cells_per_key == telling(world)->copies + 1);
    return store_more(store, key * store->cells_per_key + copy);
}

void replica_read(struct world *world, const struct store *store, uint32_t key, uint32_t copy)
{
    uint32_t copies = telling(world)->copies, known = replica_of(world, store, key, copy)->known;
    uint32_t all = replica_of(world, store, key, copies)->admissions;

    assert(copy < copies);
    world->stale_reads += known != all;
    world_note_read(world, store, key * store->cells_per_key + copies, known, all);
}

void replica_admitted(struct world *world, struct store *store, uint32_t key, uint32_t copy, uint32_t node,
                      int64_t cost)
{
    struct replica *replica = replica_of(world, store, key, copy);
    struct telling *tell = telling(world);

    assert(copy < tell->copies);
    uint32_t all = ++replica_of(world, store, key, tell->copies)->admissions;
    world_note_write(world, store, key * store->cells_per_key + tell->copies, all, all - 1);
    replica->untold += cost;
    replica->admissions++;
    replica->known++;
    if (replica->dirty || tell->copies == 1)
        return;
    replica->dirty = 1;
    if (tell->first_dirty[copy] == 0) {
        int64_t ticks = (int64_t)div_floor(world->now_ns, tell->every_ns) + 1;
        world_set_timer(world, node, i64_clamp((i128)ticks * tell->every_ns));
    }
    replica->next_dirty = tell->first_dirty[copy];
    tell->first_dirty[copy] = key * store->cells_per_key + copy + 1;
}

bool replica_next_untold(struct world *world, struct store *store, uint32_t copy, uint32_t *key,
                         struct replica *told)
{
    struct telling *tell = telling(world);
    uint32_t first = tell->first_dirty[copy];

    assert(copy < tell->copies);
    if (first == 0)
        return false;
    struct replica *replica = store_more(store, first - 1);
    *key = (first - 1) / store->cells_per_key;
    *told = *replica;
    tell->first_dirty[copy] = replica->next_dirty;
    replica->untold = 0;
    replica->admissions = replica->dirty = replica->next_dirty = 0;
    return true;
}

/* Another node admitted message->amount: it is charged here as if it had been admitted here, now. */
static void hear_amount(struct world *world, struct store *store, struct message *message)
{
    struct replica *replica = store_more(store, message->cell);
    uint32_t node = message->cell % store->cells_per_key;
    uint32_t region = world->node_region[node];
    struct request told = { .now_ns = world_node_clock(world, node), .cost = message->amount };
    const struct policy *policy =
        &world->policies[world_policy_set(world, message->cell / store->cells_per_key, region, 0)];

    assert(message->operation == OP_SYNC);
    replica->known += (uint32_t)message->until_ns;
    value_charge(&world->values, policy, told, true, &store->cell[message->cell]);
    world_wrote(world, store, message->cell);
    world->store_writes++;
}

/* The copy knows of nothing any more, and has nothing to tell. */
static void forget(struct world *world, struct store *store, uint32_t cell)
{
    struct replica *replica = store_more(store, cell);

    assert(cell % store->cells_per_key < telling(world)->copies);
    (void)world;
    replica->untold = 0;
    replica->admissions = replica->known = 0;
}

const struct store_model replicated_store = {
    .name = "replicated", .operations = 1u << OP_SYNC, .more_bytes = sizeof(struct replica),
    .memory_only = true, .node_memory = true, .apply = hear_amount, .forget = forget,
};

/* ---- counts of regions --------------------------------------------------------------------------------- */

struct counter *regional_counter(struct world *world, struct store *store, uint32_t key, uint32_t at,
                                 uint32_t of)
{
    uint32_t regions = telling(world)->copies;
    struct value *value = &store[1].cell[key * regions * regions + at * regions + of];

    assert(at < regions && of < regions && store[1].cells_per_key == regions * regions);
    if (!value->present)                    /* before any window that a clock may name */
        value_counter(value)->window = INT64_MIN;
    value->present = 1;
    return value_counter(value);
}

static void hear_count(struct world *world, struct store *store, struct message *message)
{
    struct counter *known = regional_counter(world, store, message->key, message->to, message->from);

    assert(message->operation == OP_SYNC && message->to != message->from);
    if (message->until_ns < known->window
        || (message->until_ns == known->window && message->amount <= known->count))
        return;                             /* told twice, or in another order */
    *known = (struct counter){ .window = message->until_ns, .count = message->amount };
    world->store_writes++;
}

const struct store_model regional_store = {
    .name = "regional", .operations = 1u << OP_SYNC, .more_bytes = sizeof(struct replica),
    .memory_only = true, .apply = hear_count,
};

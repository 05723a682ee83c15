#include <assert.h>
#include "cells.h"
#include "kv.h"

static bool expired(int64_t expires_ns, int64_t now_ns) { return expires_ns != 0 && now_ns >= expires_ns; }

bool kv_read_cache(struct world *world, struct store *store, uint32_t key, uint32_t region,
                   struct value *value)
{
    uint32_t centre = kv_centre(world, key), cell = centre + 1 + region;
    struct kv_cell *cache = store_more(store, cell);
    const struct kv_rules *rules = kv_rules(world);

    assert(!value->present);
    if (!cache->filled || world->now_ns - cache->since_ns >= rules->cache_ns)
        return false;
    if (!store->cell[cell].present && !rules->cache_missing)
        return false;
    value_copy(&world->values, value, &store->cell[cell]);
    if (expired(cache->expires_ns, world->now_ns))
        value_clear(&world->values, value);
    world->store_reads++;
    world->stale_reads += value->version != store->cell[centre].version;
    world_note_read(world, store, centre, value->version, store->cell[centre].version);
    return true;
}

void kv_fill_cache(struct world *world, struct store *store, const struct message *answer, uint32_t region)
{
    uint32_t cell = kv_centre(world, answer->key) + 1 + region;
    struct kv_cell *cache = store_more(store, cell);

    assert(answer->cell + 1 + region == cell);
    value_copy(&world->values, &store->cell[cell], &answer->value);
    cache->since_ns = world->now_ns;
    cache->expires_ns = answer->until_ns;
    cache->filled = 1;
}

/* ---- the centre ---------------------------------------------------------------------------------------- */

static void fetch(struct world *world, struct store *store, struct message *message)
{
    const struct value *cell = &store->cell[message->cell];
    const struct kv_cell *centre = store_more(store, message->cell);
    bool own = !centre->filled || centre->writer == message->from;
    int64_t expires_ns = own ? centre->expires_ns : centre->visible_expires_ns;

    assert(message->cell == kv_centre(world, message->key));
    world->store_reads++;
    value_copy(&world->values, &message->value, own ? cell : &centre->visible);
    world->stale_reads += message->value.version != cell->version;
    world_note_read(world, store, message->cell, message->value.version, cell->version);
    message->until_ns = expires_ns;
    if (expired(expires_ns, world->now_ns))
        value_clear(&world->values, &message->value);
}

/* message->until_ns: when the key is to expire. */
static void put(struct world *world, struct store *store, struct message *message)
{
    struct kv_cell *centre = store_more(store, message->cell);
    const struct kv_rules *rules = kv_rules(world);

    assert(message->cell == kv_centre(world, message->key));
    message->ok = !centre->filled || world->now_ns - centre->since_ns >= rules->gap_ns;
    if (!message->ok)
        return;
    cells_put(world, store, message);
    if (world->faulty)
        message->until_ns = faults_end_ns(world, store, message->cell, world->now_ns, message->until_ns);
    message->value.version = store->cell[message->cell].version;
    centre->since_ns = world->now_ns;
    centre->expires_ns = message->until_ns;
    centre->writer = message->from;
    centre->filled = 1;

    uint32_t original = (uint32_t)(message - world->message);
    struct message *spread = world_background(world, OP_SPREAD, message->store, message->cell,
                                              world->first_node[message->to], message->to);
    message = &world->message[original];
    value_copy(&world->values, &spread->value, &message->value);
    spread->until_ns = message->until_ns;
    spread->key = message->key;
    world_post(world, spread, rules->spread_ns);
}

static void spread(struct world *world, struct store *store, struct message *message)
{
    struct kv_cell *centre = store_more(store, message->cell);

    assert(message->value.present);
    if (centre->visible.present && (int32_t)(message->value.version - centre->visible.version) <= 0)
        return;
    value_copy(&world->values, &centre->visible, &message->value);
    centre->visible_expires_ns = message->until_ns;
}

static void apply(struct world *world, struct store *store, struct message *message)
{
    switch ((enum operation)message->operation) {
    case OP_GET:    fetch(world, store, message); break;
    case OP_PUT:    put(world, store, message); break;
    case OP_SPREAD: spread(world, store, message); break;
    default:        assert(!"an operation that this store does not offer");
    }
}

/* Neither what fetches of other regions would see nor what a cache holds is left. */
static void forget(struct world *world, struct store *store, uint32_t cell)
{
    struct kv_cell *more = store_more(store, cell);

    assert(cell / store->cells_per_key < store->keys);
    value_clear(&world->values, &more->visible);
    *more = (struct kv_cell){ .visible = more->visible };
}

const struct store_model kv_store = {
    .name = "kv", .orders_versions = true, .operations = 1u << OP_GET | 1u << OP_PUT | 1u << OP_SPREAD,
    .more_bytes = sizeof(struct kv_cell), .apply = apply, .forget = forget,
};

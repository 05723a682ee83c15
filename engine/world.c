#include <assert.h>
#include "world.h"
#include "world_private.h"

/* ---- set-up -------------------------------------------------------------------------------------------- */

static void number_nodes(struct world *world)
{
    const struct world_setup *setup = world->setup;

    for (uint32_t region = 0; region < setup->network->regions; region++) {
        assert(setup->instances[region] >= 1 && world->nodes + setup->instances[region] <= NODES_MAX);
        world->first_node[region] = world->nodes;
        for (uint32_t i = 0; i < setup->instances[region]; i++)
            world->node_region[world->nodes++] = (uint16_t)region;
    }
}

/* One set for each layer and variant, of the whole policy alone. */
static void add_policies(struct world *world)
{
    const struct world_setup *setup = world->setup;
    uint32_t layers = setup->layers > 1 ? setup->layers : 1;
    uint32_t variants = setup->variants > 1 ? setup->variants : 1;

    assert(layers <= LAYERS && (layers == 1 || setup->ceiling_key));
    world->policy_sets = layers * variants;
    world->policy_count = 1;
    world->policies = memory_grow(world->memory, world->policies, &world->policy_room, world->policy_sets,
                                  sizeof *world->policies);
    for (uint32_t i = 0; i < world->policy_sets; i++) {
        assert(setup->policy[i].credits_per_unit > 0);
        world->policies[i] = setup->policy[i];
    }
}

static void find_home(struct world *world)
{
    const struct design *design = world->setup->design;

    assert(design->coordination);
    world->home = world->setup->store_region;
    for (unsigned i = 0; design->coordination->parameter[i].name; i++)
        if (strcmp(design->coordination->parameter[i].name, "home") == 0) {
            world->has_home = true;
            world->home = (uint32_t)design->parameter[i];
        }
    assert(world->home < world->setup->network->regions);
}

void world_init(struct world *world, const struct world_setup *setup)
{
    assert(setup->network->regions >= 1 && setup->network->regions <= REGIONS_MAX);
    assert(setup->timeout_ns > 0 && setup->store_region < setup->network->regions);
    memset(world, 0, sizeof *world);
    world->setup = setup;
    world->faulted = setup->faults > 0;
    world->memory = setup->memory;
    world->free_call = world->free_message = world->actor = NO_CALL;
    world->now_ns = INT64_MIN;
    queue_init(&world->queue, setup->memory);
    values_init(&world->values, setup->memory, setup->design->limiter);
    digest_init(&world->digest, setup->memory);
    number_nodes(world);
    find_home(world);
    add_policies(world);
    setup->design->coordination->set_up(world);
    faults_init(world);
}

void world_free(struct world *world)
{
    assert(world->setup);
    faults_free(world);
    for (uint32_t i = 0; i < world->stores; i++) {
        world->store[i].cell = memory_free(world->memory, world->store[i].cell);
        world->store[i].more = memory_free(world->memory, world->store[i].more);
        world->store[i].ends = memory_free(world->memory, world->store[i].ends);
        world->store[i].counted = memory_free(world->memory, world->store[i].counted);
    }
    values_free(&world->values);
    queue_free(&world->queue);
    digest_free(&world->digest);
    world->call = memory_free(world->memory, world->call);
    world->message = memory_free(world->memory, world->message);
    world->ready = memory_free(world->memory, world->ready);
    world->held = memory_free(world->memory, world->held);
    world->policies = memory_free(world->memory, world->policies);
    world->extra = memory_free(world->memory, world->extra);
}

struct store *world_add_store(struct world *world, const struct store_model *model, uint32_t cells_per_key)
{
    assert(world->stores < STORES_MAX && cells_per_key >= 1);
    struct store *store = &world->store[world->stores++];
    *store = (struct store){ .model = model, .cells_per_key = cells_per_key,
                             .of_nodes = model->node_memory && cells_per_key >= world->nodes };
    return store;
}

static struct policy share_of(const struct policy *policy, uint32_t parts, uint32_t part)
{
    struct policy share = policy_share(policy, parts, part);
    const char *why = policy_init(&share);

    assert(!why && "refused before the world was made");
    (void)why;
    return share;
}

uint32_t world_add_shares(struct world *world, uint32_t parts)
{
    uint32_t sets = world->policy_sets, count = 1 + parts;

    assert(parts >= 1 && world->policy_count == 1);
    world->policies = memory_grow(world->memory, world->policies, &world->policy_room, (size_t)sets * count,
                                  sizeof *world->policies);
    for (uint32_t set = sets; set-- > 0; ) {
        struct policy whole = world->policies[set];
        for (uint32_t part = parts; part-- > 0; )
            world->policies[set * count + 1 + part] = share_of(&whole, parts, part);
        world->policies[set * count] = whole;
    }
    world->policy_count = count;
    return 1;
}

static void store_reserve(struct world *world, struct store *store, uint32_t keys)
{
    size_t cells = (size_t)keys * store->cells_per_key;

    assert(keys > store->keys && cells < UINT32_MAX);
    store->cell = memory_grow(world->memory, store->cell, &store->cell_room, cells, sizeof *store->cell);
    if (store->model->more_bytes > 0)
        store->more = memory_grow(world->memory, store->more, &store->more_room, store->cell_room,
                                  store->model->more_bytes);
    if (world->values.limiter->ttl_ns)
        store->ends = memory_grow(world->memory, store->ends, &store->ends_room, store->cell_room,
                                  sizeof *store->ends);
    if (!store->model->memory_only)
        store->counted = memory_grow(world->memory, store->counted, &store->counted_room, store->cell_room,
                                     sizeof *store->counted);
    store->keys = (uint32_t)(store->cell_room / store->cells_per_key);
}

void world_reserve_key(struct world *world, uint32_t key)
{
    assert(key < UINT32_MAX);
    for (uint32_t i = 0; i < world->stores; i++)
        if (key >= world->store[i].keys)
            store_reserve(world, &world->store[i], key + 1);
}

/* ---- pools --------------------------------------------------------------------------------------------- */

void event_at(struct world *world, int64_t at_ns, uint32_t payload)
{
    assert(at_ns >= world->now_ns);
    if (!world->setup->holds) {
        queue_push(&world->queue, at_ns, payload);
        return;
    }
    world->held = memory_grow(world->memory, world->held, &world->held_room, world->held_n + 1,
                              sizeof *world->held);
    world->held[world->held_n++] = (struct held){ payload, at_ns };
}

uint32_t call_new(struct world *world)
{
    uint32_t i = world->free_call;

    if (i != NO_CALL) {
        world->free_call = world->call[i].next_free;
    } else {
        i = world->calls++;
        assert(i < EVENT_INDEX_MAX);
        world->call = memory_grow(world->memory, world->call, &world->call_room, world->calls,
                                  sizeof *world->call);
    }
    uint32_t tag = world->call[i].tag;      /* never used twice: late answers to the last one are not heard */
    memset(&world->call[i], 0, sizeof world->call[i]);      /* padding too: calls are compared as bytes */
    world->call[i].tag = tag;
    world->in_flight++;
    return i;
}

void call_free(struct world *world, uint32_t i)
{
    assert(world->in_flight > 0);
    world->call[i].tag++;
    world->call[i].begun = false;
    world->call[i].next_free = world->free_call;
    world->free_call = i;
    world->in_flight--;
}

void message_reserve(struct world *world, uint32_t more)
{
    assert(more < EVENT_INDEX_MAX);
    world->message = memory_grow(world->memory, world->message, &world->message_room,
                                 (size_t)world->messages + more, sizeof *world->message);
}

uint32_t message_new(struct world *world)
{
    uint32_t i = world->free_message;

    if (i != NO_CALL) {
        world->free_message = world->message[i].next;
    } else {
        i = world->messages++;
        assert(i < EVENT_INDEX_MAX);
        message_reserve(world, 0);
    }
    memset(&world->message[i], 0, sizeof world->message[i]);
    world->message[i].next = NO_CALL;
    return i;
}

void message_free(struct world *world, uint32_t i)
{
    struct message *message = &world->message[i];

    assert(message->operation < OPERATIONS);
    if (operation_has_value(message->operation))
        value_clear(&world->values, &message->value);
    message->next = world->free_message;
    world->free_message = i;
}

void world_check(const struct world *world)
{
    uint64_t free_calls = 0;

    for (uint32_t i = world->free_call; i != NO_CALL; i = world->call[i].next_free)
        free_calls++;
    assert(free_calls + world->in_flight == world->calls);
    assert(world->ready_n == 0);
    assert(world->store_writes == 0 || world->digest.state);
    for (uint32_t i = 0; i < world->stores; i++)
        if (world->store[i].model->check)
            world->store[i].model->check(&world->store[i]);
}

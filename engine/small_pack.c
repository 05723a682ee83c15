#include <assert.h>
#include "small_pack.h"
#include "world_private.h"

/* ---- bytes --------------------------------------------------------------------------------------------- */

static void put(struct small_world *small, const void *bytes, size_t n)
{
    assert(bytes || n == 0);
    small->bytes = memory_grow(small->setup.memory, small->bytes, &small->bytes_room,
                               small->bytes_used + n + 1, 1);
    if (n > 0)
        memcpy(small->bytes + small->bytes_used, bytes, n);
    small->bytes_used += n;
}

/* Reads on; every piece is a multiple of 8 bytes long. */
struct reader { const unsigned char *at; };

static const void *get(struct reader *reader, size_t n)
{
    const void *here = reader->at;

    assert((uintptr_t)here % 8 == 0);
    reader->at += (n + 7) / 8 * 8;
    return here;
}

static void put_padded(struct small_world *small, const void *bytes, size_t n)
{
    static const unsigned char zeros[8];

    put(small, bytes, n);
    put(small, zeros, (8 - n % 8) % 8);
}

/* ---- values -------------------------------------------------------------------------------------------- */

static size_t block_bytes(const struct world *world, const struct value *value)
{
    assert(world->values.limiter);
    return values_grow(&world->values) && value->present ? value_state_bytes(&world->values, value) : 0;
}

/* The value without the name of its block, which follows. */
static void put_block(struct small_world *small, const struct value *value, size_t n)
{
    assert(n == 0 || value->present);
    if (n == 0)
        return;
    size_t at = small->bytes_used;
    put_padded(small, value_state(&small->world.values, value), n);
    ((struct growing_state *)(void *)(small->bytes + at))->capacity_bytes = 0;      /* its block's business */
}

static void get_block(struct small_world *small, struct reader *reader, struct value *value, size_t n)
{
    assert(n == 0 || value->present);
    if (n > 0)
        value_load(&small->world.values, value, get(reader, n), n);
}

static uint32_t cells_of(const struct small_world *small, const struct store *store)
{
    assert(store->keys >= small->setup.keys);
    return small->setup.keys * store->cells_per_key;
}

/* What the cell holds is written; how often it was written is not. */
static void put_cell(struct small_world *small, const struct store *store, const struct value *cell)
{
    struct value canonical = *cell;
    uint64_t n = block_bytes(&small->world, cell);

    assert(store->model);
    if (!store->model->orders_versions)
        canonical.version = 0;
    if (n > 0)
        canonical.state.block = 0;
    put(small, &canonical, sizeof canonical);
    put(small, &n, sizeof n);
    put_block(small, cell, n);
}

static void get_cell(struct small_world *small, struct reader *reader, const struct store *store,
                     struct value *cell)
{
    *cell = *(const struct value *)get(reader, sizeof *cell);
    uint64_t n = *(const uint64_t *)get(reader, sizeof n);

    assert(store->model);
    if (!store->model->orders_versions)
        cell->version = VERSION_NOW;
    get_block(small, reader, cell, n);
}

/* ---- what is under way --------------------------------------------------------------------------------- */

static bool is_operation(uint32_t payload)
{
    assert(payload >> 29 <= EVENT_ARRIVE);
    return payload >> 29 == EVENT_OPERATION;
}

static bool in_background(const struct world *world, const struct held *held)
{
    uint32_t i = held->payload & (EVENT_INDEX_MAX - 1);

    assert(world->held_n > 0);
    if (is_operation(held->payload))
        return world->message[i].call == NO_CALL;
    return held->payload >> 29 == EVENT_TIMER;
}

int small_held(const struct small_world *small, bool background, uint32_t which)
{
    const struct world *world = &small->world;

    assert(world->held_n <= STEP_MESSAGES_MAX);
    for (uint32_t i = 0; i < world->held_n; i++)
        if (in_background(world, &world->held[i]) == background && which-- == 0)
            return (int)i;
    return -1;
}

/* Does it matter whether what the message expects is still there? */
static bool expects(const struct message *message)
{
    assert(message->operation < OPERATIONS);
    return message->operation == OP_CAS;
}

static void put_message(struct small_world *small, const struct message *message, struct small_item *item)
{
    const struct store *store = &small->world.store[message->store];
    struct message canonical = *message;
    bool background = message->call == NO_CALL;

    canonical.call = canonical.next = canonical.ordinal = 0;
    canonical.tag = background ? message->tag : 0;
    if (operation_has_value(message->operation)) {
        item->block_bytes = (uint32_t)block_bytes(&small->world, &message->value);
        if (item->block_bytes > 0)
            canonical.value.state.block = 0;
        if (!store->model->orders_versions)
            canonical.value.version = !expects(message) ? 0
                : message->value.version == store->cell[message->cell].version ? VERSION_NOW : VERSION_PAST;
    }
    put(small, item, sizeof *item);
    put_padded(small, &canonical, sizeof canonical);
    put_block(small, &message->value, item->block_bytes);
}

static uint32_t put_items(struct small_world *small, bool background)
{
    const struct world *world = &small->world;
    uint32_t items = 0;

    assert(world->ready_n == 0);
    for (int i; (i = small_held(small, background, items)) >= 0; items++) {
        const struct held *held = &world->held[i];
        uint32_t index = held->payload & (EVENT_INDEX_MAX - 1);
        struct small_item item = { .at_ns = background ? held->at_ns : 0, .kind = held->payload >> 29 };
        if (is_operation(held->payload)) {
            put_message(small, &world->message[index], &item);
            continue;
        }
        item.node = item.kind == EVENT_TIMER ? index : 0;
        put(small, &item, sizeof item);
    }
    return items;
}

static void hold(struct world *world, const struct small_item *item, uint32_t index)
{
    assert(world->setup->holds);
    event_at(world, i64_max(item->at_ns, world->now_ns), event_payload((enum event_kind)item->kind, index));
}

static void get_items(struct small_world *small, struct reader *reader, uint32_t items, uint32_t call)
{
    struct world *world = &small->world;

    assert(call == NO_CALL || call < world->calls);
    for (; items > 0; items--) {
        const struct small_item *item = get(reader, sizeof *item);
        if (item->kind != EVENT_OPERATION) {
            hold(world, item, call == NO_CALL ? item->node : call);
            continue;
        }
        uint32_t i = message_new(world);
        world->message[i] = *(const struct message *)get(reader, sizeof(struct message));
        world->message[i].call = call;
        world->message[i].next = NO_CALL;
        if (call != NO_CALL)
            world->message[i].tag = world->call[call].tag;
        get_block(small, reader, &world->message[i].value, item->block_bytes);
        hold(world, item, i);
    }
}

/* ---- clients ------------------------------------------------------------------------------------------- */

/* Nothing that the call has under way can still put its tentative decision into effect: what it was is of no
 * use to anybody. */
static bool was_in_vain(const struct small_world *small, const struct call *call)
{
    const struct world *world = &small->world;

    assert(world->held_n <= STEP_MESSAGES_MAX);
    if (call->ticket == TICKET_NONE || call->has_reading || call->effective)
        return false;
    for (uint32_t i = 0; i < world->held_n; i++)
        if (is_operation(world->held[i].payload)
            && world->message[world->held[i].payload & (EVENT_INDEX_MAX - 1)].commits)
            return false;
    return true;
}

/* Without what tells one run from another and makes no difference. */
static struct call canonical_call(const struct small_world *small, const struct call *call)
{
    struct call canonical;

    assert(!call->over);
    memcpy(&canonical, call, sizeof canonical);
    canonical.arrival.id = 0;
    canonical.arrival.at_ns = canonical.sent_ns = 0;
    canonical.tag = canonical.next_free = canonical.operations = 0;
    canonical.draws = canonical.chances = 0;
    canonical.ticket = call->ticket != TICKET_NONE;
    if (!small->bounded_attempts)
        canonical.attempts = 0;
    if (was_in_vain(small, call)) {
        memset(&canonical.verdict, 0, sizeof canonical.verdict);
        memset(&canonical.quota, 0, sizeof canonical.quota);
        canonical.policy = NULL;
        canonical.reading_ns = canonical.instant_ns = 0;
        canonical.ticket = TICKET_NONE;
    }
    return canonical;
}

/* The part that was put together. */
static uint32_t intern_client(struct small_world *small)
{
    const struct message *message;
    uint32_t client = intern(&small->clients, small->bytes, small->bytes_used);

    small->expects = memory_grow(small->setup.memory, small->expects, &small->expects_room,
                                 client + (size_t)1, sizeof *small->expects);
    for (uint32_t i = 0; small_item(small, client, i, &message); i++)
        small->expects[client] |= message && expects(message);
    assert(client < small->expects_room);
    return client;
}

uint32_t small_pack_client(struct small_world *small, struct small_head head)
{
    small->bytes_used = 0;
    put(small, &head, sizeof head);
    if (head.stage == STAGE_RUNNING) {
        struct call call = canonical_call(small, &small->world.call[0]);
        assert(small->world.in_flight == 1);
        put_padded(small, &call, sizeof call);
        head.items = put_items(small, false);
        memcpy(small->bytes, &head, sizeof head);
    }
    return intern_client(small);
}

const struct small_item *small_item(const struct small_world *small, uint32_t client, uint32_t which,
                                    const struct message **message)
{
    struct reader reader = { intern_bytes(&small->clients, client) };
    const struct small_head *head = get(&reader, sizeof *head);

    if (head->stage != STAGE_RUNNING || which >= head->items)
        return NULL;
    get(&reader, sizeof(struct call));
    for (;;) {
        const struct small_item *item = get(&reader, sizeof *item);
        *message = item->kind == EVENT_OPERATION ? get(&reader, sizeof **message) : NULL;
        if (which-- == 0)
            return item;
        get(&reader, item->block_bytes);
    }
}

uint32_t small_first_bit(const struct small_world *small, uint32_t store)
{
    uint32_t bit = 0;

    assert(store < small->world.stores);
    for (uint32_t i = 0; i < store; i++)
        if (!small->world.store[i].model->orders_versions)
            bit += cells_of(small, &small->world.store[i]);
    return bit;
}

uint32_t small_pack_outdated(struct small_world *small, uint32_t client, uint64_t written)
{
    const struct message *message;
    bool changed = false;

    small->bytes_used = 0;
    put(small, intern_bytes(&small->clients, client), intern_size(&small->clients, client));
    for (uint32_t i = 0; small_item(small, client, i, &message); i++) {
        if (!message || !expects(message) || message->value.version != VERSION_NOW
            || !(written >> (small_first_bit(small, message->store) + message->cell) & 1))
            continue;
        size_t at = (size_t)((const unsigned char *)message
                             - (const unsigned char *)intern_bytes(&small->clients, client));
        ((struct message *)(void *)(small->bytes + at))->value.version = VERSION_PAST;
        changed = true;
    }
    return changed ? intern_client(small) : client;
}

/* ---- the shared part ----------------------------------------------------------------------------------- */

static void put_store(struct small_world *small, const struct store *store)
{
    uint32_t cells = cells_of(small, store);

    assert(small->world.setup->holds);
    for (uint32_t i = 0; i < cells; i++)
        put_cell(small, store, &store->cell[i]);
    put_padded(small, store->more, cells * store->model->more_bytes);
    if (store->ends)
        put(small, store->ends, cells * sizeof *store->ends);
}

uint32_t small_pack_shared(struct small_world *small)
{
    const struct world *world = &small->world;
    struct small_base base = { .now_ns = world->now_ns };

    small->bytes_used = 0;
    memcpy(base.variant, world->variant, sizeof base.variant);
    put(small, &base, sizeof base);
    for (uint32_t i = 0; i < world->stores; i++)
        put_store(small, &world->store[i]);
    put_padded(small, world->extra, world->extra_bytes);
    base.items = put_items(small, true);
    memcpy(small->bytes, &base, sizeof base);
    return intern(&small->shareds, small->bytes, small->bytes_used);
}

static void get_store(struct small_world *small, struct reader *reader, struct store *store)
{
    uint32_t cells = cells_of(small, store);
    size_t more = cells * store->model->more_bytes;

    assert(small->world.setup->holds);
    for (uint32_t i = 0; i < cells; i++)
        get_cell(small, reader, store, &store->cell[i]);
    if (more > 0)
        memcpy(store->more, get(reader, more), more);
    if (store->ends)
        memcpy(store->ends, get(reader, cells * sizeof *store->ends), cells * sizeof *store->ends);
}

/* Nothing is under way and no block is used. */
static void clear(struct world *world)
{
    assert(world->ready_n == 0);
    world->calls = world->messages = world->held_n = 0;
    world->free_call = world->free_message = NO_CALL;
    world->in_flight = 0;
    if (values_grow(&world->values))
        values_forget(&world->values);
}

static void unpack_client(struct small_world *small, uint32_t client)
{
    struct reader reader = { intern_bytes(&small->clients, client) };
    const struct small_head *head = get(&reader, sizeof *head);
    struct world *world = &small->world;

    if (head->stage != STAGE_RUNNING)
        return;
    uint32_t i = call_new(world);
    assert(i == 0);
    uint32_t tag = world->call[i].tag;
    world->call[i] = *(const struct call *)get(&reader, sizeof(struct call));
    world->call[i].tag = tag;
    world->call[i].sent_ns = world->now_ns;
    get_items(small, &reader, head->items, i);
}

void small_unpack(struct small_world *small, uint32_t client, uint32_t shared)
{
    struct reader reader = { intern_bytes(&small->shareds, shared) };
    struct world *world = &small->world;
    const struct small_base *base = get(&reader, sizeof *base);

    clear(world);
    world->now_ns = base->now_ns;
    memcpy(world->variant, base->variant, sizeof base->variant);
    for (uint32_t i = 0; i < world->stores; i++)
        get_store(small, &reader, &world->store[i]);
    if (world->extra_bytes > 0)
        memcpy(world->extra, get(&reader, world->extra_bytes), world->extra_bytes);
    get_items(small, &reader, base->items, NO_CALL);
    if (client != NO_CALL)
        unpack_client(small, client);
}

uint64_t small_written(const struct small_world *small)
{
    const struct world *world = &small->world;
    uint64_t written = 0;
    uint32_t bit = 0;

    assert(world->stores <= STORES_MAX);
    for (uint32_t i = 0; i < world->stores; i++) {
        const struct store *store = &world->store[i];
        if (store->model->orders_versions)
            continue;
        for (uint32_t k = 0; k < cells_of(small, store); k++)
            written |= (uint64_t)(store->cell[k].version != VERSION_NOW) << bit++;
    }
    return written;
}

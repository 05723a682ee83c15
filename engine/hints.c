/* hints.c - memory is slow and what comes next is known: it can be fetched while other things go on. */
#include <assert.h>
#include "world_private.h"

enum { CACHE_LINE = 64 };

static bool is_message(uint32_t payload)
{
    assert(payload >> 29 <= EVENT_FAULT);
    return payload >> 29 == EVENT_OPERATION || payload >> 29 == EVENT_ANSWER;
}

static void fetch_lines(const void *object)
{
    assert(object);
    memory_fetch(object);
    memory_fetch((const char *)object + CACHE_LINE);
}

void world_fetch_message(const struct world *world, uint32_t payload)
{
    assert(world->messages <= EVENT_INDEX_MAX);
    if (is_message(payload))
        fetch_lines(&world->message[payload & (EVENT_INDEX_MAX - 1)]);
}

void world_fetch_key(const struct world *world, uint32_t key)
{
    assert(world->setup);
    if (world->setup->observer->soon)
        world->setup->observer->soon(world->setup->observer, key);
}

void world_fetch(const struct world *world, uint32_t payload)
{
    uint32_t i = payload & (EVENT_INDEX_MAX - 1);

    if (!is_message(payload)) {
        if (payload >> 29 != EVENT_TIMER && payload >> 29 != EVENT_FAULT)
            fetch_lines(&world->call[i]);
        return;
    }
    const struct message *message = &world->message[i];
    const struct store *store = &world->store[message->store];
    assert(message->store < world->stores);
    if (message->call != NO_CALL)
        fetch_lines(&world->call[message->call]);
    if (message->key < store->keys)
        fetch_lines(&store->cell[message->cell]);
    if (message->operation != OP_PUT)
        world_fetch_key(world, message->key);
}

/* owner.c - an actor, a Durable Object: whoever enters is alone with the state until it leaves. */
#include <assert.h>
#include "owner.h"
#include "../world_private.h"

static bool enabled(const struct store *store, const struct message *message)
{
    const struct gate *gate = store_more(store, message->cell);

    assert(message->operation != OP_NONE);
    return !gate->busy;
}

static void park(struct world *world, struct store *store, uint32_t i)
{
    struct gate *gate = store_more(store, world->message[i].cell);

    assert(gate->busy);
    world->message[i].next = NO_CALL;
    if (gate->first == 0)
        gate->first = i + 1;
    else
        world->message[gate->last - 1].next = i;
    gate->last = i + 1;
}

static void apply(struct world *world, struct store *store, struct message *message)
{
    struct gate *gate = store_more(store, message->cell);

    assert(!gate->busy);
    if (message->operation == OP_WAKE) {
        world->setup->design->coordination->wake(world, message);
    } else if (!message->orphan) {          /* a copy that nobody waits for finds nothing to do and leaves */
        gate->busy = 1;
        gate->holder = message->call;
    }
}

void owner_leave(struct world *world, struct store *store, uint32_t cell)
{
    struct gate *gate = store_more(store, cell);

    assert(gate->busy);
    gate->busy = 0;
    while (!gate->busy && gate->first != 0) {
        uint32_t next = gate->first - 1, after = world->message[next].next;
        gate->first = after == NO_CALL ? 0 : after + 1;
        world_arrived(world, next);
    }
}

void owner_crash(struct world *world, struct store *store, uint32_t cell)
{
    struct gate *gate = store_more(store, cell);
    uint32_t waits = gate->first;

    gate->first = 0;
    for (uint32_t next; waits != 0; waits = next) {
        next = world->message[waits - 1].next == NO_CALL ? 0 : world->message[waits - 1].next + 1;
        if (world->message[waits - 1].operation == OP_WAKE)
            park(world, store, waits - 1);      /* an alarm is kept, and rings when the object is back */
        else
            message_lose(world, waits - 1);
    }
    if (!gate->busy)
        return;
    assert(gate->holder < world->calls && !world->call[gate->holder].over);
    call_kill(world, gate->holder);
    owner_leave(world, store, cell);
}

static void check(const struct store *store)
{
    for (uint32_t i = 0; i < store->keys * store->cells_per_key; i++) {
        const struct gate *gate = store_more(store, i);
        assert(!gate->busy && gate->first == 0);
        (void)gate;
    }
}

const struct store_model owner_store = {
    .name = "owner", .operations = 1u << OP_ENTER | 1u << OP_RETURN | 1u << OP_WAKE,
    .more_bytes = sizeof(struct gate),
    .enabled = enabled, .park = park, .apply = apply, .check = check,
};

/* process_lock.c - get, decide and set inside a lock that every process has for itself, around a store that
 * all of them share.
 *
 * One process is exact.  With two the lock keeps nobody out. */
#include "../protocols/protocols.h"

enum { LOCKED = 1, READ, WRITE };
enum { STORE_STATES, STORE_LOCKS };

static const int64_t SPIN_NS = 1000000;

static int64_t *lock_of(const struct world *world, const struct call *call)
{
    return &world->store[STORE_LOCKS].cell[call->key * world->nodes + call->node].state.number[0];
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    while (*lock_of(world, call)) {
        world_sleep(world, call, SPIN_NS);
        AWAIT(call, LOCKED);
    }
    *lock_of(world, call) = 1;
    world_send(world, call, world_message(world, call, OP_GET, STORE_STATES, call->key, world->home));
    AWAIT(call, READ);
    if (in->lost)
        world_fail(world, call);
    else if (world_decide(world, call, 0, &in->value, false)) {
        world_send(world, call, world_reuse(in, OP_PUT));
        AWAIT(call, WRITE);
    }
    *lock_of(world, call) = 0;
    PROTOCOL_END(call);
}

static void set_up(struct world *world)
{
    world_add_store(world, &cells_store, 1);
    world_add_store(world, &memory_store, world->nodes);
}

const struct coordination zoo_process_lock = {
    .name = "zoo/process-lock",
    .summary = "get, decide, set inside a lock of each instance's own; the store is everybody's",
    .parameter = { PARAMETER_HOME, PARAMETER_INSTANCES },
    .phase = { "start", "locked", "read", "write" },
    .catches_loss = true, .set_up = set_up, .step = step, .looks_at_once = true,
};

/* refill_overwrites.c - takes are atomic, but the refill is a load and a store.
 *
 * The first request of each tick refills for everybody: it reads the bucket and writes back what it read.
 * (What a bucket holds follows from its level and instant, so that writing a level back is refilling it.)
 * Whatever was taken in between comes back. */
#include "../protocols/protocols.h"

enum { LOAD = 1, STORE, TAKE };
enum { STORE_BUCKETS, STORE_TICKS };
enum { TICK, KNOWN };                   /* the numbers kept of the latest tick */

/* Is nobody refilling for this tick yet?  Then it is the caller's to do. */
static bool elected(struct world *world, const struct call *call)
{
    const struct policy *policy = call_policy(world, call, 0);
    int64_t *latest = world->store[STORE_TICKS].cell[call->key].state.number;
    i128 credits = (i128)world_store_clock(world, world->home) * policy->credits_per_ns;
    int64_t tick = i64_clamp(div_floor(credits, policy->credits_per_unit));

    if (latest[KNOWN] && tick <= latest[TICK])
        return false;
    latest[KNOWN] = 1;
    latest[TICK] = tick;
    return true;
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    if (elected(world, call)) {
        world_send(world, call, world_message(world, call, OP_GET, STORE_BUCKETS, call->key, world->home));
        AWAIT(call, LOAD);
        if (in->value.present) {
            world_send(world, call, world_reuse(in, OP_PUT));
            AWAIT(call, STORE);
        }
    }
    world_send(world, call, take_message(world, call, STORE_BUCKETS, call->key, 0));
    AWAIT(call, TAKE);
    PROTOCOL_END(call);
}

static void set_up(struct world *world)
{
    world_add_store(world, &cells_store, 1);
    world_add_store(world, &memory_store, 1);
}

const struct coordination zoo_refill_overwrites = {
    .name = "zoo/refill-overwrites",
    .summary = "an atomic take, after a refill once a tick that loads and stores",
    .parameter = { PARAMETER_HOME },
    .phase = { "start", "load", "store", "take" },
    .set_up = set_up, .step = step, .looks_at_once = true,
};

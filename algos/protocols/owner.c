/* owner.c - one single-threaded object a key (an actor, a Durable Object): enter, decide, leave.
 *
 * Exact under any concurrency, because a call is alone between ENTER and leaving.  What it costs is the way
 * to where the object lives, and the queue in front of it: service time bounds throughput. */
#include "owners.h"

enum { ENTER = 1, SERVE, UNHEARD };

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    owner_enter(world, call, world->has_home);
    AWAIT(call, ENTER);
    if (in->lost) {
        owner_unreachable(world, call);
        FINISH(call);
    }
    world_decide_here(world, call, 0, OWNER_STATES, call->key);
    if (world_parameter(world, OWNER_SERVICE) > 0) {
        world_sleep(world, call, world_parameter(world, OWNER_SERVICE));
        AWAIT(call, SERVE);
    }
    owner_give_up(world, call);
    if (!call->mute)
        FINISH(call);
    owner_unheard(world, call);
    AWAIT(call, UNHEARD);
    owner_unreachable(world, call);
    PROTOCOL_END(call);
}

static void set_up(struct world *world) { owners_set_up(world, &cells_store); }

const struct coordination coordination_owner = {
    .name = "owner", .alias = "actor",
    .summary = "one single-threaded object a key decides: exact, at the price of the way to it",
    .parameter = { PARAMETERS_OF_OWNERS, PARAMETER_HOME },
    .phase = { "start", "enter", "serve", "unheard" },
    .catches_loss = true, .set_up = set_up, .step = step,
};

const struct coordination coordination_home_region = {
    .name = "home-region",
    .summary = "the same, each key's object in the region where the key was seen first",
    .parameter = { PARAMETERS_OF_OWNERS },
    .phase = { "start", "enter", "serve", "unheard" },
    .looks_at_once = true, .catches_loss = true, .set_up = set_up, .step = step,
};

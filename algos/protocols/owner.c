/* owner.c - one single-threaded object a key (an actor, a Durable Object): enter, decide, leave.
 *
 * Exact under any concurrency, because a call is alone between ENTER and leaving.  What it costs is the way
 * to where the object lives, and the queue in front of it: service time bounds throughput. */
#include "protocols.h"
#include "../../engine/stores/owner.h"

enum { ENTER = 1, SERVE, UNHEARD };
enum { SERVICE, SCOPE, UNREACHABLE };
enum { SCOPE_KEY, SCOPE_GLOBAL };
enum { UNREACHABLE_CLOSED, UNREACHABLE_OPEN, UNREACHABLE_LOCAL, UNREACHABLE_UNDECIDED };
enum { STORE_GATES, STORE_STATES, STORE_FALLBACK };

static uint32_t gate_cell(const struct world *world, const struct call *call)
{
    return world_parameter(world, SCOPE) == SCOPE_GLOBAL ? 0 : call->key;
}

/* The owner cannot be reached: what the catch block does. */
static void fall_back(struct world *world, struct call *call)
{
    switch (world_parameter(world, UNREACHABLE)) {
    case UNREACHABLE_OPEN:   world_conclude(world, call, verdict_allow()); break;
    case UNREACHABLE_CLOSED: world_conclude(world, call, verdict_deny(world->setup->timeout_ns)); break;
    case UNREACHABLE_LOCAL:
        world_decide_here(world, call, 0, STORE_FALLBACK, call->key * world->nodes + call->node);
        break;
    default: world_fail(world, call);
    }
}

static void enter(struct world *world, struct call *call)
{
    struct gate *gate = store_more(&world->store[STORE_GATES], gate_cell(world, call));

    if (gate->home == 0)
        gate->home = (world->has_home ? world->home : call->arrival.region) + 1;
    struct message *message = world_message(world, call, OP_ENTER, STORE_GATES, gate_cell(world, call),
                                            gate->home - 1);
    message->stays = true;
    world_send(world, call, message);
}

static void leave(struct world *world, struct call *call)
{
    owner_leave(world, &world->store[STORE_GATES], gate_cell(world, call));
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    enter(world, call);
    AWAIT(call, ENTER);
    if (in->lost) {
        fall_back(world, call);
        FINISH(call);
    }
    world_decide_here(world, call, 0, STORE_STATES, call->key);
    if (world_parameter(world, SERVICE) > 0) {
        world_sleep(world, call, world_parameter(world, SERVICE));
        AWAIT(call, SERVE);
    }
    leave(world, call);
    if (!call->mute)
        FINISH(call);
    call->at = (uint8_t)call->arrival.region;
    call->at_store = call->mute = false;
    world_sleep(world, call, world->setup->timeout_ns);
    AWAIT(call, UNHEARD);
    fall_back(world, call);
    PROTOCOL_END(call);
}

static void set_up(struct world *world)
{
    world_add_store(world, &owner_store, 1);
    world_add_store(world, &cells_store, 1);
    world_add_store(world, &memory_store, world->nodes);
}

#define PARAMETERS_OF_OWNERS                                                                            \
    { .name = "service", .kind = PARAMETER_SPAN, .preset_text = "0", .low = 0,                         \
      .high = INT64_C(3600000000000),                                                                   \
      .meaning = "how long the object is busy with one request" },                                      \
    { .name = "scope", .kind = PARAMETER_CHOICE, .preset_text = "key",                                  \
      .choices = (const char *const[]){ "key", "global", NULL },                                        \
      .meaning = "an object for each key, or one object for everybody" },                               \
    { .name = "unreachable", .kind = PARAMETER_CHOICE, .preset_text = "closed",                         \
      .choices = (const char *const[]){ "closed", "open", "local", "undecided", NULL },                 \
      .meaning = "what a caller does when no answer comes: deny, allow, decide alone, or nothing" }

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

/* owners.c - see owners.h. */
#include "owners.h"
#include "../../engine/stores/owner.h"

enum { SCOPE_KEY, SCOPE_GLOBAL };
enum { UNREACHABLE_CLOSED, UNREACHABLE_OPEN, UNREACHABLE_LOCAL, UNREACHABLE_UNDECIDED };

void owners_set_up(struct world *world, const struct store_model *states)
{
    world_add_store(world, &owner_store, 1);
    world_add_store(world, states, 1);
    world_add_store(world, &memory_store, world->nodes);
}

uint32_t owner_gate_cell(const struct world *world, uint32_t key)
{
    return world_parameter(world, OWNER_SCOPE) == SCOPE_GLOBAL ? 0 : key;
}

static struct gate *gate_of(const struct world *world, uint32_t key)
{
    return store_more(&world->store[OWNER_GATES], owner_gate_cell(world, key));
}

uint32_t owner_home(const struct world *world, uint32_t key) { return gate_of(world, key)->home - 1; }

void owner_enter(struct world *world, struct call *call, bool placed)
{
    struct gate *gate = gate_of(world, call->key);

    if (gate->home == 0)
        gate->home = (placed ? world->home : call->arrival.region) + 1;
    struct message *message = world_message(world, call, OP_ENTER, OWNER_GATES,
                                            owner_gate_cell(world, call->key), gate->home - 1);
    message->stays = true;
    world_send(world, call, message);
}

void owner_give_up(struct world *world, struct call *call)
{
    owner_leave(world, &world->store[OWNER_GATES], owner_gate_cell(world, call->key));
}

void owner_unreachable(struct world *world, struct call *call)
{
    switch (world_parameter(world, OWNER_UNREACHABLE)) {
    case UNREACHABLE_OPEN:   world_conclude(world, call, verdict_allow()); break;
    case UNREACHABLE_CLOSED: world_conclude(world, call, verdict_deny(world->setup->timeout_ns)); break;
    case UNREACHABLE_LOCAL:
        world_decide_here(world, call, 0, OWNER_FALLBACK, call->key * world->nodes + call->node);
        break;
    default: world_fail(world, call);
    }
}

void owner_unheard(struct world *world, struct call *call)
{
    call->at = (uint8_t)call->arrival.region;
    call->at_store = call->mute = false;
    world_sleep(world, call, world_patience_ns(world, call));
}

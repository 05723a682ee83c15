/* counted_twice.c - the count is read by incrementing it, and what was admitted is added once more.
 *
 * Half the limit is all that anybody gets. */
#include "../protocols/protocols.h"

enum { READ = 1, ADD };

static void add(struct world *world, struct call *call)
{
    struct message *message = world_message(world, call, OP_ADD, 0, call->key, world->home);

    message->amount = call->cost;
    message->until_ns = policy_window(call_policy(world, call, 0), call->reading_ns);
    world_send(world, call, message);
}

static void decide(struct world *world, struct call *call, int64_t count)
{
    const struct policy *policy = call_policy(world, call, 0);
    int64_t wait_ns = policy_window_left_ns(policy, call->reading_ns);
    bool passes = call->cost < 0 || count <= policy->limit;

    world_conclude(world, call, passes ? verdict_allow()
                                       : verdict_deny(wait_or_never(policy, call->cost, wait_ns)));
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    if (answer_peek(world, call))
        FINISH(call);
    world_take_reading(world, call);
    add(world, call);
    AWAIT(call, READ);
    decide(world, call, in->amount);
    if (!call->verdict.allowed)
        FINISH(call);
    add(world, call);
    AWAIT(call, ADD);
    PROTOCOL_END(call);
}

const struct coordination zoo_counted_twice = {
    .name = "zoo/counted-twice",
    .summary = "one increment to read the count and another for what was admitted",
    .parameter = { PARAMETER_HOME },
    .phase = { "start", "read", "add" },
    .refuses = needs_aligned_windows,
    .counts = true, .set_up = set_up_cells, .step = step,
};

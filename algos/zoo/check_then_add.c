/* check_then_add.c - reads the count, lets the request pass when there is room, and adds to it then.
 *
 * Each of the two steps is atomic and no update is ever lost: the counter is right, and over the limit.
 * Whoever reads before the others have added is let through. */
#include "../protocols/protocols.h"

enum { COUNT = 1, ADD };

static void send_counter(struct world *world, struct call *call, enum operation operation)
{
    struct message *message = world_message(world, call, operation, 0, call->key, world->home);

    message->amount = call->cost;
    message->until_ns = policy_window(call_policy(world, call, 0), call->reading_ns);
    world_send(world, call, message);
}

/* Decides by the count that was read. */
static void decide(struct world *world, struct call *call, int64_t count)
{
    const struct policy *policy = call_policy(world, call, 0);
    int64_t wait_ns = policy_window_left_ns(policy, call->reading_ns);
    bool passes = call->cost < 0 || count + call->cost <= policy->limit;

    world_conclude(world, call, passes ? verdict_allow()
                                       : verdict_deny(wait_or_never(policy, call->cost, wait_ns)));
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    if (answer_peek(world, call))
        FINISH(call);
    world_take_reading(world, call);
    send_counter(world, call, OP_COUNT);
    AWAIT(call, COUNT);
    decide(world, call, in->amount);
    if (!call->verdict.allowed)
        FINISH(call);
    send_counter(world, call, OP_ADD);
    AWAIT(call, ADD);
    PROTOCOL_END(call);
}

const struct coordination zoo_check_then_add = {
    .name = "zoo/check-then-add",
    .summary = "read the counter, decide, add to it: two atomic steps are not one",
    .parameter = { PARAMETER_HOME },
    .phase = { "start", "count", "add" },
    .refuses = needs_aligned_windows,
    .counts = true, .set_up = set_up_cells, .step = step,
};

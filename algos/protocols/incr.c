/* incr.c - one increment whose answer decides: allowed while the count after it is within the limit.
 *
 * Only for fixed windows.  Aligned windows are named by the caller's clock, as part of the key; anchored ones
 * end when the key does.  Denied requests are counted, as an increment cannot know yet.  form=incr-expire is
 * the pair of commands INCR, and EXPIRE by whoever was first: the window then begins when EXPIRE arrives. */
#include "protocols.h"

enum { INCREMENT = 1, EXPIRE };
enum { HOME, FORM };
enum { FORM_ONE, FORM_INCR_EXPIRE };

static bool anchored(const struct world *world)
{
    return !windows_are_aligned(world->values.limiter, &world->policies[0]);
}

static struct message *increment(struct world *world, struct call *call)
{
    struct message *message = world_message(world, call, OP_ADD, 0, call->key, world->home);

    message->amount = call->cost;
    message->commits = true;
    message->ok = anchored(world) && world_parameter(world, FORM) == FORM_ONE;
    message->until_ns = anchored(world) ? 0 : policy_window(call_policy(world, call, 0), call->reading_ns);
    return message;
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    if (answer_peek(world, call))
        FINISH(call);
    if (!anchored(world))
        world_take_reading(world, call);
    world_send(world, call, increment(world, call));
    AWAIT(call, INCREMENT);
    if (world_parameter(world, FORM) == FORM_INCR_EXPIRE && in->amount == call->cost) {
        world_send(world, call, world_message(world, call, OP_EXPIRE, 0, call->key, world->home));
        AWAIT(call, EXPIRE);
    }
    PROTOCOL_END(call);
}

const struct coordination coordination_incr = {
    .name = "incr",
    .summary = "one atomic increment whose answer decides; fixed windows only, denied requests count",
    .parameter = {
        PARAMETER_HOME,
        { .name = "form", .kind = PARAMETER_CHOICE, .preset_text = "one",
          .choices = (const char *const[]){ "one", "incr-expire", NULL },
          .meaning = "one step that also sets the end, or INCR and then EXPIRE" },
    },
    .phase = { "start", "increment", "expire" },
    .refuses = needs_fixed_window,
    .counts = true, .set_up = set_up_cells,
    .step = step,
};

/* get_then_set.c - read the state, decide, write it back: the race that everyone writes first.
 *
 * Between READ and WRITE anybody may read the same state; the last writer wins, and the other's admission
 * leaves no trace. */
#include "protocols.h"

enum { READ = 1, WRITE };
enum { HOME, DENIED };
enum { DENIED_SKIPS, DENIED_WRITES };

/* A take that looks without asking is never denied, and has nothing to write back. */
static bool writes_denied(const struct world *world, const struct call *call)
{
    return !call->verdict.allowed && world_parameter(world, DENIED) == DENIED_WRITES;
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    world_send(world, call, world_message(world, call, OP_GET, 0, call->key, world->home));
    AWAIT(call, READ);
    if (world_decide(world, call, 0, &in->value, false) || writes_denied(world, call)) {
        world_send(world, call, world_reuse(in, OP_PUT));
        AWAIT(call, WRITE);
    }
    PROTOCOL_END(call);
}

const struct coordination coordination_get_then_set = {
    .name = "get-then-set",
    .summary = "get, decide, put: whoever reads before another's write is in does not see it",
    .parameter = {
        PARAMETER_HOME,
        { .name = "denied", .kind = PARAMETER_CHOICE, .preset_text = "skips",
          .choices = (const char *const[]){ "skips", "writes", NULL },
          .meaning = "whether a denied request writes the state back, as some limiters do" },
    },
    .phase = { "start", "read", "write" },
    .set_up = set_up_cells,
    .step = step,
};

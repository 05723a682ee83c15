/* atomic.c - the store itself runs the limiter, in one step: a Lua script in Redis, an UPDATE with a WHERE.
 *
 * Exact on its own clock.  With a reading that the caller sends along, the usual way, readings arrive out of
 * order by as much as one way differs from another: an old one is taken for the latest, so that what the rate
 * earns in that time can be spent before it is earned.  At high rates that shows; clock=store is the cure. */
#include "protocols.h"

enum { SCRIPT = 1 };
enum { HOME, CLOCK };
enum { CLOCK_CALLER, CLOCK_STORE };

static void step(struct world *world, struct call *call, struct message *in)
{
    (void)in;
    PROTOCOL_BEGIN(call);
    if (world_parameter(world, CLOCK) == CLOCK_CALLER)
        world_take_reading(world, call);
    world_send(world, call, take_message(world, call, 0, call->key, 0));
    AWAIT(call, SCRIPT);
    PROTOCOL_END(call);
}

const struct coordination coordination_atomic = {
    .name = "atomic", .alias = "lua",
    .summary = "one script in the store reads, decides and writes: exact, one round trip a request",
    .parameter = {
        PARAMETER_HOME,
        { .name = "clock", .kind = PARAMETER_CHOICE, .preset_text = "caller",
          .choices = (const char *const[]){ "caller", "store", NULL },
          .meaning = "whose clock the script believes: a reading sent along, or the store's own" },
    },
    .phase = { "start", "script" },
    .set_up = set_up_cells,
    .step = step,
};

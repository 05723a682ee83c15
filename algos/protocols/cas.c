/* cas.c - read, decide, and write only if nobody wrote in between; else again.
 *
 * Exact, because the decision that counts is the one whose swap succeeded.  What contention costs is
 * retries. */
#include "protocols.h"

enum { READ = 1, SWAP };
enum { HOME, ATTEMPTS, THEN };
enum { THEN_DENY, THEN_ERROR };

static bool may_try_again(const struct world *world, const struct call *call)
{
    return world_parameter(world, ATTEMPTS) == 0 || call->attempts < world_parameter(world, ATTEMPTS);
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    while (may_try_again(world, call)) {
        world->retries += call->attempts++ > 0;
        world_send(world, call, world_message(world, call, OP_GET, 0, call->key, world->home));
        AWAIT(call, READ);
        if (!world_decide(world, call, 0, &in->value, true))
            FINISH(call);
        world_reuse(in, OP_CAS)->commits = true;
        world_send(world, call, in);
        AWAIT(call, SWAP);
        if (in->ok)
            FINISH(call);
    }
    if (world_parameter(world, THEN) == THEN_ERROR)
        world_fail(world, call);
    else                                    /* come back when there may be room again: one unit later */
        world_conclude(world, call, verdict_deny((int64_t)div_ceil(call_policy(world, call, 0)->period_ns,
                                                                   call_policy(world, call, 0)->limit)));
    PROTOCOL_END(call);
}

const struct coordination coordination_cas = {
    .name = "cas",
    .summary = "get, decide, compare-and-set, again when it fails: exact, and a burst becomes retries",
    .parameter = {
        PARAMETER_HOME,
        { .name = "attempts", .kind = PARAMETER_COUNT, .preset_text = "none", .low = 0, .high = 1000000,
          .zero_word = "none",
          .meaning = "how often it tries at most" },
        { .name = "then", .kind = PARAMETER_CHOICE, .preset_text = "deny",
          .choices = (const char *const[]){ "deny", "error", NULL },
          .meaning = "what becomes of a request whose attempts are used up" },
    },
    .phase = { "start", "read", "swap" },
    .set_up = set_up_cells,
    .step = step,
};

/* two_keys.c - one state in two keys of the store: the level is read, then its instant; the level is written,
 * then the instant.
 *
 * Four operations where there should be one: two callers read the same level, and either may meet the other's
 * level beside its own instant.  Only for limiters whose state is a level and an instant, token-bucket and
 * gcra. */
#include "../limiters/limiters.h"
#include "../protocols/protocols.h"

enum { READ_LEVEL = 1, READ_INSTANT, WRITE_LEVEL, WRITE_INSTANT };
enum { LEVEL, INSTANT, CELLS_A_KEY };
enum { LOW, HIGH, T0 };                 /* the numbers in a state: a level of two, and an instant */

static void ask_for(struct world *world, struct call *call, uint32_t part)
{
    world_send(world, call,
               world_message(world, call, OP_GET, 0, call->key * CELLS_A_KEY + part, world->home));
}

static void write_part(struct world *world, struct call *call, uint32_t part, int64_t number,
                       uint32_t version)
{
    struct message *message = world_message(world, call, OP_PUT, 0, call->key * CELLS_A_KEY + part,
                                            world->home);

    message->value = (struct value){ .version = version, .present = 1, .state.number = { number } };
    world_send(world, call, message);
}

/* Decides on what both keys said, and writes the level; false when nothing changed. */
static bool decide_and_write(struct world *world, struct call *call, const struct message *in)
{
    struct value whole = in->value;
    int64_t level = (int64_t)call->sum;

    whole.state.number[T0] = in->value.state.number[0];
    whole.state.number[LOW] = level;
    whole.state.number[HIGH] = level < 0 ? -1 : 0;
    if (!world_decide(world, call, 0, &whole, false))
        return false;
    write_part(world, call, LEVEL, whole.state.number[LOW], call->shard);
    call->sum = (uint64_t)whole.state.number[T0];
    call->shard = in->value.version;
    return true;
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    ask_for(world, call, LEVEL);
    AWAIT(call, READ_LEVEL);
    call->sum = (uint64_t)in->value.state.number[0];
    call->shard = in->value.version;
    ask_for(world, call, INSTANT);
    AWAIT(call, READ_INSTANT);
    if (!decide_and_write(world, call, in))
        FINISH(call);
    AWAIT(call, WRITE_LEVEL);
    write_part(world, call, INSTANT, (int64_t)call->sum, call->shard);
    AWAIT(call, WRITE_INSTANT);
    PROTOCOL_END(call);
}

static void set_up(struct world *world) { world_add_store(world, &cells_store, CELLS_A_KEY); }

static const char *refuses(const struct design *design, const struct setting *setting)
{
    if (design->limiter != &token_bucket && design->limiter != &gcra)
        return "a state of a level and an instant: token-bucket or gcra";
    return setting->policy->burst_credits <= INT64_MAX / 2 ? NULL : "a level that 64 bits hold";
}

const struct coordination zoo_two_keys = {
    .name = "zoo/two-keys",
    .summary = "get the level, get its instant, decide, set the one, set the other",
    .parameter = { PARAMETER_HOME },
    .phase = { "start", "read-level", "read-instant", "write-level", "write-instant" },
    .refuses = refuses, .set_up = set_up, .step = step,
};

/* sharded.c - the limit divided over shards, so that no key is hot; or one counter in pieces.
 *
 * mode=divide: each shard enforces its share, and each request meets one shard: whoever meets a full one is
 * denied while others have room, so the limit becomes a range.  mode=sum: a request adds to one piece, then
 * reads all: fixed windows only, denied requests count, and two that add at once may both see too much. */
#include "protocols.h"

enum { SHARD = 1, ADD, SUM };
enum { SHARDS, MODE, ROUTE };
enum { MODE_DIVIDE, MODE_SUM };
enum { STORE_SHARDS, STORE_TURNS };
enum { ROUTE_RANDOM, ROUTE_ROUND_ROBIN };

static uint32_t shards(const struct world *world) { return (uint32_t)world_parameter(world, SHARDS); }

static uint32_t pick_shard(struct world *world, struct call *call)
{
    struct stream stream = { call->arrival.id, STREAM_SHARD, 0 };

    if (world_parameter(world, ROUTE) == ROUTE_RANDOM)
        return (uint32_t)choose(world->setup->chooser, stream, shards(world));
    return (uint32_t)(world->store[STORE_TURNS].cell[call->key].state.number[0]++ % shards(world));
}

static void add_to_one(struct world *world, struct call *call)
{
    uint32_t cell = call->key * shards(world) + pick_shard(world, call);
    struct message *message = world_message(world, call, OP_ADD, 0, cell, world->home);

    world_take_reading(world, call);
    message->amount = call->cost;
    message->until_ns = policy_window(call_policy(world, call, 0), call->reading_ns);
    world_send(world, call, message);
}

static void read_all(struct world *world, struct call *call)
{
    call->sum = 0;
    for (uint32_t i = 0; i < shards(world); i++) {
        uint32_t cell = call->key * shards(world) + i;
        struct message *message = world_message(world, call, OP_COUNT, 0, cell, world->home);
        message->until_ns = policy_window(call_policy(world, call, 0), call->reading_ns);
        message->gathered = true;
        world_send(world, call, message);
    }
}

static void step(struct world *world, struct call *call, struct message *in)
{
    const struct policy *policy = call_policy(world, call, 0);

    (void)in;
    PROTOCOL_BEGIN(call);
    if (world_parameter(world, MODE) == MODE_DIVIDE) {
        call->shard = pick_shard(world, call);
        world_take_reading(world, call);
        world_send(world, call, take_message(world, call, 0, call->key * shards(world) + call->shard,
                                             1 + call->shard));
        AWAIT(call, SHARD);
        FINISH(call);
    }
    if (answer_peek(world, call))
        FINISH(call);
    add_to_one(world, call);
    AWAIT(call, ADD);
    read_all(world, call);
    AWAIT(call, SUM);
    world_conclude(world, call,
                   call->cost < 0 || call->sum <= (uint64_t)policy->limit
                   ? verdict_allow()
                   : verdict_deny(wait_or_never(policy, call->cost,
                                                policy_window_left_ns(policy, call->reading_ns))));
    PROTOCOL_END(call);
}

static void set_up(struct world *world)
{
    world_add_store(world, &cells_store, shards(world));
    if (world_parameter(world, MODE) == MODE_DIVIDE)
        world_add_shares(world, shards(world));
    world_add_store(world, &memory_store, 1)->of_nodes = false;    /* all share the turns */
}

static const char *refuses(const struct design *design, const struct setting *setting)
{
    if (design->parameter[MODE] == MODE_SUM && !program_only_decides(design->program))
        return "a program that only decides: a counter in pieces can do nothing else";
    if (design->parameter[MODE] == MODE_SUM)
        return needs_aligned_windows(design, setting);
    if (setting->policy->limit < design->parameter[SHARDS]
        || setting->policy->burst < design->parameter[SHARDS])
        return "a limit and a burst of at least one for each shard";
    return NULL;
}

static int64_t preset_shards(const struct setting *setting)
{
    return i64_max(1, i64_min(8, i64_min(setting->policy->limit, setting->policy->burst)));
}

const struct coordination coordination_sharded = {
    .name = "sharded",
    .summary = "the limit divided over shards chosen by request (mode=divide), "
               "or a counter in pieces (mode=sum)",
    .parameter = {
        { .name = "shards", .kind = PARAMETER_COUNT, .preset_text = "8, or the limit when that is less",
          .derive = preset_shards,
          .low = 1, .high = 1024, .meaning = "how many shards a key has" },
        { .name = "mode", .kind = PARAMETER_CHOICE, .preset_text = "divide",
          .choices = (const char *const[]){ "divide", "sum", NULL },
          .meaning = "each shard enforces its share; or add to one and read all" },
        { .name = "route", .kind = PARAMETER_CHOICE, .preset_text = "random",
          .choices = (const char *const[]){ "random", "round-robin", NULL },
          .meaning = "how a request's shard is chosen" },
    },
    .phase = { "start", "shard", "add", "sum" },
    .refuses = refuses,
    .looks_at_once = true,
    .set_up = set_up,
    .step = step,
};

/* cached_counter.c - each instance keeps the count that the store told it last, adds to it by itself, and
 * lets the store hear of it afterwards.
 *
 * Only the first request of a window waits for the store.  Several instances overshoot by design: each learns
 * late what the others admit.  The flaw is on top of that: the copy, after the addition, is compared with <
 * where <= is meant, so that the last unit of a limit is never given out. */
#include "../protocols/protocols.h"

enum { FIRST = 1, BEHIND };
enum { HOME, INSTANCES, COMPARE };
enum { COMPARE_BELOW, COMPARE_AT_MOST };
enum { STORE_COUNTS, STORE_COPIES };
enum { WINDOW, COUNT, KNOWN };          /* the numbers in a copy */

static int64_t *copy_of(const struct world *world, const struct call *call)
{
    return world->store[STORE_COPIES].cell[call->key * world->nodes + call->node].state.number;
}

static int64_t window_of(const struct world *world, const struct call *call)
{
    return policy_window(call_policy(world, call, 0), call->reading_ns);
}

static void add(struct world *world, struct call *call)
{
    struct message *message = world_message(world, call, OP_ADD, STORE_COUNTS, call->key, world->home);

    message->amount = call->cost;
    message->until_ns = window_of(world, call);
    world_send(world, call, message);
}

/* What the store answered is what this instance knows from now on; late answers know nothing. */
static void learn(const struct world *world, const struct call *call, int64_t count)
{
    int64_t *copy = copy_of(world, call);

    if (copy[KNOWN] && window_of(world, call) < copy[WINDOW])
        return;
    copy[KNOWN] = 1;
    copy[WINDOW] = window_of(world, call);
    copy[COUNT] = count;
}

static bool knows_window(const struct world *world, const struct call *call)
{
    const int64_t *copy = copy_of(world, call);

    return copy[KNOWN] && copy[WINDOW] >= window_of(world, call);
}

static void conclude(struct world *world, struct call *call, bool passes)
{
    const struct policy *policy = call_policy(world, call, 0);
    int64_t wait_ns = policy_window_left_ns(policy, call->reading_ns);

    world_conclude(world, call, passes || call->cost < 0
                                ? verdict_allow()
                                : verdict_deny(wait_or_never(policy, call->cost, wait_ns)));
}

static void decide_by_copy(struct world *world, struct call *call)
{
    int64_t *count = &copy_of(world, call)[COUNT];
    int64_t most = call_policy(world, call, 0)->limit - (world_parameter(world, COMPARE) == COMPARE_BELOW);

    *count += call->cost;
    conclude(world, call, *count <= most);
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    if (answer_peek(world, call))
        FINISH(call);
    world_take_reading(world, call);
    if (!knows_window(world, call)) {
        add(world, call);
        AWAIT(call, FIRST);
        conclude(world, call, in->amount <= call_policy(world, call, 0)->limit);
        learn(world, call, in->amount);
        FINISH(call);
    }
    decide_by_copy(world, call);
    if (!call->verdict.allowed)
        FINISH(call);
    add(world, call);
    AWAIT(call, BEHIND);
    learn(world, call, in->amount);
    PROTOCOL_END(call);
}

static void set_up(struct world *world)
{
    world_add_store(world, &cells_store, 1);
    world_add_store(world, &memory_store, world->nodes);
}

const struct coordination zoo_cached_counter = {
    .name = "zoo/cached-counter",
    .summary = "decide by a copy of the count; the store hears of it afterwards",
    .parameter = {
        PARAMETER_HOME, PARAMETER_INSTANCES,
        { .name = "compare", .kind = PARAMETER_CHOICE, .preset_text = "below",
          .choices = (const char *const[]){ "below", "at-most", NULL },
          .meaning = "whether the copy, after the addition, must be below the limit or may reach it" },
    },
    .phase = { "start", "first", "behind" },
    .refuses = needs_aligned_windows,
    .counts = true, .set_up = set_up, .step = step, .looks_at_once = true,
};

/* lease.c - an instance decides within a block of allowance that it fetched from a central owner.
 *
 * No latency while the block lasts, a round trip when it is used up.  What is not used before the block
 * expires is lost; what is used late counts where it was granted, not where it was spent. */
#include "protocols.h"

enum { FETCH = 1 };
enum { BLOCK, EXPIRY, HOME };
enum { STORE_CENTRE, STORE_PURSES };

/* An instance's allowance, in a value's bytes. */
struct purse { int64_t left, until_ns; };

static struct purse *purse_of(struct world *world, const struct call *call)
{
    struct value *value = &world->store[STORE_PURSES].cell[call->key * world->nodes + call->node];

    return (struct purse *)(void *)value->state.bytes;
}

static bool spend(struct world *world, struct call *call)
{
    struct purse *purse = purse_of(world, call);
    const struct store *purses = &world->store[STORE_PURSES];
    uint32_t cell = call->key * world->nodes + call->node;

    world_note_read(world, purses, cell, purses->cell[cell].version, purses->cell[cell].version);
    if (world_read_clock(world, call) >= purse->until_ns)
        purse->left = 0;
    if (purse->left < call->cost)
        return false;
    purse->left -= call->cost;
    world_conclude(world, call, verdict_allow());
    if (call->cost != 0)
        world_wrote(world, purses, cell);
    return true;
}

static void fill(struct world *world, struct call *call, int64_t granted)
{
    struct purse *purse = purse_of(world, call);
    int64_t now_ns = world_read_clock(world, call);

    if (now_ns >= purse->until_ns)
        purse->left = 0;
    purse->left += granted;
    purse->until_ns = i64_clamp((i128)now_ns + world_parameter(world, EXPIRY));
}

static void fetch(struct world *world, struct call *call)
{
    struct message *message = world_message(world, call, OP_BLOCK, STORE_CENTRE, call->key,
                                            world->home);

    message->amount = i64_max(world_parameter(world, BLOCK), call->cost);
    message->until_ns = call->cost;
    world_send(world, call, message);
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    if (spend(world, call))
        FINISH(call);
    fetch(world, call);
    AWAIT(call, FETCH);
    if (in->ok)
        fill(world, call, in->amount);
    if (!spend(world, call))            /* a denied fetch may find what another one brought meanwhile */
        world_conclude(world, call, verdict_deny(in->until_ns));
    PROTOCOL_END(call);
}

static void set_up(struct world *world)
{
    world_add_store(world, &cells_store, 1);
    world_add_store(world, &memory_store, world->nodes);
}

/* Whoever holds a block spends it when it likes: nobody could make its requests wait their turn. */
static const char *refuses(const struct design *design, const struct setting *setting)
{
    (void)setting;
    return design->limiter->shapes
               ? "a limiter that answers at once: a block cannot make requests wait their turn" : NULL;
}

static int64_t preset_block(const struct setting *setting) { return i64_max(1, setting->policy->limit / 10); }
static int64_t preset_expiry(const struct setting *setting)
{
    return i64_max(1, setting->policy->period_ns / 10);
}

const struct coordination coordination_lease = {
    .name = "lease",
    .summary = "decide within a block of allowance fetched from a central owner",
    .parameter = {
        { .name = "block", .kind = PARAMETER_COUNT, .preset_text = "limit/10", .derive = preset_block,
          .low = 1, .high = COST_MAX,
          .meaning = "how much allowance is fetched at once" },
        { .name = "expiry", .kind = PARAMETER_SPAN, .preset_text = "period/10", .derive = preset_expiry,
          .low = 1, .high = PERIOD_MAX,
          .meaning = "how long a block may be used" },
        PARAMETER_HOME,
    },
    .phase = { "start", "fetch" },
    .refuses = refuses, .counts = true, .looks_at_once = true, .set_up = set_up, .step = step,
};

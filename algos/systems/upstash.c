/* upstash.c - @upstash/ratelimit: a script in Redis over HTTP, and in front of it the ephemeral cache.
 *
 * The script believes the caller's clock.  With the cache, an instance that was denied denies that key by
 * itself until the reset that it was told, whatever the store would say by then.  It saves requests, and it
 * denies some that the script would allow: a sliding window has room again long before its reset. */
#include "../protocols/protocols.h"

enum { SCRIPT = 1 };
enum { HOME, CACHE };
enum { CACHE_ON, CACHE_OFF };

/* Until when this instance denies the key, by its own clock. */
static int64_t *blocked_until(struct world *world, const struct call *call)
{
    struct store *cache = &world->store[1];
    struct value *value = &cache->cell[call->key * cache->cells_per_key + call->node];

    if (!value->present)
        value->state.number[0] = INT64_MIN;
    value->present = 1;
    return &value->state.number[0];
}

static bool is_blocked(struct world *world, struct call *call)
{
    int64_t until_ns = *blocked_until(world, call);

    if (world_parameter(world, CACHE) == CACHE_OFF || call->cost <= 0 || call->reading_ns >= until_ns)
        return false;
    world_conclude(world, call, verdict_deny(until_ns - call->reading_ns));
    return true;
}

static void step(struct world *world, struct call *call, struct message *in)
{
    (void)in;
    PROTOCOL_BEGIN(call);
    world_take_reading(world, call);
    if (is_blocked(world, call))
        FINISH(call);
    world_send(world, call, take_message(world, call, 0, call->key, 0));
    AWAIT(call, SCRIPT);
    if (!call->verdict.allowed)
        *blocked_until(world, call) = i64_clamp((i128)call->reading_ns + call->verdict.retry_after_ns);
    PROTOCOL_END(call);
}

static void set_up(struct world *world)
{
    set_up_cells(world);
    world_add_store(world, &memory_store, world->nodes);
}

static const char *refuses(const struct design *design, const struct setting *setting)
{
    (void)setting;
    return design->limiter->entry_bytes ? "a limiter whose state does not grow" : NULL;
}

const struct coordination coordination_upstash = {
    .name = "upstash",
    .summary = "a script in Redis, and a cache in each instance that denies until the reset it was told",
    .parameter = {
        PARAMETER_HOME,
        { .name = "cache", .kind = PARAMETER_CHOICE, .preset_text = "on",
          .choices = (const char *const[]){ "on", "off", NULL },
          .meaning = "whether an instance remembers what it was denied" },
    },
    .phase = { "start", "script" },
    .refuses = refuses,
    .set_up = set_up,
    .step = step, .looks_at_once = true,
};

/* kv.c - get, decide, put on an eventually consistent key-value store with a cache in every region.
 *
 * Everybody decides on what the cache says, which may be a minute old: each region spends the limit by
 * itself.  Writes of one key that come too fast are refused, and what they counted is lost. */
#include "protocols.h"
#include "../../engine/stores/kv.h"

enum { FETCH = 1, PUT };
enum { PROPAGATION, CACHE, WRITES, TTL_FLOOR, NEGATIVE };
enum { NEGATIVE_CACHED, NEGATIVE_NOT_CACHED };

static struct store *kv(struct world *world) { return &world->store[0]; }

/* The key is kept until its state is as good as none by the clock that wrote it, and at least as long as the
 * store demands. */
static int64_t expiry_ns(struct world *world, const struct call *call, const struct message *in)
{
    const void *state = value_state(&world->values, &in->value);
    const struct limiter *limiter = world->values.limiter;
    int64_t needed_ns = limiter->quote(call_policy(world, call, 0), call->reading_ns, state).reset_after_ns;

    return i64_clamp((i128)world->now_ns + i64_max(needed_ns, world_parameter(world, TTL_FLOOR)));
}

static struct message *read_message(struct world *world, struct call *call)
{
    return world_message(world, call, OP_GET, 0, kv_centre(world, call->key),
                         world->setup->store_region);
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    in = read_message(world, call);
    if (!kv_read_cache(world, kv(world), call->key, call->at, &in->value)) {
        world_send(world, call, in);
        AWAIT(call, FETCH);
        kv_fill_cache(world, kv(world), in, call->at);
    }
    if (world_decide(world, call, 0, &in->value, false)) {
        world_reuse(in, OP_PUT)->until_ns = expiry_ns(world, call, in);
        world_send(world, call, in);
        AWAIT(call, PUT);
        if (in->ok)
            kv_fill_cache(world, kv(world), in, call->at);
    } else if (call->phase == 0) {
        world_forget(world, in);
    }
    PROTOCOL_END(call);
}

static void set_up(struct world *world)
{
    int64_t per_hour = world_parameter(world, WRITES);

    world_add_store(world, &kv_store, world->setup->network->regions + 1);
    world->extra = memory_grow(world->memory, world->extra, &world->extra_room, 1, sizeof(struct kv_rules));
    world->extra_bytes = sizeof(struct kv_rules);
    *kv_rules(world) = (struct kv_rules){
        .spread_ns = world_parameter(world, PROPAGATION), .cache_ns = world_parameter(world, CACHE),
        .gap_ns = per_hour == 0 ? 0 : (int64_t)div_ceil((i128)3600 * 1000000000, per_hour),
        .cache_missing = world_parameter(world, NEGATIVE) == NEGATIVE_CACHED,
    };
}

const struct coordination coordination_kv = {
    .name = "kv", .alias = "eventual",
    .summary = "get, decide, put on a store that is eventually consistent, with a cache in every region",
    .parameter = {
        { .name = "propagation", .kind = PARAMETER_SPAN, .preset_text = "60s", .preset = INT64_C(60000000000),
          .low = 0, .high = PERIOD_MAX,
          .meaning = "until a write shows to fetches of other regions" },
        { .name = "cache", .kind = PARAMETER_SPAN, .preset_text = "60s", .preset = INT64_C(60000000000),
          .low = 0, .high = PERIOD_MAX,
          .meaning = "how long a region serves what it fetched" },
        { .name = "writes", .kind = PARAMETER_RATE, .preset_text = "1/s", .preset = 3600, .low = 0,
          .high = INT64_C(3600000000000),
          .zero_word = "none", .meaning = "writes of one key that are accepted; more are refused, and lost" },
        { .name = "ttl_floor", .kind = PARAMETER_SPAN, .preset_text = "60s", .preset = INT64_C(60000000000),
          .low = 0, .high = PERIOD_MAX,
          .meaning = "the shortest expiration that the store takes" },
        { .name = "negative", .kind = PARAMETER_CHOICE, .preset_text = "cached",
          .choices = (const char *const[]){ "cached", "uncached", NULL },
          .meaning = "whether \"no such key\" is cached as well" },
    },
    .phase = { "start", "fetch", "put" },
    .looks_at_once = true, .set_up = set_up,
    .step = step,
};

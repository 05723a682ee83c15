/* regional_counters.c - every region counts its own admissions of the window, and adds the others' last known
 * counts.
 *
 *     allowed  <=>  own + sum of others as last told + cost <= limit */
#include "protocols.h"
#include "../../engine/stores/replicated.h"

enum { EVERY };

static int64_t known_total(struct world *world, uint32_t key, uint32_t region, int64_t window)
{
    struct store *store = &world->store[0];
    uint32_t regions = world->setup->network->regions, own = (key * regions + region) * regions + region;
    int64_t total = 0;
    bool stale = false;

    world_note_read(world, &store[1], own, store[1].cell[own].version, store[1].cell[own].version);
    for (uint32_t of = 0; of < regions; of++) {
        const struct counter *known = regional_counter(world, store, key, region, of);
        const struct counter *real = regional_counter(world, store, key, of, of);
        total += known->window == window ? known->count : 0;
        stale |= real->window >= window && (known->window != real->window || known->count != real->count);
    }
    world->stale_reads += stale;
    return total;
}

/* The counter's window may be later than the one that a clock names which went back. */
static int64_t wait_for_end(const struct policy *policy, int64_t window, int64_t now_ns)
{
    int64_t ahead = window - policy_window(policy, now_ns);

    return i64_clamp(policy_window_left_ns(policy, now_ns) + (i128)ahead * policy->period_ns);
}

static void add_own(struct world *world, struct call *call, int64_t window)
{
    uint32_t regions = world->setup->network->regions;
    struct counter *own = regional_counter(world, &world->store[0], call->key, call->at, call->at);

    if (own->window != window)
        *own = (struct counter){ .window = window };
    own->count = i64_max(0, own->count + call->cost);
    world_wrote(world, &world->store[1], (call->key * regions + call->at) * regions + call->at);
    replica_admitted(world, &world->store[0], call->key, call->at, world->first_node[call->at],
                     call->cost);
}

static void step(struct world *world, struct call *call, struct message *in)
{
    const struct policy *policy = call_policy(world, call, 0);

    (void)in;
    PROTOCOL_BEGIN(call);
    if (answer_peek(world, call))
        FINISH(call);
    int64_t now_ns = world_read_clock(world, call);
    const struct counter *own = regional_counter(world, &world->store[0], call->key, call->at,
                                                 call->at);
    int64_t window = i64_max(own->window, policy_window(policy, now_ns));
    int64_t total = known_total(world, call->key, call->at, window);
    if (call->cost > 0 && total + call->cost > policy->limit) {
        world_conclude(world, call, verdict_deny(wait_or_never(policy, call->cost,
                                                               wait_for_end(policy, window, now_ns))));
        FINISH(call);
    }
    world_conclude(world, call, verdict_allow());
    add_own(world, call, window);
    PROTOCOL_END(call);
}

static void timer(struct world *world, uint32_t node)
{
    struct store *store = &world->store[0];
    uint32_t region = world->node_region[node];
    struct replica told;

    for (uint32_t key; replica_next_untold(world, store, region, &key, &told); )
        for (uint32_t other = 0; other < world->setup->network->regions; other++) {
            if (other == region)
                continue;
            const struct counter *own = regional_counter(world, store, key, region, region);
            struct message *message = world_background(world, OP_SYNC, 0, key * store->cells_per_key + other,
                                                       node, other);
            message->key = key;
            message->amount = own->count;
            message->until_ns = own->window;
            world_post(world, message, -1);
        }
}

static void set_up(struct world *world)
{
    uint32_t regions = world->setup->network->regions;

    world_add_store(world, &regional_store, regions + 1);
    world_add_store(world, &memory_store, regions * regions)->of_nodes = false;
    telling_init(world, world_parameter(world, EVERY), regions);
}

const struct coordination coordination_regional_counters = {
    .name = "regional-counters",
    .summary = "every region adds to its own counter and reads the others' last known count; "
               "fixed windows only",
    .parameter = { PARAMETER_EVERY },
    .phase = { "start" },
    .refuses = needs_aligned_windows, .counts = true, .looks_at_once = true,
    .set_up = set_up, .step = step, .timer = timer,
};

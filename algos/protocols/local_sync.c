/* local_sync.c - every instance decides in its own memory and tells the others, every so often, what it
 * admitted.
 *
 * Between two tellings each spends what the others have spent already. */
#include "protocols.h"
#include "../../engine/stores/replicated.h"

enum { EVERY, INSTANCES, REACH };
enum { REACH_ALL, REACH_REGION };

static void step(struct world *world, struct call *call, struct message *in)
{
    struct store *store = &world->store[0];
    uint32_t key = call->key;

    (void)in;
    PROTOCOL_BEGIN(call);
    replica_read(world, store, key, call->node);
    world_decide_here(world, call, 0, 0, key * store->cells_per_key + call->node);
    if (call->verdict.allowed && call->cost != 0)
        replica_admitted(world, store, key, call->node, call->node, call->cost);
    PROTOCOL_END(call);
}

static bool is_told(const struct world *world, uint32_t by, uint32_t other)
{
    bool near = world->node_region[by] == world->node_region[other];

    return other != by && (near || world_parameter(world, REACH) == REACH_ALL);
}

static void timer(struct world *world, uint32_t node)
{
    struct store *store = &world->store[0];
    struct replica told;

    for (uint32_t key; replica_next_untold(world, store, node, &key, &told); )
        for (uint32_t other = 0; other < world->nodes; other++) {
            if (!is_told(world, node, other))
                continue;
            struct message *message = world_background(world, OP_SYNC, 0, key * store->cells_per_key + other,
                                                       node, world->node_region[other]);
            message->amount = told.untold;
            message->until_ns = told.admissions;
            world_post(world, message, -1);
        }
}

static void set_up(struct world *world)
{
    world_add_store(world, &replicated_store, world->nodes + 1);
    telling_init(world, world_parameter(world, EVERY), world->nodes);
}

const struct coordination coordination_local_sync = {
    .name = "local-sync",
    .summary = "every instance decides in its own memory; counts are exchanged every so often",
    .parameter = {
        PARAMETER_EVERY, PARAMETER_INSTANCES,
        { .name = "reach", .kind = PARAMETER_CHOICE, .preset_text = "all",
          .choices = (const char *const[]){ "all", "region", NULL },
          .meaning = "who is told: every instance, or those of its own region" },
    },
    .phase = { "start" },
    .looks_at_once = true, .set_up = set_up, .step = step, .timer = timer,
};

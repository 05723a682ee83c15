/* local.c - every instance decides in its own memory; nobody tells anybody. */
#include "protocols.h"

enum { INSTANCES, ROUTE, SHARE };
enum { ROUTE_RANDOM, ROUTE_STICKY };
enum { SHARE_WHOLE, SHARE_SPLIT };

static void step(struct world *world, struct call *call, struct message *in)
{
    uint32_t policy = world_parameter(world, SHARE) == SHARE_SPLIT ? 1u + call->node : 0;

    (void)in;
    PROTOCOL_BEGIN(call);
    world_decide_here(world, call, policy, 0, call->key * world->nodes + call->node);
    PROTOCOL_END(call);
}

static uint32_t route(const struct world *world, const struct arrival *arrival)
{
    uint32_t instances = world->setup->instances[arrival->region];

    if (world_parameter(world, ROUTE) == ROUTE_STICKY)
        return sticky(arrival_bucket(arrival), instances);
    return (uint32_t)choose(world->setup->chooser, (struct stream){ arrival->id, STREAM_ROUTE, 0 },
                            instances);
}

static void set_up(struct world *world)
{
    world_add_store(world, &memory_store, world->nodes);
    if (world_parameter(world, SHARE) == SHARE_SPLIT)
        world_add_shares(world, world->nodes);
}

static const char *refuses(const struct design *design, const struct setting *setting)
{
    int64_t nodes = 0;

    for (uint32_t i = 0; i < setting->regions; i++)
        nodes += setting->instances[i];
    if (design->parameter[SHARE] == SHARE_SPLIT
        && i64_min(setting->policy->limit, setting->policy->burst) < nodes)
        return "a limit and a burst of at least one for each instance";
    return NULL;
}

const struct coordination coordination_local = {
    .name = "local",
    .summary = "every instance decides in its own memory: no latency, and the limit times the instances",
    .parameter = {
        PARAMETER_INSTANCES,
        { .name = "route", .kind = PARAMETER_CHOICE, .preset_text = "random",
          .choices = (const char *const[]){ "random", "sticky", NULL },
          .meaning = "which instance of its region a request meets: any, or always its key's" },
        { .name = "share", .kind = PARAMETER_CHOICE, .preset_text = "whole",
          .choices = (const char *const[]){ "whole", "split", NULL },
          .meaning = "each instance enforces the whole limit, or its share of it" },
    },
    .phase = { "start" },
    .refuses = refuses, .route = route, .looks_at_once = true, .set_up = set_up, .step = step,
};

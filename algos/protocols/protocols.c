#include <string.h>
#include "protocols.h"
#include "../systems/systems.h"
#include "../zoo/zoo.h"

extern const struct coordination coordination_owner, coordination_home_region, coordination_get_then_set,
    coordination_cas, coordination_atomic, coordination_incr, coordination_sharded, coordination_kv,
    coordination_local, coordination_local_sync, coordination_regional_counters, coordination_lease;

const struct coordination *const coordinations[] = {
    &coordination_owner, &coordination_home_region, &coordination_get_then_set, &coordination_cas,
    &coordination_atomic, &coordination_incr, &coordination_sharded, &coordination_kv, &coordination_local,
    &coordination_local_sync, &coordination_regional_counters, &coordination_lease,
};
const unsigned coordination_count = sizeof coordinations / sizeof *coordinations;

static bool is_called(const struct coordination *coordination, const char *name)
{
    return strcmp(name, coordination->name) == 0
        || (coordination->alias && strcmp(name, coordination->alias) == 0);
}

const struct coordination *coordination_find(const char *name)
{
    for (unsigned i = 0; i < coordination_count; i++)
        if (is_called(coordinations[i], name))
            return coordinations[i];
    for (unsigned i = 0; system_coordinations[i]; i++)
        if (is_called(system_coordinations[i], name))
            return system_coordinations[i];
    for (unsigned i = 0; zoo_coordinations[i]; i++)
        for (unsigned j = 0; zoo_coordinations[i][j]; j++)
            if (is_called(zoo_coordinations[i][j], name))
                return zoo_coordinations[i][j];
    return NULL;
}

int64_t preset_home(const struct setting *setting) { return setting->store_region; }

void set_up_cells(struct world *world) { world_add_store(world, &cells_store, 1); }

struct message *take_message(struct world *world, struct call *call, uint32_t store, uint32_t cell,
                             uint32_t policy)
{
    struct message *message = world_message(world, call, OP_TAKE, store, cell, world->home);

    message->policy += policy;
    message->amount = call->cost;
    message->ok = call->has_reading;
    message->until_ns = call->reading_ns;
    return message;
}

bool answer_peek(struct world *world, struct call *call)
{
    if (call->cost != 0)
        return false;
    world_conclude(world, call, verdict_allow());
    return true;
}

bool windows_are_aligned(const struct limiter *limiter, const struct policy *policy)
{
    return limiter->promise(policy).kind == PROMISE_ALIGNED;
}

const char *needs_fixed_window(const struct design *design, const struct setting *setting)
{
    const struct limiter *limiter = design->limiter;
    bool anchored = limiter->charges_denied && limiter->promise(setting->policy).kind == PROMISE_WINDOW;

    if (windows_are_aligned(limiter, setting->policy) || anchored)
        return NULL;
    return "a limiter that is a counter: fixed-window or fixed-window-anchored";
}

const char *needs_aligned_windows(const struct design *design, const struct setting *setting)
{
    return windows_are_aligned(design->limiter, setting->policy)
         ? NULL : "windows that are aligned: fixed-window";
}

uint32_t sticky(uint32_t key, uint32_t n)
{
    return (uint32_t)stream_below(0, (struct stream){ key, STREAM_ROUTE, 0 }, n);
}

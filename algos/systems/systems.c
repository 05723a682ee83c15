/* systems.c - the families of systems. */
#include <string.h>
#include "system_limiters.h"
#include "systems.h"

extern const struct system durable_object_systems[], object_systems[], portable_systems[], package_systems[],
    upstash_systems[], platform_systems[], store_systems[], compound_systems[];
extern const struct coordination coordination_upstash, coordination_durable_object;

const struct system *const systems[] = {
    durable_object_systems,
    object_systems,
    portable_systems,
    package_systems,
    upstash_systems,
    platform_systems,
    store_systems,
    compound_systems,
    NULL
};

static const struct limiter *const seeds[] = {
    &user_limiter, &user_limiter_v2, &user_limiter_v2_migrating, &portable_gcra, NULL
};
static const struct limiter *const packages[] = {
    &rlf_memory, &rlf_redis, &limiter_token_bucket, &limiter_rate_limiter, &bottleneck_reservoir, NULL
};
static const struct limiter *const services[] = {
    &upstash_fixed_window, &upstash_sliding_window, &upstash_token_bucket, &batch_bucket,
    &workers_binding_window, &nginx_limit_req, NULL
};

const struct limiter *const *const system_limiters[] = {
    seeds,
    packages,
    services,
    NULL
};

const struct coordination *const system_coordinations[] = {
    &coordination_upstash,
    &coordination_durable_object,
    NULL
};

const struct system *system_find(const char *name)
{
    for (unsigned family = 0; systems[family]; family++)
        for (const struct system *row = systems[family]; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return row;
    return NULL;
}

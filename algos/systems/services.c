/* services.c - rows of systems that come with a platform, a proxy or a store. */
#include "systems.h"

const struct system platform_systems[] = {
    { .name = "workers-binding", .design = "workers-binding-window@local-sync:reach=region:every=1s",
      .summary = "counted in each location, caught up a moment later: the limit times locations, and more",
      .source = "developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit",
      .scenario = "workers-binding.yaml" },
    { .name = "workers-kv", .design = "fixed-window@kv",
      .summary = "a counter read and put back: values up to a minute old, one write a second taken",
      .source = "developers.cloudflare.com/kv/concepts/how-kv-works", .scenario = "workers-kv.yaml" },
    { .name = "nginx/limit-req", .design = "nginx-limit-req@local",
      .summary = "shared by the workers of one nginx, by nobody else; burst=b nodelay lets b+1 pass at once",
      .source = "nginx (3f6f782), ngx_http_limit_req_module.c", .scenario = "nginx-limit-req.yaml" },
    { .name = NULL }
};

const struct system store_systems[] = {
    { .name = "central-database", .design = "token-bucket@atomic:clock=store",
      .summary = "one atomic UPDATE: exact, and a round trip for every request, wherever it comes from",
      .source = "article \"When a Rate Limiter Needs a Brain\"", .scenario = "central-database.yaml" },
    { .name = "redis/incr", .design = "fixed-window@incr",
      .summary = "INCR of a key that is named by the window: one command, twice the limit at its edge",
      .source = "redis.io/docs/latest/commands/incr, pattern: rate limiter 1",
      .scenario = "redis-incr.yaml" },
    { .name = "redis/incr-expire", .design = "fixed-window-anchored@incr:form=incr-expire",
      .summary = "INCR, and EXPIRE by whoever was first: a key whose EXPIRE never comes denies for ever",
      .source = "redis.io/docs/latest/commands/incr, pattern: rate limiter 2",
      .scenario = "redis-incr-expire.yaml" },
    { .name = "redis/script", .design = "token-bucket@atomic:clock=store",
      .summary = "a Lua script that asks TIME: one step, one clock, one round trip",
      .source = "redis.io/docs/latest/develop/programmability/eval-intro", .scenario = "redis-script.yaml" },
    { .name = "redis/cas", .design = "token-bucket@cas",
      .summary = "WATCH, GET, MULTI, SET, EXEC: exact, and a burst becomes retries",
      .source = "redis.io/docs/latest/develop/using-commands/transactions", .scenario = "redis-cas.yaml" },
    { .name = NULL }
};

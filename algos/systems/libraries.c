/* libraries.c - rows of systems that come as a package. */
#include "systems.h"

const struct system durable_object_systems[] = {
    { .name = "durable-object/user-limiter", .design = "user-limiter@durable-object",
      .summary = "a token bucket in one object a user: exact whoever races, but for what doubles round",
      .source = "article \"Rate Limiting Requests Per User With a Durable Object\"",
      .scenario = "durable-object-user-limiter.yaml" },
    { .name = "delightstack", .design = "interval-bucket@owner",
      .summary = "whole tokens, one each refill interval, the remainder kept: interval-bucket is that rule, "
                 "with burst = max_tokens and period / limit = refill_every_seconds",
      .source = "documentation of @delightstack/rate-limiter", .scenario = "delightstack.yaml" },
    { .name = NULL }
};

const struct system portable_systems[] = {
    { .name = "portable-rate-limit/memory", .design = "portable-gcra@local",
      .summary = "memoryStore(): the map of one isolate or process, so the limit is per instance",
      .source = "documentation of @portable/rate-limit", .scenario = "portable-rate-limit-memory.yaml" },
    { .name = "portable-rate-limit/durable-object", .design = "portable-gcra@owner",
      .summary = "inside one object a key: nothing can come between its read and its write",
      .source = "documentation of @portable/rate-limit",
      .scenario = "portable-rate-limit-durable-object.yaml" },
    { .name = "portable-rate-limit/upstash", .design = "portable-gcra@cas",
      .summary = "compare-and-set by a script in Redis over HTTP: exact, and a take is two requests or more",
      .source = "documentation of @portable/rate-limit", .scenario = "portable-rate-limit-upstash.yaml" },
    { .name = "portable-rate-limit/kv", .design = "portable-gcra@kv",
      .summary = "Workers KV cannot compare, so this store always writes: a race, on values a minute old",
      .source = "documentation of @portable/rate-limit", .scenario = "portable-rate-limit-kv.yaml" },
    { .name = NULL }
};

const struct system package_systems[] = {
    { .name = "rate-limiter-flexible/memory", .design = "rlf-memory@local",
      .summary = "a window from the first hit, in each process; rejected points count",
      .source = "rate-limiter-flexible 11.1.0 (3c9c826)", .scenario = "rate-limiter-flexible-memory.yaml" },
    { .name = "rate-limiter-flexible/redis", .design = "rlf-redis@atomic:clock=store",
      .summary = "the same as a script in Redis: durations are whole seconds, and below one second for ever",
      .source = "rate-limiter-flexible 11.1.0 (3c9c826)", .scenario = "rate-limiter-flexible-redis.yaml" },
    { .name = "limiter/token-bucket", .design = "limiter-token-bucket@local",
      .summary = "a token bucket that starts empty, in each process",
      .source = "limiter 3.0.0 (4aa1b5a)", .scenario = "limiter-token-bucket.yaml" },
    { .name = "limiter/rate-limiter", .design = "limiter-rate-limiter@local",
      .summary = "a full token bucket and a count for each interval, in each process: both must agree",
      .source = "limiter 3.0.0 (4aa1b5a)", .scenario = "limiter-rate-limiter.yaml" },
    { .name = "bottleneck", .design = "bottleneck-reservoir@local",
      .summary = "a reservoir that a 250 ms heartbeat refills: late, and the lateness adds up",
      .source = "bottleneck 2.19.5 (b835283)", .scenario = "bottleneck.yaml" },
    { .name = NULL }
};

const struct system upstash_systems[] = {
    { .name = "upstash/fixed-window", .design = "upstash-fixed-window@upstash",
      .summary = "one increment, aligned windows by the caller's clock; denied costs count",
      .source = "@upstash/ratelimit 2.0.8 (5b5448a)", .scenario = "upstash-fixed-window.yaml" },
    { .name = "upstash/sliding-window", .design = "upstash-sliding-window@upstash",
      .summary = "a rounded-down weighted count; the cache denies until the window's end what fits before",
      .source = "@upstash/ratelimit 2.0.8 (5b5448a)", .scenario = "upstash-sliding-window.yaml" },
    { .name = "upstash/token-bucket", .design = "upstash-token-bucket@upstash",
      .summary = "refills at once; only an empty bucket refuses, all else is charged into debt",
      .source = "@upstash/ratelimit 2.0.8 (5b5448a)", .scenario = "upstash-token-bucket.yaml" },
    { .name = NULL }
};

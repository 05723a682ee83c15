/* batch_bucket.c - a bucket that gets a whole period's tokens at once, at each tick.
 *
 *     tick k is at a + k * P                    a = the first request, P = period
 *     tokens(t) = min(B, tokens(t0) + L * ticks in (t0, t])         L = limit, B = burst
 *     allow c when tokens(t) >= c;              then tokens -= c
 *
 * The correct form of "refill L every P", which several systems offer and none of the textbook rules is:
 * interval-bucket gives the same L one by one. */
#include "../limiters/exact.h"
#include "system_limiters.h"

struct bucket {
    int64_t tokens;                     /* after the tick; below zero: debt */
    int64_t tick_ns;                    /* the latest one that is counted */
};
_Static_assert(sizeof(struct bucket) == 16, "no padding");

static struct bucket refilled(const struct policy *policy, int64_t now_ns, const struct bucket *kept)
{
    i128 span = i128_max(0, (i128)now_ns - kept->tick_ns), ticks = span / policy->period_ns;

    return (struct bucket){
        .tokens = (int64_t)i128_min(policy->burst, kept->tokens + ticks * policy->limit),
        .tick_ns = kept->tick_ns + (int64_t)(ticks * policy->period_ns),
    };
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct bucket *bucket = state;

    bucket->tokens = policy->burst;
    bucket->tick_ns = now_ns;
}

/* When `wanted` tokens are there. */
static i128 holds_ns(const struct policy *policy, const struct bucket *bucket, int64_t wanted)
{
    i128 ticks = div_ceil(i128_max(0, (i128)wanted - bucket->tokens), policy->limit);

    return bucket->tick_ns + ticks * policy->period_ns;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct bucket bucket = refilled(policy, request.now_ns, state);

    if (request.cost <= 0 || request.cost <= bucket.tokens)
        return verdict_allow();
    if (request.cost > policy->burst)
        return verdict_deny(NEVER_NS);
    return verdict_deny(wait_until(request.now_ns, holds_ns(policy, &bucket, request.cost)));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct bucket *bucket = state;

    if (!allowed || request.cost == 0)
        return;
    *bucket = refilled(policy, request.now_ns, bucket);
    bucket->tokens = i64_min(policy->burst, bucket->tokens - request.cost);
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    struct bucket bucket = refilled(policy, now_ns, state);
    bool full = bucket.tokens >= policy->burst;

    return (struct quota){
        .remaining = i64_max(0, bucket.tokens),
        .reset_after_ns = full ? 0 : wait_until(now_ns, holds_ns(policy, &bucket, policy->burst)),
    };
}

/* Ticks in a span dt number less than dt / P + 1. */
static struct promise promise(const struct policy *policy)
{
    return (struct promise){ PROMISE_CURVE, policy->burst + policy->limit };
}

const struct limiter batch_bucket = {
    .name = "batch-bucket",
    .formula = "min(B, tokens + L * ticks in (t0, t]) >= c, ticks at first request + k*P",
    .good_to_know = "a whole refill may come right after the burst: burst + limit pass at once",
    .state_bytes = sizeof(struct bucket),
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

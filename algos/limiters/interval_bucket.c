/* interval_bucket.c - a bucket that gets whole tokens, one at each tick.
 *
 *     tick k is at a + k * T               a = the first request, T = period / limit (any rational)
 *     tokens(t) = min(B, tokens(t0) + ticks in (t0, t])        B = burst
 *     allow c when tokens(t) >= c;         then tokens -= c, t0 = t
 *
 * Ticks go on from the first request for ever, also while the bucket is full or empty: a token may come
 * right after the burst. */
#include "exact.h"
#include "limiters.h"

enum { NO_REQUEST_YET = -1 };

struct bucket {
    int64_t tokens;                     /* below zero: debt */
    int64_t t0;
    int64_t part;                       /* of the next token, in credits: what is earned since the last
                                           tick, at t0; or NO_REQUEST_YET */
};
_Static_assert(sizeof(struct bucket) == 24, "no padding");

/* Credits earned from the last tick before t0 to t: each whole credits_per_unit of them is a tick. */
static i128 since_tick(const struct policy *policy, const struct bucket *bucket, int64_t t)
{
    return bucket->part == NO_REQUEST_YET ? 0 : bucket->part + earned_credits(policy, bucket->t0, t);
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct bucket *bucket = state;

    bucket->tokens = policy->burst;
    bucket->t0 = now_ns;
    bucket->part = NO_REQUEST_YET;
}

/* How many credits are lacking at t until there are `wanted` tokens; 0 or less when there are. */
static i128 missing_at(const struct policy *policy, const struct bucket *bucket, int64_t t, int64_t wanted)
{
    return cost_credits(policy, wanted - bucket->tokens) - since_tick(policy, bucket, t);
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    const struct bucket *bucket = state;
    int64_t t = i64_max(request.now_ns, bucket->t0);

    if (request.cost <= 0)
        return verdict_allow();
    if (request.cost > policy->burst)
        return verdict_deny(NEVER_NS);
    i128 missing = missing_at(policy, bucket, t, request.cost);
    if (missing <= 0)
        return verdict_allow();
    return verdict_deny(wait_until(request.now_ns, t + earning_ns(policy, missing)));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct bucket *bucket = state;
    int64_t t = i64_max(request.now_ns, bucket->t0);

    if (!allowed || request.cost == 0)
        return;
    i128 credits = since_tick(policy, bucket, t);
    i128 ticks = quotient(credits, policy->credits_per_unit);
    i128 tokens = i128_min(policy->burst, bucket->tokens + ticks);
    if (bucket->part != NO_REQUEST_YET || request.cost > 0)
        bucket->part = (int64_t)(credits - ticks * policy->credits_per_unit);
    bucket->tokens = (int64_t)i128_min(policy->burst, tokens - request.cost);
    bucket->t0 = t;
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct bucket *bucket = state;
    int64_t t = i64_max(now_ns, bucket->t0);
    i128 ticks = quotient(since_tick(policy, bucket, t), policy->credits_per_unit);
    i128 tokens = i128_min(policy->burst, bucket->tokens + ticks);
    i128 missing = i128_max(0, missing_at(policy, bucket, t, policy->burst));

    return (struct quota){
        .remaining = (int64_t)i128_max(0, tokens),
        .reset_after_ns = wait_until(now_ns, t + earning_ns(policy, missing)),
    };
}

/* Ticks in a span dt number less than r * dt + 1. */
static struct promise promise(const struct policy *policy)
{
    return (struct promise){ PROMISE_CURVE, policy->burst + 1 };
}

const struct limiter interval_bucket = {
    .name = "interval-bucket",
    .formula = "min(B, tokens + ticks in (t0, t]) >= c, ticks at first request + k*P/L",
    .good_to_know = "a token may come right after the burst: burst + 1 pass at once; remainders are kept",
    .state_bytes = sizeof(struct bucket),
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

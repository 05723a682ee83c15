/* token_bucket.c - a bucket that refills continuously.
 *
 *     tokens(t) = min(B, tokens(t0) + r * (t - t0))        B = burst, r = limit / period
 *     allow c when tokens(t) >= c;                         then tokens -= c, t0 = t
 *
 * Tokens are kept in credits, so the fraction of a token that a ns earns is never lost. */
#include "exact.h"
#include "limiters.h"

struct bucket {
    i128_packed tokens;                 /* at t0, in credits; below zero: debt */
    int64_t     t0;
};
_Static_assert(sizeof(struct bucket) == 24, "no padding");

static i128 tokens_at(const struct policy *policy, const struct bucket *bucket, int64_t t)
{
    return i128_min(policy->burst_credits, bucket->tokens + earned_credits(policy, bucket->t0, t));
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct bucket *bucket = state;

    bucket->tokens = policy->burst_credits;
    bucket->t0 = now_ns;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    const struct bucket *bucket = state;
    int64_t t = i64_max(request.now_ns, bucket->t0);

    if (request.cost <= 0)
        return verdict_allow();
    if (request.cost > policy->burst)
        return verdict_deny(NEVER_NS);
    i128 missing = cost_credits(policy, request.cost) - tokens_at(policy, bucket, t);
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
    i128 left = tokens_at(policy, bucket, t) - cost_credits(policy, request.cost);
    bucket->tokens = i128_min(policy->burst_credits, left);
    bucket->t0 = t;
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct bucket *bucket = state;
    int64_t t = i64_max(now_ns, bucket->t0);
    i128 tokens = tokens_at(policy, bucket, t);

    return (struct quota){
        .remaining = (int64_t)quotient(i128_max(0, tokens), policy->credits_per_unit),
        .reset_after_ns = wait_until(now_ns, t + earning_ns(policy, policy->burst_credits - tokens)),
    };
}

static struct promise promise(const struct policy *policy)
{
    return (struct promise){ PROMISE_CURVE, policy->burst };
}

const struct limiter token_bucket = {
    .name = "token-bucket",
    .formula = "min(B, tokens + r*(t - t0)) >= c, r = L/P, continuous and exact",
    .good_to_know = "nearly burst + limit passes within one period: a burst, then the refill",
    .state_bytes = sizeof(struct bucket),
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

/* token_bucket.c - a bucket that refills continuously.
 *
 *     tokens(t) = min(B, tokens(t0) + r * (t - t0))        B = burst, r = limit / period
 *     allow c when tokens(t) >= c;                         then tokens -= c, t0 = t
 *
 * What is left of a token is kept in credits, so the fraction that a ns earns is never lost.  Where the
 * policy changes, tokens stay tokens: of a fraction, less than one, the new policy's credits are kept. */
#include "exact.h"
#include "limiters.h"

struct bucket {
    int64_t tokens;                     /* whole ones, at t0; below zero: debt */
    int64_t fraction;                   /* of one more, in credits */
    int64_t t0;
};
_Static_assert(sizeof(struct bucket) == 24, "no padding");

/* In credits. */
static i128 tokens_at(const struct policy *policy, const struct bucket *bucket, int64_t t)
{
    int64_t fraction = i64_min(bucket->fraction, policy->credits_per_unit - 1);
    i128 tokens = (i128)bucket->tokens * policy->credits_per_unit + fraction;

    return i128_min(policy->burst_credits, tokens + earned_credits(policy, bucket->t0, t));
}

static void keep(const struct policy *policy, struct bucket *bucket, i128 tokens, int64_t t)
{
    bucket->tokens = (int64_t)(tokens >= 0 ? quotient(tokens, policy->credits_per_unit)
                                           : div_floor(tokens, policy->credits_per_unit));
    bucket->fraction = (int64_t)(tokens - (i128)bucket->tokens * policy->credits_per_unit);
    bucket->t0 = t;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    keep(policy, state, policy->burst_credits, now_ns);
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
    keep(policy, bucket, i128_min(policy->burst_credits, left), t);
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

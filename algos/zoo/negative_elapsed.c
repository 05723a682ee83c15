/* negative_elapsed.c - a bucket that a clock set back drains (restify/node-restify#34).
 *
 *     tokens = min(B, tokens + r * (t - last)); last = t        on every request, denied ones too
 *
 * With the clock an hour back, an hour's worth of tokens is taken away, and everybody is denied for an hour.
 * The cure: algos/limiters/token_bucket.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

struct bucket {
    int64_t last_ns;
    double  spent;                      /* at last_ns: burst - tokens */
};
_Static_assert(sizeof(struct bucket) == 16, "no padding");

static double spent_at(const struct policy *policy, const struct bucket *bucket, int64_t t)
{
    double elapsed_ns = (double)t - (double)bucket->last_ns;
    double spent = bucket->spent - elapsed_ns * (double)policy->limit / (double)policy->period_ns;

    return spent > 0 ? spent : 0;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    double lacking = spent_at(policy, state, request.now_ns) + (double)request.cost - (double)policy->burst;
    double wait_ns = lacking * (double)policy->period_ns / (double)policy->limit;

    return zoo_answer(request, lacking <= 0 ? request.cost : 0, policy->burst, zoo_ns(wait_ns));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct bucket *bucket = state;

    if (request.cost == 0)
        return;
    bucket->spent = spent_at(policy, bucket, request.now_ns) + (allowed ? (double)request.cost : 0);
    bucket->last_ns = request.now_ns;
}

ZOO_QUOTE(check)

const struct limiter zoo_negative_elapsed = {
    .name = "zoo/negative-elapsed",
    .formula = "min(B, tokens + r*(t - last)) >= c, with t - last below zero where the clock went back",
    .good_to_know = "a clock that is set back an hour denies everybody for an hour",
    .source = "restify/node-restify before #34",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct bucket),
    .charges_denied = true,
    .fresh = zoo_fresh_now,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

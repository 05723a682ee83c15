/* refill_of_one.c - a bucket that gets one token a period, where the limit is L of them
 * (gengteng/axum-limit#2).
 *
 * After the first burst a client gets an L-th of what it was promised.  The cure adds L:
 * algos/limiters/token_bucket.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static struct policy one_a_period(const struct policy *policy)
{
    return zoo_policy(policy, 1, policy->period_ns, policy->burst);
}

ZOO_UNDER(token_bucket, one_a_period)

const struct limiter zoo_refill_of_one = {
    .name = "zoo/refill-of-one",
    .formula = "min(B, tokens + (t - t0)/P) >= c, for L * (t - t0)/P",
    .good_to_know = "after the first burst a limit of 10 is a limit of 1",
    .source = "gengteng/axum-limit#2",
    .rule = &token_bucket,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

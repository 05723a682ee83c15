/* rate_upside_down.c - a bucket built with "2" for two tokens a second, which takes it for the seconds that
 * one token needs (lucia-auth/lucia#1786).
 *
 * One token in two seconds is a quarter of what was meant.  The cure is the rate that was meant:
 * algos/limiters/token_bucket.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static struct policy seconds_a_token(const struct policy *policy)
{
    i128 span_ns = (i128)policy->limit * policy->period_ns;

    return zoo_policy(policy, 1, i64_clamp(span_ns), policy->burst);
}

ZOO_UNDER(token_bucket, seconds_a_token)

const struct limiter zoo_rate_upside_down = {
    .name = "zoo/rate-upside-down",
    .formula = "min(B, tokens + (t - t0)/(L*P)) >= c, for L*(t - t0)/P",
    .good_to_know = "the faster it is meant to be, the slower it is: off by the limit squared",
    .source = "lucia-auth/lucia#1786",
    .rule = &token_bucket,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

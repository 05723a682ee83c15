/* burst_32_bits.c - a burst that is kept in 32 bits (traefik#8235).
 *
 * 2500000001 becomes -1794967295, a bucket that no request fits in: everything is denied.  The cure keeps it
 * in 64: algos/limiters/token_bucket.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static int64_t kept_burst(const struct policy *policy)
{
    return (int32_t)(uint32_t)policy->burst;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct policy narrow = zoo_policy(policy, policy->limit, policy->period_ns, kept_burst(policy));

    if (request.cost > kept_burst(policy) && request.cost > 0)
        return verdict_deny(NEVER_NS);
    return token_bucket.check(&narrow, request, state);
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct policy narrow = zoo_policy(policy, policy->limit, policy->period_ns, kept_burst(policy));

    token_bucket.charge(&narrow, request, allowed, state);
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    token_bucket.fresh(policy, now_ns, state);
}

ZOO_QUOTE(check)

const struct limiter zoo_burst_32_bits = {
    .name = "zoo/burst-32-bits",
    .formula = "min((int32) B, tokens(t)) >= c",
    .good_to_know = "a burst of 2^31 or more is negative, and nothing passes",
    .source = "traefik#8235",
    .rule = &token_bucket,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

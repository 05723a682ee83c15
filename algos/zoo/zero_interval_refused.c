/* zero_interval_refused.c - an emission interval in whole milliseconds, and 0 of them is an error
 * (redis-cell#80).
 *
 * From 1001 a second on nothing passes: the command fails, and a caller that fails closed denies.  The cure
 * reckons in nanoseconds or finer: algos/limiters/gcra.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static struct policy in_milliseconds(const struct policy *policy)
{
    int64_t interval_ms = zoo_interval_ns(policy) / ZOO_MS;

    return zoo_policy(policy, 1, interval_ms * ZOO_MS, policy->burst);
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    gcra.fresh(policy, now_ns, state);
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct policy coarse = in_milliseconds(policy);

    if (zoo_interval_ns(policy) < ZOO_MS && request.cost > 0)
        return verdict_deny(NEVER_NS);
    return gcra.check(&coarse, request, state);
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct policy coarse = in_milliseconds(policy);

    gcra.charge(&coarse, request, allowed, state);
}

ZOO_QUOTE(check)

const struct limiter zoo_zero_interval_refused = {
    .name = "zoo/zero-interval-refused",
    .formula = "gcra with T = floor(P/L) in ms; T = 0 is an error",
    .good_to_know = "above 1000 a second nothing passes at all",
    .source = "brandur/redis-cell#80",
    .rule = &gcra,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

/* policy.c - what follows from "limit per period": the rate in lowest terms, so that limiters compute in
 * integers. */
#include <assert.h>
#include "limiter.h"

_Static_assert(sizeof(struct policy) == 8 * sizeof(int64_t) + sizeof(i128), "a policy has no padding");

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    assert(a > 0 && b > 0);
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool in_range(int64_t value, int64_t most)
{
    assert(most > 0);
    return 1 <= value && value <= most;
}

static const char *out_of_range(const struct policy *policy)
{
    assert(policy);
    if (!in_range(policy->limit, COST_MAX))
        return "a limit must be 1 to 9007199254740991";
    if (!in_range(policy->period_ns, PERIOD_MAX))
        return "a period must be 1ns to 3653d";
    if (!in_range(policy->burst, COST_MAX))
        return "a burst must be 1 to 9007199254740991";
    if (policy->epoch_ns < -INSTANT_MAX || policy->epoch_ns > INSTANT_MAX)
        return "a run must start between the years 1824 and 2116";
    return NULL;
}

const char *policy_init(struct policy *policy)
{
    assert(policy);
    const char *reason = out_of_range(policy);
    if (reason)
        return reason;

    int64_t divisor = greatest_common_divisor(policy->limit, policy->period_ns);
    policy->credits_per_ns = policy->limit / divisor;
    policy->credits_per_unit = policy->period_ns / divisor;
    policy->burst_credits = (i128)policy->burst * policy->credits_per_unit;

    int64_t rest = policy->epoch_ns % policy->period_ns;
    policy->phase_ns = rest < 0 ? rest + policy->period_ns : rest;
    assert(policy->phase_ns >= 0 && policy->phase_ns < policy->period_ns);
    return NULL;
}

static int64_t share(int64_t whole, int64_t parts, int64_t part)
{
    assert(parts > 0 && part >= 0 && part < parts);
    return whole / parts + (part < whole % parts);
}

struct policy policy_share(const struct policy *policy, int64_t parts, int64_t part)
{
    assert(!out_of_range(policy));
    struct policy mine = {
        .limit = share(policy->limit, parts, part),
        .period_ns = policy->period_ns,
        .burst = share(policy->burst, parts, part),
        .epoch_ns = policy->epoch_ns,
    };

    policy_init(&mine);                 /* a share of nothing is refused again when the caller asks */
    return mine;
}

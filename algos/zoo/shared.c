/* shared.c - what cases share: see zoo.h. */
#include "zoo.h"
#include <string.h>

int64_t zoo_span_ns(const struct policy *policy, int64_t units)
{
    return i64_clamp(div_ceil((i128)i64_max(0, units) * policy->period_ns, policy->limit));
}

int64_t zoo_ns(double ns)
{
    return ns >= (double)INSTANT_MAX ? NEVER_NS : ns > 0 ? (int64_t)ns : 0;
}

struct verdict zoo_answer(struct request request, int64_t left, int64_t most, int64_t retry_after_ns)
{
    if (request.cost <= 0 || request.cost <= left)
        return verdict_allow();
    return verdict_deny(request.cost > most ? NEVER_NS : i64_max(1, retry_after_ns));
}

struct quota zoo_ask(zoo_check *check, const struct policy *policy, int64_t now_ns, const void *state)
{
    int64_t low = 0, high = policy->burst;
    struct request all = { now_ns, policy->burst };

    while (low < high) {
        struct request half = { now_ns, low + (high - low + 1) / 2 };
        if (check(policy, half, state).allowed)
            low = half.cost;
        else
            high = half.cost - 1;
    }
    return (struct quota){ low, check(policy, all, state).retry_after_ns };
}

static int64_t within(int64_t least, int64_t value, int64_t most)
{
    return i64_max(least, i64_min(value, most));
}

struct policy zoo_policy(const struct policy *policy, int64_t limit, int64_t period_ns, int64_t burst)
{
    struct policy other = {
        .limit = within(1, limit, COST_MAX), .period_ns = within(1, period_ns, PERIOD_MAX),
        .burst = within(1, burst, COST_MAX), .epoch_ns = policy->epoch_ns, .format = policy->format,
    };

    policy_init(&other);                /* in range by now */
    return other;
}

void zoo_fresh_zero(const struct policy *policy, int64_t now_ns, void *state)
{
    (void)policy, (void)now_ns, (void)state;
}

void zoo_fresh_now(const struct policy *policy, int64_t now_ns, void *state)
{
    (void)policy;
    memcpy(state, &now_ns, sizeof now_ns);
}

const char *zoo_refuses_none(const struct policy *policy)
{
    (void)policy;
    return NULL;
}

struct promise zoo_promise(const struct policy *policy)
{
    return (struct promise){ PROMISE_CURVE, policy->burst };
}

/* workers_binding_window.c - the rate limiting binding of Cloudflare Workers.
 *
 *     a counter for each aligned window of P;  allow when count < limit, then count += 1
 *
 * P is 10 or 60 s, nothing else, and a call has no cost: a request of cost c stands for c calls that pass or
 * fail together.  The answer is one boolean: the wait is not told there; here it is what a caller who knows
 * the rule would work out, the window's end. */
#include "../limiters/exact.h"
#include "system_limiters.h"

#define SECOND INT64_C(1000000000)

static const char *refuses(const struct policy *policy)
{
    return policy->period_ns != 10 * SECOND && policy->period_ns != 60 * SECOND
         ? "the binding takes no other period; expected 10s or 60s" : NULL;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    fixed_window.fresh(policy, now_ns, state);
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    return fixed_window.check(policy, request, state);
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    fixed_window.charge(policy, request, allowed, state);
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    return fixed_window.quote(policy, now_ns, state);
}

static struct promise promise(const struct policy *policy) { return fixed_window.promise(policy); }

const struct limiter workers_binding_window = {
    .name = "workers-binding-window",
    .formula = "count(floor(t/P)) < L, P = 10 s or 60 s; then count += 1",
    .good_to_know = "no other period and no costs; the real thing answers yes or no and tells no wait: the "
                    "window's end stands in for it",
    .source = "developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit",
    .rule = &fixed_window,
    .state_bytes = 24,
    .refuses = refuses,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

/* portable_gcra.c - the generic cell rate algorithm of @portable/rate-limit: one number a key, the time in ms
 * at which its allowance is full again.
 *
 *     fullAt' = max(now, fullAt) + cost * T          T = period / limit in ms, a double; now = Date.now()
 *     allow when fullAt' - now <= burst * T;         then fullAt = max(now, fullAt')
 *     retryAfter = fullAt' - now - burst * T, up to whole ms;  Infinity for a cost above burst
 *     ttl = ms until full, whole, at least 1
 *
 * A negative cost gives back, never beyond full: that is the last max(). */
#include "milliseconds.h"
#include "system_limiters.h"

struct allowance { double fullAt; };    /* ms since the epoch */
_Static_assert(sizeof(struct allowance) == 8, "no padding");

static double unit_ms(const struct policy *policy)
{
    return (double)period_ms(policy) / (double)policy->limit;
}

static double now_of(const struct policy *policy, int64_t now_ns)
{
    return (double)date_now(policy, now_ns);
}

static double full_after(const struct policy *policy, struct request request, const struct allowance *kept)
{
    return js_max(now_of(policy, request.now_ns), kept->fullAt) + (double)request.cost * unit_ms(policy);
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    ((struct allowance *)state)->fullAt = canonical(now_of(policy, now_ns));
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    if (request.cost <= 0)
        return verdict_allow();
    if (request.cost > policy->burst)
        return verdict_deny(NEVER_NS);
    double ahead = full_after(policy, request, state) - now_of(policy, request.now_ns);
    double early = ahead - (double)policy->burst * unit_ms(policy);
    return early > 0 ? verdict_deny(ceil_ms_ns(early)) : verdict_allow();
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct allowance *kept = state;

    if (allowed && request.cost != 0)
        kept->fullAt = canonical(js_max(now_of(policy, request.now_ns), full_after(policy, request, kept)));
}

static double until_full_ms(const struct policy *policy, int64_t now_ns, const struct allowance *kept)
{
    return js_max(0, kept->fullAt - now_of(policy, now_ns));
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    double ahead = until_full_ms(policy, now_ns, state);
    double left = ((double)policy->burst * unit_ms(policy) - ahead) / unit_ms(policy);

    return (struct quota){ floor_cost(js_max(0, left)), ceil_ms_ns(ahead) };
}

static int64_t ttl_ns(const struct policy *policy, int64_t now_ns, const void *state)
{
    return i64_max(MS, ceil_ms_ns(until_full_ms(policy, now_ns, state)));
}

static struct promise promise(const struct policy *policy) { return gcra.promise(policy); }

const struct limiter portable_gcra = {
    .name = "portable-gcra",
    .formula = "max(now, fullAt) + c*P/L - now <= B*P/L, in doubles and whole ms",
    .good_to_know = "exact only where the store's set() compares: on one that always writes, as Workers KV, "
                    "it is a race",
    .source = "documentation of @portable/rate-limit",
    .rule = &gcra,
    .state_bytes = sizeof(struct allowance),
    .refunds = true,
    .refuses = refuses_parts_of_a_ms,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
    .ttl_ns = ttl_ns,
};

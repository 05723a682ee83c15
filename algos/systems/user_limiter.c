/* user_limiter.c - the token bucket that an article gives to each user's Durable Object, computed as there.
 *
 *     refilled = min(CAPACITY, tokens + (now - updatedAt) * REFILL_PER_MS)         now = Date.now()
 *     refilled < cost:  not ok; tokens = refilled;  retryAfterMs = ceil((cost - refilled) / REFILL_PER_MS)
 *     else              ok;     tokens = refilled - cost
 *     updatedAt = now, either way
 *
 * CAPACITY = burst, REFILL_PER_MS = limit / period, which is 10 / 60000 there: no double holds it, so what
 * comes back in full minutes may be a little less than was spent.  Writing denied requests back rounds once
 * more each time.  Every comparison with a number that is none is false: one such cost makes tokens NaN, and
 * from then on everything passes. */
#include "milliseconds.h"
#include "system_limiters.h"

struct bucket {
    double tokens;
    double updatedAt;                   /* ms since the epoch */
};
_Static_assert(sizeof(struct bucket) == 16, "no padding");

static double refill_per_ms(const struct policy *policy)
{
    return (double)policy->limit / (double)period_ms(policy);
}

static double refilled_at(const struct policy *policy, const struct bucket *bucket, double now)
{
    return js_min((double)policy->burst,
                  bucket->tokens + (now - bucket->updatedAt) * refill_per_ms(policy));
}

static double now_of(const struct policy *policy, int64_t now_ns)
{
    return (double)date_now(policy, now_ns);
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct bucket *bucket = state;

    bucket->tokens = (double)policy->burst;
    bucket->updatedAt = canonical(now_of(policy, now_ns));
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    double cost = (double)request.cost;
    double refilled = refilled_at(policy, state, now_of(policy, request.now_ns));

    if (request.cost <= 0 || !(refilled < cost))
        return verdict_allow();
    return verdict_deny(ceil_ms_ns((cost - refilled) / refill_per_ms(policy)));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct bucket *bucket = state;
    double now = now_of(policy, request.now_ns), refilled = refilled_at(policy, bucket, now);

    if (request.cost == 0)
        return;
    bucket->tokens = canonical(allowed ? refilled - (double)request.cost : refilled);
    bucket->updatedAt = canonical(now);
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    double refilled = refilled_at(policy, state, now_of(policy, now_ns));

    if (refilled != refilled)
        return (struct quota){ COST_MAX, NEVER_NS };
    return (struct quota){
        .remaining = floor_cost(js_max(0, refilled)),
        .reset_after_ns = ceil_ms_ns(js_max(0, (double)policy->burst - refilled) / refill_per_ms(policy)),
    };
}

static struct promise promise(const struct policy *policy) { return token_bucket.promise(policy); }

const struct limiter user_limiter = {
    .name = "user-limiter",
    .formula = "min(B, tokens + (now - updatedAt)*L/P) >= c, in doubles and whole ms",
    .good_to_know = "10/60000 a ms is no double: it may deny what is due to the ms; a cost above B is told a "
                    "finite wait; one cost that is NaN lets everything pass for ever",
    .source = "article \"Durable Objects as rate limiters\", class UserLimiter",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct bucket),
    .refunds = true,
    .charges_denied = true,
    .refuses = refuses_parts_of_a_ms,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

/* tick_underflow.c - ticks since the first request, counted in unsigned numbers (sethvargo/go-limiter#43).
 *
 *     tick = (uint64) (t - start) / P;  a later tick than the last one fills the bucket
 *
 * A clock that goes back before start gives a tick of about 2^64 / P: the bucket is filled, and no tick will
 * ever be later.  The cure stays in its window: algos/limiters/fixed_window_anchored.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

struct bucket {
    int64_t  start_ns;
    uint64_t last_tick;
    int64_t  used;                      /* since that tick */
};
_Static_assert(sizeof(struct bucket) == 24, "no padding");

static struct bucket bucket_at(const struct policy *policy, const struct bucket *kept, int64_t t)
{
    uint64_t tick = ((uint64_t)t - (uint64_t)kept->start_ns) / (uint64_t)policy->period_ns;

    return tick > kept->last_tick ? (struct bucket){ kept->start_ns, tick, 0 } : *kept;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct bucket bucket = bucket_at(policy, state, request.now_ns);
    i128 end_ns = bucket.start_ns + ((i128)bucket.last_tick + 1) * policy->period_ns;

    return zoo_answer(request, policy->limit - bucket.used, policy->limit,
                      i64_clamp(end_ns - request.now_ns));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct bucket *kept = state;

    if (!allowed || request.cost == 0)
        return;
    *kept = bucket_at(policy, kept, request.now_ns);
    kept->used += request.cost;
}

ZOO_QUOTE(check)

const struct limiter zoo_tick_underflow = {
    .name = "zoo/tick-underflow",
    .formula = "used + c <= L since the last tick; tick = (t - start) / P in unsigned numbers",
    .good_to_know = "a clock that goes back behind the first request fills the bucket once, then never again",
    .source = "sethvargo/go-limiter before #43",
    .rule = &fixed_window_anchored,
    .state_bytes = sizeof(struct bucket),
    .fresh = zoo_fresh_now,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

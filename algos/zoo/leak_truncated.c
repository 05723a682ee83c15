/* leak_truncated.c - a bucket that earns whole tokens, and moves its time stamp on even when it earned none
 * (mailgun/gubernator#77).
 *
 *     tokens = min(B, tokens + floor((t - updated) / T)); updated = t        on every request
 *
 * A client that asks more often than every T never earns anything again.  The cure keeps the fraction:
 * algos/limiters/token_bucket.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

struct bucket { int64_t updated_ns, used; };
_Static_assert(sizeof(struct bucket) == 16, "no padding");

static int64_t used_at(const struct policy *policy, const struct bucket *bucket, int64_t t)
{
    i128 elapsed_ns = i128_max(0, (i128)t - bucket->updated_ns);
    i128 leaked = elapsed_ns * policy->limit / policy->period_ns;

    return i64_clamp(i128_max(0, bucket->used - leaked));
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    int64_t left = policy->burst - used_at(policy, state, request.now_ns);

    return zoo_answer(request, left, policy->burst, zoo_span_ns(policy, request.cost - left));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct bucket *bucket = state;

    if (request.cost == 0)
        return;
    bucket->used = used_at(policy, bucket, request.now_ns) + (allowed ? request.cost : 0);
    bucket->updated_ns = i64_max(bucket->updated_ns, request.now_ns);
}

ZOO_QUOTE(check)

const struct limiter zoo_leak_truncated = {
    .name = "zoo/leak-truncated",
    .formula = "min(B, tokens + floor((t - updated)/T)) >= c; updated = t on every request",
    .good_to_know = "who asks more often than tokens come never gets one again",
    .source = "mailgun/gubernator before #77",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct bucket),
    .charges_denied = true,
    .fresh = zoo_fresh_now,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

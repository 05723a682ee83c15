/* remainder_dropped.c - a bucket that is set to 0 when a request takes all of its whole tokens
 * (gubernator's leaky bucket).
 *
 *     leak = (t - updated) / T;  when that is 1 or more: tokens += leak, updated = t
 *     floor(tokens) == c: tokens = 0;   floor(tokens) > c: tokens -= c;   else denied
 *
 * So the fraction above is lost each time.  The cure takes c and leaves the rest:
 * algos/limiters/token_bucket.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

struct bucket {
    int64_t updated_ns;
    double  spent;                      /* burst - tokens */
};
_Static_assert(sizeof(struct bucket) == 16, "no padding");

static struct bucket bucket_at(const struct policy *policy, const struct bucket *kept, int64_t t)
{
    double interval_ns = (double)policy->period_ns / (double)policy->limit;
    double leak = ((double)t - (double)kept->updated_ns) / interval_ns;

    if (leak < 1)
        return *kept;
    return (struct bucket){ t, kept->spent > leak ? kept->spent - leak : 0 };
}

static int64_t whole_tokens(const struct policy *policy, const struct bucket *bucket)
{
    double tokens = (double)policy->burst - bucket->spent;

    return tokens > 0 ? (int64_t)tokens : 0;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct bucket bucket = bucket_at(policy, state, request.now_ns);
    int64_t left = whole_tokens(policy, &bucket);

    return zoo_answer(request, left, policy->burst, zoo_span_ns(policy, request.cost - left));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct bucket *kept = state;

    if (!allowed || request.cost == 0)
        return;
    *kept = bucket_at(policy, kept, request.now_ns);
    bool takes_all = whole_tokens(policy, kept) == request.cost;
    kept->spent = takes_all ? (double)policy->burst : kept->spent + (double)request.cost;
}

ZOO_QUOTE(check)

const struct limiter zoo_remainder_dropped = {
    .name = "zoo/remainder-dropped",
    .formula = "floor(tokens) >= c; then tokens = floor(tokens) == c ? 0 : tokens - c",
    .good_to_know = "whoever takes the last whole token also pays the fraction above it",
    .source = "mailgun/gubernator, leaky bucket",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct bucket),
    .fresh = zoo_fresh_now,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

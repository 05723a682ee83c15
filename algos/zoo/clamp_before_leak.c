/* clamp_before_leak.c - a bucket that is held to its size before what was earned is added, not after
 * (mailgun/gubernator before 18b969f).
 *
 *     tokens = min(B, tokens) + floor((t - updated) / T); updated = t
 *
 * Nothing bounds what a client saves up while it is away: idle for a period, it finds nearly twice its burst.
 * The cure adds first: algos/limiters/token_bucket.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

struct bucket { int64_t updated_ns, used; };                       /* used below 0: more than the burst */
_Static_assert(sizeof(struct bucket) == 16, "no padding");

static int64_t used_at(const struct policy *policy, const struct bucket *bucket, int64_t t)
{
    i128 elapsed_ns = i128_max(0, (i128)t - bucket->updated_ns);

    return i64_clamp(i64_max(0, bucket->used) - elapsed_ns * policy->limit / policy->period_ns);
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    int64_t left = i64_clamp((i128)policy->burst - used_at(policy, state, request.now_ns));
    int64_t lacking = i64_clamp((i128)request.cost - left);

    return zoo_answer(request, left, policy->burst, zoo_span_ns(policy, lacking));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct bucket *bucket = state;

    if (!allowed || request.cost == 0)
        return;
    bucket->used = i64_clamp((i128)used_at(policy, bucket, request.now_ns) + request.cost);
    bucket->updated_ns = i64_max(bucket->updated_ns, request.now_ns);
}

ZOO_QUOTE(check)

const struct limiter zoo_clamp_before_leak = {
    .name = "zoo/clamp-before-leak",
    .formula = "min(B, tokens) + floor((t - updated)/T) >= c",
    .good_to_know = "what is earned while idle has no bound",
    .source = "mailgun/gubernator before 18b969f",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct bucket),
    .fresh = zoo_fresh_now,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

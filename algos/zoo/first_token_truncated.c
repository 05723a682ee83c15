/* first_token_truncated.c - a bucket that asks how long it takes to fill, in whole ns cut off, and then how
 * much is earned in that time (golang/go#34861).
 *
 *     elapsed = min(t - last, ns((B - tokens) / r));  tokens += elapsed * r      in doubles
 *
 * At 10 per 13 s and a burst of 1 that is 1299999999 ns, which earn 0.9999999992 of a token: the first
 * request, and every later one, is denied.  The cure bounds the tokens and not the time:
 * algos/limiters/token_bucket.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

struct bucket {
    int64_t last_ns;
    double  tokens;
    int64_t seen;                       /* 0: no request passed yet, and last was long ago */
};
_Static_assert(sizeof(struct bucket) == 24, "no padding");

static double per_second(const struct policy *policy)
{
    return (double)policy->limit / ((double)policy->period_ns / 1e9);
}

static int64_t span_of(const struct policy *policy, double tokens)
{
    return zoo_ns(1e9 * (tokens / per_second(policy)));
}

static double tokens_at(const struct policy *policy, const struct bucket *bucket, int64_t t)
{
    int64_t most_ns = span_of(policy, (double)policy->burst - bucket->tokens);
    i128 elapsed_ns = bucket->seen ? i128_max(0, (i128)t - bucket->last_ns) : most_ns;
    double earned = (double)i64_clamp(i128_min(elapsed_ns, most_ns)) / 1e9 * per_second(policy);
    double tokens = bucket->tokens + earned, burst = (double)policy->burst;

    return tokens < burst ? tokens : burst;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    double left = tokens_at(policy, state, request.now_ns) - (double)request.cost;

    return zoo_answer(request, left < 0 ? 0 : request.cost, policy->burst, span_of(policy, -left));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct bucket *bucket = state;

    if (!allowed || request.cost == 0)
        return;
    bucket->tokens = tokens_at(policy, bucket, request.now_ns) - (double)request.cost;
    bucket->last_ns = bucket->seen ? i64_max(bucket->last_ns, request.now_ns) : request.now_ns;
    bucket->seen = 1;
}

ZOO_QUOTE(check)

const struct limiter zoo_first_token_truncated = {
    .name = "zoo/first-token-truncated",
    .formula = "tokens + r * min(t - last, ns((B - tokens)/r)) >= c, where ns() cuts off",
    .good_to_know = "for some rates a bucket of 1 is never quite full, and nothing ever passes",
    .source = "golang.org/x/time/rate before 6d3f0bb",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct bucket),
    .fresh = zoo_fresh_zero,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

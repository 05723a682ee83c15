/* upstash_token_bucket.c - the token bucket of @upstash/ratelimit: k tokens every I, now = Date.now().
 *
 *     n = floor((now - refilledAt) / I);  tokens = min(B, tokens + n * k);  refilledAt += n * I
 *     tokens == 0:  no success, nothing stored
 *     else          tokens -= c, stored;  success when tokens >= 0
 *     reset = refilledAt + I
 *
 * k = limit, I = period, B = burst, by the caller's clock.  Only an empty bucket refuses outright: a cost
 * that is too large leaves a debt, and whoever asks a bucket in debt adds to it. */
#include "milliseconds.h"
#include "system_limiters.h"

struct bucket {
    int64_t tokens;                     /* below 0: debt */
    int64_t refilledAt;                 /* ms since the epoch */
};
_Static_assert(sizeof(struct bucket) == 16, "no padding");

static struct bucket refilled(const struct policy *policy, int64_t now_ns, const struct bucket *kept)
{
    int64_t past = i64_max(0, date_now(policy, now_ns) - kept->refilledAt), n = past / period_ms(policy);
    struct bucket bucket = *kept;

    if (n > 0) {
        bucket.tokens = (int64_t)i128_min(policy->burst, kept->tokens + (i128)n * policy->limit);
        bucket.refilledAt += n * period_ms(policy);
    }
    return bucket;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct bucket *bucket = state;

    bucket->tokens = policy->burst;
    bucket->refilledAt = date_now(policy, now_ns);
}

static int64_t reset_after_ns(const struct policy *policy, int64_t now_ns, const struct bucket *bucket)
{
    return ms_ns((i128)bucket->refilledAt + period_ms(policy) - date_now(policy, now_ns));
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct bucket bucket = refilled(policy, request.now_ns, state);

    if (request.cost <= 0 || request.cost <= bucket.tokens)
        return verdict_allow();
    return verdict_deny(reset_after_ns(policy, request.now_ns, &bucket));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct bucket *kept = state, bucket = refilled(policy, request.now_ns, kept);

    if (request.cost == 0 || (!allowed && bucket.tokens == 0))
        return;
    bucket.tokens -= request.cost;
    *kept = bucket;
}

/* How many ticks until it is full, in ms. */
static i128 filling_ms(const struct policy *policy, int64_t tokens)
{
    return div_ceil(i128_max(0, (i128)policy->burst - tokens), policy->limit) * period_ms(policy);
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    struct bucket bucket = refilled(policy, now_ns, state);
    i128 full = bucket.refilledAt + filling_ms(policy, bucket.tokens) - date_now(policy, now_ns);

    return (struct quota){ i64_max(0, bucket.tokens), ms_ns(i128_max(0, full)) };
}

static int64_t ttl_ns(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct bucket *bucket = state;

    (void)now_ns;
    return ms_ns(filling_ms(policy, bucket->tokens));   /* 0: PEXPIRE is left out */
}

static struct promise promise(const struct policy *policy) { return batch_bucket.promise(policy); }

const struct limiter upstash_token_bucket = {
    .name = "upstash-token-bucket",
    .formula = "tokens += L every P, at most B; tokens != 0: tokens -= c, success when tokens >= 0",
    .good_to_know = "a cost above what is there is denied and charged: the debt may outlast many refills",
    .source = "@upstash/ratelimit 2.0.8 (5b5448a), tokenBucket",
    .rule = &batch_bucket,
    .state_bytes = sizeof(struct bucket),
    .refunds = true,
    .charges_denied = true,
    .refuses = refuses_parts_of_a_ms,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
    .ttl_ns = ttl_ns,
};

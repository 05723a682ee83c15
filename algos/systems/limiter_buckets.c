/* limiter_buckets.c - TokenBucket and RateLimiter of the package limiter.
 *
 *     drip:  content = min(B, content + max(0, now - lastDrip) * r);  lastDrip = now     r = limit / period
 *     TokenBucket:  c > B: false.  drip.  c > content: false.  content -= c
 *     RateLimiter:  c > B: false.  A new interval when now - start >= period (or now < start): used = 0.
 *                   used + c > limit: false.  Then as its TokenBucket, with B = limit;  used += c
 *
 * A TokenBucket starts empty; a RateLimiter fills its bucket when it is made.  Denied requests drip as well:
 * each rounds once more. */
#include "milliseconds.h"
#include "system_limiters.h"

struct bucket {
    double  content;
    int64_t lastDrip;                   /* ms */
};
_Static_assert(sizeof(struct bucket) == 16, "no padding");

struct limited {
    struct bucket bucket;
    int64_t start;                      /* of the interval, ms */
    int64_t used;                       /* in it */
};
_Static_assert(sizeof(struct limited) == 32, "no padding");

static double rate_per_ms(const struct policy *policy)
{
    return (double)policy->limit / (double)period_ms(policy);
}

static struct bucket dripped(const struct policy *policy, const struct bucket *bucket, int64_t size,
                             int64_t now)
{
    double more = (double)i64_max(0, now - bucket->lastDrip) * rate_per_ms(policy);

    return (struct bucket){ canonical(js_min(bucket->content + more, (double)size)), now };
}

static void open_at(const struct policy *policy, int64_t now_ns, struct bucket *bucket, int64_t content)
{
    bucket->content = (double)content;
    bucket->lastDrip = date_now(policy, now_ns);
}

/* What the package's removeTokens() would wait. */
static int64_t drip_wait_ns(const struct policy *policy, double content, int64_t cost)
{
    double ms_a_token = (double)period_ms(policy) / (double)policy->limit;

    return ceil_ms_ns(((double)cost - content) * ms_a_token);
}

static struct verdict check_bucket(const struct policy *policy, struct request request,
                                   const struct bucket *kept, int64_t size)
{
    struct bucket bucket = dripped(policy, kept, size, date_now(policy, request.now_ns));

    if (request.cost <= 0)
        return verdict_allow();
    if (request.cost > size)
        return verdict_deny(NEVER_NS);
    return (double)request.cost > bucket.content
         ? verdict_deny(drip_wait_ns(policy, bucket.content, request.cost)) : verdict_allow();
}

static void charge_bucket(const struct policy *policy, struct request request, bool allowed,
                          struct bucket *bucket, int64_t size)
{
    if (request.cost == 0 || (!allowed && request.cost > size))
        return;
    *bucket = dripped(policy, bucket, size, date_now(policy, request.now_ns));
    if (allowed)
        bucket->content = canonical(bucket->content - (double)request.cost);
}

static struct quota quote_bucket(const struct policy *policy, int64_t now_ns, const struct bucket *kept,
                                 int64_t size)
{
    double content = dripped(policy, kept, size, date_now(policy, now_ns)).content;

    return (struct quota){ floor_cost(js_max(0, content)), drip_wait_ns(policy, content, size) };
}

static struct promise promise(const struct policy *policy) { return token_bucket.promise(policy); }

/* ---- TokenBucket --------------------------------------------------------------------------------------- */

static void bucket_fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    open_at(policy, now_ns, state, 0);
}

static struct verdict bucket_check(const struct policy *policy, struct request request, const void *state)
{
    return check_bucket(policy, request, state, policy->burst);
}

static void bucket_charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    charge_bucket(policy, request, allowed, state, policy->burst);
}

static struct quota bucket_quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    return quote_bucket(policy, now_ns, state, policy->burst);
}

const struct limiter limiter_token_bucket = {
    .name = "limiter-token-bucket",
    .formula = "min(B, content + (now - lastDrip)*L/P) >= c, content 0 at first, in doubles and whole ms",
    .good_to_know = "it starts empty: the first request of every key is denied",
    .source = "limiter 3.0.0 (4aa1b5a), TokenBucket",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct bucket),
    .charges_denied = true,
    .refuses = refuses_parts_of_a_ms,
    .fresh = bucket_fresh,
    .check = bucket_check,
    .charge = bucket_charge,
    .quote = bucket_quote,
    .promise = promise,
};

/* ---- RateLimiter --------------------------------------------------------------------------------------- */

static bool interval_is_over(const struct policy *policy, const struct limited *limited, int64_t now)
{
    return now < limited->start || now - limited->start >= period_ms(policy);
}

static int64_t used_at(const struct policy *policy, const struct limited *limited, int64_t now)
{
    return interval_is_over(policy, limited, now) ? 0 : limited->used;
}

static void limited_fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct limited *limited = state;

    open_at(policy, now_ns, &limited->bucket, policy->limit);
    limited->start = limited->bucket.lastDrip;
}

static struct verdict limited_check(const struct policy *policy, struct request request, const void *state)
{
    const struct limited *limited = state;
    int64_t now = date_now(policy, request.now_ns);

    if (request.cost <= 0)
        return verdict_allow();
    if (request.cost > policy->limit)
        return verdict_deny(NEVER_NS);
    if (request.cost > policy->limit - used_at(policy, limited, now))
        return verdict_deny(ms_ns((i128)limited->start + period_ms(policy) - now));
    return check_bucket(policy, request, &limited->bucket, policy->limit);
}

/* The bucket drips only for those whom the interval lets through. */
static void limited_charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct limited *limited = state;
    int64_t now = date_now(policy, request.now_ns);

    if (request.cost == 0 || (!allowed && request.cost > policy->limit))
        return;
    if (interval_is_over(policy, limited, now)) {
        limited->start = now;
        limited->used = 0;
    }
    if (!allowed && request.cost > policy->limit - limited->used)
        return;
    charge_bucket(policy, request, allowed, &limited->bucket, policy->limit);
    limited->used += allowed ? request.cost : 0;
}

static struct quota limited_quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct limited *limited = state;
    int64_t now = date_now(policy, now_ns), used = used_at(policy, limited, now);
    struct quota quota = quote_bucket(policy, now_ns, &limited->bucket, policy->limit);
    int64_t rest_ns = used ? ms_ns((i128)limited->start + period_ms(policy) - now) : 0;

    quota.remaining = i64_max(0, i64_min(quota.remaining, policy->limit - used));
    quota.reset_after_ns = i64_max(quota.reset_after_ns, rest_ns);
    return quota;
}

const struct limiter limiter_rate_limiter = {
    .name = "limiter-rate-limiter",
    .formula = "a token bucket of L, and used + c <= L in [start, start + P)",
    .good_to_know = "two rules at once: what the bucket has earned may still have to wait for the "
                    "interval",
    .source = "limiter 3.0.0 (4aa1b5a), RateLimiter",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct limited),
    .charges_denied = true,
    .refuses = refuses_a_burst,
    .fresh = limited_fresh,
    .check = limited_check,
    .charge = limited_charge,
    .quote = limited_quote,
    .promise = promise,
};

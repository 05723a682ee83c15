/* ttl_in_periods.c - a bucket that is kept for twice its time to full, counted in periods and handed over as
 * seconds (cristipufu/aspnetcore-redis-rate-limiting#46).
 *
 * Three tokens, one in 15 s: three periods to full, so the key is kept for 6 s where it takes 45.  A missing
 * key is full.  The cure keeps it: algos/limiters/token_bucket.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

struct kept {
    int64_t bucket[3];                  /* the state of a token bucket */
    int64_t expires_ns;
};
_Static_assert(sizeof(struct kept) == 32, "no padding");

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct kept *kept = state;

    token_bucket.fresh(policy, now_ns, kept->bucket);
    kept->expires_ns = INT64_MAX;
}

static struct kept kept_at(const struct policy *policy, const struct kept *kept, int64_t now_ns)
{
    struct kept anew = { .expires_ns = INT64_MAX };

    if (now_ns < kept->expires_ns)
        return *kept;
    fresh(policy, now_ns, &anew);
    return anew;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct kept kept = kept_at(policy, state, request.now_ns);

    return token_bucket.check(policy, request, kept.bucket);
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct kept *kept = state;
    i128 fill_periods = 2 * ((i128)policy->burst / policy->limit);

    if (!allowed || request.cost == 0)
        return;
    *kept = kept_at(policy, kept, request.now_ns);
    token_bucket.charge(policy, request, allowed, kept->bucket);
    kept->expires_ns = i64_clamp(request.now_ns + fill_periods * ZOO_SECOND);
}

ZOO_QUOTE(check)

const struct limiter zoo_ttl_in_periods = {
    .name = "zoo/ttl-in-periods",
    .formula = "token-bucket, forgotten 2*B/L seconds after each charge, for 2*B/L periods",
    .good_to_know = "where a period is longer than a second, a drained bucket is soon full again",
    .source = "cristipufu/aspnetcore-redis-rate-limiting#46",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct kept),
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

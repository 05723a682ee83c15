/* ttl_in_periods.c - a bucket that the store keeps for twice its time to full, counted in periods and handed
 * over as seconds (cristipufu/aspnetcore-redis-rate-limiting#46).
 *
 * Three tokens, one in 15 s: three periods to full, so the key is kept for 6 s where it takes 45.  A missing
 * key is full.  The cure keeps it: algos/limiters/token_bucket.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static struct policy as_it_is(const struct policy *policy)
{
    return *policy;
}

ZOO_UNDER(token_bucket, as_it_is)

static int64_t ttl_ns(const struct policy *policy, int64_t now_ns, const void *state)
{
    i128 fill_periods = policy->burst / policy->limit;

    (void)now_ns, (void)state;
    return i64_clamp(2 * fill_periods * ZOO_SECOND);
}

const struct limiter zoo_ttl_in_periods = {
    .name = "zoo/ttl-in-periods",
    .formula = "token-bucket, kept for 2*B/L seconds after each charge, for 2*B/L periods",
    .good_to_know = "where a period is longer than a second, a drained bucket is soon full again",
    .source = "cristipufu/aspnetcore-redis-rate-limiting#46",
    .rule = &token_bucket,
    .ttl_ns = ttl_ns,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

/* kept_one_interval.c - a bucket whose key is kept for one interval after each request, where it takes many
 * to fill (upstash/ratelimit-js pull request 50).
 *
 * Ten tokens and one more every ten seconds: the drained bucket is gone after ten, and a missing key is full.
 * The cure keeps it until it is full: algos/limiters/interval_bucket.c. */
#include "borrow.h"
#include "zoo.h"

BORROW_FRESH(interval_bucket)
BORROW_CHECK(interval_bucket)
BORROW_CHARGE(interval_bucket)
BORROW_QUOTE(interval_bucket)

static int64_t ttl_ns(const struct policy *policy, int64_t now_ns, const void *state)
{
    (void)now_ns, (void)state;
    return policy->period_ns;
}

const struct limiter zoo_kept_one_interval = {
    .name = "zoo/kept-one-interval",
    .formula = "interval-bucket, whose key is kept for P after each charge, for as long as it takes to fill",
    .good_to_know = "who pauses for one interval has a full bucket again",
    .source = "upstash/ratelimit-js before pull request 50",
    .rule = &interval_bucket,
    .state_bytes = BORROWED_BYTES,
    .ttl_ns = ttl_ns,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote,
    ZOO_SHARED,
};

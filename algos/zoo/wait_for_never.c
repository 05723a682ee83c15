/* wait_for_never.c - two buckets that cannot tell "not yet" from "never".
 *
 * One divides what is missing by the rate without asking whether the bucket can ever hold that much: its
 * client waits, and is denied, for ever.  The other one asks, and compares with < where <= is meant: who
 * wants exactly the whole bucket is told never to come back. */
#include "borrow.h"

BORROW_FRESH(token_bucket)
BORROW_CHARGE(token_bucket)
BORROW_QUOTE(token_bucket)
BORROW_PROMISE(token_bucket)

static struct verdict check_without_capacity(const struct policy *policy, struct request request,
                                             const void *state)
{
    struct verdict verdict = token_bucket.check(policy, request, state);
    int64_t tokens = quote(policy, request.now_ns, state).remaining;

    if (!verdict.allowed && verdict.retry_after_ns == NEVER_NS)
        verdict.retry_after_ns = i64_clamp(earning_ns(policy, cost_credits(policy, request.cost - tokens)));
    return verdict;
}

static struct verdict check_below_capacity(const struct policy *policy, struct request request,
                                           const void *state)
{
    struct verdict verdict = token_bucket.check(policy, request, state);

    if (!verdict.allowed && request.cost == policy->burst)
        verdict.retry_after_ns = NEVER_NS;
    return verdict;
}

const struct limiter zoo_wait_for_never = {
    .name = "zoo/wait-for-never",
    .formula = "tokens >= c; else wait (c - tokens) / r, for c > B too",
    .good_to_know = "a cost above the capacity gets a wait that never comes true",
    .source = "bucket4j/bucket4j issue 220",
    .rule = &token_bucket,
    .state_bytes = BORROWED_BYTES,
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check_without_capacity, .charge = charge, .quote = quote, .promise = promise,
};

const struct limiter zoo_whole_burst_never = {
    .name = "zoo/whole-burst-never",
    .formula = "tokens >= c; else wait (c - tokens) / r when c < B, never when c >= B",
    .good_to_know = "a cost of exactly the capacity is told that no wait will do",
    .source = "redis/redis pull request 14826, its review",
    .rule = &token_bucket,
    .state_bytes = BORROWED_BYTES,
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check_below_capacity, .charge = charge, .quote = quote, .promise = promise,
};

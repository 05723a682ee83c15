/* debt_stored.c - a bucket that refuses a request only when it is empty, and takes the cost of any other
 * before it looks whether that was too much.
 *
 * Two tokens are left, five are asked for: the caller is denied, and the bucket is at -3.  Somebody who asks
 * for a million once locks the key for months. */
#include "borrow.h"

BORROW_FRESH(token_bucket)
BORROW_CHECK(token_bucket)
BORROW_QUOTE(token_bucket)
BORROW_PROMISE(token_bucket)

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    bool empty = quote(policy, request.now_ns, state).remaining == 0;

    token_bucket.charge(policy, request, allowed || !empty, state);
}

const struct limiter zoo_debt_stored = {
    .name = "zoo/debt-stored",
    .formula = "deny when tokens == 0; else tokens -= c, and deny when that is below zero",
    .good_to_know = "a request that is denied for its cost leaves the bucket in debt",
    .source = "upstash/ratelimit-js pull request 156",
    .rule = &token_bucket,
    .state_bytes = BORROWED_BYTES,
    .refunds = true,
    .charges_denied = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote, .promise = promise,
};

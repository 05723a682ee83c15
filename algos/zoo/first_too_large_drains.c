/* first_too_large_drains.c - a bucket that is made empty when a key's first request asks for more than it
 * holds.
 *
 * The way for keys that are new stores "nothing left" along with the denial; the way for known keys stores
 * nothing. */
#include "borrow.h"

BORROW_FRESH(token_bucket)
BORROW_CHECK(token_bucket)
BORROW_QUOTE(token_bucket)
BORROW_PROMISE(token_bucket)

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    bool is_new = quote(policy, request.now_ns, state).reset_after_ns == 0;

    if (!allowed && is_new)
        request.cost = policy->burst;
    token_bucket.charge(policy, request, allowed || is_new, state);
}

const struct limiter zoo_first_too_large_drains = {
    .name = "zoo/first-too-large-drains",
    .formula = "a new key: tokens = max(0, B - c), denied or not; else tokens >= c, then tokens -= c",
    .good_to_know = "one request above the burst costs a key its whole burst",
    .source = "mailgun/gubernator, the leaky bucket's new item",
    .rule = &token_bucket,
    .state_bytes = BORROWED_BYTES,
    .refunds = true,
    .charges_denied = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote, .promise = promise,
};

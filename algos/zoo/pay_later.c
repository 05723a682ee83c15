/* pay_later.c - a bucket that lets any cost pass as long as it is not in debt, and makes those who come next
 * pay for it.
 *
 *     allow when tokens(t) >= 0;           then tokens -= c, however far below zero
 *
 * It is meant so: the rate is kept in the long run.  Whoever relies on the burst as a bound finds that one
 * request may take what is worth a quarter of an hour. */
#include "borrow.h"

BORROW_FRESH(token_bucket)
BORROW_CHARGE(token_bucket)
BORROW_QUOTE(token_bucket)
BORROW_PROMISE(token_bucket)

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    int64_t full_ns = quote(policy, request.now_ns, state).reset_after_ns;
    i128 debt_ns = full_ns - earning_ns(policy, policy->burst_credits);

    return request.cost <= 0 || debt_ns <= 0 ? verdict_allow() : verdict_deny(i64_clamp(debt_ns));
}

const struct limiter zoo_pay_later = {
    .name = "zoo/pay-later",
    .formula = "tokens >= 0; then tokens -= c, below zero too",
    .good_to_know = "any cost passes at once; the wait is for those who come after it",
    .source = "google/guava, RateLimiter",
    .rule = &token_bucket,
    .state_bytes = BORROWED_BYTES,
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote, .promise = promise,
};

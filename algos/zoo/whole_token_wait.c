/* whole_token_wait.c - a bucket that tells a denied caller to wait as long as whole tokens take, as if the
 * next one had not begun to come.
 *
 * Asked 200 ms after the last token went, at one a second, it says 1 s where 800 ms are left. */
#include "borrow.h"

BORROW_FRESH(token_bucket)
BORROW_CHARGE(token_bucket)
BORROW_QUOTE(token_bucket)
BORROW_PROMISE(token_bucket)

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct verdict verdict = token_bucket.check(policy, request, state);
    int64_t tokens = quote(policy, request.now_ns, state).remaining;

    if (!verdict.allowed && verdict.retry_after_ns != NEVER_NS)
        verdict.retry_after_ns = i64_clamp(earning_ns(policy, cost_credits(policy, request.cost - tokens)));
    return verdict;
}

const struct limiter zoo_whole_token_wait = {
    .name = "zoo/whole-token-wait",
    .formula = "tokens >= c; else wait (c - floor(tokens)) / r",
    .good_to_know = "the part of a token that is there already is waited for again",
    .source = "bucket4j/bucket4j issue 88",
    .rule = &token_bucket,
    .state_bytes = BORROWED_BYTES,
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote, .promise = promise,
};

/* sliding_counts_denied.c - a sliding window that increments first, looks then, and does not take back what
 * it denied.
 *
 * What was denied stays in the window, for its whole cost, and weighs on the next one: whoever keeps asking
 * is never admitted again. */
#include "borrow.h"

BORROW_FRESH(sliding_window_counter)
BORROW_CHECK(sliding_window_counter)
BORROW_QUOTE(sliding_window_counter)
BORROW_PROMISE(sliding_window_counter)

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    (void)allowed;
    sliding_window_counter.charge(policy, request, true, state);
}

const struct limiter zoo_sliding_counts_denied = {
    .name = "zoo/sliding-counts-denied",
    .formula = "current += c; allow when previous*overlap + current <= L; what is denied stays counted",
    .good_to_know = "a client that retries keeps itself out for ever",
    .source = "upstash/ratelimit-js, the sliding window's script; modelence pull request 367",
    .rule = &sliding_window_counter,
    .state_bytes = BORROWED_BYTES,
    .refunds = true,
    .charges_denied = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote, .promise = promise,
};

/* late_counts_unstored.c - a window's count in a store that takes no end less than 60 s ahead
 * (rhinobase/hono-rate-limiter#23, #44).
 *
 * The first request's count is written with an end of 60 s.  Whatever comes later in that window asks for
 * less, and the write fails: nobody is counted any more.  The cure counts all:
 * algos/limiters/fixed_window_anchored.c. */
#include "borrow.h"
#include "zoo.h"

BORROW_FRESH(fixed_window_anchored)
BORROW_CHECK(fixed_window_anchored)
BORROW_QUOTE(fixed_window_anchored)

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    int64_t left_ns = quote(policy, request.now_ns, state).reset_after_ns;
    bool opens = left_ns == 0;

    if ((opens ? policy->period_ns : left_ns) >= 60 * ZOO_SECOND)
        fixed_window_anchored.charge(policy, request, allowed, state);
}

const struct limiter zoo_late_counts_unstored = {
    .name = "zoo/late-counts-unstored",
    .formula = "fixed-window-anchored, but nothing is counted within 60 s of the window's end",
    .good_to_know = "in a window of a minute only the first request counts",
    .source = "rhinobase/hono-rate-limiter#23, #44; the least expiration of Workers KV",
    .rule = &fixed_window_anchored,
    .state_bytes = BORROWED_BYTES,
    .charges_denied = true,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote,
    ZOO_SHARED,
};

/* forgets_previous.c - a sliding window that reports what is left of the present window alone.
 *
 * Its own check is right.  Whoever admits on its own from what it reports gets a whole limit at the start of
 * each window, on top of the window before. */
#include "borrow.h"

/* The state of sliding-window-counter. */
struct windows { int64_t start_ns, t0, previous, current; };
_Static_assert(sizeof(struct windows) == BORROWED_BYTES, "no padding");

BORROW_FRESH(sliding_window_counter)
BORROW_CHECK(sliding_window_counter)
BORROW_CHARGE(sliding_window_counter)
BORROW_PROMISE(sliding_window_counter)

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct windows *windows = state;
    int64_t current = now_ns < windows->start_ns + policy->period_ns ? windows->current : 0;

    return (struct quota){ i64_max(0, policy->limit - current),
                           sliding_window_counter.quote(policy, now_ns, state).reset_after_ns };
}

const struct limiter zoo_forgets_previous = {
    .name = "zoo/forgets-previous",
    .formula = "previous*overlap + current + c <= L; remaining = L - current",
    .good_to_know = "remaining leaves the previous window out",
    .source = "apache/apisix pull request 13704",
    .rule = &sliding_window_counter,
    .state_bytes = BORROWED_BYTES,
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote, .promise = promise,
};

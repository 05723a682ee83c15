/* newest_frees_the_slot.c - a sliding log that tells a denied caller to wait until the newest entry leaves.
 *
 * It is the oldest one that makes room. */
#include "borrow.h"

enum { LOG_ENTRY_BYTES = 16 };

BORROW_FRESH(sliding_window_log)
BORROW_CHARGE(sliding_window_log)
BORROW_QUOTE(sliding_window_log)
BORROW_PROMISE(sliding_window_log)

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct verdict verdict = sliding_window_log.check(policy, request, state);

    if (!verdict.allowed && verdict.retry_after_ns != NEVER_NS)
        verdict.retry_after_ns = quote(policy, request.now_ns, state).reset_after_ns;
    return verdict;
}

const struct limiter zoo_newest_frees_the_slot = {
    .name = "zoo/newest-frees-the-slot",
    .formula = "sum of costs admitted in (t - P, t] + c <= L; else wait until the newest is P old",
    .good_to_know = "the wait is that for an empty log, not for room",
    .source = "alisaifee/limits issue 200",
    .rule = &sliding_window_log,
    .state_bytes = BORROWED_BYTES,
    .entry_bytes = LOG_ENTRY_BYTES,
    .refuses = refuses_none,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote, .promise = promise,
};

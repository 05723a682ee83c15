/* end_cut_to_ms.c - a theoretical arrival time in microseconds, under a key whose end is cut to milliseconds
 * (redis/redis pull request 15093).
 *
 * At a million a second a request is remembered for a microsecond: that is 0 ms, and the key is gone at once.
 * The cure rounds up, or keeps it: algos/limiters/gcra.c. */
#include "borrow.h"
#include "zoo.h"

BORROW_FRESH(gcra)
BORROW_CHECK(gcra)
BORROW_CHARGE(gcra)
BORROW_QUOTE(gcra)

static int64_t ttl_ns(const struct policy *policy, int64_t now_ns, const void *state)
{
    int64_t left_ns = gcra.quote(policy, now_ns, state).reset_after_ns;

    return i64_max(1, left_ns / ZOO_MS * ZOO_MS);
}

const struct limiter zoo_end_cut_to_ms = {
    .name = "zoo/end-cut-to-ms",
    .formula = "gcra, whose key is kept for floor(TAT - t) in ms",
    .good_to_know = "the last part of a millisecond is free, and above 1000 a second everything is",
    .source = "redis/redis pull request 15093",
    .rule = &gcra,
    .state_bytes = BORROWED_BYTES,
    .ttl_ns = ttl_ns,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote,
    ZOO_SHARED,
};

/* zero_interval.c - an interval between requests in whole milliseconds (hechaoli/simple-rate-limiters#1).
 *
 *     allow when t >= next;  then next = t + floor(1000 ms * P / L)
 *
 * At 2000 a second that is 1000 / 2000 = 0: no limit at all.  The cure keeps half a millisecond:
 * algos/limiters/gcra.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    int64_t next_ns = *(const int64_t *)state;

    (void)policy;
    if (request.cost <= 0 || request.now_ns >= next_ns)
        return verdict_allow();
    return verdict_deny(i64_clamp((i128)next_ns - request.now_ns));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    i128 interval_ns = zoo_interval_ns(policy) / ZOO_MS * ZOO_MS;

    if (allowed && request.cost != 0)
        *(int64_t *)state = i64_clamp(request.now_ns + interval_ns * request.cost);
}

ZOO_QUOTE(check)

const struct limiter zoo_zero_interval = {
    .name = "zoo/zero-interval",
    .formula = "t >= next; then next = t + floor(P/L) in ms",
    .good_to_know = "above 1000 a second there is no limit",
    .source = "hechaoli/simple-rate-limiters#1",
    .rule = &gcra,
    .state_bytes = sizeof(int64_t),
    .fresh = zoo_fresh_now,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

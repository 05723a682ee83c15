/* timer_32_bits.c - a window that a timer ends, and the timer takes at most 2^31 - 1 ms
 * (express-rate-limit#546, animir/node-rate-limiter-flexible#231).
 *
 * A longer span goes off after 1 ms: a window of a year ends at once, and so does a block.  The cure compares
 * instants: algos/limiters/fixed_window_anchored.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static struct policy as_the_timer_has_it(const struct policy *policy)
{
    int64_t span_ns = policy->period_ns / ZOO_MS > INT32_MAX ? ZOO_MS : policy->period_ns;

    return zoo_policy(policy, policy->limit, span_ns, policy->burst);
}

ZOO_UNDER(fixed_window_anchored, as_the_timer_has_it)

const struct limiter zoo_timer_32_bits = {
    .name = "zoo/timer-32-bits",
    .formula = "used + c <= L until a timer of P goes off; one of more than 2^31 - 1 ms does so after 1 ms",
    .good_to_know = "a window of 25 days or more lasts a millisecond",
    .source = "express-rate-limit#546, animir/node-rate-limiter-flexible#231; setTimeout in Node.js",
    .rule = &fixed_window_anchored,
    .charges_denied = true,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

/* period_from_construction.c - a bucket whose first period runs from when it was made, not from when it was
 * first used (status-im/nim-chronos PR 582).
 *
 * Made at instant 0 and first used 100 ms before its period ends, it gives its limit twice within those
 * 100 ms.  The cure starts the period with the first use: algos/limiters/fixed_window_anchored.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static struct policy since_instant_0(const struct policy *policy)
{
    struct policy made = *policy;

    made.epoch_ns = made.phase_ns = 0;
    return made;
}

ZOO_UNDER(fixed_window, since_instant_0)

const struct limiter zoo_period_from_construction = {
    .name = "zoo/period-from-construction",
    .formula = "used + c <= L in [k*P, (k+1)*P) since the limiter was made",
    .good_to_know = "the first period may end right after the first request",
    .source = "status-im/nim-chronos before PR 582",
    .rule = &fixed_window_anchored,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

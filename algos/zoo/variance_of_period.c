/* variance_of_period.c - a schedule that may run ahead by burst periods, where it should by burst intervals
 * (inngest PR 3356, 3383, 3412).
 *
 *     TAT' - t <= P * B      for      P / L * B
 *
 * A burst of 1 lets the whole limit through at once.  The cure: algos/limiters/gcra.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static struct policy ahead_by_periods(const struct policy *policy)
{
    i128 burst = (i128)policy->burst * policy->limit;

    return zoo_policy(policy, policy->limit, policy->period_ns, i64_clamp(burst));
}

ZOO_UNDER(gcra, ahead_by_periods)

const struct limiter zoo_variance_of_period = {
    .name = "zoo/variance-of-period",
    .formula = "TAT' - t <= P*B, for P/L*B",
    .good_to_know = "a burst of 1 lets the whole limit through at once",
    .source = "inngest/inngest before PR 3412",
    .rule = &gcra,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

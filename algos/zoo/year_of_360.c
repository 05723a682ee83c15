/* year_of_360.c - aligned windows of a year that has 360 days: twelve months of 30 (Kong#2021).
 *
 * Who has used the year up starts anew five days before it is over.  The cure has 365:
 * algos/limiters/fixed_window.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static struct policy short_year(const struct policy *policy)
{
    bool is_year = policy->period_ns == 365 * ZOO_DAY;

    return zoo_policy(policy, policy->limit, is_year ? 360 * ZOO_DAY : policy->period_ns, policy->burst);
}

ZOO_UNDER(fixed_window, short_year)

const struct limiter zoo_year_of_360 = {
    .name = "zoo/year-of-360",
    .formula = "used + c <= L, in aligned windows of 360 days for 365",
    .good_to_know = "a yearly limit starts anew five days early",
    .source = "Kong#2021",
    .rule = &fixed_window,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

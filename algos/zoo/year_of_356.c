/* year_of_356.c - aligned windows of a year that has 356 days: its digits changed places
 * (envoyproxy/ratelimit PR 775).
 *
 * Who has used the year up starts anew nine days before it is over.  The cure has 365:
 * algos/limiters/fixed_window.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static struct policy short_year(const struct policy *policy)
{
    bool is_year = policy->period_ns == 365 * ZOO_DAY;

    return zoo_policy(policy, policy->limit, is_year ? 356 * ZOO_DAY : policy->period_ns, policy->burst);
}

ZOO_UNDER(fixed_window, short_year)

const struct limiter zoo_year_of_356 = {
    .name = "zoo/year-of-356",
    .formula = "used + c <= L, in aligned windows of 356 days for 365",
    .good_to_know = "a yearly limit starts anew nine days early",
    .source = "envoyproxy/ratelimit before PR 775",
    .rule = &fixed_window,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

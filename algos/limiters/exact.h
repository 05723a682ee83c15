/* exact.h - the few computations that several limiters share.
 *
 * Buckets count in credits (limiter.h): one ns earns policy->credits_per_ns of them, one unit of cost takes
 * policy->credits_per_unit, and both are whole numbers, so nothing is ever rounded before the answer. */
#ifndef LIMITLAB_EXACT_H
#define LIMITLAB_EXACT_H
#include "../../engine/limiter.h"

/* For limiter.refuses: exact for every policy that policy_init() accepts. */
static inline const char *refuses_none(const struct policy *policy)
{
    (void)policy;
    return NULL;
}

/* The wait from now_ns until then_ns; one that no int64_t can say is NEVER_NS. */
static inline int64_t wait_until(int64_t now_ns, i128 then_ns)
{
    return i64_clamp(then_ns - now_ns);
}

/* n / d rounded down, n >= 0 and d > 0: in one machine division where n is small, as it nearly always is. */
static inline i128 quotient(i128 n, int64_t d)
{
    return n <= INT64_MAX ? (int64_t)n / d : n / d;
}

/* How many ns it takes to earn `credits` (>= 0), rounded up.  Most limits divide their period: one
 * credit a ns. */
static inline i128 earning_ns(const struct policy *policy, i128 credits)
{
    if (policy->credits_per_ns == 1)
        return credits;
    return quotient(credits + policy->credits_per_ns - 1, policy->credits_per_ns);
}

/* What is earned from one instant to another that is not before it: a span always fits a uint64_t. */
static inline i128 earned_credits(const struct policy *policy, int64_t from_ns, int64_t to_ns)
{
    uint64_t span_ns = (uint64_t)to_ns - (uint64_t)from_ns;

    return (i128)((u128)span_ns * (uint64_t)policy->credits_per_ns);
}

/* An instant counted in credits since instant 0. */
static inline i128 instant_credits(const struct policy *policy, int64_t instant_ns)
{
    return (i128)instant_ns * policy->credits_per_ns;
}

static inline i128 cost_credits(const struct policy *policy, int64_t cost)
{
    return (i128)cost * policy->credits_per_unit;
}

/* Where the aligned window that holds an instant begins: a multiple of the period since the Unix epoch. */
static inline int64_t window_start_ns(const struct policy *policy, int64_t instant_ns)
{
    int64_t into = (instant_ns + policy->phase_ns) % policy->period_ns;

    return instant_ns - (into < 0 ? into + policy->period_ns : into);
}
#endif

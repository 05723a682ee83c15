/* milliseconds.h - what models of real code share whose clock is in whole milliseconds, and whose numbers are
 * doubles as in JavaScript and Lua.
 *
 * Such a model computes in doubles where the real thing does, on purpose: its rounding is part of what it
 * models.  States must be equal where numbers are, so what is stored is made canonical: no -0, one NaN. */
#ifndef LIMITLAB_MILLISECONDS_H
#define LIMITLAB_MILLISECONDS_H
#include <string.h>
#include "../limiters/exact.h"

enum { MS = 1000000 };                  /* in ns */

/* Date.now(): whole milliseconds since the Unix epoch, rounded down. */
static inline int64_t date_now(const struct policy *policy, int64_t now_ns)
{
    return (int64_t)div_floor((i128)policy->epoch_ns + now_ns, MS);
}

/* The period in ms; only where refuses_parts_of_a_ms() accepted it. */
static inline int64_t period_ms(const struct policy *policy) { return policy->period_ns / MS; }

/* For limiter.refuses. */
static inline const char *refuses_parts_of_a_ms(const struct policy *policy)
{
    return policy->period_ns % MS ? "its clock has whole milliseconds; expected a period of such" : NULL;
}

/* The same, for what has one number where a policy has two. */
static inline const char *refuses_a_burst(const struct policy *policy)
{
    return policy->burst == policy->limit ? refuses_parts_of_a_ms(policy)
                                          : "it has one number for both; expected a burst that is the limit";
}

/* A span of whole ms, in ns. */
static inline int64_t ms_ns(i128 ms) { return i64_clamp(ms * MS); }

/* x (0 or more) rounded up to whole ms, in ns; what no int64_t can say is NEVER_NS. */
static inline int64_t ceil_ms_ns(double ms)
{
    if (!(ms < 9.0e12))
        return NEVER_NS;
    int64_t whole = (int64_t)ms;
    return ms_ns(whole + ((double)whole < ms));
}

/* x (0 or more) rounded down to a cost; more than any cost may be is COST_MAX. */
static inline int64_t floor_cost(double x)
{
    return x < (double)COST_MAX ? (int64_t)x : COST_MAX;
}

/* Math.min() and Math.max(): not a number when either is not. */
static inline double js_min(double a, double b) { return a != a || a < b ? a : b; }
static inline double js_max(double a, double b) { return a != a || a > b ? a : b; }

/* As it is stored. */
static inline double canonical(double x)
{
    static const uint64_t not_a_number = UINT64_C(0x7ff8000000000000);

    if (x != x)
        memcpy(&x, &not_a_number, sizeof x);
    return x == 0 ? 0 : x;
}
#endif

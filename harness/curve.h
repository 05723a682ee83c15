/* curve.h - the smallest burst that explains a key's admissions at a given rate, and an exact policer for
 * a curve.
 *
 *     X <- max(0, X - rate * dt) + cost          effective burst = the largest X
 *
 * All in the policy's credits (limiter.h): one unit of cost is credits_per_unit, one nanosecond earns
 * credits_per_ns. So nothing is rounded, and X stays below TOTAL_COST_MAX * PERIOD_MAX < 2^122. */
#ifndef LIMITLAB_CURVE_H
#define LIMITLAB_CURVE_H
#include <stdbool.h>
#include "../engine/limiter.h"

struct curve {                          /* starts as { 0 } */
    i128    burst;                      /* X after the last admission */
    i128    worst;                      /* the largest so far, and when it was first reached */
    int64_t at_ns, worst_at_ns;
};

static inline i128 curve_credits(const struct policy *rate, int64_t cost)
{
    return (i128)cost * rate->credits_per_unit;
}

/* What the rate has earned since the curve's last admission. */
static inline i128 curve_earned(const struct curve *curve, const struct policy *rate, int64_t now_ns)
{
    return (i128)((uint64_t)now_ns - (uint64_t)curve->at_ns) * rate->credits_per_ns;
}

static inline void curve_admit(struct curve *curve, i128 earned, i128 credits, int64_t now_ns)
{
    curve->burst = i128_max(0, curve->burst - earned) + credits;
    curve->at_ns = now_ns;
    if (curve->burst > curve->worst) {
        curve->worst = curve->burst;
        curve->worst_at_ns = now_ns;
    }
}

/* A token bucket that charges only what it keeps: `level` is what is missing from full.  Does it keep
 * this? */
static inline bool bucket_keeps(i128 *level, i128 burst, i128 earned, i128 credits)
{
    i128 left = i128_max(0, *level - earned);
    bool keeps = left + credits <= burst;

    *level = keeps ? left + credits : left;
    return keeps;
}
#endif

/* fixed_point.h - logarithms, powers and the normal quantile in integers: the same bits on every machine.
 *
 * Meant for set-up (a few hundred ns a call).  Numbers with a fraction are integers in units of 2^-56
 * (FIXED_ONE); a result is off by a few units at most, unless its comment says otherwise. */
#ifndef LIMITLAB_FIXED_POINT_H
#define LIMITLAB_FIXED_POINT_H
#include "wide.h"

enum { FIXED_BITS = 56 };
#define FIXED_ONE (INT64_C(1) << FIXED_BITS)

/* log2(x), x >= 1. */
int64_t fixed_log2(uint64_t x);

/* x * ln 2: turns a binary logarithm into a natural one. */
int64_t fixed_times_ln2(int64_t x);

/* x / ln 2: turns an exponent of e into one of 2. */
int64_t fixed_over_ln2(int64_t x);

/* value * 2^exponent to the nearest integer, for value >= 0 and exponent within +-64 * FIXED_ONE; INT64_MAX
 * when it does not fit.  The power is exact to about 2^-60 of itself. */
int64_t fixed_scale(int64_t value, int64_t exponent);

/* The largest integer whose square is at most x. */
uint64_t fixed_sqrt(u128 x);

/* The z with P(standard normal <= z) = p / 2^33, for 0 < p < 2^33; off by less than 1e-11.  M. Wichura,
 * "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988),
 * routine PPND16. */
int64_t fixed_normal_quantile(uint64_t p);

#endif

/* wide.h - 128-bit integers, so that exact arithmetic never overflows.
 *
 * Bounds that every product in limitlab keeps: an instant is within +-2^62 ns, a limit, burst or cost is at
 * most 2^53 - 1, a period at most ten years (below 2^59 ns), and the costs of one run sum to at most 2^62.
 * So instant * limit < 2^116 and total cost * period < 2^122: both fit with room to add. */
#ifndef LIMITLAB_WIDE_H
#define LIMITLAB_WIDE_H
#include <stdint.h>

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;
/* The same, for members of plain-byte states: aligned like an int64_t, so that no padding appears. */
__extension__ typedef __int128 i128_packed __attribute__((aligned(8)));

static inline i128 i128_max(i128 a, i128 b) { return a > b ? a : b; }
static inline i128 i128_min(i128 a, i128 b) { return a < b ? a : b; }
static inline int64_t i64_max(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t i64_min(int64_t a, int64_t b) { return a < b ? a : b; }

/* Quotients that round towards minus infinity and plus infinity; d > 0. */
static inline i128 div_floor(i128 n, i128 d) { return n / d - (n % d < 0); }
static inline i128 div_ceil(i128 n, i128 d)  { return n / d + (n % d > 0); }

/* The nearest int64_t: what does not fit sticks at the end of the range. */
static inline int64_t i64_clamp(i128 x)
{
    return x > INT64_MAX ? INT64_MAX : x < INT64_MIN ? INT64_MIN : (int64_t)x;
}
#endif

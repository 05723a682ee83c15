/* dist.h - distributions of spans of time, made from integers alone: a draw gives the same nanosecond
 * everywhere.
 *
 * A draw is uniform in 0 .. DIST_DRAWS - 1 and stands for the probability (draw + 1/2) / DIST_DRAWS; its
 * span is that quantile.  So draw 0 is the smallest span and DIST_DRAWS - 1 the largest, and spans never
 * fall as draws rise.
 *
 *   constant      low
 *   uniform       every whole nanosecond of low .. high alike, both ends included (evenly spaced ones, when
 *                 there are more of them than draws: 4.3 s)
 *   exponential   low + X, X exponential with mean `scale`
 *   log-normal    low + X, ln X normal with mean ln(scale) and standard deviation sigma: X's median is scale
 *   empirical     the textbook inverse of the samples' distribution function: each sample alike, nothing in
 *                 between
 *
 * Exponential and log-normal spans come from a table of quantiles that lie denser towards both ends
 * (log-linear in the distance to the nearer end: every draw of its own up to 64 draws from it, then 32 to an
 * octave).  Points of the table are right to a millionth or a nanosecond.  What lies between two points is
 * linear: off the true quantile by 2 in 10,000 at most for an exponential or a sigma of 1, by 2 in 1,000 for
 * a sigma of 4.  They end at the quantiles of the outermost draws (2^-33 from either end). */
#ifndef LIMITLAB_DIST_H
#define LIMITLAB_DIST_H
#include <stdbool.h>
#include "wide.h"

#define DIST_DRAWS    (UINT64_C(1) << 32)
#define DIST_SPAN_MAX (INT64_C(3653) * 86400 * 1000000000)      /* ten years: no span is longer */

enum dist_kind { DIST_CONSTANT, DIST_UNIFORM, DIST_EXPONENTIAL, DIST_LOG_NORMAL, DIST_EMPIRICAL };

enum { DIST_SAMPLES_MAX = 65536 };

/* What a user states.  Spans lie in 0 .. DIST_SPAN_MAX. */
struct dist_spec {
    enum dist_kind kind;
    int64_t low_ns;             /* constant: the value; uniform: the least; exponential, log-normal: added to
                                   every draw (a floor of the link); empirical: 0 */
    int64_t high_ns;            /* uniform: the largest; others: longer spans become this one; 0: not */
    int64_t scale_ns;           /* exponential: mean; log-normal: median, both above low_ns */
    int64_t sigma_billionths;   /* log-normal: standard deviation of the logarithm, in 1e-9; 0 .. 4e9 */
    int64_t *samples_ns;        /* empirical: measured spans; dist_init() sorts them where they are.
                                   Borrowed: they must outlive the distribution */
    uint32_t samples;           /* empirical: how many, 1 .. DIST_SAMPLES_MAX */
};

enum { DIST_STEPS = 32, DIST_POINTS = 27 * DIST_STEPS + 1 };

/* A draw is answered by the first of these that applies: a constant; one of `choices` alike; the table. */
struct dist {
    bool     constant;                  /* least_ns == most_ns */
    int64_t  least_ns, most_ns;
    uint64_t choices;                   /* uniform, empirical: among how many; else 0 */
    const int64_t *sample;              /* empirical: which; NULL: least_ns and what follows it */
    int64_t  quantile_ns[2][DIST_POINTS];   /* by distance to the lower end, and to the upper */
};

/* NULL when the spec is usable, else why not (static text). */
const char *dist_init(struct dist *dist, const struct dist_spec *spec);

/* Exactly the mean of dist_span_ns over all draws, rounded down: what a generator's rate really is. */
int64_t dist_mean_ns(const struct dist *dist);

/* For the table.  Point i of a half is 32 << s draws or more from its end, where s = i / 32 - 1 (0 for the
 * first 64), and the next one is 1 << s draws further on; the last point of both halves is the median. */
static inline int64_t dist_between(const struct dist *dist, uint64_t draw)
{
    unsigned upper = (unsigned)(draw >> 31);
    uint64_t distance = draw ^ (upper * (DIST_DRAWS - 1));      /* upper: DIST_DRAWS - 1 - draw */
    unsigned shift = 58 - (unsigned)__builtin_clzll(distance | DIST_STEPS);
    const int64_t *point = dist->quantile_ns[upper] + shift * DIST_STEPS + (distance >> shift);
    int64_t beyond = (int64_t)(distance & ((UINT64_C(1) << shift) - 1));

    return point[0] + (int64_t)((i128)(point[1] - point[0]) * beyond >> shift);
}

/* The span for a draw in 0 .. DIST_DRAWS - 1. */
static inline int64_t dist_span_ns(const struct dist *dist, uint64_t draw)
{
    if (dist->constant)
        return dist->least_ns;
    if (dist->choices == 0)
        return dist_between(dist, draw);
    int64_t pick = (int64_t)((i128)draw * (int64_t)dist->choices >> 32);
    return dist->sample ? i64_min(dist->sample[pick], dist->most_ns) : dist->least_ns + pick;
}
#endif

/* dist.h - distributions of spans of time, as tables of quantiles.
 *
 * Every distribution becomes the same table at set-up, by integer arithmetic alone, so that a draw gives the same
 * nanosecond on every machine: quantiles at points that lie denser towards both tails (log-linear in the distance to
 * the nearer end), linear in between.  Draw 0 is the smallest span, DIST_DRAWS - 1 the largest. */
#ifndef LIMITLAB_DIST_H
#define LIMITLAB_DIST_H
#include <stdbool.h>
#include <stdint.h>

#define DIST_DRAWS (UINT64_C(1) << 32)      /* draws are uniform in 0 .. DIST_DRAWS - 1 */

enum dist_kind { DIST_CONSTANT, DIST_UNIFORM, DIST_EXPONENTIAL, DIST_LOG_NORMAL, DIST_EMPIRICAL };

/* What a user states. */
struct dist_spec {
    enum dist_kind kind;
    int64_t low_ns;                     /* constant: the value; uniform: the least; exponential, log-normal: added to
                                           every draw (a floor of the link); >= 0 */
    int64_t high_ns;                    /* uniform: the largest; others: where draws are cut off, 0 = not (log-normal and
                                           exponential are cut at their 1 - 2^-30 quantile in any case) */
    int64_t scale_ns;                   /* exponential: mean; log-normal: median, both above low_ns */
    int64_t sigma_billionths;           /* log-normal: standard deviation of the logarithm, in 1e-9; 0 .. 4e9 */
    const int64_t *samples_ns;          /* empirical: measured spans in any order (borrowed, copied by dist_init) */
    uint32_t samples;                   /* empirical: how many, 1 .. 65536 */
};

enum { DIST_OCTAVES = 30, DIST_STEPS = 32, DIST_POINTS = 2 * DIST_OCTAVES * DIST_STEPS + 2 };

struct dist {
    bool    constant;
    int64_t least_ns, most_ns;
    int64_t quantile_ns[DIST_POINTS];   /* see dist.c for which quantile is where */
};

/* NULL when the spec is usable, else why not (static text). */
const char *dist_init(struct dist *dist, const struct dist_spec *spec);

/* The span for a draw in 0 .. DIST_DRAWS - 1; never decreases with the draw. */
int64_t dist_span_ns(const struct dist *dist, uint64_t draw);

/* Exactly the mean of dist_span_ns over all draws, rounded down: what a generator's rate really is. */
int64_t dist_mean_ns(const struct dist *dist);
#endif

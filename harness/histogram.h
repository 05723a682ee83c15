/* histogram.h - how often each span of time occurred, in log-linear integer buckets.
 *
 * Spans below 2^7 have a bucket each; above, every octave [2^e, 2^(e+1)) is cut into 2^7 equal buckets.
 * So a bucket's upper edge is at most 2^-7 above anything in it, and the answers are the same on every
 * machine. */
#ifndef LIMITLAB_HISTOGRAM_H
#define LIMITLAB_HISTOGRAM_H
#include <stdint.h>
#include "result.h"

enum { HISTOGRAM_BITS = 7, HISTOGRAM_BUCKETS = (63 - HISTOGRAM_BITS + 1) << HISTOGRAM_BITS };

struct histogram {                      /* starts as { 0 } */
    uint64_t total;
    int64_t  most_ns;
    uint64_t count[HISTOGRAM_BUCKETS];
};

static inline unsigned histogram_bucket(int64_t span_ns)
{
    unsigned octave = 63 - (unsigned)__builtin_clzll((uint64_t)span_ns | 1);
    unsigned shift = octave > HISTOGRAM_BITS ? octave - HISTOGRAM_BITS : 0;

    return (shift << HISTOGRAM_BITS) + (unsigned)(span_ns >> shift);
}

/* A span of less than nothing counts as 0. */
static inline void histogram_add(struct histogram *histogram, int64_t span_ns)
{
    if (span_ns < 0)
        span_ns = 0;
    histogram->total++;
    histogram->count[histogram_bucket(span_ns)]++;
    if (span_ns > histogram->most_ns)
        histogram->most_ns = span_ns;
}

/* The span of rank ceil(p * n), p = numerator / denominator in (0, 1]: its bucket's upper edge, never
 * above the largest span.  -1 when nothing was added. */
int64_t histogram_quantile(const struct histogram *histogram, uint32_t numerator, uint32_t denominator);

/* Cumulative counts at the upper edges of all buckets that are not empty, rising.  Returns how many there
 * are; point NULL only counts them. */
uint32_t histogram_points(const struct histogram *histogram, struct latency_point *point);
#endif

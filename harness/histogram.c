#include "histogram.h"
#include <stddef.h>

/* The largest span that falls into this bucket (inverse of histogram_bucket). */
static int64_t upper_edge(unsigned bucket)
{
    unsigned shift = bucket >> (HISTOGRAM_BITS + 1) ? (bucket >> HISTOGRAM_BITS) - 1 : 0;
    uint64_t sub = bucket - (shift << HISTOGRAM_BITS);

    return (int64_t)(((sub + 1) << shift) - 1);
}

int64_t histogram_quantile(const struct histogram *histogram, uint32_t numerator, uint32_t denominator)
{
    if (histogram->total == 0)
        return -1;
    i128 rank = div_ceil((i128)histogram->total * numerator, denominator);
    uint64_t below = 0;
    unsigned bucket = 0;
    while ((below += histogram->count[bucket]) < (uint64_t)rank)
        bucket++;
    return i64_min(upper_edge(bucket), histogram->most_ns);
}

uint32_t histogram_points(const struct histogram *histogram, struct latency_point *point)
{
    uint32_t points = 0;
    uint64_t below = 0;

    for (unsigned bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
        if (histogram->count[bucket] == 0)
            continue;
        below += histogram->count[bucket];
        if (point)
            point[points] = (struct latency_point){ i64_min(upper_edge(bucket), histogram->most_ns), below };
        points++;
    }
    return points;
}

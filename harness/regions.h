/* regions.h - round trips between public cloud regions, as measured by others.
 *
 * Amazon's regions by their own names.  Source: cloudping.co, which times TCP connections between all of
 * them; the medians over one year, captured on 2025-05-29 (api/latencies?percentile=p_50&timeframe=1Y, as
 * kept in the public repository oaustegard/oaustegard.github.io, web-utilities/aws-ping-p50-1y.json).  Every
 * pair is a measured one: the mean of its two directions, rounded to 0.1 ms.  (They differ by 1.3 ms in the
 * median, by 12 ms at most: some with il-central-1.)
 *
 * From a region to itself the source times a whole service endpoint (1 to 8 ms), which is not what a store
 * next door costs.  Here that is REGION_ITSELF_NS: the mean round trip between two availability zones of
 * eu-west-1, 0.82 to 0.83 ms (L. Liesis, 2022-11-29, "What is AWS EC2 cross availability zones network lag
 * vs inside same zone?"). */
#ifndef LIMITLAB_REGIONS_H
#define LIMITLAB_REGIONS_H
#include <stdbool.h>
#include <stdint.h>

enum { CLOUD_REGIONS = 32 };
#define REGION_ITSELF_NS INT64_C(820000)

struct cloud_region {
    const char *name, *place;
    uint16_t to_earlier[CLOUD_REGIONS];     /* round trips to the regions above it in the table, in 0.1 ms */
};

extern const struct cloud_region cloud_regions[CLOUD_REGIONS];

/* The index of a region by its name; -1 when there is none. */
int region_find(const char *name);

/* The round trip between two regions of the table, by index; symmetric. */
int64_t region_round_trip_ns(unsigned a, unsigned b);

/* The same by name; false when the table does not know one of them. */
bool region_round_trip(const char *a, const char *b, int64_t *ns);
#endif

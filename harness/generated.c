/* generated.c - see generated.h. */
#include "generated.h"

#include "trace.h"

_Static_assert((int)GENERATOR_ID_BITS == (int)TRACE_ID_BITS, "an id tells whose it is in one way only");

struct generator_spec generated_spec(const struct traffic *traffic, uint32_t regions)
{
    return (struct generator_spec){
        .kind = traffic->kind,
        .start_ns = traffic->start_ns, .duration_ns = traffic->duration_ns, .requests = traffic->requests,
        .rate_per_hour = traffic->rate_per_hour, .end_rate_per_hour = traffic->end_rate_per_hour,
        .on_ns = traffic->on_ns, .off_ns = traffic->off_ns,
        .every_ns = traffic->every_ns, .size = traffic->size,
        .in_flight = traffic->in_flight, .think_ns = traffic->think_ns,
        .keys = traffic->keys, .zipf_billionths = traffic->zipf_billionths,
        .costs = traffic->costs, .cost = traffic->cost,
        .regions = regions, .region = traffic->region,
        .region_weight = traffic->region_weights ? traffic->region_weight : NULL,
    };
}

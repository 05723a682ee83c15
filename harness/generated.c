/* generated.c - see generated.h. */
#include "generated.h"

#include <inttypes.h>
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

static uint32_t number(struct key_numbers *self, uint32_t generator, uint32_t key)
{
    struct generated_names *names = (struct generated_names *)self;
    const struct traffic *traffic = &names->traffic[generator];
    struct arena scratch = { 0 };
    const char *name = traffic->key_prefix;

    if (traffic->keys > 1)
        name = arena_format(&scratch, "%s%" PRIu32, traffic->key_prefix, key);
    uint32_t found = key_intern_text(names->keys, name);
    arena_free(&scratch);
    return found;
}

struct generated_names generated_names(const struct traffic *traffic, struct keys *keys)
{
    return (struct generated_names){ { number }, traffic, keys };
}

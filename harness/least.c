/* least.c - see least.h. */
#include "least.h"
#include <string.h>
#include "witness.h"

enum { LEAST_STATES_MAX = 1000000 };

static bool describe(const struct least_of *of, struct explored *out)
{
    if (of->requests == 0 || of->requests > SMALL_CLIENTS || of->arrival[0].cost <= 0)
        return false;
    explored_init(out, of->requests, 1, of->topology->regions);
    memcpy(out->region_name, of->topology->region, of->topology->regions * sizeof *out->region_name);
    for (uint32_t i = 0; i < of->requests; i++) {
        const struct arrival *arrival = &of->arrival[i];
        if (arrival->cost != of->arrival[0].cost || arrival->key != of->arrival[0].key
            || arrival->surplus != 0)
            return false;
        out->region[i] = arrival->region;
    }
    out->cost = of->arrival[0].cost;
    out->limit = of->limit;
    out->period_ns = of->period_ns;
    out->burst = of->burst;
    out->target = of->target;
    out->design = of->design;
    return true;
}

bool least_find(const struct least_of *of, struct arena *arena, struct least *out)
{
    struct explored_bounds bounds = { .most_states = LEAST_STATES_MAX };
    struct witness_found found;
    struct explored explored;

    if (!describe(of, &explored))
        return false;
    witness_find(&explored, &bounds, arena, &found);
    *out = (struct least){ found.requests, found.preemptions, found.minimal, found.text };
    return found.text != NULL;
}

/* generators_setup.c - see generators.h: which generators can be, and the tables that they draw from. */
#include "generators.h"

#include <assert.h>

/* --- what is possible --- */

static const char *refuse_rate(const struct generator_spec *spec)
{
    bool ramp = spec->kind == TRAFFIC_RAMP;

    if (spec->rate_per_hour < !ramp || spec->rate_per_hour > GENERATOR_RATE_MAX)
        return "a rate must lie between 1 an hour and 10^9 a second";
    if (ramp && (spec->end_rate_per_hour < 0 || spec->end_rate_per_hour > GENERATOR_RATE_MAX))
        return "a ramp must end between 0 and 10^9 a second";
    if (ramp && spec->rate_per_hour == 0 && spec->end_rate_per_hour == 0)
        return "a ramp from 0 to 0 sends nothing";
    if (ramp && spec->duration_ns == 0)
        return "a ramp needs a duration";
    return NULL;
}

static const char *refuse_kind(const struct generator_spec *spec)
{
    switch (spec->kind) {
    case TRAFFIC_CONSTANT:
    case TRAFFIC_POISSON:
    case TRAFFIC_RAMP:
        return refuse_rate(spec);
    case TRAFFIC_ON_OFF:
        if (spec->on_ns < 1 || spec->on_ns > PERIOD_MAX || spec->off_ns < 0 || spec->off_ns > PERIOD_MAX)
            return "on must last 1 ns to ten years, off 0 to ten years";
        return refuse_rate(spec);
    case TRAFFIC_BURST:
        if (spec->size < 1 || spec->every_ns < 0 || spec->every_ns > PERIOD_MAX)
            return "a burst has at least one request, and the next one comes within ten years";
        return NULL;
    case TRAFFIC_CLOSED_LOOP:
        if (spec->in_flight < 1 || spec->think_ns < 0 || spec->think_ns > PERIOD_MAX)
            return "a closed loop has at least one client, and it thinks for 0 to ten years";
        if (spec->requests > GENERATOR_REQUESTS_MAX / spec->in_flight)
            return "a closed loop's clients times its requests must stay below 2^40";
        return NULL;
    case TRAFFIC_TRACE:
        break;
    }
    return "a trace is no generator";
}

static const char *refuse_draws(const struct generator_spec *spec)
{
    if (spec->keys < 1 || spec->keys > GENERATOR_KEYS_MAX)
        return "a generator has 1 to 10,000,000 keys";
    if (spec->zipf_billionths < 0 || spec->zipf_billionths > ZIPF_EXPONENT_MAX)
        return "the exponent of Zipf's law must lie between 0 and 10";
    for (uint32_t i = 0; i < spec->costs; i++)
        if (spec->cost[i].cost < 0 || spec->cost[i].cost > COST_MAX)
            return "a cost must lie between 0 and 2^53 - 1";
    if (spec->regions < 1 || spec->region < -1 || spec->region >= (int64_t)spec->regions)
        return "there is no such region";
    return NULL;
}

static const char *refuse(const struct generator_spec *spec)
{
    const char *refusal = refuse_kind(spec);
    bool single = spec->kind == TRAFFIC_BURST && spec->every_ns == 0;

    if (refusal)
        return refusal;
    if (spec->start_ns < 0 || spec->start_ns > PERIOD_MAX)
        return "start must lie between 0 and ten years";
    if (spec->duration_ns < 0 || spec->duration_ns > PERIOD_MAX)
        return "a duration must lie between 0 and ten years";
    if (spec->requests > GENERATOR_REQUESTS_MAX || spec->size > GENERATOR_REQUESTS_MAX)
        return "a generator sends at most 2^40 requests";
    if (spec->requests == 0 && spec->duration_ns == 0 && !single)
        return "a generator needs a duration or a number of requests, or it never ends";
    return refuse_draws(spec);
}

/* --- tables --- */

static void init_keys(struct generator *generator, const struct generator_spec *spec)
{
    struct memory *memory = generator->memory;

    generator->number = memory->resize(memory, NULL, spec->keys * sizeof *generator->number);
    if (spec->zipf_billionths == 0 || spec->keys == 1) {
        alias_init_even(&generator->key, spec->keys);
        return;
    }
    uint64_t *weight = memory->resize(memory, NULL, spec->keys * sizeof *weight);
    zipf_weights(weight, spec->keys, spec->zipf_billionths);
    bool drawable = alias_init(&generator->key, weight, spec->keys, memory);
    assert(drawable);
    (void)drawable;
    memory_free(memory, weight);
}

static bool init_costs(struct generator *generator, const struct generator_spec *spec)
{
    struct memory *memory = generator->memory;
    uint32_t costs = spec->costs ? spec->costs : 1;

    generator->cost_of = memory->resize(memory, NULL, costs * sizeof *generator->cost_of);
    for (uint32_t i = 0; i < costs; i++)
        generator->cost_of[i] = spec->costs ? spec->cost[i].cost : 1;
    if (costs == 1) {
        alias_init_even(&generator->cost, 1);
        return true;
    }
    uint64_t *weight = memory->resize(memory, NULL, costs * sizeof *weight);
    for (uint32_t i = 0; i < costs; i++)
        weight[i] = spec->cost[i].weight;
    bool drawable = alias_init(&generator->cost, weight, costs, memory);
    memory_free(memory, weight);
    return drawable;
}

static bool init_regions(struct generator *generator, const struct generator_spec *spec)
{
    struct memory *memory = generator->memory;

    generator->fixed_region = spec->region;
    if (spec->region >= 0 || !spec->region_weight) {
        alias_init_even(&generator->region, spec->regions);
        return true;
    }
    uint64_t *weight = memory->resize(memory, NULL, spec->regions * sizeof *weight);
    for (uint32_t i = 0; i < spec->regions; i++)
        weight[i] = spec->region_weight[i];
    bool drawable = alias_init(&generator->region, weight, spec->regions, memory);
    memory_free(memory, weight);
    return drawable;
}

/* --- shapes --- */

/* The table's own mean stands for 1 request, so that the rate is exact: factor / 2^drop =
 * (hour / rate) / mean * 2^32, with factor in 2^45 .. 2^62. */
static void init_poisson(struct generator *generator, const struct generator_spec *spec)
{
    enum { UNIT_BITS = 40, RATIO_BITS = 86 };
    const struct dist_spec unit = { .kind = DIST_EXPONENTIAL, .scale_ns = INT64_C(1) << UNIT_BITS };
    const char *refusal = dist_init(&generator->shape.poisson.unit, &unit);
    u128 below = (u128)spec->rate_per_hour * (u128)dist_mean_ns(&generator->shape.poisson.unit);
    u128 factor = ((u128)GENERATOR_HOUR_NS << RATIO_BITS) / below;
    unsigned drop = RATIO_BITS - 32;

    assert(!refusal);
    (void)refusal;
    for (; factor >> 62; factor >>= 1)
        drop--;
    generator->shape.poisson.factor = (uint64_t)factor;
    generator->shape.poisson.drop = drop;
    generator->shape.poisson.on_ns = spec->on_ns;
    generator->shape.poisson.off_ns = spec->off_ns;
}

static void init_ramp(struct generator *generator, const struct generator_spec *spec)
{
    uint64_t highest = (uint64_t)i64_max(spec->rate_per_hour, spec->end_rate_per_hour);

    generator->shape.ramp.rate = spec->rate_per_hour;
    generator->shape.ramp.end_rate = spec->end_rate_per_hour;
    generator->shape.ramp.shift = (unsigned)__builtin_clzll(highest) - 2;
}

static void init_shape(struct generator *generator, const struct generator_spec *spec)
{
    switch (spec->kind) {
    case TRAFFIC_CONSTANT:
        generator->shape.constant.gap_ns = GENERATOR_HOUR_NS / spec->rate_per_hour;
        generator->shape.constant.gap_part = (uint64_t)(GENERATOR_HOUR_NS % spec->rate_per_hour);
        generator->shape.constant.parts = (uint64_t)spec->rate_per_hour;
        break;
    case TRAFFIC_POISSON:
    case TRAFFIC_ON_OFF:
        init_poisson(generator, spec);
        break;
    case TRAFFIC_RAMP:
        init_ramp(generator, spec);
        break;
    case TRAFFIC_BURST:
        generator->shape.burst.every_ns = spec->every_ns;
        generator->shape.burst.size = spec->size;
        break;
    case TRAFFIC_CLOSED_LOOP:
        generator->shape.loop.in_flight = spec->in_flight;
        generator->shape.loop.think_ns = spec->think_ns;
        break;
    case TRAFFIC_TRACE:
        break;
    }
}

static uint64_t most_requests(const struct generator_spec *spec)
{
    uint64_t most = spec->requests ? spec->requests : GENERATOR_REQUESTS_MAX;

    if (spec->kind == TRAFFIC_CLOSED_LOOP && spec->requests == 0)
        return GENERATOR_REQUESTS_MAX / spec->in_flight;
    return spec->kind == TRAFFIC_BURST && spec->every_ns == 0 && spec->size < most ? spec->size : most;
}

const char *generator_init(struct generator *generator, const struct generator_spec *spec, uint32_t index,
                           struct memory *memory)
{
    const char *refusal = refuse(spec);
    bool poisson = spec->kind == TRAFFIC_POISSON || spec->kind == TRAFFIC_ON_OFF;

    assert(index <= GENERATOR_INDEX_MAX);
    if (refusal)
        return refusal;
    *generator = (struct generator){
        .memory = memory, .kind = spec->kind, .index = index, .start_ns = spec->start_ns,
        .length_ns = spec->duration_ns ? spec->duration_ns : INSTANT_MAX - spec->start_ns,
        .requests = most_requests(spec),
        .draws_arrival = poisson || spec->keys > 1,
        .draws_cost = spec->costs > 1 || (spec->region < 0 && spec->regions > 1),
    };
    init_shape(generator, spec);
    init_keys(generator, spec);
    bool drawable = init_costs(generator, spec);
    drawable = init_regions(generator, spec) && drawable;
    if (drawable)
        return NULL;
    generator_free(generator);
    return "weights must not all be 0";
}

/* setting.c - see setting.h. */
#include "setting.h"
#include "decimal.h"
#include "units.h"

enum { PAIRS_LISTED = 10, STREAMS_LISTED = 8, FAULTS_LISTED = 8 };

/* While a line is put together. */
struct line {
    const struct experiment *experiment;
    struct arena *arena;
    const char *text;
};

static const char *span(struct line *line, int64_t ns)
{
    char text[UNITS_TEXT];

    return arena_text(line->arena, duration_text(ns, text));
}

static const char *fraction(struct line *line, int64_t billionths)
{
    char text[DECIMAL_TEXT];

    return arena_text(line->arena, decimal_text((struct decimal){ .billionths = billionths }, 9, text));
}

#define ADD(line, ...) ((line)->text = arena_format((line)->arena, __VA_ARGS__))

/* ---- regions ---- */

static void add_regions(struct line *line)
{
    const struct topology *topology = &line->experiment->topology;

    ADD(line, "%sregions: ", line->text);
    for (uint32_t i = 0; i < topology->regions; i++) {
        ADD(line, "%s%s%s", line->text, i ? ", " : "", topology->region[i]);
        if (topology->instances[i] > 1)
            ADD(line, "%s (%u instances)", line->text, topology->instances[i]);
    }
    ADD(line, "%s; store in %s", line->text, topology->region[topology->store]);
}

/* ---- links ---- */

static const struct link_spec *link_between(const struct topology *topology, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < topology->links; i++)
        if (topology->link[i].from == from && topology->link[i].to == to)
            return &topology->link[i];
    return NULL;
}

static const char *delay_text(struct line *line, const struct dist_spec *delay)
{
    switch (delay->kind) {
    case DIST_CONSTANT:
        return span(line, delay->low_ns);
    case DIST_UNIFORM:
        return arena_format(line->arena, "%s to %s", span(line, delay->low_ns), span(line, delay->high_ns));
    case DIST_EXPONENTIAL:
        return arena_format(line->arena, "%s and more, exponential with mean %s", span(line, delay->low_ns),
                            span(line, delay->low_ns + delay->scale_ns));
    case DIST_LOG_NORMAL:
        return arena_format(line->arena, "%s and more, log-normal with median %s and sigma %s",
                            span(line, delay->low_ns),
                            span(line, delay->low_ns + delay->scale_ns),
                            fraction(line, delay->sigma_billionths));
    case DIST_EMPIRICAL:
        break;
    }
    return arena_format(line->arena, "one of %u measured delays", delay->samples);
}

static bool is_constant(const struct link_spec *link)
{
    return !link || link->delay.kind == DIST_CONSTANT;
}

static int64_t constant_ns(const struct link_spec *link)
{
    return link ? link->delay.low_ns : 0;
}

static const char *percentage(struct line *line, uint32_t billionths)
{
    return fraction(line, (int64_t)billionths * 100);
}

static const char *losses_text(struct line *line, const struct link_spec *link)
{
    const char *text = "";

    if (link && link->loss_billionths)
        text = arena_format(line->arena, " (loses %s%%)", percentage(line, link->loss_billionths));
    if (link && link->duplicate_billionths)
        text = arena_format(line->arena, "%s (doubles %s%%)", text,
                            percentage(line, link->duplicate_billionths));
    return text;
}

/* "a - b 90ms" for what is constant (there and back), else each way by itself. */
static void add_pair(struct line *line, uint32_t a, uint32_t b, const char *separator)
{
    const struct topology *topology = &line->experiment->topology;
    const struct link_spec *there = link_between(topology, a, b), *back = link_between(topology, b, a);
    const char *from = topology->region[a], *to = topology->region[b];

    if (is_constant(there) && is_constant(back))
        ADD(line, "%s%s%s - %s %s%s", line->text, separator, from, to,
            span(line, constant_ns(there) + constant_ns(back)), losses_text(line, there));
    else
        ADD(line, "%s%s%s to %s %s%s, back %s%s", line->text, separator, from, to,
            there ? delay_text(line, &there->delay) : "0s", losses_text(line, there),
            back ? delay_text(line, &back->delay) : "0s", losses_text(line, back));
}

static bool is_stated(const struct topology *topology, uint32_t a, uint32_t b)
{
    return link_between(topology, a, b) || link_between(topology, b, a);
}

/* Pairs that no link states are told all at once. */
static void add_pairs(struct line *line)
{
    const struct topology *topology = &line->experiment->topology;
    uint32_t regions = topology->regions, pairs = regions * (regions - 1) / 2, stated = 0;

    if (pairs == 0)
        return;
    ADD(line, "%s\nround trips: ", line->text);
    for (uint32_t a = 0; a < regions; a++)
        for (uint32_t b = a + 1; b < regions; b++)
            if (is_stated(topology, a, b) && stated++ < PAIRS_LISTED)
                add_pair(line, a, b, stated > 1 ? ", " : "");
    if (stated > PAIRS_LISTED)
        ADD(line, "%s and %u more pairs", line->text, stated - PAIRS_LISTED);
    if (stated < pairs)
        ADD(line, "%s%snot stated: no delay", line->text, stated ? "; others " : "");
}

/* Inside the regions, when there is any delay: nearly always the same everywhere, so the first one's is told.
 */
static void add_local(struct line *line)
{
    const struct topology *topology = &line->experiment->topology;

    for (uint32_t i = 0; i < topology->regions; i++) {
        const struct link_spec *link = link_between(topology, i, i);
        if (!link)
            continue;
        ADD(line, "%s\nto a store in %s itself, one way: %s%s", line->text, topology->region[i],
            delay_text(line, &link->delay), losses_text(line, link));
        return;
    }
}

static const char *whose_clock(struct line *line, const struct clock_spec *spec)
{
    if (spec->store_clock)
        return "the store's";
    return spec->instance < 0 ? "instances"
                              : arena_format(line->arena, "instance %lld", (long long)spec->instance);
}

static const char *drift_text(struct line *line, int64_t ppb)
{
    return arena_format(line->arena, "%s%s", ppb < 0 ? "-" : "",
                        fraction(line, (ppb < 0 ? -ppb : ppb) * 1000000));
}

static void add_clocks(struct line *line)
{
    const struct topology *topology = &line->experiment->topology;

    for (uint32_t i = 0; i < topology->clocks; i++) {
        const struct clock_spec *spec = &topology->clock[i];
        ADD(line, "%s%s%s of %s: offset %s, drift %s ppm%s", line->text,
            i ? ", " : "\nclocks: ", whose_clock(line, spec),
            spec->region < 0 ? "all regions" : topology->region[spec->region],
            span(line, spec->clock.offset_ns), drift_text(line, spec->clock.drift_ppb),
            spec->clock.steps ? ", and steps" : "");
    }
}

/* ---- faults ---- */

static void add_faults(struct line *line)
{
    const struct experiment *experiment = line->experiment;

    for (uint32_t i = 0; i < experiment->faults && i < FAULTS_LISTED; i++) {
        const struct fault *fault = &experiment->fault[i].fault;
        ADD(line, "%s%s%s at %s", line->text, i ? ", " : "\nfaults: ", fault_words[fault->kind],
            span(line, fault->from_ns));
        if (fault->every_ns > 0)
            ADD(line, "%s and every %s", line->text, span(line, fault->every_ns));
        if (fault->to_ns != NEVER_NS)
            ADD(line, "%s until %s", line->text, span(line, fault->to_ns));
    }
    if (experiment->faults > FAULTS_LISTED)
        ADD(line, "%s and %u more", line->text, experiment->faults - FAULTS_LISTED);
}

/* ---- traffic ---- */

static const char *rate_text(struct line *line, int64_t per_hour)
{
    static const struct { char name; int64_t per_hour; } units[] = { { 's', 3600 }, { 'm', 60 }, { 'h', 1 } };
    unsigned unit = 0;

    while (per_hour % units[unit].per_hour)
        unit++;
    return arena_format(line->arena, "%lld/%c", (long long)(per_hour / units[unit].per_hour),
                        units[unit].name);
}

static const char *shape_text(struct line *line, const struct traffic *t)
{
    switch (t->kind) {
    case TRAFFIC_TRACE:
        return t->trace;
    case TRAFFIC_CONSTANT:
        return arena_format(line->arena, "constant %s", rate_text(line, t->rate_per_hour));
    case TRAFFIC_POISSON:
        return arena_format(line->arena, "poisson %s", rate_text(line, t->rate_per_hour));
    case TRAFFIC_ON_OFF:
        return arena_format(line->arena, "poisson %s, %s on and %s off", rate_text(line, t->rate_per_hour),
                            span(line, t->on_ns), span(line, t->off_ns));
    case TRAFFIC_RAMP:
        return arena_format(line->arena, "ramp %s to %s", rate_text(line, t->rate_per_hour),
                            rate_text(line, t->end_rate_per_hour));
    case TRAFFIC_BURST:
        return t->every_ns ? arena_format(line->arena, "bursts of %llu, one every %s",
                                          (unsigned long long)t->size, span(line, t->every_ns))
                           : arena_format(line->arena, "one burst of %llu", (unsigned long long)t->size);
    case TRAFFIC_CLOSED_LOOP:
        break;
    }
    return arena_format(line->arena, "%u clients in a loop", t->in_flight);
}

/* "costs 50 to 8000" */
static void add_costs(struct line *line, const char *one, const char *several, uint32_t costs,
                      const struct cost_weight *cost)
{
    int64_t least = INT64_MAX, most = 0;

    for (uint32_t i = 0; i < costs; i++) {
        least = i64_min(least, cost[i].cost);
        most = i64_max(most, cost[i].cost);
    }
    if (costs > 1)
        ADD(line, "%s, %s %lld to %lld", line->text, several, (long long)least, (long long)most);
    else if (costs)
        ADD(line, "%s, %s %lld", line->text, one, (long long)most);
}

static void add_people(struct line *line, const struct traffic *t)
{
    if (t->keys_per_person > 1)
        ADD(line, "%s, each shows %u in turn", line->text, t->keys_per_person);
    if (t->variant)
        ADD(line, "%s, under %s", line->text, line->experiment->variant[t->variant - 1].name);
}

static void add_stream(struct line *line, const struct traffic *t)
{
    ADD(line, "%s%s", line->text, shape_text(line, t));
    if (t->region >= 0)
        ADD(line, "%s in %s", line->text, line->experiment->topology.region[t->region]);
    if (t->kind == TRAFFIC_TRACE)
        return;
    if (t->start_ns)
        ADD(line, "%s from %s", line->text, span(line, t->start_ns));
    if (t->duration_ns)
        ADD(line, "%s for %s", line->text, span(line, t->duration_ns));
    if (t->requests && (t->kind != TRAFFIC_BURST || t->every_ns))
        ADD(line, "%s, %llu requests", line->text, (unsigned long long)t->requests);
    if (t->keys > 1)
        ADD(line, "%s, %u keys (zipf %s)", line->text, t->keys, fraction(line, t->zipf_billionths));
    add_people(line, t);
    add_costs(line, "cost", "costs", t->costs, t->cost);
    add_costs(line, "uses", "uses", t->useds, t->used);
}

/* ---- layers ---- */

static const char *const per_text[] = {
    [CEILING_ALL] = "all keys together", [CEILING_PREFIX] = "keys alike up to the first ':'",
    [CEILING_KEY] = "each key",
};

static void add_variant(struct line *line, const struct variant *variant, const char *separator)
{
    const struct experiment *experiment = line->experiment;
    int64_t limit = variant->limit ? variant->limit : experiment->limit[0];

    ADD(line, "%s%s%s %lld per %s", line->text, separator, variant->name, (long long)limit,
        span(line, variant->period_ns ? variant->period_ns : experiment->period_ns));
    if (variant->burst)
        ADD(line, "%s, burst %lld", line->text, (long long)variant->burst);
    if (variant->format)
        ADD(line, "%s, format %lld", line->text, (long long)variant->format);
}

static void add_layers(struct line *line)
{
    const struct experiment *experiment = line->experiment;
    const struct ceiling *ceiling = &experiment->ceiling;

    for (uint32_t i = 0; i < experiment->variants; i++)
        add_variant(line, &experiment->variant[i], i ? "; " : "\nvariants: ");
    if (ceiling->limit)
        ADD(line, "%s\nceiling: %lld per %s for %s", line->text, (long long)ceiling->limit,
            span(line, ceiling->period_ns ? ceiling->period_ns : experiment->period_ns),
            per_text[ceiling->per]);
    if (ceiling->burst)
        ADD(line, "%s, burst %lld", line->text, (long long)ceiling->burst);
    if (experiment->work_ns)
        ADD(line, "%s\nwork: %s", line->text, span(line, experiment->work_ns));
}

static void add_traffic(struct line *line)
{
    const struct experiment *experiment = line->experiment;

    ADD(line, "%s\ntraffic: ", line->text);
    for (uint32_t i = 0; i < experiment->traffics && i < STREAMS_LISTED; i++) {
        ADD(line, "%s%s", line->text, i ? "; " : "");
        add_stream(line, &experiment->traffic[i]);
    }
    if (experiment->traffics > STREAMS_LISTED)
        ADD(line, "%s; and %u more streams", line->text, experiment->traffics - STREAMS_LISTED);
}

const char *setting_text(const struct experiment *experiment, struct arena *arena)
{
    struct line line = { experiment, arena, "" };

    add_regions(&line);
    add_pairs(&line);
    add_local(&line);
    add_clocks(&line);
    add_layers(&line);
    add_traffic(&line);
    add_faults(&line);
    return line.text;
}

#include "lab.h"
#include <string.h>

static const struct link no_delay = { .delay = { .constant = true } };

/* The links of the network, and the same without loss and duplication. */
struct tables { const struct link **whole, **calm; };

static bool build_link(struct lab *lab, const struct link_spec *spec, struct tables *table,
                       struct arena *arena, struct failure *failure)
{
    struct link *link = arena_alloc(arena, sizeof *link);
    const char *why = dist_init(&link->delay, &spec->delay);

    if (why)
        return fail(failure, EXIT_USAGE, spec->origin.file, spec->origin.line, "this link cannot be: %s",
                    why);
    link->loss_billionths = spec->loss_billionths;
    link->duplicate_billionths = spec->duplicate_billionths;
    size_t pair = spec->from * lab->network.regions + spec->to;
    struct link *calm = arena_alloc(arena, sizeof *calm);
    *calm = (struct link){ .delay = link->delay };
    table->whole[pair] = link;
    table->calm[pair] = calm;
    if (link->delay.most_ns > 0 && (lab->shortest_ns == 0 || link->delay.least_ns < lab->shortest_ns))
        lab->shortest_ns = i64_max(1, link->delay.least_ns);
    return true;
}

static const struct link **new_table(uint32_t regions, struct arena *arena)
{
    size_t pairs = (size_t)regions * regions;
    const struct link **table = arena_alloc(arena, pairs * sizeof *table);

    for (size_t i = 0; i < pairs; i++)
        table[i] = &no_delay;
    return table;
}

static bool build_links(struct lab *lab, const struct topology *topology, struct arena *arena,
                        struct failure *failure)
{
    uint32_t regions = topology->regions;
    struct tables table = { new_table(regions, arena), new_table(regions, arena) };

    lab->network = (struct network){ .regions = regions, .links = table.whole };
    lab->calm = (struct network){ .regions = regions, .links = table.calm };
    lab->instant = (struct network){ .regions = regions, .links = new_table(regions, arena) };
    for (uint32_t i = 0; i < topology->links; i++)
        if (!build_link(lab, &topology->link[i], &table, arena, failure))
            return false;
    return true;
}

bool lab_build(struct lab *lab, const struct topology *topology, struct arena *arena, struct failure *failure)
{
    *lab = (struct lab){ 0 };
    if (!build_links(lab, topology, arena, failure))
        return false;
    for (uint32_t i = 0; i < REGIONS_MAX; i++)
        lab->store_clock[i] = (struct clock){ .perfect = true };
    for (uint32_t i = 0; i < topology->clocks; i++) {
        const struct clock_spec *spec = &topology->clock[i];
        struct clock clock = spec->clock;
        const char *why = clock_init(&clock);
        if (why)
            return fail(failure, EXIT_USAGE, spec->origin.file, spec->origin.line, "this clock cannot be: %s",
                        why);
        lab->clocks_differ |= !clock.perfect;
        for (uint32_t region = 0; spec->store_clock && region < topology->regions; region++)
            if (spec->region < 0 || spec->region == region)
                lab->store_clock[region] = clock;
    }
    return true;
}

void lab_clocks(struct lab *lab, const struct topology *topology, const uint32_t *instances,
                struct arena *arena)
{
    uint32_t node = 0;

    lab->node_clock = arena_alloc(arena, NODES_MAX * sizeof *lab->node_clock);
    for (uint32_t region = 0; region < topology->regions; region++)
        for (uint32_t instance = 0; instance < instances[region] && node < NODES_MAX; instance++, node++) {
            lab->node_clock[node] = (struct clock){ .perfect = true };
            for (uint32_t i = 0; i < topology->clocks; i++) {
                const struct clock_spec *spec = &topology->clock[i];
                if (spec->store_clock || (spec->region >= 0 && spec->region != region)
                    || (spec->instance >= 0 && spec->instance != instance))
                    continue;
                lab->node_clock[node] = spec->clock;
                clock_init(&lab->node_clock[node]);
            }
        }
}

static int64_t number_of(const struct keys *keys, const char *name)
{
    size_t wanted = strlen(name), length;

    for (uint32_t i = 0; i < keys->count; i++) {
        const char *known = key_name(keys, i, &length);
        if (length == wanted && memcmp(known, name, length) == 0)
            return i;
    }
    return -1;
}

bool lab_faults(struct lab *lab, const struct experiment *experiment, const struct keys *keys,
                struct arena *arena, struct failure *failure)
{
    lab->fault = arena_alloc(arena, experiment->faults * sizeof *lab->fault);
    for (uint32_t i = 0; i < experiment->faults; i++) {
        const struct fault_spec *spec = &experiment->fault[i];
        lab->fault[i] = spec->fault;
        if (!spec->key)
            continue;
        lab->fault[i].key = number_of(keys, spec->key);
        if (lab->fault[i].key < 0)
            return fail(failure, EXIT_USAGE, spec->origin.file, spec->origin.line,
                        "no request has the key '%.60s'; expected one that asks, or all", spec->key);
    }
    return true;
}

/* explored.c - see explored.h. */
#include "explored.h"
#include <string.h>
#include "units.h"

void explored_init(struct explored *explored, uint32_t clients, uint32_t requests, uint32_t regions)
{
    *explored = (struct explored){ .clients = clients, .cost = 1, .period_ns = INT64_C(60000000000),
                                   .regions = regions, .region_name = { "home" } };
    for (uint32_t i = 0; i < SMALL_CLIENTS; i++) {
        explored->requests[i] = requests;
        explored->region[i] = i % regions;
    }
}

uint32_t explored_requests(const struct explored *explored)
{
    uint32_t requests = 0;

    for (uint32_t i = 0; explored->arrivals && i < explored->arrivals->rows; i++)
        requests += (explored->without >> i & 1) == 0;
    for (uint32_t i = 0; !explored->arrivals && i < explored->clients; i++)
        requests += explored->requests[i];
    return requests;
}

/* ---- opening ---- */

static const struct link no_delay = { .delay = { .constant = true } };

static const struct link *const *links(uint32_t regions, struct arena *arena)
{
    const struct link **list = arena_alloc(arena, (size_t)regions * regions * sizeof *list);

    for (uint32_t i = 0; i < regions * regions; i++)
        list[i] = &no_delay;
    return list;
}

static void make_topology(struct explored_world *world)
{
    const struct explored *explored = world->explored;
    struct topology *topology = &world->topology;

    topology->regions = explored->regions;
    for (uint32_t i = 0; i < explored->regions; i++) {
        topology->region[i] = explored->region_name[i];
        topology->instances[i] = 1;
    }
    world->network = (struct network){ .regions = explored->regions,
                                       .links = links(explored->regions, &world->arena) };
}

static bool make_design(struct explored_world *world, struct failure *failure)
{
    const struct explored *explored = world->explored;

    world->policy = (struct policy){ .limit = explored->limit, .period_ns = explored->period_ns,
                                     .burst = explored->burst ? explored->burst : explored->limit,
                                     .epoch_ns = explored->arrivals ? explored->arrivals->epoch_ns : 0 };
    const char *why = policy_init(&world->policy);
    if (why)
        return fail(failure, EXIT_USAGE, NULL, 0, "the policy: %s", why);
    if (!design_parse(explored->design, &world->topology, &world->policy, (struct origin){ 0 },
                      &world->design, failure))
        return false;
    design_instances(&world->design, &world->topology, world->instances);
    world->setup = (struct world_setup){ .design = &world->design, .policy = &world->policy,
                                         .network = &world->network, .instances = world->instances,
                                         .timeout_ns = INT64_C(1000000000) };
    return true;
}

static const char *make_clients(struct explored_world *world, struct small_setup *setup)
{
    static const int64_t at_once[] = { 0 };
    const struct explored *explored = world->explored;

    setup->client = world->client;
    if (explored->arrivals) {
        setup->keys = explored->arrivals->keys;
        return small_arrivals_clients(explored->arrivals, explored->without, world->client, &setup->clients,
                                      &setup->instant, &setup->instants, &world->arena);
    }
    setup->keys = setup->instants = 1;
    setup->instant = at_once;
    setup->clients = explored->clients;
    for (uint32_t i = 0; i < explored->clients; i++)
        world->client[i] = (struct small_client){ .region = explored->region[i], .cost = explored->cost,
                                                  .requests = explored->requests[i] };
    return NULL;
}

bool explored_open(struct explored_world *world, const struct explored *explored,
                   const struct explored_bounds *bounds, struct failure *failure)
{
    *world = (struct explored_world){ .explored = explored };
    make_topology(world);
    if (!make_design(world, failure))
        return false;
    struct explore_setup setup = {
        .small = { .memory = process_memory(), .world = &world->setup }, .symmetry = !bounds->no_symmetry,
        .crashes = explored->crashes, .forgets = explored->forgets, .most_states = bounds->most_states,
        .most_bytes = bounds->most_bytes, .keep_on = bounds->keep_on, .context = bounds->context
    };
    const char *why = make_clients(world, &setup.small);
    if (!why)
        why = explorer_init(&world->explorer, &setup);
    return !why || fail(failure, EXIT_USAGE, NULL, 0, "%s cannot be explored: %s", explored->design, why);
}

void explored_close(struct explored_world *world)
{
    if (world->explorer.setup.small.memory)
        explorer_free(&world->explorer);
    arena_free(&world->arena);
}

const char *explored_design(struct explored_world *world)
{
    const char *parameters = design_parameters(&world->design, &world->topology, &world->arena);

    return arena_format(&world->arena, "%s@%s %s", world->design.limiter->name,
                        world->design.coordination->name, parameters);
}

/* small_rig.c - see small_rig.h. */
#include "small_rig.h"

static const struct link none = { .delay = { .constant = true } };
static const struct link *const links[] = { &none };
static const uint32_t instances[] = { 1 };
static const int64_t seconds[] = { 0, INT64_C(1000000000), INT64_C(3000000000) };

static bool over_limit(void *context, const struct told *told, uint32_t n)
{
    uint64_t cost = 0;

    for (uint32_t i = 0; i < n; i++)
        cost += (uint64_t)told[i].cost * told[i].count;
    return cost > *(const uint64_t *)context;
}

static void open_clients(struct small_scene *scene, const char *design, uint32_t clients, uint32_t instants)
{
    struct failure failure = { 0 };

    experiment_init(&scene->experiment);
    assert_null(policy_init(&scene->policy));
    assert_true(design_parse(design, &scene->experiment.topology, &scene->policy, (struct origin){ 0 },
                             &scene->design, &failure));
    scene->network = (struct network){ .regions = 1, .links = links };
    scene->world = (struct world_setup){ .design = &scene->design, .policy = &scene->policy,
                                         .network = &scene->network, .instances = instances,
                                         .timeout_ns = 1000000000 };
    assert_null(explorer_init(&scene->explorer, &(struct explore_setup){
        .small = { .memory = process_memory(), .world = &scene->world, .clients = clients,
                   .client = scene->client, .keys = 1, .instants = instants,
                   .instant = instants > 1 ? seconds + 1 : seconds },
        .symmetry = true }));
    scene->judge = (struct judge){ over_limit, &scene->limit };
}

void small_open(struct small_scene *scene, const char *design, uint32_t clients, uint32_t requests,
                uint32_t limit)
{
    *scene = (struct small_scene){ .limit = limit, .policy = { .limit = limit, .period_ns = 60000000000,
                                                               .burst = limit } };
    for (uint32_t i = 0; i < clients; i++)
        scene->client[i] = (struct small_client){ .requests = requests, .cost = 1 };
    open_clients(scene, design, clients, 1);
}

void small_open_both_read_nine(struct small_scene *scene, const char *design)
{
    *scene = (struct small_scene){ .limit = 10,
                                   .policy = { .limit = 10, .period_ns = 60000000000, .burst = 10 } };
    for (uint32_t i = 0; i < 3; i++)
        scene->client[i] = (struct small_client){ .requests = 1, .cost = i == 0 ? 9 : 1,
                                                  .at_ns = &seconds[i == 0 ? 1 : 2] };
    open_clients(scene, design, 3, 2);
}

void small_close(struct small_scene *scene) { explorer_free(&scene->explorer); }

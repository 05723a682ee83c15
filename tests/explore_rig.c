#include "explore_rig.h"

static const struct link no_delay = { .delay = { .constant = true } };
static const int64_t at_once[] = { 0 };

static void open_topology(struct scene *scene)
{
    static const char *const name[] = { "a", "b", "c", "d" };
    struct topology *topology = &scene->experiment.topology;
    uint32_t regions = scene->stated.regions ? scene->stated.regions : 1;

    assert_true(regions <= 4);
    experiment_init(&scene->experiment);
    topology->regions = regions;
    for (uint32_t i = 0; i < regions; i++) {
        topology->region[i] = name[i];
        topology->instances[i] = scene->instances[i] = 1;
    }
    for (uint32_t i = 0; i < regions * regions; i++)
        scene->links[i] = &no_delay;
    scene->network = (struct network){ .regions = regions, .links = scene->links };
}

static void open_world(struct scene *scene)
{
    const struct stated *stated = &scene->stated;
    struct failure failure = { 0 };

    scene->policy = (struct policy){ .limit = stated->limit, .burst = stated->limit,
                                     .period_ns = stated->period_ns ? stated->period_ns : 60000000000 };
    assert_null(policy_init(&scene->policy));
    if (!design_parse(stated->design, &scene->experiment.topology, &scene->policy, (struct origin){ 0 },
                      &scene->design, &failure))
        fail_msg("%s: %s", stated->design, failure.line);
    scene->world = (struct world_setup){ .design = &scene->design, .policy = &scene->policy,
                                         .network = &scene->network, .instances = scene->instances,
                                         .timeout_ns = 1000000000 };
    design_instances(&scene->design, &scene->experiment.topology, scene->instances);
    for (uint32_t i = 0; i < stated->clients; i++)
        scene->client[i] = (struct small_client){ .requests = stated->requests, .cost = 1,
                                                  .region = i % scene->network.regions,
                                                  .at_ns = stated->at_ns };
}

void scene_open(struct scene *scene, const struct stated *stated)
{
    memset(scene, 0, sizeof *scene);
    scene->stated = *stated;
    open_topology(scene);
    open_world(scene);
    assert_null(explorer_init(&scene->explorer, &(struct explore_setup){
        .small = { .memory = process_memory(), .world = &scene->world, .clients = stated->clients,
                   .client = scene->client, .keys = 1, .instants = stated->instants ? stated->instants : 1,
                   .instant = stated->instant ? stated->instant : at_once },
        .symmetry = stated->symmetry, .crashes = stated->crashes, .forgets = stated->forgets }));
}

void scene_close(struct scene *scene) { explorer_free(&scene->explorer); }

static bool over_limit(void *context, const struct told *told, uint32_t n)
{
    return told_requests(told, n) > (uint64_t)*(const int64_t *)context;
}

void scene_count(struct scene *scene, const struct stated *stated, struct interleavings *counted)
{
    scene_open(scene, stated);
    explore(&scene->explorer);
    assert_int_equal(scene->explorer.end, EXPLORE_COMPLETE);
    assert_false(scene->explorer.endless);
    interleavings_count(counted, &scene->explorer, &(struct judge){ over_limit, &scene->stated.limit });
}

static uint64_t admitted(void *context, const struct told *told, uint32_t n)
{
    (void)context;
    return told_requests(told, n);
}

const struct worth worth_admitted = { admitted, NULL };

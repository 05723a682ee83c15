/* test_dpor.c - runs without states: as many as there are classes of them, and the graph's answers. */
#include "explore_rig.h"
#include "../engine/dpor.h"

static struct dpor_result explore_runs(struct scene *scene, uint64_t most_runs)
{
    struct dpor_result result;

    dpor_run(&(struct dpor_setup){ .explorer = &scene->explorer, .worth = worth_admitted,
                                   .most_runs = most_runs }, &result);
    return result;
}

static void get_then_set_takes_as_many_runs_as_it_has_traces(void **state)
{
    static const struct { uint32_t clients; uint64_t one, enough; } row[] = {
        { 2, 4, 4 }, { 3, 21, 36 }, { 4, 148, 576 }, { 5, 1305, 14400 },
    };
    static struct scene scene;

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int enough = 0; enough < 2; enough++) {
            scene_open(&scene, &(struct stated){ .design = "fixed-window@get-then-set", .requests = 1,
                                                 .clients = row[i].clients,
                                                 .limit = enough ? row[i].clients : 1 });
            struct dpor_result result = explore_runs(&scene, 0);
            assert_int_equal(result.end, DPOR_COMPLETE);
            assert_int_equal(result.executions, enough ? row[i].enough : row[i].one);
            assert_int_equal(result.blocked, 0);
            assert_int_equal(result.most, row[i].clients);
            memory_free(process_memory(), result.client);
            scene_close(&scene);
        }
}

/* The run that is said to be worth the most is. */
static void assert_shown(struct scene *scene, const struct dpor_result *result)
{
    struct walk walk;
    uint32_t n;

    walk_start(&walk, &scene->explorer);
    for (uint32_t i = 0; i < result->steps; i++)
        walk_step(&walk, &(struct walk_option){ .client = result->client[i] }, NULL);
    const struct told *told = walk_told(&walk, &n);
    assert_true(walk_is_over(&walk));
    assert_int_equal(told_requests(told, n), result->most);
}

static void the_runs_answer_as_the_graph_does(void **state)
{
    static const char *const design[] = {
        "fixed-window@get-then-set", "fixed-window@get-then-set:denied=writes", "fixed-window@cas",
        "fixed-window@cas:attempts=2", "fixed-window@incr", "gcra@owner", "gcra@atomic",
        "sliding-window-log@get-then-set", "token-bucket@cas", "token-bucket@local",
        "fixed-window-anchored@incr:form=incr-expire",
    };
    static struct scene scene;

    (void)state;
    for (size_t i = 0; i < sizeof design / sizeof *design; i++)
        for (uint32_t clients = 1; clients <= 3; clients++)
            for (uint32_t requests = 1; clients * requests <= 4; requests++)
                for (int64_t limit = 1; limit <= 3; limit++) {
                    struct interleavings counted;
                    scene_count(&scene, &(struct stated){ .design = design[i], .clients = clients,
                                                          .requests = requests, .limit = limit }, &counted);
                    struct dpor_result result = explore_runs(&scene, 0);
                    assert_int_equal(result.end, DPOR_COMPLETE);
                    assert_int_equal(result.most, counted.most);
                    assert_int_equal(result.least, counted.least);
                    assert_true(mpz_cmp_ui(counted.all, result.executions) >= 0);
                    assert_shown(&scene, &result);
                    memory_free(process_memory(), result.client);
                    interleavings_clear(&counted);
                    scene_close(&scene);
                }
}

static void what_cannot_be_followed_is_refused(void **state)
{
    static const struct stated worlds[] = {
        { .design = "token-bucket@kv", .clients = 2, .requests = 1, .limit = 1, .regions = 2 },
        { .design = "token-bucket@sharded:shards=2", .clients = 2, .requests = 1, .limit = 2 },
        { .design = "fixed-window@get-then-set", .clients = 2, .requests = 1, .limit = 1, .crashes = 1 },
    };
    static struct scene scene;

    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        scene_open(&scene, &worlds[i]);
        struct dpor_result result = explore_runs(&scene, 0);
        assert_int_equal(result.end, DPOR_REFUSED);
        memory_free(process_memory(), result.client);
        scene_close(&scene);
    }
}

static void a_bound_on_runs_is_kept(void **state)
{
    static struct scene scene;

    (void)state;
    scene_open(&scene, &(struct stated){ .design = "fixed-window@get-then-set", .clients = 4, .requests = 2,
                                         .limit = 3 });
    struct dpor_result result = explore_runs(&scene, 100);
    assert_int_equal(result.end, DPOR_RUNS);
    assert_int_equal(result.executions + result.blocked, 100);
    memory_free(process_memory(), result.client);
    scene_close(&scene);
}

/* There are 31,320. */
static void the_estimate_is_near(void **state)
{
    static struct scene scene;

    (void)state;
    scene_open(&scene, &(struct stated){ .design = "fixed-window@get-then-set", .clients = 5, .requests = 1,
                                         .limit = 1 });
    assert_in_range(dpor_estimate(&scene.explorer, 1, 20000), 30000, 33000);
    scene_close(&scene);
    scene_open(&scene, &(struct stated){ .design = "fixed-window@get-then-set", .clients = 16, .requests = 50,
                                         .limit = 100 });
    assert_int_equal(dpor_estimate(&scene.explorer, 1, 3), UINT64_MAX);
    scene_close(&scene);
}

TEST_MAIN(TEST(get_then_set_takes_as_many_runs_as_it_has_traces),
          TEST(the_runs_answer_as_the_graph_does),
          TEST(what_cannot_be_followed_is_refused),
          TEST(a_bound_on_runs_is_kept),
          TEST(the_estimate_is_near))

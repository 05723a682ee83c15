/* test_explore.c - every interleaving of small worlds: the known answers. */
#include <stdlib.h>
#include "../engine/walk.h"
#include "../harness/design.h"
#include "../harness/interleavings.h"
#include "test.h"

static const struct known {
    const char *design;
    uint32_t clients, requests, limit;
    const char *interleavings, *over;
    uint64_t most, states, canonical;   /* 0: not known */
} known[] = {
    { "fixed-window@get-then-set", 2, 1, 1, "6", "4", 2, 0, 0 },
    { "fixed-window@get-then-set", 3, 1, 1, "66", "60", 3, 0, 0 },
    { "fixed-window@get-then-set", 2, 2, 2, "58", "52", 4, 0, 0 },
    { "fixed-window@get-then-set", 4, 1, 2, "2376", "2352", 4, 0, 0 },
    { "fixed-window@get-then-set", 3, 2, 3, "29850", "29760", 6, 0, 0 },
    { "fixed-window@get-then-set", 3, 3, 3, "4412028", "4410348", 9, 0, 0 },
    { "fixed-window@cas", 3, 1, 1, "150", "0", 1, 0, 0 },
    { "fixed-window@cas", 4, 1, 2, "310872", "0", 2, 0, 0 },
    { "fixed-window@cas", 4, 2, 3, "1177510452840", "0", 3, 0, 0 },
    { "fixed-window@incr", 3, 3, 3, "1680", "0", 3, 0, 0 },
    { "fixed-window@get-then-set", 5, 1, 1, "31320", NULL, 5, 813, 41 },
    { "fixed-window@get-then-set", 5, 1, 5, "113400", "0", 5, 0, 0 },
    { "fixed-window@get-then-set", 5, 2, 5, "296704169400", NULL, 10, 0, 0 },
    { "fixed-window@cas", 5, 2, 5, "691019809296973961132172600", "0", 5, 0, 0 },
};

static bool over_limit(void *context, const struct told *told, uint32_t n)
{
    return told_requests(told, n) > *(const uint32_t *)context;
}

/* A small world of one key, with what it borrows. */
struct scene {
    struct experiment experiment;
    struct design design;
    struct policy policy;
    struct network network;
    struct world_setup world;
    struct small_client client[SMALL_CLIENTS];
    struct explorer explorer;
};

static const struct link none = { .delay = { .constant = true } };
static const struct link *const links[] = { &none };
static const uint32_t instances[] = { 1 };
static const int64_t instant[] = { 0 };

static void scene_open(struct scene *scene, const struct known *row, bool symmetry)
{
    struct failure failure = { 0 };

    *scene = (struct scene){ .policy = { .limit = row->limit, .period_ns = 60000000000,
                                         .burst = row->limit } };
    experiment_init(&scene->experiment);
    assert_null(policy_init(&scene->policy));
    assert_true(design_parse(row->design, &scene->experiment.topology, &scene->policy, (struct origin){ 0 },
                             &scene->design, &failure));
    scene->network = (struct network){ .regions = 1, .links = links };
    scene->world = (struct world_setup){ .design = &scene->design, .policy = &scene->policy,
                                         .network = &scene->network, .instances = instances,
                                         .timeout_ns = 1000000000 };
    for (uint32_t i = 0; i < row->clients; i++)
        scene->client[i] = (struct small_client){ .requests = row->requests, .cost = 1 };
    assert_null(explorer_init(&scene->explorer, &(struct explore_setup){
        .small = { .memory = process_memory(), .world = &scene->world, .clients = row->clients,
                   .client = scene->client, .keys = 1, .instants = 1, .instant = instant },
        .symmetry = symmetry }));
}

static void scene_close(struct scene *scene) { explorer_free(&scene->explorer); }

static uint64_t admitted_of(void *context, const struct told *told, uint32_t n)
{
    (void)context;
    return told_requests(told, n);
}

static void assert_number(const mpz_t number, const char *text)
{
    char *shown = mpz_get_str(NULL, 10, number);

    assert_string_equal(shown, text);
    free(shown);
}

static void explore_known(const struct known *row, bool symmetry)
{
    struct scene scene;
    struct interleavings counted;
    uint32_t limit = row->limit;

    scene_open(&scene, row, symmetry);
    explore(&scene.explorer);
    assert_int_equal(scene.explorer.end, EXPLORE_COMPLETE);
    assert_false(scene.explorer.endless || scene.explorer.blocked);
    interleavings_count(&counted, &scene.explorer, &(struct judge){ over_limit, &limit });
    assert_number(counted.all, row->interleavings);
    if (row->over)
        assert_number(counted.over, row->over);
    assert_int_equal(counted.most, row->most);
    interleavings_clear(&counted);
    scene_close(&scene);
}

static void preemptions_buy_a_limit_each(void **state)
{
    (void)state;
    for (uint32_t clients = 1; clients <= 8; clients++)
        for (uint32_t limit = 1; limit <= 3; limit++) {
            struct known row = { "fixed-window@get-then-set", clients, 1, limit, NULL, NULL, 0, 0, 0 };
            struct scene scene;
            uint64_t most[4];
            scene_open(&scene, &row, true);
            assert_true(walk_curve(&scene.explorer, (struct worth){ admitted_of, NULL }, most, 4, 0));
            for (uint32_t c = 0; c < 4; c++)
                assert_int_equal(most[c], clients < (c + 1) * limit ? clients : (c + 1) * limit);
            scene_close(&scene);
        }
}

static void the_cheapest_walk_is_minimal(void **state)
{
    struct known row = { "fixed-window@get-then-set", 3, 1, 2, NULL, NULL, 0, 0, 0 };
    struct scene scene;
    struct walk_option *option;

    (void)state;
    scene_open(&scene, &row, true);
    /* One reads; while it waits to write, two more pass: the third decides on what the second wrote. */
    uint32_t steps = walk_cheapest(&scene.explorer, (struct worth){ admitted_of, NULL }, 3, 0, &option);
    assert_int_equal(steps, 4);
    memory_free(process_memory(), option);
    scene_close(&scene);
}

static void the_known_answers_come_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        explore_known(&known[i], true);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        explore_known(&known[i], false);
}

TEST_MAIN(TEST(the_known_answers_come_out),
          TEST(preemptions_buy_a_limit_each),
          TEST(the_cheapest_walk_is_minimal))

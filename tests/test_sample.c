/* test_sample.c - schedulers beyond exhaustion: what each is known to find, and that runs repeat. */
#include "explore_rig.h"
#include "../engine/sample.h"

enum { RUNS = 20000, SEED = 1 };

struct found { uint64_t all, sum, most; };       /* runs in which all were admitted; admissions in all */

static struct found sample(struct sampler sampler, uint32_t clients, int64_t limit, uint64_t runs)
{
    static struct scene scene;
    struct sample_world world;
    struct found found = { 0 };

    scene_open(&scene, &(struct stated){ .design = "fixed-window@get-then-set", .clients = clients,
                                         .requests = 1, .limit = limit });
    sample_open(&world, &scene.explorer);
    for (uint64_t run = 0; run < runs; run++) {
        struct walk walk;
        uint32_t n;
        sample_walk(&world, sampler, SEED, run, &walk, NULL);
        const struct told *told = walk_told(&walk, &n);
        uint64_t admitted = told_requests(told, n);
        found.all += admitted == clients;
        found.sum += admitted;
        found.most = admitted > found.most ? admitted : found.most;
    }
    scene_close(&scene);
    return found;
}

/* The shares are 24/625, and the products of (9 - i) out of 10 - i and their like; the intervals are four
 * standard errors wide on each side. */
static void schedulers_admit_all_as_often_as_known(void **state)
{
    (void)state;
    struct found random = sample((struct sampler){ SAMPLE_RANDOM, 0 }, 5, 1, RUNS);
    struct found work = sample((struct sampler){ SAMPLE_WORK, 0 }, 5, 1, RUNS);
    struct found reads = sample((struct sampler){ SAMPLE_READS_FIRST, 0 }, 5, 1, RUNS);

    assert_in_range(random.all, RUNS * 333 / 10000, RUNS * 440 / 10000);
    assert_in_range(work.all, RUNS * 1176 / 10000, RUNS * 1364 / 10000);
    assert_in_range(reads.all, RUNS * 8000 / 10000, RUNS * 8250 / 10000);
    assert_in_range(random.sum, RUNS * 247 / 100, RUNS * 255 / 100);
    assert_in_range(work.sum, RUNS * 303 / 100, RUNS * 311 / 100);
    assert_in_range(reads.sum, RUNS * 460 / 100, RUNS * 466 / 100);
}

static void the_adversary_admits_all_where_random_walks_never_do(void **state)
{
    (void)state;
    assert_in_range(sample((struct sampler){ SAMPLE_READS_FIRST, 0 }, 10, 1, 2000).all, 1200, 1320);
    assert_in_range(sample((struct sampler){ SAMPLE_RANDOM, 0 }, 10, 1, 2000).all, 0, 4);
}

static void priorities_find_orders_and_not_quantities(void **state)
{
    (void)state;
    for (uint32_t depth = 2; depth <= 4; depth++)
        for (int64_t limit = 1; limit <= 4; limit++)
            assert_int_equal(sample((struct sampler){ SAMPLE_PRIORITIES, depth }, 12, limit, 4000).most,
                             limit + depth - 1);
    struct found two = sample((struct sampler){ SAMPLE_PRIORITIES, 2 }, 5, 1, RUNS);
    assert_in_range(two.sum, RUNS * 108 / 100, RUNS * 113 / 100);
}

static void preemptions_stay_within_their_bound(void **state)
{
    (void)state;
    for (uint32_t bound = 0; bound <= 3; bound++)
        for (int64_t limit = 1; limit <= 3; limit++) {
            uint64_t law = (bound + 1) * (uint64_t)limit;
            assert_int_equal(sample((struct sampler){ SAMPLE_PREEMPTIONS, bound }, 8, limit, 5000).most,
                             law < 8 ? law : 8);
        }
}

static void open_large(struct scene *scene, const char *design)
{
    scene_open(scene, &(struct stated){ .design = design, .clients = 16, .requests = 20, .limit = 30 });
}

static void a_portfolio_finds_in_worlds_that_cannot_be_exhausted_and_its_walk_shows_it(void **state)
{
    static struct scene scene;
    struct sample_world world;
    struct sampled sampled;
    struct walk walk;

    (void)state;
    open_large(&scene, "fixed-window@get-then-set");
    sample_open(&world, &scene.explorer);
    sample_portfolio(&world, &(struct sample_setup){ .seed = SEED, .runs = 100, .worth = worth_admitted,
                                                     .least = 31, .all_runs = true }, &sampled);
    assert_true(sampled.found);
    assert_int_equal(sampled.runs, 100);
    assert_int_equal(sampled.yield[SAMPLE_WORK].runs, 50);
    assert_int_equal(sampled.yield[SAMPLE_READS_FIRST].runs, 20);
    assert_int_equal(sampled.yield[SAMPLE_WORK].found, 50);
    assert_true(sampled.most > 200);
    walk_start(&walk, &scene.explorer);
    for (size_t i = 0; i < sampled.trace.n; i++)
        walk_step(&walk, &sampled.trace.option[i], NULL);
    uint32_t n;
    const struct told *told = walk_told(&walk, &n);
    assert_int_equal(told_requests(told, n), sampled.most);
    assert_true(walk_is_over(&walk));
    memory_free(process_memory(), sampled.trace.option);
    scene_close(&scene);
}

static void a_portfolio_finds_nothing_where_there_is_nothing(void **state)
{
    static const char *const design[] = { "fixed-window@cas", "gcra@owner", "gcra@atomic" };
    static struct scene scene;
    struct sample_world world;
    struct sampled sampled;

    (void)state;
    for (size_t i = 0; i < sizeof design / sizeof *design; i++) {
        open_large(&scene, design[i]);
        sample_open(&world, &scene.explorer);
        sample_portfolio(&world, &(struct sample_setup){ .seed = SEED, .runs = 20, .worth = worth_admitted,
                                                         .least = 31 }, &sampled);
        assert_false(sampled.found);
        assert_int_equal(sampled.most, 30);
        assert_int_equal(sampled.runs, 20);
        memory_free(process_memory(), sampled.trace.option);
        scene_close(&scene);
    }
}

static void every_rule_ends_on_every_kind_of_world(void **state)
{
    static const struct stated worlds[] = {
        { .design = "token-bucket@kv", .clients = 3, .requests = 2, .limit = 1, .regions = 2 },
        { .design = "gcra@get-then-set", .clients = 3, .requests = 2, .limit = 2, .crashes = 2,
          .forgets = 1 },
        { .design = "fixed-window@local-sync", .clients = 4, .requests = 2, .limit = 2, .regions = 2 },
        { .design = "token-bucket@sharded:shards=2", .clients = 3, .requests = 2, .limit = 2 },
    };
    static struct scene scene;
    struct sample_world world;
    struct walk walk;

    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        scene_open(&scene, &worlds[i]);
        sample_open(&world, &scene.explorer);
        for (uint64_t run = 0; run < 500; run++) {
            sample_walk(&world, sample_of_portfolio(run), SEED, run, &walk, NULL);
            assert_true(walk_is_over(&walk));
        }
        scene_close(&scene);
    }
}

TEST_MAIN(TEST(schedulers_admit_all_as_often_as_known),
          TEST(the_adversary_admits_all_where_random_walks_never_do),
          TEST(priorities_find_orders_and_not_quantities),
          TEST(preemptions_stay_within_their_bound),
          TEST(a_portfolio_finds_in_worlds_that_cannot_be_exhausted_and_its_walk_shows_it),
          TEST(a_portfolio_finds_nothing_where_there_is_nothing),
          TEST(every_rule_ends_on_every_kind_of_world))

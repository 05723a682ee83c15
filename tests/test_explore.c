/* test_explore.c - every interleaving of small worlds: the known answers. */
#include <stdlib.h>
#include "explore_rig.h"

static const struct known {
    const char *design;
    uint32_t clients, requests, limit;
    const char *interleavings, *over;   /* NULL: not known */
    uint64_t most;
} known[] = {
    { "fixed-window@get-then-set", 2, 1, 1, "6", "4", 2 },
    { "fixed-window@get-then-set", 3, 1, 1, "66", "60", 3 },
    { "fixed-window@get-then-set", 2, 2, 2, "58", "52", 4 },
    { "fixed-window@get-then-set", 4, 1, 2, "2376", "2352", 4 },
    { "fixed-window@get-then-set", 3, 2, 3, "29850", "29760", 6 },
    { "fixed-window@get-then-set", 3, 3, 3, "4412028", "4410348", 9 },
    { "fixed-window@cas", 3, 1, 1, "150", "0", 1 },
    { "fixed-window@cas", 4, 1, 2, "310872", "0", 2 },
    { "fixed-window@cas", 4, 2, 3, "1177510452840", "0", 3 },
    { "fixed-window@incr", 3, 3, 3, "1680", "0", 3 },
    { "fixed-window@get-then-set", 5, 1, 1, "31320", NULL, 5 },
    { "fixed-window@get-then-set", 5, 1, 5, "113400", "0", 5 },
    { "fixed-window@get-then-set", 5, 2, 5, "296704169400", NULL, 10 },
    { "fixed-window@cas", 5, 2, 5, "691019809296973961132172600", "0", 5 },
};

static struct stated stated_of(const char *design, uint32_t clients, uint32_t requests, uint32_t limit,
                               bool symmetry)
{
    return (struct stated){ .design = design, .clients = clients, .requests = requests, .limit = limit,
                            .symmetry = symmetry };
}

static void assert_number(const mpz_t number, const char *text)
{
    char *shown = mpz_get_str(NULL, 10, number);

    assert_string_equal(shown, text);
    free(shown);
}

static void explore_known(const struct known *row, bool symmetry)
{
    static struct scene scene;
    struct interleavings counted;
    struct stated stated = stated_of(row->design, row->clients, row->requests, row->limit, symmetry);

    scene_count(&scene, &stated, &counted);
    assert_false(scene.explorer.blocked);
    assert_number(counted.all, row->interleavings);
    if (row->over)
        assert_number(counted.over, row->over);
    assert_int_equal(counted.most, row->most);
    interleavings_clear(&counted);
    scene_close(&scene);
}

static void the_known_answers_come_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int symmetry = 0; symmetry < 2; symmetry++)
            explore_known(&known[i], symmetry);
}

/* How many there are depends on what tells two states apart.  Here: what the clients do and have read, what
 * is stored, how many were admitted; not who.  The model checker Spin counts the same (test_spin.c). */
static void as_many_states_are_found_as_there_are(void **state)
{
    static const struct {
        const char *design;
        uint32_t clients, requests, limit;
        size_t plain, folded;
    } row[] = {
        { "fixed-window@cas", 2, 1, 1, 9, 6 },
        { "fixed-window@cas", 3, 1, 1, 27, 10 },
        { "fixed-window@cas", 4, 1, 1, 81, 15 },
        { "fixed-window@cas", 5, 1, 1, 243, 21 },
        { "fixed-window@cas", 6, 1, 1, 729, 28 },
        { "fixed-window@cas", 6, 1, 6, 8445, 127 },
        { "fixed-window@cas", 5, 2, 5, 99254, 1669 },
        { "fixed-window@get-then-set", 5, 1, 1, 437, 41 },
        { "fixed-window@get-then-set", 10, 1, 1, 197854, 231 },
        { "fixed-window@get-then-set", 5, 2, 5, 305987, 6116 },
    };
    static struct scene scene;

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int symmetry = 0; symmetry < 2; symmetry++) {
            struct stated stated = stated_of(row[i].design, row[i].clients, row[i].requests, row[i].limit,
                                             symmetry);
            scene_open(&scene, &stated);
            explore(&scene.explorer);
            assert_int_equal(scene.explorer.plain_states, row[i].plain);
            assert_int_equal(scene.explorer.states.items, symmetry ? row[i].folded : row[i].plain);
            scene_close(&scene);
        }
}

static uint64_t plain_states(const struct stated *stated)
{
    static struct scene scene;

    scene_open(&scene, stated);
    explore(&scene.explorer);
    uint64_t plain = scene.explorer.plain_states;
    if (!stated->symmetry)
        assert_int_equal(plain, scene.explorer.states.items);
    scene_close(&scene);
    return plain;
}

static void interchangeable_clients_fold_states_and_lose_none(void **state)
{
    static const char *const design[] = { "fixed-window@get-then-set", "fixed-window@cas", "gcra@owner",
                                          "token-bucket@sharded:shards=2" };

    (void)state;
    for (size_t i = 0; i < sizeof design / sizeof *design; i++)
        for (uint32_t clients = 1; clients <= 5; clients++)
            for (uint32_t limit = 2; limit <= 6; limit += 2) {
                struct stated folded = stated_of(design[i], clients, 1 + clients % 2, limit, true);
                struct stated plain = folded;
                plain.symmetry = false;
                assert_int_equal(plain_states(&folded), plain_states(&plain));
            }
}

/* Steps on the longest way through the graph. */
static uint32_t longest(const struct explorer *explorer)
{
    uint32_t *length = calloc(explorer->states.items, sizeof *length);

    assert_non_null(length);
    for (uint64_t i = 0; i < explorer->ordered; i++) {
        const struct explore_node *node = &explorer->node[explorer->order[i]];
        for (uint32_t k = 0; k < node->edges; k++) {
            uint32_t after = length[explorer->edge[node->first_edge + k].to] + 1;
            uint32_t *here = &length[explorer->order[i]];
            *here = after > *here ? after : *here;
        }
    }
    uint32_t steps = length[explorer->first];
    free(length);
    return steps;
}

/* An attempt is a read and a swap.  One admission: n swap, the others read once more and are denied.  All
 * admitted: each success makes all others fail once. */
static void contention_costs_at_most_as_many_attempts_as_known(void **state)
{
    static struct scene scene;

    (void)state;
    for (uint32_t n = 1; n <= 6; n++) {
        struct stated one = stated_of("fixed-window@cas", n, 1, 1, true), all = one;
        scene_open(&scene, &one);
        explore(&scene.explorer);
        assert_int_equal(longest(&scene.explorer), 2 * n + n - 1);
        scene_close(&scene);
        all.limit = n;
        scene_open(&scene, &all);
        explore(&scene.explorer);
        assert_int_equal(longest(&scene.explorer), 2 * (n * (n + 1) / 2));
        scene_close(&scene);
    }
}

enum { CURVE = 4 };

static void curve_of(const struct stated *stated, uint64_t most[CURVE])
{
    static struct scene scene;

    scene_open(&scene, stated);
    assert_true(walk_curve(&scene.explorer, worth_admitted, most, CURVE, 0));
    scene_close(&scene);
}

static void preemptions_buy_a_limit_each(void **state)
{
    uint64_t most[CURVE];

    (void)state;
    for (uint32_t clients = 1; clients <= 8; clients++)
        for (uint32_t limit = 1; limit <= 3; limit++) {
            struct stated stated = stated_of("fixed-window@get-then-set", clients, 1, limit, true);
            curve_of(&stated, most);
            for (uint32_t c = 0; c < CURVE; c++)
                assert_int_equal(most[c], clients < (c + 1) * limit ? clients : (c + 1) * limit);
        }
}

static void preemptions_buy_nothing_where_steps_are_atomic(void **state)
{
    static const char *const design[] = { "fixed-window@cas", "fixed-window@incr", "gcra@owner",
                                          "gcra@atomic", "sliding-window-log@cas" };
    uint64_t most[CURVE];

    (void)state;
    for (size_t i = 0; i < sizeof design / sizeof *design; i++)
        for (uint32_t limit = 1; limit <= 3; limit++) {
            struct stated stated = stated_of(design[i], 4, 1, limit, true);
            curve_of(&stated, most);
            for (uint32_t c = 0; c < CURVE; c++)
                assert_int_equal(most[c], limit);
        }
}

/* One reads; while it waits to write, two more pass: the third decides on what the second wrote. */
static void the_cheapest_walk_is_minimal(void **state)
{
    static struct scene scene;
    struct stated stated = stated_of("fixed-window@get-then-set", 3, 1, 2, true);
    struct walk_option *option;

    (void)state;
    scene_open(&scene, &stated);
    assert_int_equal(walk_cheapest(&scene.explorer, worth_admitted, 3, 0, &option), 4);
    memory_free(process_memory(), option);
    scene_close(&scene);
}

TEST_MAIN(TEST(the_known_answers_come_out),
          TEST(as_many_states_are_found_as_there_are),
          TEST(interchangeable_clients_fold_states_and_lose_none),
          TEST(contention_costs_at_most_as_many_attempts_as_known),
          TEST(preemptions_buy_a_limit_each),
          TEST(preemptions_buy_nothing_where_steps_are_atomic),
          TEST(the_cheapest_walk_is_minimal))

/* test_alias.c - engine/alias.h: draws by weight. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../engine/alias.h"
#include "../engine/stream.h"
#include "../harness/arena.h"

/* Each thing's height over all columns, added up. */
static void heights(const struct alias *alias, uint64_t *height)
{
    memset(height, 0, alias->things * sizeof *height);
    for (uint32_t i = 0; i < alias->things; i++) {
        height[i] += alias->column[i].own;
        height[alias->column[i].other] += (UINT64_C(1) << 32) - alias->column[i].own;
    }
}

/* What each thing is due: its share of things * 2^32, as the difference of rounded running sums. */
static void assert_heights_are_due(const uint64_t *weight, uint32_t things)
{
    struct alias alias;
    uint64_t *height = malloc(things * sizeof *height);
    u128 total = 0, before = 0, all = (u128)things << 32;

    assert_true(alias_init(&alias, weight, things, process_memory()));
    heights(&alias, height);
    for (uint32_t i = 0; i < things; i++)
        total += weight[i];
    for (uint32_t i = 0; i < things; before += weight[i++]) {
        u128 due = (before + weight[i]) * all / total - before * all / total;
        assert_true(height[i] == due);
    }
    alias_free(&alias, process_memory());
    free(height);
}

static void an_alias_table_holds_every_weight_exactly(void **state)
{
    static const uint64_t lists[][6] = {
        { 1 }, { 7, 7, 7, 7, 7, 7 }, { 1, 2, 3, 4, 5, 6 }, { 6, 5, 4, 3, 2, 1 }, { 0, 0, 1, 0, 0, 0 }, { 1,
                0, 0, 0, 0, 1 },
        { UINT64_MAX - 5, 1, 1, 1, 1, 1 }, { 1, 1, 1, 1, 1, UINT64_MAX - 5 }, { 0, 0, 0, 0, 0, UINT64_MAX },
    };
    uint64_t weight[300];
    (void)state;

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        assert_heights_are_due(lists[i], i ? 6 : 1);
    for (uint64_t round = 0; round < 300; round++) {
        uint32_t things = 1 + (uint32_t)(round % 299);
        for (uint32_t i = 0; i < things; i++)
            weight[i] = stream_value(round, (struct stream){ i, 1, 0 }) >> (10 + (i * round) % 50);
        weight[round % things] |= 1;
        assert_heights_are_due(weight, things);
    }
}

static void weights_that_sum_to_nothing_or_too_much_are_refused(void **state)
{
    const uint64_t none[] = { 0, 0 }, much[] = { UINT64_MAX, 1 };
    struct alias alias;
    (void)state;

    assert_false(alias_init(&alias, none, 2, process_memory()));
    assert_false(alias_init(&alias, much, 2, process_memory()));
}

/* A draw is a point on the line of all columns: stepping over it evenly must find the weights themselves. */
static void drawing_every_point_finds_the_weights(void **state)
{
    enum { POINTS = 1 << 20 };
    const uint64_t weight[] = { 1, 2, 4, 1 };
    uint64_t seen[4] = { 0 };
    struct alias alias;
    (void)state;

    assert_true(alias_init(&alias, weight, 4, process_memory()));
    for (uint64_t i = 0; i < POINTS; i++)
        seen[alias_draw(&alias, i << 44)]++;
    for (int i = 0; i < 4; i++)
        assert_int_equal(seen[i], weight[i] * POINTS / 8);
    alias_free(&alias, process_memory());
}

static void even_things_need_no_table(void **state)
{
    struct alias alias;
    (void)state;

    alias_init_even(&alias, 3);
    assert_null(alias.column);
    assert_int_equal(alias_draw(&alias, 0), 0);
    assert_int_equal(alias_draw(&alias, UINT64_MAX / 3), 0);
    assert_int_equal(alias_draw(&alias, UINT64_MAX / 3 + 1), 1);
    assert_int_equal(alias_draw(&alias, UINT64_MAX), 2);
}

static void zipf_weights_follow_their_law(void **state)
{
    static const int64_t exponents[] = { 0, 500000000, 1000000000, 1200000000, 2000000000 };
    uint64_t weight[1000];
    (void)state;

    for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
        zipf_weights(weight, 1000, exponents[e]);
        assert_int_equal(weight[0], (UINT64_C(1) << 62) / 1000);
        for (int i = 1; i < 1000; i++) {
            long double due = (long double)weight[0] * powl(i + 1, -(long double)exponents[e] / 1e9L);
            assert_true(fabsl((long double)weight[i] - due) < 1 + 1e-14L * due);
        }
    }
    zipf_weights(weight, 3, 1000000000);
    assert_int_equal(weight[1], ((UINT64_C(1) << 62) / 3 + 1) / 2);
    zipf_weights(weight, 1000, ZIPF_EXPONENT_MAX);
    assert_int_equal(weight[999], 0);
    zipf_weights(weight, 1, ZIPF_EXPONENT_MAX);
    assert_int_equal(weight[0], UINT64_C(1) << 62);
}

TEST_MAIN(TEST(an_alias_table_holds_every_weight_exactly),
          TEST(weights_that_sum_to_nothing_or_too_much_are_refused),
          TEST(drawing_every_point_finds_the_weights),
          TEST(even_things_need_no_table),
          TEST(zipf_weights_follow_their_law))

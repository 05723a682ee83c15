/* alias.c - see alias.h. */
#include "alias.h"

#include <assert.h>
#include <stddef.h>
#include "fixed_point.h"

static const int64_t billion = 1000000000;
static const uint64_t column_height = UINT64_C(1) << 32;

void alias_init_even(struct alias *alias, uint32_t things)
{
    assert(things >= 1);
    *alias = (struct alias){ .things = things };
}

void alias_free(struct alias *alias, struct memory *memory)
{
    alias->column = memory_free(memory, alias->column);
}

/* --- Vose's table, in one sweep: things with more than a column fill up the columns of the others --- */

struct shares {
    const uint64_t *weight;
    uint32_t things;
    uint64_t total_weight;
};

/* Walks over the things in order and stops at the light ones, or at the heavy ones. */
struct walk {
    bool heavy;
    uint32_t next;                      /* the first thing not looked at */
    uint64_t weight_before, share_before;   /* of all things before it */
};

struct thing { uint32_t index; uint64_t share; };

/* The next thing of the walk's kind; false when there is none.  Shares are differences of rounded running
 * sums, so that no rounding is lost. */
static bool walk_on(struct walk *walk, const struct shares *shares, struct thing *thing)
{
    const uint64_t all = shares->things * column_height;

    while (walk->next < shares->things) {
        uint32_t index = walk->next++;
        walk->weight_before += shares->weight[index];
        uint64_t until = (uint64_t)((u128)walk->weight_before * all / shares->total_weight);
        *thing = (struct thing){ index, until - walk->share_before };
        walk->share_before = until;
        if ((thing->share > column_height) == walk->heavy)
            return true;
    }
    return false;
}

/* A column that its own thing fills is written as all of it going to the other, who is the same thing: 2^32
 * does not fit. */
static void fill_column(struct alias_column *column, struct thing own, uint32_t other)
{
    assert(own.share <= column_height);
    bool full = own.share == column_height;

    column[own.index] = (struct alias_column){ (uint32_t)own.share, full ? own.index : other };
}

/* `giver` is the heavy thing of the moment, with what is left of its share.  Once that is down to a column
 * or less it is filled up by the next heavy one, and takes its place among the light ones. */
static void sweep(struct alias_column *column, const struct shares *shares)
{
    struct walk light = { .heavy = false }, heavy = { .heavy = true };
    struct thing small = { 0 }, giver, small_giver;
    bool has_small = walk_on(&light, shares, &small);

    for (bool has_giver = walk_on(&heavy, shares, &giver); has_giver; ) {
        if (giver.share > column_height) {
            assert(has_small);
            fill_column(column, small, giver.index);
            giver.share -= column_height - small.share;
            has_small = walk_on(&light, shares, &small);
        } else {
            small_giver = giver;
            has_giver = walk_on(&heavy, shares, &giver);
            assert(has_giver || small_giver.share == column_height);
            fill_column(column, small_giver, giver.index);
            giver.share -= column_height - small_giver.share;
        }
    }
    for (; has_small; has_small = walk_on(&light, shares, &small)) {
        assert(small.share == column_height);
        fill_column(column, small, small.index);
    }
}

bool alias_init(struct alias *alias, const uint64_t *weight, uint32_t things, struct memory *memory)
{
    assert(things >= 1);
    u128 total = 0;

    for (uint32_t i = 0; i < things; i++)
        total += weight[i];
    if (total == 0 || total > UINT64_MAX)
        return false;
    struct shares shares = { weight, things, (uint64_t)total };
    *alias = (struct alias){ .things = things };
    alias->column = memory->resize(memory, NULL, things * sizeof *alias->column);
    sweep(alias->column, &shares);
    return true;
}

/* --- Zipf --- */

static uint64_t zipf_weight(uint64_t first, uint64_t rank, int64_t exponent_billionths)
{
    if (exponent_billionths == billion)
        return (first + rank / 2) / rank;
    i128 exponent = -((i128)fixed_log2(rank) * exponent_billionths / billion);
    return (uint64_t)fixed_scale((int64_t)first, (int64_t)i128_max(exponent, -64 * (i128)FIXED_ONE));
}

void zipf_weights(uint64_t *weight, uint32_t things, int64_t exponent_billionths)
{
    assert(things >= 1 && exponent_billionths >= 0 && exponent_billionths <= ZIPF_EXPONENT_MAX);

    for (uint32_t i = 0; i < things; i++)
        weight[i] = zipf_weight((UINT64_C(1) << 62) / things, (uint64_t)i + 1, exponent_billionths);
}

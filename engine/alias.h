/* alias.h - draws one of n things by weight, in constant time: an alias table (Walker 1977, Vose 1991), in
 * integers.
 *
 * The n columns of the table are 2^32 high.  A thing's share of all n * 2^32 is its weight's share of all
 * weights, rounded by less than 1, and the rounded shares sum to n * 2^32 exactly: the table is right to
 * 2^-32 / n, and a draw follows the table to n / 2^64.  A column belongs to its own thing below `own`, above
 * it to `other`. */
#ifndef LIMITLAB_ALIAS_H
#define LIMITLAB_ALIAS_H
#include <stdbool.h>
#include "memory.h"
#include "wide.h"

struct alias_column { uint32_t own, other; };

struct alias {
    uint32_t things;
    struct alias_column *column;        /* NULL: all weights alike */
};

/* All of n >= 1 things alike: needs no memory. */
void alias_init_even(struct alias *alias, uint32_t things);

/* n >= 1 things with these weights, which sum to 1 .. 2^64 - 1; false when they do not. */
bool alias_init(struct alias *alias, const uint64_t *weight, uint32_t things, struct memory *memory);

void alias_free(struct alias *alias, struct memory *memory);

/* The thing that 64 uniform random bits draw.  The table is read at one place. */
static inline uint32_t alias_draw(const struct alias *alias, uint64_t bits)
{
    u128 point = (u128)bits * alias->things;
    uint32_t column = (uint32_t)(point >> 64);

    if (!alias->column)
        return column;
    struct alias_column found = alias->column[column];
    return (uint32_t)((uint64_t)point >> 32) < found.own ? column : found.other;
}

/* Popularity after Zipf: thing i weighs in proportion to 1 / (i + 1)^s, with s = exponent_billionths / 1e9.
 * Exact but for the rounding when s is 1, else to 2^-50 of itself; then rounded to whole units, of which the
 * first thing has 2^62 / n.  A thing that is rarer than half a unit weighs nothing and is never drawn. */
#define ZIPF_EXPONENT_MAX INT64_C(10000000000)
void zipf_weights(uint64_t *weight, uint32_t things, int64_t exponent_billionths);
#endif

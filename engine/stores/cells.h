/* cells.h - the steps that every store with plain cells shares. */
#ifndef LIMITLAB_CELLS_H
#define LIMITLAB_CELLS_H
#include "../world.h"

/* get, put, compare-and-set, take, add, count, expire, block: one linearizable copy of each cell. */
void cells_apply(struct world *world, struct store *store, struct message *message);

/* A write of the message's value to a cell, counted as a lost update when it replaces what its writer had not
 * read. */
void cells_put(struct world *world, struct store *store, struct message *message);

/* The value as a counter. */
static inline struct counter *value_counter(struct value *value)
{
    return (struct counter *)(void *)value->state.bytes;
}
#endif

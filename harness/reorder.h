/* reorder.h - rows put in order of time while they stream by: a heap of those for which an earlier one may
 * still come.
 *
 * Rows at one instant keep the order in which they were put in. */
#ifndef LIMITLAB_REORDER_H
#define LIMITLAB_REORDER_H
#include "rows.h"

struct waiting_row {
    int64_t  at_ns;
    uint64_t number;                    /* of the row in its file, from 0 */
    struct row row;
};

struct reorder {                        /* starts as { 0 } */
    size_t count, have;
    struct waiting_row *heap;
};

void reorder_put(struct reorder *reorder, const struct waiting_row *row);

/* The earliest row; NULL when none waits. */
const struct waiting_row *reorder_first(const struct reorder *reorder);

/* Takes the earliest row out; there must be one. */
struct waiting_row reorder_take(struct reorder *reorder);

void reorder_free(struct reorder *reorder);
#endif

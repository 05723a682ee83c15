/* reorder.c - see reorder.h.  A binary heap. */
#include "reorder.h"

static bool goes_first(const struct waiting_row *a, const struct waiting_row *b)
{
    return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->number < b->number;
}

void reorder_put(struct reorder *reorder, const struct waiting_row *row)
{
    reorder->heap = memory_grow(process_memory(), reorder->heap, &reorder->have, reorder->count + 1,
                                sizeof *reorder->heap);
    size_t at = reorder->count++;
    for (size_t up = (at - 1) / 2; at > 0 && goes_first(row, &reorder->heap[up]); at = up, up = (at - 1) / 2)
        reorder->heap[at] = reorder->heap[up];
    reorder->heap[at] = *row;
}

const struct waiting_row *reorder_first(const struct reorder *reorder)
{
    return reorder->count > 0 ? reorder->heap : NULL;
}

struct waiting_row reorder_take(struct reorder *reorder)
{
    struct waiting_row first = reorder->heap[0], last = reorder->heap[--reorder->count];
    size_t at = 0;

    for (size_t down = 1; down < reorder->count; at = down, down = 2 * at + 1) {
        if (down + 1 < reorder->count && goes_first(&reorder->heap[down + 1], &reorder->heap[down]))
            down++;
        if (!goes_first(&reorder->heap[down], &last))
            break;
        reorder->heap[at] = reorder->heap[down];
    }
    reorder->heap[at] = last;
    return first;
}

void reorder_free(struct reorder *reorder)
{
    memory_free(process_memory(), reorder->heap);
    *reorder = (struct reorder){ 0 };
}

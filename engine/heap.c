#include <assert.h>
#include <stdbool.h>
#include "heap.h"

enum { CHILDREN = 4 };

static inline bool before(const struct heap_event *a, const struct heap_event *b)
{
    /* Sequences wrap: what counts is which came first, and far fewer than 2^31 are ever queued. */
    return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : (int32_t)(a->sequence - b->sequence) < 0;
}

void heap_init(struct heap *heap, struct memory *memory)
{
    assert(memory);
    *heap = (struct heap){ .memory = memory };
}

void heap_free(struct heap *heap)
{
    assert(heap->memory);
    heap->event = memory_free(heap->memory, heap->event);
    heap->n = heap->room = 0;
}

void heap_push(struct heap *heap, struct heap_event event)
{
    assert(heap->n < INT32_MAX);
    heap->event = memory_grow(heap->memory, heap->event, &heap->room, heap->n + 1, sizeof *heap->event);
    size_t hole = heap->n++;
    while (hole > 0) {
        size_t parent = (hole - 1) / CHILDREN;
        if (!before(&event, &heap->event[parent]))
            break;
        heap->event[hole] = heap->event[parent];
        hole = parent;
    }
    heap->event[hole] = event;
}

static size_t first_child(const struct heap *heap, size_t parent)
{
    size_t best = parent * CHILDREN + 1, end = best + CHILDREN < heap->n ? best + CHILDREN : heap->n;

    for (size_t i = best + 1; i < end; i++)
        if (before(&heap->event[i], &heap->event[best]))
            best = i;
    return best;
}

struct heap_event heap_pop(struct heap *heap)
{
    assert(heap->n > 0);
    struct heap_event top = heap->event[0], last = heap->event[--heap->n];
    size_t hole = 0;

    while (hole * CHILDREN + 1 < heap->n) {
        size_t child = first_child(heap, hole);
        if (!before(&heap->event[child], &last))
            break;
        heap->event[hole] = heap->event[child];
        hole = child;
    }
    if (heap->n > 0)
        heap->event[hole] = last;
    return top;
}

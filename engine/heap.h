/* heap.h - a 4-ary min-heap of events in (time, sequence) order.
 *
 * Serves two ends: it keeps the far events of the bucket wheel (queue.h), and it is the simple thing that the
 * wheel is checked against.  O(log n), children of one node in one cache line. */
#ifndef LIMITLAB_HEAP_H
#define LIMITLAB_HEAP_H
#include <stdint.h>
#include "memory.h"

struct heap_event { int64_t at_ns; uint32_t sequence, payload; };

struct heap {
    struct memory *memory;
    struct heap_event *event;
    size_t n, room;
};

void heap_init(struct heap *heap, struct memory *memory);
void heap_free(struct heap *heap);
void heap_push(struct heap *heap, struct heap_event event);
struct heap_event heap_pop(struct heap *heap);      /* heap->n > 0 */
#endif

/* queue.h - what happens next: events in order of time, and at one instant in the order in which they were
 * queued.
 *
 * A one-level bucket wheel: unsorted lists of 16-byte nodes, sorted when their bucket becomes current, a
 * bitmap to skip empty buckets, a heap (heap.h) for what lies beyond the last bucket.  The bucket width
 * follows the traffic by itself; it changes speed, never order.
 *
 * Order at one instant is only a proposal: the driver sees all events of the head instant (queue_ties) and
 * takes the one that the chooser picks (queue_take). */
#ifndef LIMITLAB_QUEUE_H
#define LIMITLAB_QUEUE_H
#include <stdbool.h>
#include "heap.h"

#define QUEUE_NOTHING INT64_MAX             /* "no event": later than any */

struct queue_node { int64_t at_ns; uint32_t payload, next; };

struct queue {
    struct memory *memory;
    struct queue_node *node;                /* pool; free ones are linked from free_node */
    struct queue_node *now;                 /* the current bucket, sorted; [head, end) are left */
    uint32_t *bucket;                       /* first node of each bucket's list, newest first */
    uint64_t *occupied;                     /* one bit a bucket */
    struct heap far;
    struct heap sorter;                     /* empty but while a large bucket is sorted */
    size_t nodes, now_room;
    uint32_t used_nodes, free_node, head, end;
    uint32_t shift;                         /* a bucket is 2^shift ns wide */
    int64_t current;                        /* number of the current bucket: instant >> shift */
    uint64_t queued;                        /* events in the queue */
    uint32_t sequence;                      /* of the next far event */
    uint32_t advances, advanced_events;     /* since the width was last looked at */
};

void queue_init(struct queue *queue, struct memory *memory);
void queue_free(struct queue *queue);

/* at_ns must not lie before the last event taken. */
void queue_push(struct queue *queue, int64_t at_ns, uint32_t payload);

/* Makes the next bucket current; only while the queue holds events but none are left in the current
 * bucket. */
void queue_advance(struct queue *queue);

/* The instant of the next event, QUEUE_NOTHING when there is none. */
static inline int64_t queue_next_ns(struct queue *queue)
{
    if (queue->head == queue->end) {
        if (queue->queued == 0)
            return QUEUE_NOTHING;
        queue_advance(queue);
    }
    return queue->now[queue->head].at_ns;
}

enum { TIES_MAX = 64 };                     /* so many of one instant are offered as alternatives */

/* How many events there are at the head instant, TIES_MAX at most (0 when the queue is empty). */
static inline uint32_t queue_ties(struct queue *queue)
{
    int64_t at_ns = queue_next_ns(queue);
    uint32_t ties = 0;

    if (at_ns == QUEUE_NOTHING)
        return 0;
    while (ties < TIES_MAX && queue->head + ties < queue->end
           && queue->now[queue->head + ties].at_ns == at_ns)
        ties++;
    return ties;
}

/* Is there more than one event at the head instant?  The queue is not empty. */
static inline bool queue_tied(const struct queue *queue)
{
    return queue->head + 1 < queue->end && queue->now[queue->head + 1].at_ns == queue->now[queue->head].at_ns;
}

/* The payload of the i-th event of the head instant, without taking it. */
static inline uint32_t queue_peek(const struct queue *queue, uint32_t i)
{
    return queue->now[queue->head + i].payload;
}

/* Takes the i-th event of the head instant (i < queue_ties()). */
static inline uint32_t queue_take(struct queue *queue, uint32_t i)
{
    struct queue_node *first = &queue->now[queue->head];
    uint32_t payload = first[i].payload;

    for (; i > 0; i--)                      /* the others keep their order */
        first[i] = first[i - 1];
    queue->head++;
    queue->queued--;
    return payload;
}
#endif

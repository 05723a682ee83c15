#include <assert.h>
#include "queue.h"

enum {
    BUCKETS_LOG2 = 12, BUCKETS = 1 << BUCKETS_LOG2, MASK = BUCKETS - 1, WORDS = BUCKETS / 64,
    FIRST_SHIFT = 18,                       /* 0.26 ms: 1 s of wheel, until the traffic says otherwise */
    FEW = 48,                               /* so many are sorted by insertion */
    LOOK_EVERY = 4096                       /* buckets between two looks at the width */
};
#define NONE UINT32_MAX

void queue_init(struct queue *queue, struct memory *memory)
{
    assert(memory);
    *queue = (struct queue){ .memory = memory, .shift = FIRST_SHIFT, .free_node = NONE,
                             .current = INT64_MIN };
    queue->bucket = memory->resize(memory, NULL, BUCKETS * sizeof *queue->bucket);
    memset(queue->bucket, 0xff, BUCKETS * sizeof *queue->bucket);
    queue->occupied = memory->resize(memory, NULL, WORDS * sizeof *queue->occupied);
    memset(queue->occupied, 0, WORDS * sizeof *queue->occupied);
    heap_init(&queue->far, memory);
    heap_init(&queue->sorter, memory);
}

void queue_free(struct queue *queue)
{
    assert(queue->memory);
    queue->node = memory_free(queue->memory, queue->node);
    queue->now = memory_free(queue->memory, queue->now);
    queue->bucket = memory_free(queue->memory, queue->bucket);
    queue->occupied = memory_free(queue->memory, queue->occupied);
    heap_free(&queue->far);
    heap_free(&queue->sorter);
}

static uint32_t node_new(struct queue *queue)
{
    uint32_t i = queue->free_node;

    if (i != NONE) {
        queue->free_node = queue->node[i].next;
        return i;
    }
    queue->node = memory_grow(queue->memory, queue->node, &queue->nodes, queue->used_nodes + 1,
                              sizeof *queue->node);
    return queue->used_nodes++;
}

static void push_near(struct queue *queue, int64_t at_ns, uint32_t payload)
{
    uint32_t slot = (uint64_t)(at_ns >> queue->shift) & MASK, i = node_new(queue);

    queue->node[i] = (struct queue_node){ at_ns, payload, queue->bucket[slot] };
    queue->bucket[slot] = i;
    queue->occupied[slot / 64] |= UINT64_C(1) << slot % 64;
}

static void now_reserve(struct queue *queue)
{
    queue->now = memory_grow(queue->memory, queue->now, &queue->now_room, queue->end + 1, sizeof *queue->now);
}

/* An event for the bucket that is being emptied: after all that are not later. */
static void push_now(struct queue *queue, int64_t at_ns, uint32_t payload)
{
    if (queue->end == queue->now_room && queue->head > queue->end / 2) {    /* room of what has been taken */
        queue->end -= queue->head;
        memmove(queue->now, queue->now + queue->head, queue->end * sizeof *queue->now);
        queue->head = 0;
    }
    now_reserve(queue);
    uint32_t i = queue->end++;
    for (; i > queue->head && queue->now[i - 1].at_ns > at_ns; i--)
        queue->now[i] = queue->now[i - 1];
    queue->now[i] = (struct queue_node){ at_ns, payload, NONE };
}

void queue_push(struct queue *queue, int64_t at_ns, uint32_t payload)
{
    int64_t number = at_ns >> queue->shift;

    assert(at_ns != QUEUE_NOTHING);
    queue->queued++;
    if (queue->current == INT64_MIN)
        queue->current = number - 1;
    if (number > queue->current && number - queue->current < BUCKETS)
        push_near(queue, at_ns, payload);
    else if (number <= queue->current)
        push_now(queue, at_ns, payload);
    else
        heap_push(&queue->far, (struct heap_event){ at_ns, queue->sequence++, payload });
}

/* Far events whose bucket came into reach enter the wheel as soon as it does, before any younger event can be
 * put into that bucket: so that the order of queuing survives. */
static void pull_far(struct queue *queue)
{
    while (queue->far.n > 0 && (queue->far.event[0].at_ns >> queue->shift) - queue->current < BUCKETS) {
        struct heap_event event = heap_pop(&queue->far);
        push_near(queue, event.at_ns, event.payload);
    }
}

/* Steps to the next occupied bucket, 1 .. BUCKETS - 1 ahead; 0 when the wheel is empty. */
static uint32_t steps_ahead(const struct queue *queue)
{
    uint32_t from = (uint64_t)(queue->current + 1) & MASK, word = from / 64;
    uint64_t bits = queue->occupied[word] & ~UINT64_C(0) << from % 64;

    for (uint32_t looked = 0; !bits && looked < WORDS; looked++) {
        word = (word + 1) % WORDS;
        bits = queue->occupied[word];
    }
    if (!bits)
        return 0;
    return ((word * 64 + (uint32_t)__builtin_ctzll(bits) - from) & MASK) + 1;
}

/* Stable, and linear when the events are in order already (a burst over one link). */
static void sort_few(struct queue_node *now, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        struct queue_node event = now[i];
        uint32_t at = i;
        for (; at > 0 && now[at - 1].at_ns > event.at_ns; at--)
            now[at] = now[at - 1];
        now[at] = event;
    }
}

static void sort_many(struct queue *queue)
{
    for (uint32_t i = 0; i < queue->end; i++)
        heap_push(&queue->sorter, (struct heap_event){ queue->now[i].at_ns, i, queue->now[i].payload });
    for (uint32_t i = 0; i < queue->end; i++) {
        struct heap_event event = heap_pop(&queue->sorter);
        queue->now[i] = (struct queue_node){ event.at_ns, event.payload, NONE };
    }
}

/* Empties a bucket into `now`.  Its list is newest first: turned round, it is in order of queuing. */
static void sort_bucket(struct queue *queue, uint32_t slot)
{
    uint32_t first = queue->bucket[slot], last = first, n = 0;

    for (uint32_t i = first; i != NONE; i = queue->node[i].next, n++)
        last = i;
    queue->end = n;
    now_reserve(queue);
    for (uint32_t i = first; i != NONE; i = queue->node[i].next)
        queue->now[--n] = queue->node[i];
    queue->head = 0;
    if (queue->end <= FEW)
        sort_few(queue->now, queue->end);
    else
        sort_many(queue);
    queue->node[last].next = queue->free_node;
    queue->free_node = first;
    queue->bucket[slot] = NONE;
    queue->occupied[slot / 64] &= ~(UINT64_C(1) << slot % 64);
}

/* Everything in the wheel again, in order, with buckets of another width. */
static void change_width(struct queue *queue, uint32_t shift)
{
    for (uint32_t ahead; (ahead = steps_ahead(queue)) > 0; ) {
        queue->current += ahead;
        sort_bucket(queue, (uint64_t)queue->current & MASK);
        for (; queue->head < queue->end; queue->head++)
            heap_push(&queue->far, (struct heap_event){ queue->now[queue->head].at_ns, queue->sequence++,
                                                        queue->now[queue->head].payload });
    }
    queue->head = queue->end = 0;
    queue->shift = shift;
}

/* Some dozens of events a bucket: few enough to sort by insertion, and enough to know what comes next and
 * fetch its memory meanwhile (simulate.c). */
static void look_at_width(struct queue *queue)
{
    uint32_t events = queue->advanced_events, shift = queue->shift;

    if (++queue->advances < LOOK_EVERY && events < 64 * LOOK_EVERY)
        return;
    if (events > 48 * queue->advances && shift > 4)
        shift -= 2;
    else if (events < queue->advances + queue->advances / 4 && queue->far.n > queue->queued / 4 && shift < 44)
        shift += 2;
    queue->advances = queue->advanced_events = 0;
    if (shift == queue->shift)
        return;
    int64_t reached_ns = queue->current << queue->shift;
    change_width(queue, shift);
    queue->current = (reached_ns >> shift) - 1; /* what was queued lies behind it, however wide they are */
}

void queue_advance(struct queue *queue)
{
    assert(queue->head == queue->end && queue->queued > 0);
    look_at_width(queue);
    uint32_t ahead = steps_ahead(queue);
    if (ahead == 0) {                       /* everything is far: jump */
        assert(queue->far.n > 0);
        queue->current = (queue->far.event[0].at_ns >> queue->shift) - 1;
        pull_far(queue);
        ahead = steps_ahead(queue);
    }
    queue->current += ahead;
    sort_bucket(queue, (uint64_t)queue->current & MASK);
    pull_far(queue);
    queue->advanced_events += queue->end;
    assert(queue->end > 0);
}

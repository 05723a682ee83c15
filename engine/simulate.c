#include <assert.h>
#include "simulate.h"

enum {
    ASK_EVERY = 1 << 16,
    CALLS_NEAR = 1024                       /* so many calls stay near by themselves */
};

/* The next arrivals, a few ahead, so that those of one instant are seen together. */
struct ahead {
    struct source *source;
    uint32_t first, n;
    struct arrival arrival[TIES_MAX];
};

static const struct arrival *ahead_at(const struct ahead *ahead, uint32_t i)
{
    assert(i < ahead->n);
    return &ahead->arrival[(ahead->first + i) % TIES_MAX];
}

/* Holds the next arrival and whatever shares its instant, and one more. */
static void look_ahead(struct ahead *ahead)
{
    assert(ahead->n <= TIES_MAX);
    while (ahead->n < 2
           || (ahead->n < TIES_MAX && ahead_at(ahead, 0)->at_ns == ahead_at(ahead, ahead->n - 1)->at_ns)) {
        struct arrival *next = &ahead->arrival[(ahead->first + ahead->n) % TIES_MAX];
        if (!ahead->source->next(ahead->source, next))
            return;
        ahead->n++;
    }
}

static int64_t next_arrival_ns(struct ahead *ahead)
{
    if (ahead->n < 2)
        look_ahead(ahead);
    assert(ahead->n <= TIES_MAX);
    return ahead->n > 0 ? ahead_at(ahead, 0)->at_ns : QUEUE_NOTHING;
}

static bool arrivals_tied(const struct ahead *ahead)
{
    assert(ahead->n >= 1);
    return ahead->n > 1 && ahead_at(ahead, 0)->at_ns == ahead_at(ahead, 1)->at_ns;
}

static struct arrival take_ahead(struct ahead *ahead, uint32_t i)
{
    struct arrival taken = *ahead_at(ahead, i);

    assert(ahead->n > 0);
    for (; i > 0; i--)
        ahead->arrival[(ahead->first + i) % TIES_MAX] = *ahead_at(ahead, i - 1);
    ahead->first = (ahead->first + 1) % TIES_MAX;
    ahead->n--;
    return taken;
}

static void set_now(struct world *world, int64_t now_ns)
{
    assert(now_ns >= world->now_ns);
    if (now_ns != world->now_ns)
        world->ties_at_instant = 0;
    world->now_ns = now_ns;
}

/* Candidates of one instant: place in the queue, or TIES_MAX + place among the arrivals. */
struct candidates { uint32_t n, place[2 * TIES_MAX], channel[2 * TIES_MAX]; };

static void consider(struct candidates *candidates, uint32_t place, uint32_t channel)
{
    assert(candidates->n < 2 * TIES_MAX);
    for (uint32_t i = 0; i < candidates->n; i++)
        if (candidates->channel[i] == channel)
            return;
    candidates->place[candidates->n] = place;
    candidates->channel[candidates->n++] = channel;
}

#define ARRIVAL_CHANNEL (UINT32_C(1) << 31)

static void perform_tie(struct world *world, struct ahead *ahead)
{
    struct candidates candidates = { .n = 0 };
    struct stream stream = { (uint64_t)world->now_ns, STREAM_TIE, world->ties_at_instant };
    uint32_t events = queue_next_ns(&world->queue) == world->now_ns ? queue_ties(&world->queue) : 0;

    for (uint32_t i = 0; i < events; i++)
        if (world_channel(world, queue_peek(&world->queue, i)) == CHANNEL_SETTLED) {
            world_perform(world, queue_take(&world->queue, i));
            return;
        }
    look_ahead(ahead);
    for (uint32_t i = 0; i < events; i++)
        consider(&candidates, i, world_channel(world, queue_peek(&world->queue, i)));
    for (uint32_t i = 0; i < ahead->n && ahead_at(ahead, i)->at_ns == world->now_ns; i++)
        consider(&candidates, TIES_MAX + i, ARRIVAL_CHANNEL | ahead_at(ahead, i)->region);
    assert(candidates.n >= 1);
    if (candidates.n > 1)
        world->ties_at_instant++;
    uint32_t place = candidates.place[choose(world->setup->chooser, stream, candidates.n)];
    if (place < TIES_MAX) {
        world_perform(world, queue_take(&world->queue, place));
    } else {
        struct arrival arrival = take_ahead(ahead, place - TIES_MAX);
        world_arrive(world, &arrival);
    }
}

/* Memory is slow and what comes next is known: begin to fetch it. */
static void fetch_next(const struct world *world, const struct ahead *ahead)
{
    const struct queue *queue = &world->queue;

    if (queue->head + 6 < queue->end)
        world_fetch_message(world, queue_peek(queue, 6));
    if (queue->head + 3 < queue->end)
        world_fetch(world, queue_peek(queue, 3));
    if (ahead->n > 1)
        world_fetch_key(world, ahead_at(ahead, 1)->key);
}

/* One event or arrival; false when nothing is left. */
static bool step(struct world *world, struct ahead *ahead)
{
    int64_t event_ns = queue_next_ns(&world->queue), arrival_ns = next_arrival_ns(ahead);

    /* Faults alone are no reason to go on. */
    if (arrival_ns == QUEUE_NOTHING && world->queue.queued == world->fault_events)
        return false;
    set_now(world, i64_min(event_ns, arrival_ns));
    if (world->calls > CALLS_NEAR)
        fetch_next(world, ahead);
    if (event_ns < arrival_ns && !queue_tied(&world->queue)) {
        world_perform(world, queue_take(&world->queue, 0));
    } else if (arrival_ns < event_ns && !arrivals_tied(ahead)) {
        const struct arrival *arrival = ahead_at(ahead, 0);
        ahead->first = (ahead->first + 1) % TIES_MAX;   /* its place is taken again by look_ahead() only */
        ahead->n--;
        world_arrive(world, arrival);
    } else {
        perform_tie(world, ahead);
    }
    return true;
}

void simulate(struct world *world, struct source *source, bool (*keep_on)(void *context), void *context)
{
    struct ahead ahead = { .source = source };

    assert(world->in_flight == 0 && source);
    world->source = source;
    for (uint32_t steps = 1; step(world, &ahead); steps++)
        if (steps % ASK_EVERY == 0 && keep_on && !keep_on(context))
            return;
    assert(world->in_flight == 0);
    world_check(world);
}

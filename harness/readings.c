#include "readings.h"
#include <assert.h>
#include <stdlib.h>

void readings_init(struct readings *readings, struct memory *memory)
{
    *readings = (struct readings){ .memory = memory };
}

void readings_free(struct readings *readings)
{
    memory_free(readings->memory, readings->ring);
    memory_free(readings->memory, readings->sorted);
    readings_init(readings, readings->memory);
}

static struct reading *at(const struct readings *readings, uint64_t position)
{
    return &readings->ring[position & (readings->room - 1)];
}

/* Doubles the ring; positions whose place changes move to the new half. */
static void make_room(struct readings *readings)
{
    size_t had = readings->room;

    readings->ring = memory_grow(readings->memory, readings->ring, &readings->room, had + 1,
                                 sizeof *readings->ring);
    for (uint64_t position = readings->first; had && position < readings->end; position++)
        if (position & had)
            readings->ring[position & (readings->room - 1)] = readings->ring[position & (had - 1)];
}

static uint64_t append(struct readings *readings, struct reading reading)
{
    if (readings->end - readings->first == readings->room)
        make_room(readings);
    assert(readings->end == readings->first
           || at(readings, readings->end - 1)->instant_ns <= reading.instant_ns);
    *at(readings, readings->end) = reading;
    return readings->end++;
}

/* A ticket is the low half of a position; the position whose low half is 0 is left unused. */
uint32_t readings_open(struct readings *readings, uint32_t key, int64_t instant_ns)
{
    if ((uint32_t)readings->end == 0)
        append(readings, (struct reading){ .instant_ns = instant_ns, .state = READING_UNUSED });
    return (uint32_t)append(readings, (struct reading){ .instant_ns = instant_ns, .key = key });
}

void readings_settle(struct readings *readings, uint32_t ticket, enum reading_state state, int64_t cost,
                     uint64_t id)
{
    uint64_t position = readings->first + (uint32_t)(ticket - (uint32_t)readings->first);
    assert(position < readings->end);
    struct reading *reading = at(readings, position);

    assert(reading->state == READING_OPEN && state != READING_OPEN);
    reading->state = state;
    reading->cost = cost;
    reading->id = id;
    reading->order = readings->settled++;
}

static int by_order(const void *a, const void *b)
{
    uint64_t left = ((const struct reading *)a)->order, right = ((const struct reading *)b)->order;

    return (left > right) - (left < right);
}

static bool in_order(const struct readings *readings, uint64_t until)
{
    for (uint64_t position = readings->first + 1; position < until; position++)
        if (at(readings, position - 1)->order > at(readings, position)->order)
            return false;
    return true;
}

/* Sorts first .. until-1, which nobody holds tickets for any more, where they are. */
static void sort_in_place(struct readings *readings, uint64_t until)
{
    size_t count = (size_t)(until - readings->first);

    if (in_order(readings, until))
        return;
    readings->sorted = memory_grow(readings->memory, readings->sorted, &readings->sorted_room, count,
                                   sizeof *readings->sorted);
    for (size_t i = 0; i < count; i++)
        readings->sorted[i] = *at(readings, readings->first + i);
    qsort(readings->sorted, count, sizeof *readings->sorted, by_order);
    for (size_t i = 0; i < count; i++)
        *at(readings, readings->first + i) = readings->sorted[i];
}

/* Is every reading of the oldest instant settled?  (What opens at that instant later will also settle
 * later.)  Each is looked at once, however often this is asked. */
static bool find_ready(struct readings *readings, bool ended)
{
    if (readings->same_until < readings->first)
        readings->same_until = readings->first;
    for (; readings->same_until < readings->end; readings->same_until++) {
        const struct reading *reading = at(readings, readings->same_until);
        if (reading->instant_ns != at(readings, readings->first)->instant_ns)
            break;
        if (reading->state == READING_OPEN && !ended)
            return false;
    }
    sort_in_place(readings, readings->same_until);
    readings->ready_until = readings->same_until;
    return readings->first < readings->ready_until;
}

bool readings_next(struct readings *readings, bool ended, struct reading *out)
{
    while (readings->first < readings->ready_until || find_ready(readings, ended)) {
        *out = *at(readings, readings->first++);
        if (out->state == READING_ADMITTED || out->state == READING_DENIED)
            return true;
    }
    return false;
}

bool readings_before(const struct readings *readings, const struct reading *denied, int64_t *cost)
{
    *cost = 0;
    for (uint64_t position = readings->first; position < readings->end; position++) {
        const struct reading *later = at(readings, position);
        if (later->key != denied->key || later->order > denied->order)
            continue;
        if (later->state == READING_DENIED)
            return false;
        if (later->state == READING_ADMITTED)
            *cost += later->cost;
    }
    return true;
}

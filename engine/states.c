#include "states.h"

enum { SLOTS_AT_FIRST = 256 };

void states_init(struct states *states, struct memory *memory, size_t width)
{
    assert(memory && width >= 8 && width % 8 == 0);
    *states = (struct states){ .memory = memory, .width = width };
    states->slot = memory_grow(memory, NULL, &states->slots, SLOTS_AT_FIRST, sizeof *states->slot);
}

void states_free(struct states *states)
{
    if (!states->memory)
        return;
    states->record = memory_free(states->memory, states->record);
    states->slot = memory_free(states->memory, states->slot);
}

uint64_t states_bytes(const struct states *states)
{
    assert(states->items <= states->room);
    return states->room * states->width + states->slots * sizeof *states->slot;
}

/* Twice as many slots; every item finds a new place. */
static void spread_out(struct states *states)
{
    struct states_slot *old = states->slot;
    size_t before = states->slots;

    states->slot = memory_grow(states->memory, NULL, &(size_t){ 0 }, before * 2, sizeof *states->slot);
    states->slots = before * 2;
    assert((states->slots & (states->slots - 1)) == 0);
    for (size_t i = 0; i < before; i++) {
        size_t at = old[i].hash & (states->slots - 1);
        if (old[i].item == 0)
            continue;
        while (states->slot[at].item != 0)
            at = (at + 1) & (states->slots - 1);
        states->slot[at] = old[i];
    }
    memory_free(states->memory, old);
}

uint32_t states_number(struct states *states, const void *record, uint32_t hash)
{
    size_t at = hash & (states->slots - 1);

    for (; states->slot[at].item != 0; at = (at + 1) & (states->slots - 1))
        if (states->slot[at].hash == hash
            && memcmp(states_at(states, states->slot[at].item - 1), record, states->width) == 0)
            return states->slot[at].item - 1;
    assert(states->items < UINT32_MAX - 1);
    uint32_t number = (uint32_t)states->items++;
    states->record = memory_stretch(states->memory, states->record, &states->room, states->items,
                                    states->width);
    memcpy(states->record + number * states->width, record, states->width);
    states->slot[at] = (struct states_slot){ hash, number + 1 };
    if (states->items * 4 > states->slots * 3)
        spread_out(states);
    return number;
}

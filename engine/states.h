/* states.h - records of one width, each stored once and named by its number: what a search has seen.
 *
 * Numbers count from 0 in order of first appearance.  A record takes its width and some 12 bytes of the table
 * that finds it.  Whoever looks up many at once fetches all their places first (states_fetch): a search waits
 * for memory more than for anything else. */
#ifndef LIMITLAB_STATES_H
#define LIMITLAB_STATES_H
#include <assert.h>
#include "memory.h"
#include "wide.h"

struct states {
    struct memory *memory;
    size_t width;                       /* bytes of a record, a multiple of 8 */
    unsigned char *record;
    size_t items, room;
    struct states_slot { uint32_t hash, item; } *slot;      /* item: number + 1, 0 where free */
    size_t slots;                       /* a power of two */
};

void states_init(struct states *states, struct memory *memory, size_t width);
void states_free(struct states *states);
uint64_t states_bytes(const struct states *states);

/* The number of a record, new or known; hash: that of states_hash(). */
uint32_t states_number(struct states *states, const void *record, uint32_t hash);

/* It moves when another is added. */
static inline const void *states_at(const struct states *states, uint32_t number)
{
    return states->record + number * states->width;
}

/* Each word times an odd number of its own, both halves of the product kept. */
static inline uint32_t states_hash(const struct states *states, const void *record)
{
    uint64_t mixed = UINT64_C(0x9e3779b97f4a7c15), word;

    for (size_t i = 0; i < states->width; i += sizeof word) {
        memcpy(&word, (const unsigned char *)record + i, sizeof word);
        u128 product = (u128)(mixed ^ word) * UINT64_C(0xd6e8feb86659fd93);
        mixed = (uint64_t)product ^ (uint64_t)(product >> 64);
    }
    return (uint32_t)(mixed ^ mixed >> 32);
}

static inline void states_fetch(const struct states *states, uint32_t hash)
{
    memory_fetch(&states->slot[hash & (states->slots - 1)]);
}

/* Once its slot has come: the record that is probably meant. */
static inline void states_fetch_record(const struct states *states, uint32_t hash)
{
    const struct states_slot *slot = &states->slot[hash & (states->slots - 1)];

    if (slot->item != 0)
        memory_fetch(states_at(states, slot->item - 1));
}
#endif

/* pair_map.h - numbers by pairs of numbers, for tables that are asked far more often than they grow.
 *
 * Open addressing by one multiplication (Knuth, TAOCP 3, 6.4). */
#ifndef LIMITLAB_PAIR_MAP_H
#define LIMITLAB_PAIR_MAP_H
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include "memory.h"

struct pair_map {
    struct memory *memory;
    struct pair_slot { uint32_t a, b, value; bool used; } *slot;
    size_t room, n;                     /* room: a power of two */
};

static inline void pair_map_init(struct pair_map *map, struct memory *memory)
{
    *map = (struct pair_map){ .memory = memory };
    map->slot = memory_grow(memory, NULL, &map->room, 64, sizeof *map->slot);
}

static inline void pair_map_free(struct pair_map *map)
{
    map->slot = memory_free(map->memory, map->slot);
    map->room = map->n = 0;
}

/* Where the pair is, or would be put. */
static inline struct pair_slot *pair_map_slot(const struct pair_map *map, uint32_t a, uint32_t b)
{
    uint64_t mixed = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = mixed >> 32 & (map->room - 1);

    assert(map->n < map->room);
    while (map->slot[at].used && (map->slot[at].a != a || map->slot[at].b != b))
        at = (at + 1) & (map->room - 1);
    return &map->slot[at];
}

/* NULL: it has no value. */
static inline const uint32_t *pair_map_find(const struct pair_map *map, uint32_t a, uint32_t b)
{
    const struct pair_slot *slot = pair_map_slot(map, a, b);

    return slot->used ? &slot->value : NULL;
}

/* The pair has no value yet. */
static inline void pair_map_add(struct pair_map *map, uint32_t a, uint32_t b, uint32_t value)
{
    if (map->n * 2 >= map->room) {
        struct pair_map grown = { .memory = map->memory, .n = map->n };
        grown.slot = memory_grow(map->memory, NULL, &grown.room, map->room * 2, sizeof *grown.slot);
        for (size_t i = 0; i < map->room; i++)
            if (map->slot[i].used)
                *pair_map_slot(&grown, map->slot[i].a, map->slot[i].b) = map->slot[i];
        memory_free(map->memory, map->slot);
        *map = grown;
    }
    struct pair_slot *slot = pair_map_slot(map, a, b);
    assert(!slot->used);
    *slot = (struct pair_slot){ a, b, value, true };
    map->n++;
}
#endif

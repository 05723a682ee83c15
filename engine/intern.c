#include <assert.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include "intern.h"

enum { SLOTS_AT_FIRST = 256, ALIGNMENT = 16 };

void intern_init(struct intern *intern, struct memory *memory)
{
    assert(memory);
    *intern = (struct intern){ .memory = memory };
    intern->slot = memory_grow(memory, NULL, &intern->slots, SLOTS_AT_FIRST, sizeof *intern->slot);
}

void intern_free(struct intern *intern)
{
    assert(intern->memory);
    intern->text = memory_free(intern->memory, intern->text);
    intern->item = memory_free(intern->memory, intern->item);
    intern->slot = memory_free(intern->memory, intern->slot);
}

/* Where a number is, or would be put. */
static size_t find(const struct intern *intern, const void *bytes, size_t n, uint32_t hash)
{
    size_t at = hash & (intern->slots - 1);

    assert(intern->items < intern->slots);
    for (; intern->slot[at] != 0; at = (at + 1) & (intern->slots - 1)) {
        const struct interned *item = &intern->item[intern->slot[at] - 1];
        if (item->hash == hash && item->bytes == n && memcmp(intern->text + item->at, bytes, n) == 0)
            break;
    }
    return at;
}

/* Twice as many slots; every item finds a new place. */
static void spread_out(struct intern *intern)
{
    size_t slots = intern->slots * 2;

    assert(slots > intern->slots);
    intern->slot = intern->memory->resize(intern->memory, intern->slot, slots * sizeof *intern->slot);
    intern->slots = slots;
    memset(intern->slot, 0, slots * sizeof *intern->slot);
    for (uint32_t i = 0; i < intern->items; i++) {
        size_t at = intern->item[i].hash & (slots - 1);
        while (intern->slot[at] != 0)
            at = (at + 1) & (slots - 1);
        intern->slot[at] = i + 1;
    }
}

static uint32_t add(struct intern *intern, const void *bytes, size_t n, uint32_t hash)
{
    uint32_t number = (uint32_t)intern->items++;
    size_t end = intern->text_used + n + ALIGNMENT;

    assert(n <= UINT32_MAX - ALIGNMENT && intern->items < UINT32_MAX);
    intern->text = memory_grow(intern->memory, intern->text, &intern->text_room, end, 1);
    intern->item = memory_grow(intern->memory, intern->item, &intern->item_room, intern->items,
                               sizeof *intern->item);
    memcpy(intern->text + intern->text_used, bytes, n);
    intern->item[number] = (struct interned){ intern->text_used, (uint32_t)n, hash };
    intern->text_used = (end - 1) / ALIGNMENT * ALIGNMENT;
    return number;
}

uint32_t intern(struct intern *intern, const void *bytes, size_t n)
{
    assert(bytes || n == 0);
    bytes = n > 0 ? bytes : "";
    uint32_t hash = (uint32_t)XXH3_64bits(bytes, n);
    size_t at = find(intern, bytes, n, hash);

    if (intern->slot[at] != 0)
        return intern->slot[at] - 1;
    uint32_t number = add(intern, bytes, n, hash);
    intern->slot[at] = number + 1;
    if (intern->items * 2 > intern->slots)
        spread_out(intern);
    return number;
}

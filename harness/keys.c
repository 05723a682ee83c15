/* keys.c - see keys.h.  Open addressing over a table that is never more than half full. */
#include "keys.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

struct key_entry {
    const char *name;
    uint64_t    hash;
    size_t      length;
};

static uint32_t *find_slot(const struct keys *keys, const char *name, size_t length, uint64_t hash)
{
    uint32_t mask = keys->slots - 1, at = (uint32_t)hash & mask;

    for (; keys->slot[at] != 0; at = (at + 1) & mask) {
        const struct key_entry *entry = &keys->entry[keys->slot[at] - 1];
        if (entry->hash == hash && entry->length == length && memcmp(entry->name, name, length) == 0)
            break;
    }
    return &keys->slot[at];
}

static void grow_slots(struct keys *keys)
{
    struct memory *memory = process_memory();
    uint32_t slots = keys->slots ? keys->slots * 2 : 64, mask = slots - 1;
    uint32_t *slot = memory->resize(memory, NULL, (size_t)slots * sizeof *slot);

    memset(slot, 0, (size_t)slots * sizeof *slot);
    for (uint32_t i = 0; i < keys->count; i++) {
        uint32_t at = (uint32_t)keys->entry[i].hash & mask;
        while (slot[at] != 0)
            at = (at + 1) & mask;
        slot[at] = i + 1;
    }
    memory_free(memory, keys->slot);
    keys->slot = slot;
    keys->slots = slots;
}

static const char *copy_name(struct keys *keys, const char *name, size_t length)
{
    char *copy = arena_alloc(&keys->texts, length + 1);

    if (length > 0)
        memcpy(copy, name, length);
    return copy;
}

uint32_t key_intern(struct keys *keys, const char *name, size_t length)
{
    if (keys->count >= keys->slots / 2)
        grow_slots(keys);
    uint64_t hash = XXH3_64bits(name, length);
    uint32_t *slot = find_slot(keys, name, length, hash);
    if (*slot == 0) {
        keys->entry = memory_grow(process_memory(), keys->entry, &keys->have, (size_t)keys->count + 1,
                                  sizeof *keys->entry);
        keys->entry[keys->count] = (struct key_entry){ copy_name(keys, name, length), hash, length };
        *slot = ++keys->count;
    }
    return *slot - 1;
}

uint32_t key_intern_text(struct keys *keys, const char *name)
{
    return key_intern(keys, name, strlen(name));
}

const char *key_name(const struct keys *keys, uint32_t index, size_t *length)
{
    if (length)
        *length = keys->entry[index].length;
    return keys->entry[index].name;
}

int key_compare(const struct keys *keys, uint32_t a, uint32_t b)
{
    const struct key_entry *left = &keys->entry[a], *right = &keys->entry[b];
    int order = memcmp(left->name, right->name, left->length < right->length ? left->length : right->length);

    return order ? order : (left->length > right->length) - (left->length < right->length);
}

void keys_free(struct keys *keys)
{
    arena_free(&keys->texts);
    memory_free(process_memory(), keys->entry);
    memory_free(process_memory(), keys->slot);
    *keys = (struct keys){ 0 };
}

/* memory.h - how the engine gets memory: from its user, at set-up or when a table grows.
 *
 * The engine never calls an allocator by itself.  Tables grow by doubling, so that the cost is amortised and
 * no request pays for it.  resize() must not return NULL: a user that runs out of memory ends the run
 * instead. */
#ifndef LIMITLAB_MEMORY_H
#define LIMITLAB_MEMORY_H
#include <stddef.h>
#include <string.h>

struct memory {
    /* Like realloc(); bytes == 0 frees.  New bytes have any value. */
    void *(*resize)(struct memory *memory, void *block, size_t bytes);
};

/* Makes room for `need` items of item_bytes at *block, of which *have are there: at least doubles, zeroes
 * what is new, updates *have. */
static inline void *memory_grow(struct memory *memory, void *block, size_t *have, size_t need,
                                size_t item_bytes)
{
    if (need <= *have)
        return block;
    size_t grown = *have ? *have : 16;
    while (grown < need)
        grown *= 2;
    char *bytes = memory->resize(memory, block, grown * item_bytes);
    memset(bytes + *have * item_bytes, 0, (grown - *have) * item_bytes);
    *have = grown;
    return bytes;
}

/* The same for large tables that are filled from the front: grows by a quarter, and new bytes have any
 * value. */
static inline void *memory_stretch(struct memory *memory, void *block, size_t *have, size_t need,
                                   size_t item_bytes)
{
    if (need <= *have)
        return block;
    size_t grown = *have + *have / 4 + 64;
    *have = grown < need ? need : grown;
    return memory->resize(memory, block, *have * item_bytes);
}

/* A hint that what lies there will be needed soon.  gcc takes a function that only prefetches for one that
 * does nothing and drops calls to it, unless there is something in it that it must not judge: asm. */
static inline void memory_fetch(const void *place)
{
    __builtin_prefetch(place);
    __asm__ volatile("");
}

static inline void *memory_free(struct memory *memory, void *block)
{
    if (block)
        memory->resize(memory, block, 0);
    return NULL;
}
#endif

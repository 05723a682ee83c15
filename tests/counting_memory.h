/* counting_memory.h - a struct memory that knows how much is in use, for tests of what grows and what leaks.
 *
 * New bytes are poisoned, since memory.h promises nothing about them. */
#ifndef LIMITLAB_COUNTING_MEMORY_H
#define LIMITLAB_COUNTING_MEMORY_H
#include <stdlib.h>
#include "../engine/memory.h"

struct counting_memory {
    struct memory memory;
    size_t used, most, blocks, calls;
};

/* Each block is preceded by its size. */
struct counted_block { _Alignas(16) size_t bytes; };

static void *counting_resize(struct memory *memory, void *block, size_t bytes)
{
    struct counting_memory *counting = (struct counting_memory *)memory;
    struct counted_block *counted = block ? (struct counted_block *)block - 1 : NULL;

    counting->calls++;
    counting->used += bytes - (counted ? counted->bytes : 0);
    counting->blocks += (bytes != 0) - (size_t)(counted != NULL);
    if (counting->used > counting->most)
        counting->most = counting->used;
    if (bytes == 0) {
        free(counted);
        return NULL;
    }
    size_t had = counted ? counted->bytes : 0;
    counted = realloc(counted, sizeof *counted + bytes);
    assert_non_null(counted);
    if (bytes > had)
        memset((char *)(counted + 1) + had, 0xA5, bytes - had);
    counted->bytes = bytes;
    return counted + 1;
}

static inline struct counting_memory counting_memory(void)
{
    return (struct counting_memory){ .memory = { counting_resize } };
}
#endif

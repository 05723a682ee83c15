/* arena.c - see arena.h.  Blocks are chained newest first; an allocation that does not fit opens a new
 * block. */
#include "arena.h"
#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "failure.h"

enum { ALIGNMENT = 16, BLOCK_BYTES = 16 * 1024, LARGE_PAGE = 2 * 1024 * 1024 };

struct arena_block {
    struct arena_block *before;
    size_t size, used;                  /* of bytes[] */
    _Alignas(ALIGNMENT) char bytes[];
};

/* Large tables are touched all over: in large pages, where the system has them, the processor finds its way
 * sooner. */
static void *resize_large(void *block, size_t bytes)
{
    size_t had = block ? malloc_usable_size(block) : 0;
    size_t whole = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *resized = whole < bytes ? NULL : aligned_alloc(LARGE_PAGE, whole);

    if (resized == NULL)
        return NULL;
    madvise(resized, whole, MADV_HUGEPAGE);
    if (had > 0)
        memcpy(resized, block, had < bytes ? had : bytes);
    free(block);
    return resized;
}

static void *process_resize(struct memory *memory, void *block, size_t bytes)
{
    (void)memory;
    if (bytes == 0) {
        free(block);
        return NULL;
    }
    void *resized = bytes < LARGE_PAGE / 2 ? realloc(block, bytes) : resize_large(block, bytes);
    if (resized == NULL) {
        fputs("limitlab: out of memory; expected more, or a smaller input\n", stderr);
        exit(EXIT_TROUBLE);
    }
    return resized;
}

struct memory *process_memory(void)
{
    static struct memory memory = { .resize = process_resize };
    return &memory;
}

static void arena_open_block(struct arena *arena, size_t least)
{
    size_t size = least > BLOCK_BYTES ? least : BLOCK_BYTES;
    struct arena_block *block = process_resize(NULL, NULL, sizeof *block + size);

    *block = (struct arena_block){ .before = arena->last, .size = size };
    arena->last = block;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    size_t most = SIZE_MAX / 4;         /* more than any machine has: ends the process, and no sum
                                           overflows */
    size_t padded = ((bytes < most ? bytes : most) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

    if (arena->last == NULL || arena->last->size - arena->last->used < padded)
        arena_open_block(arena, padded);
    void *start = arena->last->bytes + arena->last->used;
    arena->last->used += padded;
    return memset(start, 0, bytes);
}

char *arena_text(struct arena *arena, const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(arena_alloc(arena, bytes), text, bytes);
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list first, second;

    va_start(first, format);
    va_copy(second, first);
    int length = vsnprintf(NULL, 0, format, first);
    size_t bytes = length < 0 ? 1 : (size_t)length + 1;
    char *text = arena_alloc(arena, bytes);
    vsnprintf(text, bytes, format, second);
    va_end(second);
    va_end(first);
    return text;
}

void arena_free(struct arena *arena)
{
    while (arena->last) {
        struct arena_block *block = arena->last;
        arena->last = block->before;
        free(block);
    }
}

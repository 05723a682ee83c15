/* arena.h - memory that is freed all at once: texts and tables of one experiment, one result, one file. */
#ifndef LIMITLAB_ARENA_H
#define LIMITLAB_ARENA_H
#include <stddef.h>
#include "../engine/memory.h"

struct arena { struct arena_block *last; };     /* starts as { 0 } */

void *arena_alloc(struct arena *arena, size_t bytes);           /* zeroed; never NULL: see process_memory() */
char *arena_text(struct arena *arena, const char *text);
__attribute__((format(printf, 2, 3)))
char *arena_format(struct arena *arena, const char *format, ...);
void arena_free(struct arena *arena);

/* The process's own memory.  When there is none left it prints one line and exits with 4. */
struct memory *process_memory(void);
#endif

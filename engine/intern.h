/* intern.h - byte strings named by small numbers: equal strings get equal numbers, for as long as the table
 * lives.
 *
 * Numbers count from 0 in order of first appearance.  Bytes are copied and stay where they are found by
 * intern_bytes() until the next intern(). */
#ifndef LIMITLAB_INTERN_H
#define LIMITLAB_INTERN_H
#include <stdint.h>
#include "memory.h"

struct interned { size_t at; uint32_t bytes; uint32_t hash; };

struct intern {
    struct memory *memory;
    unsigned char *text;                /* all strings, one after the other, each at a multiple of 16 */
    size_t text_used, text_room;
    struct interned *item;
    size_t items, item_room;
    uint32_t *slot;                     /* open addressing: item + 1, 0 where free */
    size_t slots;                       /* a power of two */
};

void intern_init(struct intern *intern, struct memory *memory);
void intern_free(struct intern *intern);

uint32_t intern(struct intern *intern, const void *bytes, size_t n);

static inline const void *intern_bytes(const struct intern *intern, uint32_t number)
{
    return intern->text + intern->item[number].at;
}

static inline size_t intern_size(const struct intern *intern, uint32_t number)
{
    return intern->item[number].bytes;
}
#endif

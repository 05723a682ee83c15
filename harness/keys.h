/* keys.h - names of keys as dense numbers: 0, 1, 2 ... in order of first appearance.
 *
 * A name is any bytes of any length, NUL included.  The table owns a copy of each; a name costs its bytes and
 * about 32 more.  Nothing depends on hash order. */
#ifndef LIMITLAB_KEYS_H
#define LIMITLAB_KEYS_H
#include <stdint.h>
#include "arena.h"

enum { KEY_BYTES_MAX = 4096 };          /* what the readers of files let pass; the table itself has no
                                           bound */

struct keys {                           /* starts as { 0 } */
    struct arena texts;
    uint32_t count;
    size_t   have;                      /* entries allocated */
    struct key_entry *entry;            /* by number */
    uint32_t slots;                     /* a power of two, or 0 */
    uint32_t *slot;                     /* number + 1 of the key that hashes here; 0: free */
};

/* The number of this name, a new one when it was never seen. */
uint32_t key_intern(struct keys *keys, const char *name, size_t length);

/* The same for a NUL-terminated name. */
uint32_t key_intern_text(struct keys *keys, const char *name);

/* The name of key `index` (< count), NUL-terminated; lives as long as the table.  length may be NULL. */
const char *key_name(const struct keys *keys, uint32_t index, size_t *length);

/* Order of names: by bytes, the shorter first. Below, at or above zero. */
int key_compare(const struct keys *keys, uint32_t a, uint32_t b);

void keys_free(struct keys *keys);
#endif

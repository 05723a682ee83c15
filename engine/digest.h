/* digest.h - a fingerprint of everything that a run decided and wrote, in order: XXH3, 64 bits.
 *
 * What is hashed (decide.c): for each decision, when it takes effect, its instant, node, key, cost, verdict,
 * wait and delay; for each write its instant, store, cell, version and the new state (of a growing state its
 * size alone: its entries are decisions, which are hashed already).  Records go through a buffer, in the
 * machine's byte order: digests of little-endian machines are equal. */
#ifndef LIMITLAB_DIGEST_H
#define LIMITLAB_DIGEST_H
#include <stddef.h>
#include <stdint.h>
#include "memory.h"

enum { DIGEST_BUFFER = 4096 };

struct digest {
    struct memory *memory;
    void *state;                        /* XXH3's own, 64-byte aligned inside its block */
    void *block;
    size_t used;
    unsigned char buffer[DIGEST_BUFFER];
};

void digest_init(struct digest *digest, struct memory *memory);
void digest_free(struct digest *digest);
void digest_flush(struct digest *digest);
uint64_t digest_value(struct digest *digest);

/* At most DIGEST_BUFFER bytes; they are the same on every machine of one byte order. */
static inline void digest_add(struct digest *digest, const void *bytes, size_t n)
{
    if (digest->used + n > DIGEST_BUFFER)
        digest_flush(digest);
    memcpy(digest->buffer + digest->used, bytes, n);
    digest->used += n;
}
#endif

#include <assert.h>
#define XXH_INLINE_ALL
#define XXH_NO_STDLIB
#include <xxhash.h>
#include "digest.h"

void digest_init(struct digest *digest, struct memory *memory)
{
    assert(memory);
    digest->memory = memory;
    digest->used = 0;
    digest->block = memory->resize(memory, NULL, sizeof(XXH3_state_t) + 64);
    digest->state = (char *)digest->block + (64 - (uintptr_t)digest->block % 64) % 64;
    memset(digest->state, 0, sizeof(XXH3_state_t));
    XXH3_64bits_reset(digest->state);
}

void digest_free(struct digest *digest)
{
    assert(digest->memory);
    digest->block = memory_free(digest->memory, digest->block);
    digest->state = NULL;
}

void digest_flush(struct digest *digest)
{
    assert(digest->used <= DIGEST_BUFFER);
    XXH3_64bits_update(digest->state, digest->buffer, digest->used);
    digest->used = 0;
}

uint64_t digest_value(struct digest *digest)
{
    assert(digest->state);
    digest_flush(digest);
    return XXH3_64bits_digest(digest->state);
}

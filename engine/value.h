/* value.h - a copy of one key's state, as it is stored, sent and held.
 *
 * A state of fixed size lives in the value itself.  A growing one (a log) lives in a block that several
 * values may share: copying a value shares the block, and whoever changes a shared block first gets one of
 * its own.  Blocks are named by number, not by address. */
#ifndef LIMITLAB_VALUE_H
#define LIMITLAB_VALUE_H
#include "limiter.h"
#include "memory.h"

enum { INLINE_BYTES = 32 };

struct value {
    uint32_t version;                   /* of the cell it was read from: counts its writes, never reused */
    uint32_t present;                   /* 0: there is no such key, and the bytes mean nothing */
    union {
        unsigned char bytes[INLINE_BYTES];
        int64_t number[INLINE_BYTES / 8];
        uint32_t block;                 /* of a growing state */
    } state;
};

struct block { unsigned char *bytes; uint32_t capacity_bytes, shared_by, next_free; };

struct values {
    struct memory *memory;
    const struct limiter *limiter;
    struct block *block;                /* block 0 is never used */
    size_t blocks, room;
    uint32_t free_block[32];            /* by capacity, powers of two */
};

void values_init(struct values *values, struct memory *memory, const struct limiter *limiter);
void values_free(struct values *values);

static inline bool values_grow(const struct values *values) { return values->limiter->entry_bytes > 0; }

void block_share(struct values *values, const struct value *value);
void block_drop(struct values *values, struct value *value);

/* *to becomes a copy of *from (what *to held is dropped). */
static inline void value_copy(struct values *values, struct value *to, const struct value *from)
{
    if (values_grow(values)) {
        if (to == from)
            return;
        block_share(values, from);
        block_drop(values, to);
    }
    *to = *from;
}

/* *value becomes "no such key", its version stays. */
static inline void value_clear(struct values *values, struct value *value)
{
    if (values_grow(values))
        block_drop(values, value);
    *value = (struct value){ .version = value->version };
}

/* The value gets a growing state of n bytes, copied into a block of its own (what it held is not dropped). */
void value_load(struct values *values, struct value *value, const void *state, size_t n);
/* All blocks are free again: no value may name one. */
void values_forget(struct values *values);

/* The state's bytes; NULL when the value is not present. */
const void *value_state(const struct values *values, const struct value *value);
size_t value_state_bytes(const struct values *values, const struct value *value);

/* check(), then charge() as answered; a missing key is made first.  True when the state changed.  The version
 * is left alone: it still names what was read. */
bool value_decide(struct values *values, const struct policy *policy, struct request request,
                  struct value *value, struct verdict *verdict);
/* The two halves apart. */
struct verdict value_check(struct values *values, const struct policy *policy, struct request request,
                           struct value *value);
struct quota value_quote(const struct values *values, const struct policy *policy, int64_t now_ns,
                         const struct value *value);       /* which must be present */
void value_charge(struct values *values, const struct policy *policy, struct request request, bool allowed,
                  struct value *value);
#endif

#include <assert.h>
#include "value.h"

void values_init(struct values *values, struct memory *memory, const struct limiter *limiter)
{
    assert(limiter->entry_bytes > 0 || limiter->state_bytes <= INLINE_BYTES);
    *values = (struct values){ .memory = memory, .limiter = limiter, .blocks = 1 };
}

void values_free(struct values *values)
{
    assert(values->memory);
    for (size_t i = 1; i < values->blocks; i++)
        memory_free(values->memory, values->block[i].bytes);
    values->block = memory_free(values->memory, values->block);
    values->blocks = 1;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

static unsigned size_class(uint32_t bytes)
{
    assert(bytes > 0 && bytes <= UINT32_C(1) << 31);
    return bytes <= 64 ? 6 : 32 - (unsigned)__builtin_clz(bytes - 1);
}

static uint32_t block_new(struct values *values, uint32_t bytes)
{
    unsigned class = size_class(bytes);
    uint32_t i = values->free_block[class];

    if (i != 0) {
        values->free_block[class] = values->block[i].next_free;
    } else {
        i = (uint32_t)values->blocks++;
        values->block = memory_grow(values->memory, values->block, &values->room, values->blocks,
                                    sizeof *values->block);
        values->block[i].bytes = values->memory->resize(values->memory, NULL, (size_t)1 << class);
        values->block[i].capacity_bytes = UINT32_C(1) << class;
    }
    values->block[i].shared_by = 1;
    return i;
}

void block_share(struct values *values, const struct value *value)
{
    if (!value->present)
        return;
    assert(values->block[value->state.block].shared_by > 0);
    values->block[value->state.block].shared_by++;
}

void block_drop(struct values *values, struct value *value)
{
    if (!value->present)
        return;
    struct block *block = &values->block[value->state.block];
    assert(block->shared_by > 0);
    if (--block->shared_by == 0) {
        unsigned class = size_class(block->capacity_bytes);
        block->next_free = values->free_block[class];
        values->free_block[class] = value->state.block;
    }
    value->present = 0;
}

/* A block of its own for the value, with room for one more charge. */
static void block_own(struct values *values, struct value *value)
{
    struct block *block = &values->block[value->state.block];
    const struct growing_state *state = (const void *)block->bytes;
    uint64_t need = state->used_bytes + values->limiter->entry_bytes;

    assert(block->shared_by > 0);
    if (block->shared_by == 1 && need <= block->capacity_bytes)
        return;
    uint32_t fresh = block_new(values, (uint32_t)need);
    block = &values->block[value->state.block];     /* the table may have moved */
    struct growing_state *copy = (void *)values->block[fresh].bytes;
    memcpy(copy, block->bytes, ((const struct growing_state *)(const void *)block->bytes)->used_bytes);
    copy->capacity_bytes = values->block[fresh].capacity_bytes;
    block_drop(values, value);
    value->state.block = fresh;
    value->present = 1;
}

void values_forget(struct values *values)
{
    assert(values_grow(values));
    memset(values->free_block, 0, sizeof values->free_block);
    for (uint32_t i = 1; i < values->blocks; i++) {
        unsigned class = size_class(values->block[i].capacity_bytes);
        values->block[i].shared_by = 0;
        values->block[i].next_free = values->free_block[class];
        values->free_block[class] = i;
    }
}

void value_load(struct values *values, struct value *value, const void *state, size_t n)
{
    assert(values_grow(values) && n >= sizeof(struct growing_state));
    uint32_t i = block_new(values, (uint32_t)(n + values->limiter->entry_bytes));
    memcpy(values->block[i].bytes, state, n);
    ((struct growing_state *)(void *)values->block[i].bytes)->capacity_bytes =
        values->block[i].capacity_bytes;
    value->state.block = i;
}

/* ---- states -------------------------------------------------------------------------------------------- */

const void *value_state(const struct values *values, const struct value *value)
{
    assert(values->limiter);
    if (!value->present)
        return NULL;
    return values_grow(values) ? values->block[value->state.block].bytes : value->state.bytes;
}

size_t value_state_bytes(const struct values *values, const struct value *value)
{
    assert(values->limiter);
    if (!value->present)
        return 0;
    if (!values_grow(values))
        return values->limiter->state_bytes;
    return ((const struct growing_state *)value_state(values, value))->used_bytes;
}

static void value_make(struct values *values, const struct policy *policy, int64_t now_ns,
                       struct value *value)
{
    const struct limiter *limiter = values->limiter;

    assert(!value->present);
    value->present = 1;
    if (!values_grow(values)) {
        limiter->fresh(policy, now_ns, value->state.bytes);
        return;
    }
    uint32_t i = block_new(values, (uint32_t)(limiter->state_bytes + limiter->entry_bytes));
    memset(values->block[i].bytes, 0, limiter->state_bytes);
    ((struct growing_state *)(void *)values->block[i].bytes)->capacity_bytes =
        values->block[i].capacity_bytes;
    limiter->fresh(policy, now_ns, values->block[i].bytes);
    value->state.block = i;
}

struct verdict value_check(struct values *values, const struct policy *policy, struct request request,
                           struct value *value)
{
    assert(policy);
    if (!value->present)
        value_make(values, policy, request.now_ns, value);
    return values->limiter->check(policy, request, value_state(values, value));
}

struct quota value_quote(const struct values *values, const struct policy *policy, int64_t now_ns,
                         const struct value *value)
{
    assert(policy && value->present);
    return values->limiter->quote(policy, now_ns, value_state(values, value));
}

void value_charge(struct values *values, const struct policy *policy, struct request request, bool allowed,
                  struct value *value)
{
    assert(policy);
    if (!value->present)
        value_make(values, policy, request.now_ns, value);
    if (values_grow(values)) {
        block_own(values, value);
        values->limiter->charge(policy, request, allowed, values->block[value->state.block].bytes);
    } else {
        values->limiter->charge(policy, request, allowed, value->state.bytes);
    }
}

bool value_decide(struct values *values, const struct policy *policy, struct request request,
                  struct value *value, struct verdict *verdict)
{
    const struct limiter *limiter = values->limiter;

    *verdict = value_check(values, policy, request, value);
    bool changes = request.cost != 0 && (verdict->allowed || limiter->charges_denied);
    assert(verdict->allowed || verdict->delay_ns == 0);
    if (changes)
        value_charge(values, policy, request, verdict->allowed, value);
    return changes;
}

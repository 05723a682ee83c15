#include "bank.h"

enum { FIRST_ENTRIES = 2 };             /* room in a new block: most keys of a long tail need no more */

void bank_init(struct bank *bank, struct memory *memory, const struct limiter *limiter)
{
    assert(limiter->state_bytes > 0);
    assert(limiter->entry_bytes == 0 || limiter->state_bytes >= sizeof(struct growing_state));
    *bank = (struct bank){ .memory = memory, .limiter = limiter };
}

void bank_free(struct bank *bank)
{
    assert(bank->memory != NULL);
    for (size_t i = 0; i < bank->grown_room; i++)
        memory_free(bank->memory, bank->grown[i]);
    memory_free(bank->memory, bank->grown);
    memory_free(bank->memory, bank->seen);
    memory_free(bank->memory, bank->inline_states);
    bank_init(bank, bank->memory, bank->limiter);
}

static void *open_inline(struct bank *bank, size_t index)
{
    size_t bytes = bank->limiter->state_bytes;

    bank->inline_states = memory_grow(bank->memory, bank->inline_states, &bank->inline_room, index + 1,
                                      bytes);
    bank->seen = memory_grow(bank->memory, bank->seen, &bank->seen_words, bank->inline_room / 64 + 1,
                             sizeof *bank->seen);
    assert(!(bank->seen[index / 64] >> index % 64 & 1));
    bank->seen[index / 64] |= UINT64_C(1) << index % 64;
    return memset(bank->inline_states + index * bytes, 0, bytes);
}

static void *open_grown(struct bank *bank, size_t index)
{
    const struct limiter *limiter = bank->limiter;
    size_t bytes = limiter->state_bytes + FIRST_ENTRIES * limiter->entry_bytes;

    bank->grown = memory_grow(bank->memory, bank->grown, &bank->grown_room, index + 1, sizeof *bank->grown);
    assert(bank->grown[index] == NULL && bytes <= UINT32_MAX);
    bank->grown[index] = bank->memory->resize(bank->memory, NULL, bytes);
    memset(bank->grown[index], 0, bytes);
    bank->grown[index]->capacity_bytes = (uint32_t)bytes;
    return bank->grown[index];
}

void *bank_open(struct bank *bank, const struct policy *policy, size_t index, int64_t now_ns)
{
    assert(policy->credits_per_unit > 0);
    void *state = bank->limiter->entry_bytes ? open_grown(bank, index) : open_inline(bank, index);

    bank->limiter->fresh(policy, now_ns, state);
    return state;
}

/* Gives a block that capacity; dead bytes are zero, as everywhere in a state. */
static struct growing_state *set_capacity(struct bank *bank, size_t index, size_t bytes)
{
    struct growing_state *state = bank->grown[index];
    size_t had = state->capacity_bytes;

    assert(bytes >= state->used_bytes && bytes <= UINT32_MAX);
    state = bank->memory->resize(bank->memory, state, bytes);
    if (bytes > had)
        memset((char *)state + had, 0, bytes - had);
    state->capacity_bytes = (uint32_t)bytes;
    bank->grown[index] = state;
    return state;
}

void bank_charge_growing(struct bank *bank, const struct policy *policy, size_t index, struct request request,
                         bool allowed)
{
    size_t entry = bank->limiter->entry_bytes;
    struct growing_state *state = bank_state(bank, policy, index, request.now_ns);

    assert(entry > 0 && state->used_bytes <= state->capacity_bytes);
    while (state->capacity_bytes - state->used_bytes < entry)
        state = set_capacity(bank, index, i64_min(UINT32_MAX, 2 * (int64_t)state->capacity_bytes));
    bank->limiter->charge(policy, request, allowed, state);
    if (state->used_bytes + FIRST_ENTRIES * entry < state->capacity_bytes / 4)
        set_capacity(bank, index, state->capacity_bytes / 2);
}

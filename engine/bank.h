/* bank.h - the states of many keys of one limiter, each made fresh when it is first touched.
 *
 * States of a fixed size lie side by side in one array, so that neighbouring indices share cache lines;
 * states that grow (logs) are blocks of their own, which double when they fill up and halve when they are
 * mostly empty.  An index is any small dense number; what it stands for is the user's business. */
#ifndef LIMITLAB_BANK_H
#define LIMITLAB_BANK_H
#include <assert.h>
#include "limiter.h"
#include "memory.h"

struct bank {
    struct memory *memory;
    const struct limiter *limiter;
    char     *inline_states;            /* entry_bytes == 0: state i is at i * state_bytes */
    size_t    inline_room;
    uint64_t *seen;                     /* one bit a state; those without it are never read */
    size_t    seen_words;
    struct growing_state **grown;       /* entry_bytes > 0: one block a state, NULL until it is touched */
    size_t    grown_room;
};

/* Borrows both for as long as the bank lives.  Nothing is allocated until the first key is touched. */
void bank_init(struct bank *bank, struct memory *memory, const struct limiter *limiter);
void bank_free(struct bank *bank);

/* Makes the state of `index` that of a key never seen; see bank_state(). */
void *bank_open(struct bank *bank, const struct policy *policy, size_t index, int64_t now_ns);

/* The state of that key, fresh as of now_ns when this is its first touch.  Valid until the next call. */
static inline void *bank_state(struct bank *bank, const struct policy *policy, size_t index, int64_t now_ns)
{
    assert(bank->limiter != NULL);
    if (bank->limiter->entry_bytes == 0) {
        if (index < bank->inline_room && (bank->seen[index / 64] >> index % 64 & 1))
            return bank->inline_states + index * bank->limiter->state_bytes;
    } else if (index < bank->grown_room && bank->grown[index]) {
        return bank->grown[index];
    }
    return bank_open(bank, policy, index, now_ns);
}

/* A hint that this state will be needed soon. */
static inline void bank_fetch(const struct bank *bank, size_t index)
{
    if (index < bank->inline_room)
        memory_fetch(bank->inline_states + index * bank->limiter->state_bytes);
    else if (index < bank->grown_room)
        memory_fetch(bank->grown + index);
}

/* limiter->check() on that key's state. */
static inline struct verdict bank_check(struct bank *bank, const struct policy *policy, size_t index,
                                        struct request request)
{
    assert(policy->credits_per_unit > 0);
    return bank->limiter->check(policy, request, bank_state(bank, policy, index, request.now_ns));
}

/* limiter->charge() on a state that grows, with room made before and given back after. */
void bank_charge_growing(struct bank *bank, const struct policy *policy, size_t index, struct request request,
                         bool allowed);

/* limiter->charge() on that key's state, where the answer changes anything at all. */
static inline void bank_charge(struct bank *bank, const struct policy *policy, size_t index,
                               struct request request, bool allowed)
{
    assert(policy->credits_per_unit > 0);
    if (!allowed && !bank->limiter->charges_denied)
        return;
    if (bank->limiter->entry_bytes)
        bank_charge_growing(bank, policy, index, request, allowed);
    else
        bank->limiter->charge(policy, request, allowed, bank_state(bank, policy, index, request.now_ns));
}
#endif

/* limiter_rig.h - holds one key's state for tests, and checks on every call what must be true of every
 * limiter.
 *
 * Every call is made twice on equal bytes and must give equal bytes; check() and quote() must change
 * none; a growing state is given not one byte more than its contract asks for, and bytes beyond its
 * capacity are watched. */
#ifndef LIMITLAB_LIMITER_RIG_H
#define LIMITLAB_LIMITER_RIG_H
#include <stdlib.h>
#include <string.h>
#include "../algos/limiters/limiters.h"
#include "dice.h"
#include "test.h"

enum { RIG_GUARD = 32, RIG_POISON = 0xA5 };

struct rig {
    const struct limiter *limiter;
    struct policy policy;
    size_t capacity;
    unsigned char *state;               /* capacity bytes, then the guard */
};

static inline struct policy make_policy(int64_t limit, int64_t period_ns, int64_t burst, int64_t epoch_ns)
{
    struct policy policy = { .limit = limit, .period_ns = period_ns, .burst = burst, .epoch_ns = epoch_ns };

    assert_null(policy_init(&policy));
    return policy;
}

static inline void *rig_memory(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes);

    assert_non_null(memory);
    return memory;
}

static inline void rig_set_capacity(struct rig *rig, size_t capacity)
{
    rig->state = rig_memory(rig->state, capacity + RIG_GUARD);
    if (capacity > rig->capacity)
        memset(rig->state + rig->capacity, 0, capacity - rig->capacity);
    rig->capacity = capacity;
    memset(rig->state + capacity, RIG_POISON, RIG_GUARD);
    if (rig->limiter->entry_bytes)
        ((struct growing_state *)(void *)rig->state)->capacity_bytes = (uint32_t)capacity;
}

static inline struct rig rig_open(const struct limiter *limiter, const struct policy *policy, int64_t now_ns)
{
    struct rig rig = { .limiter = limiter, .policy = *policy };

    rig_set_capacity(&rig, limiter->state_bytes);
    limiter->fresh(&rig.policy, now_ns, rig.state);
    return rig;
}

static inline void rig_close(struct rig *rig)
{
    free(rig->state);
    rig->state = NULL;
}

static inline struct rig rig_copy(const struct rig *rig)
{
    struct rig copy = *rig;

    copy.state = rig_memory(NULL, rig->capacity + RIG_GUARD);
    memcpy(copy.state, rig->state, rig->capacity + RIG_GUARD);
    return copy;
}

static inline void rig_assert_guard(const struct rig *rig)
{
    for (size_t i = 0; i < RIG_GUARD; i++)
        assert_int_equal(rig->state[rig->capacity + i], RIG_POISON);
}

static inline void rig_assert_same_state(const struct rig *a, const struct rig *b)
{
    assert_int_equal(a->capacity, b->capacity);
    assert_memory_equal(a->state, b->state, a->capacity);
}

/* What a holder of a growing state does before each charge(), and no more. */
static inline void rig_make_room(struct rig *rig)
{
    size_t entry_bytes = rig->limiter->entry_bytes;

    if (entry_bytes)
        rig_set_capacity(rig, ((struct growing_state *)(void *)rig->state)->used_bytes + entry_bytes);
}

static inline struct verdict rig_check(const struct rig *rig, int64_t now_ns, int64_t cost)
{
    struct request request = { now_ns, cost };
    struct rig copy = rig_copy(rig);
    struct verdict verdict = rig->limiter->check(&rig->policy, request, rig->state);
    struct verdict again = rig->limiter->check(&copy.policy, request, copy.state);

    rig_assert_same_state(rig, &copy);
    assert_memory_equal(&verdict, &again, sizeof verdict);
    assert_int_equal(verdict.retry_after_ns > 0, !verdict.allowed);
    rig_assert_guard(rig);
    rig_close(&copy);
    return verdict;
}

static inline bool rig_passes(const struct rig *rig, int64_t now_ns, int64_t cost)
{
    return rig_check(rig, now_ns, cost).allowed;
}

static inline struct quota rig_quote(const struct rig *rig, int64_t now_ns)
{
    struct rig copy = rig_copy(rig);
    struct quota quota = rig->limiter->quote(&rig->policy, now_ns, rig->state);
    struct quota again = rig->limiter->quote(&copy.policy, now_ns, copy.state);

    rig_assert_same_state(rig, &copy);
    assert_memory_equal(&quota, &again, sizeof quota);
    rig_close(&copy);
    return quota;
}

static inline void rig_charge(struct rig *rig, int64_t now_ns, int64_t cost, bool allowed)
{
    rig_make_room(rig);
    struct request request = { now_ns, cost };
    struct rig copy = rig_copy(rig);

    rig->limiter->charge(&rig->policy, request, allowed, rig->state);
    copy.limiter->charge(&copy.policy, request, allowed, copy.state);
    rig_assert_same_state(rig, &copy);
    rig_assert_guard(rig);
    rig_close(&copy);
}

/* As limiter_decide(), which it is compared with. */
static inline struct verdict rig_decide(struct rig *rig, int64_t now_ns, int64_t cost)
{
    rig_make_room(rig);
    struct rig copy = rig_copy(rig);
    struct verdict verdict = rig_check(rig, now_ns, cost);
    struct request request = { now_ns, cost };
    struct verdict decided = limiter_decide(copy.limiter, &copy.policy, request, copy.state);

    rig_charge(rig, now_ns, cost, verdict.allowed);
    assert_memory_equal(&verdict, &decided, sizeof verdict);
    rig_assert_same_state(rig, &copy);
    rig_close(&copy);
    return verdict;
}

/* The largest cost that this limiter could ever let through at once. */
static inline int64_t rig_capacity(const struct rig *rig)
{
    return strstr(rig->limiter->name, "window") ? rig->policy.limit : rig->policy.burst;
}

/* Any size is equally likely: 1 .. most. */
static inline int64_t dice_size(struct dice *dice, int64_t most)
{
    int64_t value = (int64_t)(dice_roll(dice) >> dice_between(dice, 1, 63));

    return value % most + 1;
}

/* Random policies, instants and costs, edges first. */
static inline struct policy dice_policy(struct dice *dice, const struct limiter *limiter)
{
    int64_t most_limit = dice_between(dice, 0, 1) ? 12 : COST_MAX;
    int64_t most_period_ns = dice_between(dice, 0, 1) ? 20 : PERIOD_MAX;
    int64_t limit = dice_size(dice, most_limit);
    int64_t burst = dice_between(dice, 0, 1) ? limit : dice_size(dice, most_limit);
    int64_t epoch_ns = dice_between(dice, -1, 1) * dice_size(dice, INSTANT_MAX);
    struct policy policy = make_policy(limit, dice_size(dice, most_period_ns), burst, epoch_ns);

    return limiter->refuses(&policy) ? make_policy(limit, policy.period_ns, limit, epoch_ns) : policy;
}

/* How far the clock goes to the next request: often nowhere or exactly a period, sometimes back. */
static inline int64_t dice_step_ns(struct dice *dice, const struct policy *policy)
{
    int64_t period_ns = policy->period_ns, unit_ns = period_ns / policy->limit;

    switch (dice_between(dice, 0, 9)) {
    case 0:  return 0;
    case 1:  return 1;
    case 2:  return period_ns - 1;
    case 3:  return period_ns;
    case 4:  return period_ns + 1;
    case 5:  return unit_ns + dice_between(dice, 0, 1);
    case 6:  return -dice_size(dice, 2 * period_ns);
    case 7:  return dice_between(dice, 0, 3 * period_ns);
    default: return dice_size(dice, period_ns);
    }
}

static inline int64_t dice_cost(struct dice *dice, const struct rig *rig)
{
    int64_t capacity = rig_capacity(rig);

    switch (dice_between(dice, 0, 11)) {
    case 0:  return 0;
    case 1:  return i64_min(capacity + 1, COST_MAX);
    case 2:  return COST_MAX;
    case 3:  return capacity;
    case 4:  return rig->limiter->refunds ? -dice_size(dice, capacity) : 1;
    case 5:
    case 6:  return dice_size(dice, capacity);
    case 7:  return dice_between(dice, 1, (capacity + 1) / 2);
    default: return 1;
    }
}
#endif

/* quotas.c - is what a caller is told of its quota true?  Asked of the very state that decided, which is not
 * changed by it.
 *
 * What remains is true when it passes and one more does not.  The wait for all of it is true when whatever a
 * key never seen lets through at once passes then, and would not a nanosecond sooner.  A wait of NEVER_NS, or
 * one beyond the range of instants, says nothing.  Nor is a wait too long where all of it passes at once: on
 * a clock that went back, a state may let through as much as a new one and yet not earn as soon. */
#include <assert.h>
#include "world_private.h"

static bool passes(struct world *world, const struct policy *policy, struct value *value, i128 at_ns,
                   int64_t cost)
{
    struct request request = { (int64_t)at_ns, cost };

    return value_check(&world->values, policy, request, value).allowed;
}

static int64_t capacity_at(struct world *world, const struct policy *policy, i128 at_ns)
{
    struct value fresh = { .present = 0 };

    passes(world, policy, &fresh, at_ns, 0);        /* makes it */
    int64_t capacity = value_quote(&world->values, policy, (int64_t)at_ns, &fresh).remaining;
    value_clear(&world->values, &fresh);
    return capacity;
}

static bool remaining_is_true(struct world *world, const struct policy *policy, int64_t now_ns,
                              struct value *value, int64_t remaining)
{
    return remaining >= 0 && remaining <= COST_MAX && passes(world, policy, value, now_ns, remaining)
        && (remaining == COST_MAX || !passes(world, policy, value, now_ns, remaining + 1));
}

static bool reset_is_true(struct world *world, const struct policy *policy, int64_t now_ns,
                          struct value *value, int64_t reset_after_ns)
{
    i128 at_ns = i128_max(now_ns, (i128)now_ns + reset_after_ns);

    if (reset_after_ns == NEVER_NS || at_ns > INSTANT_MAX || now_ns < -INSTANT_MAX)
        return true;
    int64_t capacity = capacity_at(world, policy, at_ns);
    if (capacity <= 0 || passes(world, policy, value, now_ns, capacity))
        return true;
    return passes(world, policy, value, at_ns, capacity)
        && !passes(world, policy, value, at_ns - 1, capacity);
}

enum quota_told quota_judge(struct world *world, const struct policy *policy, int64_t now_ns,
                            struct value *value, const struct quota *quota)
{
    assert(value->present && quota);
    return remaining_is_true(world, policy, now_ns, value, quota->remaining)
        && reset_is_true(world, policy, now_ns, value, quota->reset_after_ns) ? QUOTA_TRUE : QUOTA_UNTRUE;
}

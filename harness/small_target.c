/* small_target.c - see small_target.h. */
#include "small_target.h"
#include "curve.h"
#include "interleavings.h"

static i128 curve_excess(const struct policy *policy, uint32_t key, const struct told *told, uint32_t n)
{
    struct curve curve = { 0 };

    for (uint32_t i = 0; i < n; i++) {
        if (told[i].key != key)
            continue;
        i128 credits = curve_credits(policy, told[i].cost) * told[i].count;
        curve_admit(&curve, curve_earned(&curve, policy, told[i].instant_ns), credits, told[i].instant_ns);
    }
    return i128_max(0, curve.worst - policy->burst_credits);
}

/* What stands in the window that ends with each admission; lists are short. */
static i128 window_excess(const struct policy *policy, uint32_t key, const struct told *told, uint32_t n)
{
    i128 worst = 0;

    for (uint32_t last = 0; last < n; last++) {
        i128 cost = 0;
        for (uint32_t i = 0; i < n && told[i].instant_ns <= told[last].instant_ns; i++)
            if (told[i].key == key && told[i].instant_ns > told[last].instant_ns - policy->period_ns)
                cost += (i128)told[i].cost * told[i].count;
        worst = i128_max(worst, cost - policy->limit);
    }
    return worst * policy->credits_per_unit;
}

i128 small_target_excess(const struct small_target *target, const struct told *told, uint32_t n)
{
    i128 worst = 0;

    for (uint32_t key = 0; key < target->keys; key++)
        worst = i128_max(worst, target->kind == TARGET_WINDOW ? window_excess(target->policy, key, told, n)
                                                              : curve_excess(target->policy, key, told, n));
    return worst;
}

struct decimal small_target_cost(const struct small_target *target, i128 credits)
{
    return decimal_ratio(credits, target->policy->credits_per_unit);
}

bool small_target_over(void *target, const struct told *told, uint32_t n)
{
    return small_target_excess(target, told, n) > 0;
}

uint64_t small_target_is_over(void *target, const struct told *told, uint32_t n)
{
    return small_target_over(target, told, n);
}

uint64_t small_target_admitted(void *unused, const struct told *told, uint32_t n)
{
    (void)unused;
    return told_requests(told, n);
}

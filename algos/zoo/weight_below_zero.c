/* weight_below_zero.c - a sliding window whose old count is weighed with its own age, without a floor
 * (symfony/rate-limiter before 5cbc548).
 *
 *     hits = previous * (1 - (t - start) / P) + current;   allow when floor(hits) + c <= L
 *
 * When `start` is still that of the window which is over, the weight is below zero: 20 hits, asked 90 s after
 * their minute began, count as -10.  The cure moves the window first:
 * algos/limiters/sliding_window_counter.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

struct windows { int64_t start_ns, previous, current; };
_Static_assert(sizeof(struct windows) == 24, "no padding");

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct windows *windows = state;

    windows->start_ns = now_ns + policy_window_left_ns(policy, now_ns) - policy->period_ns;
}

/* Whole periods since the window that is kept began. */
static i128 age(const struct policy *policy, const struct windows *windows, int64_t t)
{
    return i128_max(0, div_floor((i128)t - windows->start_ns, policy->period_ns));
}

static double hits_at(const struct policy *policy, const struct windows *windows, int64_t t)
{
    double share = 1 - ((double)t - (double)windows->start_ns) / (double)policy->period_ns;
    i128 periods = age(policy, windows, t);

    if (periods == 0)
        return (double)windows->previous * share + (double)windows->current;
    return periods == 1 ? (double)windows->current * share : 0;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    double left = (double)policy->limit - hits_at(policy, state, request.now_ns);

    return zoo_answer(request, left < (double)request.cost ? 0 : request.cost, policy->limit,
                      policy_window_left_ns(policy, request.now_ns) + policy->period_ns);
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct windows *kept = state;
    i128 periods = age(policy, kept, request.now_ns);

    if (!allowed || request.cost == 0)
        return;
    if (periods > 0) {
        kept->previous = periods == 1 ? kept->current : 0;
        kept->current = 0;
        kept->start_ns = i64_clamp(kept->start_ns + periods * policy->period_ns);
    }
    kept->current += request.cost;
}

ZOO_QUOTE(check)

const struct limiter zoo_weight_below_zero = {
    .name = "zoo/weight-below-zero",
    .formula = "previous * (1 - age/P) + current + c <= L, where age may be more than P",
    .good_to_know = "half a window after a busy one, half as much again passes",
    .source = "symfony/rate-limiter before 5cbc548",
    .rule = &sliding_window_counter,
    .state_bytes = sizeof(struct windows),
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

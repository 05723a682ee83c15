/* count_never_reset.c - a count and the time of the latest request that passed; the count is never set back
 * (Start9Labs/start-os#3512).
 *
 *     allow when count < L or t - latest >= P;      then count += 1, latest = t
 *
 * Once L have passed, a client gets one a period for ever.  The cure begins a window anew:
 * algos/limiters/fixed_window_anchored.c. */
#include "borrow.h"
#include "zoo.h"

struct tries { int64_t count, latest_ns; };
_Static_assert(sizeof(struct tries) == 16, "no padding");

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    const struct tries *tries = state;
    i128 open_ns = (i128)tries->latest_ns + policy->period_ns;

    if (request.cost > 0 && request.cost <= policy->limit && request.now_ns >= open_ns)
        return verdict_allow();
    return zoo_answer(request, policy->limit - tries->count, policy->limit,
                      wait_until(request.now_ns, open_ns));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct tries *tries = state;

    (void)policy;
    if (!allowed || request.cost == 0)
        return;
    tries->count = i64_max(0, tries->count + request.cost);
    tries->latest_ns = request.now_ns;
}

ZOO_QUOTE(check)

const struct limiter zoo_count_never_reset = {
    .name = "zoo/count-never-reset",
    .formula = "count + c <= L or t - latest >= P; then count += c, latest = t",
    .good_to_know = "after the first L it is one request a period, for good",
    .source = "Start9Labs/start-os#3512",
    .rule = &fixed_window_anchored,
    .state_bytes = sizeof(struct tries),
    .fresh = zoo_fresh_zero, .check = check, .charge = charge, .quote = quote_check,
    ZOO_SHARED,
};

/* tolerance_as_capacity.c - a cell rate algorithm that looks at TAT before the cell is added, with a
 * tolerance of B intervals (boinkor-net/governor#107, #249).
 *
 *     allow when TAT - t <= B * T;  then TAT = max(t, TAT) + T;  a new key starts with TAT = t + T
 *
 * New keys get B at once, as they should, and every key that was idle gets B + 1.  The cure's tolerance is
 * one interval less: algos/limiters/gcra.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    *(int64_t *)state = now_ns + zoo_interval_ns(policy);
}

/* TAT before the last of the request's cells. */
static i128 last_cell_ns(const struct policy *policy, struct request request, const void *state)
{
    return (i128)i64_max(request.now_ns, *(const int64_t *)state)
         + ((i128)request.cost - 1) * zoo_interval_ns(policy);
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    i128 tau = (i128)zoo_interval_ns(policy) * policy->burst;
    i128 early = last_cell_ns(policy, request, state) - request.now_ns - tau;

    return zoo_answer(request, early <= 0 ? request.cost : 0, policy->burst, i64_clamp(early));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    if (allowed && request.cost != 0)
        *(int64_t *)state = i64_clamp(last_cell_ns(policy, request, state) + zoo_interval_ns(policy));
}

ZOO_QUOTE(check)

const struct limiter zoo_tolerance_as_capacity = {
    .name = "zoo/tolerance-as-capacity",
    .formula = "TAT - t <= B*T, before the cell is added; then TAT = max(t, TAT) + c*T",
    .good_to_know = "who was idle gets one more than the burst; who is new does not",
    .source = "boinkor-net/governor before 273f77b",
    .rule = &gcra,
    .state_bytes = sizeof(int64_t),
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

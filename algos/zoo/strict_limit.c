/* strict_limit.c - a sliding window that stays below its limit, where it may reach it
 * (upstash/ratelimit-js#39).
 *
 *     allow c when previous * overlap + current + c < L
 *
 * A limit of 1 denies everything.  The cure has <=: algos/limiters/sliding_window_counter.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    sliding_window_counter.fresh(policy, now_ns, state);
}

/* Whole numbers: x < L is x + 1 <= L. */
static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    if (request.cost > 0)
        request.cost++;
    return sliding_window_counter.check(policy, request, state);
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    sliding_window_counter.charge(policy, request, allowed, state);
}

ZOO_QUOTE(check)

const struct limiter zoo_strict_limit = {
    .name = "zoo/strict-limit",
    .formula = "previous*overlap + current + c < L",
    .good_to_know = "one less than the limit passes; of a limit of 1 nothing does",
    .source = "upstash/ratelimit-js before PR 40",
    .rule = &sliding_window_counter,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

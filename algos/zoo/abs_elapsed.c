/* abs_elapsed.c - a leaky bucket for which time passes in both directions (nginx limit_req before 7b9bc5d4d;
 * lua-resty-limit-traffic and APISIX limit-req still).
 *
 *     excess = max(0, excess - rate * |t - last| + c), in thousandths of a request, t in ms
 *     allow when excess <= burst
 *
 * A clock that steps back by 100 ms, or another gateway's that is 100 ms behind, drains as much as 100 ms
 * would.  The cure counts a step back as no time: algos/limiters/gcra.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

enum { REQUEST = 1000 };                /* one request, in the unit of excess */

struct node {
    int64_t last_ns;
    int64_t excess;                     /* below zero: nobody has asked yet */
};
_Static_assert(sizeof(struct node) == 16, "no padding");

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    (void)policy;
    *(struct node *)state = (struct node){ now_ns, -REQUEST };
}

static int64_t excess_at(const struct policy *policy, const struct node *node, struct request request)
{
    i128 elapsed_ns = (i128)request.now_ns - node->last_ns;
    i128 drained = (elapsed_ns < 0 ? -elapsed_ns : elapsed_ns) * policy->limit * REQUEST / policy->period_ns;

    return i64_clamp(i128_max(0, node->excess - drained + (i128)request.cost * REQUEST));
}

static int64_t tolerance(const struct policy *policy)
{
    return i64_clamp(((i128)policy->burst - 1) * REQUEST);
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    int64_t excess = excess_at(policy, state, request), over = excess - tolerance(policy);
    i128 wait_ns = div_ceil((i128)over * policy->period_ns, (i128)policy->limit * REQUEST);

    return zoo_answer(request, over <= 0 ? request.cost : 0, policy->burst, i64_clamp(wait_ns));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    if (allowed && request.cost != 0)
        *(struct node *)state = (struct node){ request.now_ns, excess_at(policy, state, request) };
}

ZOO_QUOTE(check)

const struct limiter zoo_abs_elapsed = {
    .name = "zoo/abs-elapsed",
    .formula = "max(0, excess - r*|t - last| + c) <= burst, whichever way the clock went",
    .good_to_know = "a clock that steps back empties the bucket as one that goes on",
    .source = "nginx before 7b9bc5d4d; openresty/lua-resty-limit-traffic; apache/apisix limit-req",
    .rule = &gcra,
    .state_bytes = sizeof(struct node),
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

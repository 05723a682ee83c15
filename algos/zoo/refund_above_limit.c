/* refund_above_limit.c - a window whose refunds may lift what is left above the limit, and one that does not
 * hear a refund once nothing is left.
 *
 *     a request at t >= reset opens a window: reset = t + P, used = 0
 *     allow c when used + c <= L;          then used += c, below zero too
 *
 * It is a rule of its own: the textbook's windows give back at most what was taken.  The flaw looks whether
 * anything remains before it looks at the sign of what is asked for. */
#include "borrow.h"

struct window {
    int64_t reset_ns;
    int64_t used;                       /* below zero: more was given back than taken */
};
_Static_assert(sizeof(struct window) == 16, "no padding");

static int64_t used_at(const struct window *window, int64_t t)
{
    return t < window->reset_ns ? window->used : 0;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct window *window = state;

    (void)policy;
    window->reset_ns = now_ns;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    const struct window *window = state;

    if (request.cost <= 0 || used_at(window, request.now_ns) + request.cost <= policy->limit)
        return verdict_allow();
    if (request.cost > policy->limit)
        return verdict_deny(NEVER_NS);
    return verdict_deny(wait_until(request.now_ns, window->reset_ns));
}

static struct verdict check_what_remains(const struct policy *policy, struct request request,
                                         const void *state)
{
    const struct window *window = state;

    if (request.cost != 0 && used_at(window, request.now_ns) == policy->limit)
        return verdict_deny(wait_until(request.now_ns, window->reset_ns));
    return check(policy, request, state);
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct window *window = state;

    if (!allowed || request.cost == 0)
        return;
    if (request.now_ns >= window->reset_ns)
        *window = (struct window){ .reset_ns = i64_clamp((i128)request.now_ns + policy->period_ns) };
    window->used += request.cost;
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct window *window = state;
    int64_t used = used_at(window, now_ns);

    return (struct quota){ i64_max(0, policy->limit - used),
                           used <= 0 ? 0 : wait_until(now_ns, window->reset_ns) };
}

/* What was given back may be taken later on top of everything else: of a window alone nothing is certain. */
static struct promise promise(const struct policy *policy)
{
    (void)policy;
    return (struct promise){ PROMISE_WINDOW, COST_MAX };
}

const struct limiter zoo_refund_above_limit = {
    .name = "zoo/refund-above-limit",
    .formula = "used + c <= L in [reset - P, reset), and a refund may bring used below zero",
    .good_to_know = "what is left can be more than the limit, by design",
    .source = "mailgun/gubernator issue 156",
    .state_bytes = sizeof(struct window),
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote, .promise = promise,
};

const struct limiter zoo_refund_unheard = {
    .name = "zoo/refund-unheard",
    .formula = "the same, but when used == L every request is over the limit, a refund too",
    .good_to_know = "nothing can be given back to a key that has nothing left",
    .source = "mailgun/gubernator issue 156",
    .rule = &zoo_refund_above_limit,
    .state_bytes = sizeof(struct window),
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check_what_remains, .charge = charge, .quote = quote, .promise = promise,
};

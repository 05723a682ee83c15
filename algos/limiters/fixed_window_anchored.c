/* fixed_window_anchored.c - a counter that a key's first request starts, and that ends one period later.
 *
 *     a request at t >= reset opens a window: reset = t + P, used = 0
 *     used += c, allowed or not;  allow when used <= L
 *
 * Denied requests count, those for more than L too, as in every "increment, then look" counter: a client that
 * keeps asking for much cannot slip in something small.  used == 0 means closed: nobody has asked yet, or all
 * of it was given back. */
#include "exact.h"
#include "limiters.h"

struct window {
    int64_t start_ns;                   /* closed: no window opens before */
    int64_t used;
};
_Static_assert(sizeof(struct window) == 16, "no padding");

static int64_t reset_ns(const struct policy *policy, const struct window *window)
{
    return window->start_ns + policy->period_ns;
}

static int64_t used_at(const struct policy *policy, const struct window *window, int64_t t)
{
    return t < reset_ns(policy, window) ? window->used : 0;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct window *window = state;

    (void)policy;
    window->start_ns = now_ns;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    const struct window *window = state;

    if (request.cost <= 0)
        return verdict_allow();
    if (request.cost > policy->limit)
        return verdict_deny(NEVER_NS);
    if (used_at(policy, window, request.now_ns) + request.cost <= policy->limit)
        return verdict_allow();
    return verdict_deny(wait_until(request.now_ns, reset_ns(policy, window)));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct window *window = state;
    int64_t used = used_at(policy, window, request.now_ns);

    if (allowed ? request.cost == 0 : request.cost <= 0)
        return;
    if (used == 0)
        window->start_ns = i64_max(window->start_ns, request.now_ns);
    window->used = i64_max(0, used + request.cost);
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct window *window = state;
    int64_t used = used_at(policy, window, now_ns);
    int64_t full_ns = used > 0 ? reset_ns(policy, window) : i64_max(now_ns, window->start_ns);

    return (struct quota){ i64_max(0, policy->limit - used), wait_until(now_ns, full_ns) };
}

/* Two windows are at least a period apart, so a span of one period that reaches into both has missed the
 * first one's opening request, of at least one unit. */
static struct promise promise(const struct policy *policy)
{
    return (struct promise){ PROMISE_WINDOW, 2 * policy->limit - 1 };
}

const struct limiter fixed_window_anchored = {
    .name = "fixed-window-anchored",
    .formula = "used + c <= L in [reset - P, reset); a request at t >= reset opens the next: reset = t + P",
    .good_to_know = "denied requests count, and 2L-1 can pass within one period; burst is ignored",
    .state_bytes = sizeof(struct window),
    .refunds = true,
    .charges_denied = true,
    .refuses = refuses_none,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

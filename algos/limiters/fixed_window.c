/* fixed_window.c - a counter that starts again at each multiple of the period.
 *
 *     k = floor(t / P)                     P = period, t since the Unix epoch
 *     allow c when used(k) + c <= L;       then used(k) += c
 *
 * The state keeps where window k begins rather than k itself: inside the window nothing is divided.  It keeps
 * the window before, too: a reading that comes late, as readings do that travel with requests, still finds
 * its own window.  An instant before that is a clock that went back, and counts as in the window before. */
#include "exact.h"
#include "limiters.h"

struct window {
    int64_t start_ns;
    int64_t used;                       /* above L: debt, forgotten with the window */
    int64_t used_before;                /* in the window before */
};
_Static_assert(sizeof(struct window) == 24, "no padding");

static int64_t end_ns(const struct policy *policy, const struct window *window)
{
    return window->start_ns + policy->period_ns;
}

static int64_t used_at(const struct policy *policy, const struct window *window, int64_t t)
{
    return t >= end_ns(policy, window) ? 0 : t >= window->start_ns ? window->used : window->used_before;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct window *window = state;

    window->start_ns = window_start_ns(policy, now_ns);
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    const struct window *window = state;
    int64_t t = request.now_ns;

    if (request.cost <= 0)
        return verdict_allow();
    if (request.cost > policy->limit)
        return verdict_deny(NEVER_NS);
    if (used_at(policy, window, t) + request.cost <= policy->limit)
        return verdict_allow();
    bool late = t < window->start_ns && window->used + request.cost <= policy->limit;
    return verdict_deny(wait_until(t, late ? window->start_ns : end_ns(policy, window)));
}

/* The window of t is the one that counts from now on. */
static void move_to(const struct policy *policy, struct window *window, int64_t t)
{
    int64_t start_ns = window_start_ns(policy, t);

    window->used_before = start_ns == end_ns(policy, window) ? window->used : 0;
    window->used = 0;
    window->start_ns = start_ns;
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct window *window = state;

    if (!allowed || request.cost == 0)
        return;
    if (request.now_ns >= end_ns(policy, window))
        move_to(policy, window, request.now_ns);
    if (request.now_ns >= window->start_ns)
        window->used = i64_max(0, window->used + request.cost);
    else
        window->used_before = i64_max(0, window->used_before + request.cost);
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct window *window = state;
    int64_t used = used_at(policy, window, now_ns);
    int64_t open_ns = i64_max(now_ns, window->start_ns);
    int64_t full_ns = used_at(policy, window, open_ns) > 0 ? end_ns(policy, window) : open_ns;

    return (struct quota){ i64_max(0, policy->limit - used), wait_until(now_ns, full_ns) };
}

static struct promise promise(const struct policy *policy)
{
    return (struct promise){ PROMISE_ALIGNED, policy->limit };
}

const struct limiter fixed_window = {
    .name = "fixed-window",
    .formula = "used(floor(t/P)) + c <= L, windows aligned to multiples of P since the Unix epoch",
    .good_to_know = "twice the limit passes within an instant at a window's edge; burst is ignored",
    .state_bytes = sizeof(struct window),
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

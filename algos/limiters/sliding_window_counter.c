/* sliding_window_counter.c - two aligned counters, the older one fading out.
 *
 *     overlap = (end - t) / P              end of the aligned window that holds t, P = period
 *     allow c when previous * overlap + current + c <= L;      then current += c
 *
 * Compared as integers, both sides times P. */
#include "exact.h"
#include "limiters.h"

struct windows {
    int64_t start_ns;                   /* of the current window */
    int64_t t0;                         /* of the latest charge */
    int64_t previous, current;          /* above L: debt */
};
_Static_assert(sizeof(struct windows) == 32, "no padding");

/* The windows as they are at t: moved on to the one that holds it. */
static struct windows windows_at(const struct policy *policy, const struct windows *kept, int64_t t)
{
    struct windows windows = *kept;
    int64_t next_ns = kept->start_ns + policy->period_ns;

    windows.t0 = i64_max(t, kept->t0);
    if (windows.t0 < next_ns)
        return windows;
    bool adjacent = windows.t0 < next_ns + policy->period_ns;
    windows.start_ns = adjacent ? next_ns : window_start_ns(policy, windows.t0);
    windows.previous = adjacent ? kept->current : 0;
    windows.current = 0;
    return windows;
}

static int64_t end_ns(const struct policy *policy, const struct windows *windows)
{
    return windows->start_ns + policy->period_ns;
}

/* P * (previous * overlap + current) at t0. */
static i128 weight(const struct policy *policy, const struct windows *windows)
{
    return (i128)windows->previous * (end_ns(policy, windows) - windows->t0)
         + (i128)windows->current * policy->period_ns;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct windows *windows = state;

    windows->start_ns = window_start_ns(policy, now_ns);
    windows->t0 = now_ns;
}

/* The first instant of a window ending at end_ns at which `previous`, fading, leaves `room`: when
 * previous * (end - t) <= room * P. */
static i128 faded_ns(const struct policy *policy, int64_t end, int64_t previous, int64_t room)
{
    return (i128)end - (i128)room * policy->period_ns / previous;
}

/* When a cost that is denied at t0 will pass: in this window while previous fades; or else in the next, where
 * current is what fades. */
static i128 passes_ns(const struct policy *policy, const struct windows *windows, int64_t cost)
{
    int64_t end = end_ns(policy, windows);
    int64_t room = policy->limit - cost;

    if (windows->current <= room)
        return faded_ns(policy, end, windows->previous, room - windows->current);
    return faded_ns(policy, end + policy->period_ns, windows->current, room);
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    if (request.cost <= 0)
        return verdict_allow();
    if (request.cost > policy->limit)
        return verdict_deny(NEVER_NS);
    struct windows windows = windows_at(policy, state, request.now_ns);
    if (weight(policy, &windows) <= (i128)(policy->limit - request.cost) * policy->period_ns)
        return verdict_allow();
    return verdict_deny(wait_until(request.now_ns, passes_ns(policy, &windows, request.cost)));
}

/* A refund comes out of the current window, and what is more than that out of the previous one. */
static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct windows *kept = state;

    if (!allowed || request.cost == 0)
        return;
    struct windows windows = windows_at(policy, kept, request.now_ns);
    windows.current += request.cost;
    if (windows.current < 0) {
        windows.previous = i64_max(0, windows.previous + windows.current);
        windows.current = 0;
    }
    *kept = windows;
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    struct windows windows = windows_at(policy, state, now_ns);
    int64_t used = i64_clamp(div_ceil(weight(policy, &windows), policy->period_ns));
    int64_t end = end_ns(policy, &windows);
    int64_t full_ns = windows.current ? end + policy->period_ns : windows.previous ? end : windows.t0;

    return (struct quota){ i64_max(0, policy->limit - used), wait_until(now_ns, full_ns) };
}

/* A admitted before an edge and b after it, the last one x after it: A * (1 - x/P) + b <= L, so A + b <=
 * L + L * x/P; whole windows between them hold at most L each.  It is so for any costs. */
static struct promise promise(const struct policy *policy)
{
    return (struct promise){ PROMISE_CURVE, policy->limit };
}

const struct limiter sliding_window_counter = {
    .name = "sliding-window-counter",
    .formula = "previous*overlap + current + c <= L, over two aligned windows, compared exactly",
    .good_to_know = "no double at the edge, yet nearly 2L within one true period; burst is ignored",
    .state_bytes = sizeof(struct windows),
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

/* timer_of_no_ms.c - a sliding window in as many segments as it has permits, moved on by a timer in whole
 * milliseconds (dotnet/runtime#105446).
 *
 * 1024 segments of a second are 0.98 ms each: a timer of 0 ms, which never goes off.  Time stands still for
 * the limiter, and what was taken never comes back.  The cure reads a clock:
 * algos/limiters/sliding_window_log.c. */
#include "borrow.h"
#include "zoo.h"

enum { LOG_ENTRY_BYTES = 16 };

/* The time by which the timer has moved the window. */
static int64_t ticked_ns(const struct policy *policy, int64_t now_ns)
{
    int64_t segment_ns = policy->period_ns / policy->limit / ZOO_MS * ZOO_MS;

    return segment_ns == 0 ? 0 : (int64_t)div_floor(now_ns, segment_ns) * segment_ns;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    sliding_window_log.fresh(policy, ticked_ns(policy, now_ns), state);
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    request.now_ns = ticked_ns(policy, request.now_ns);
    return sliding_window_log.check(policy, request, state);
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    request.now_ns = ticked_ns(policy, request.now_ns);
    sliding_window_log.charge(policy, request, allowed, state);
}

ZOO_QUOTE(check)

const struct limiter zoo_timer_of_no_ms = {
    .name = "zoo/timer-of-no-ms",
    .formula = "sliding-window-log, on a clock that a timer of floor(P/L) ms moves; one of 0 ms never does",
    .good_to_know = "above 1000 segments a second no permit ever comes back",
    .source = "dotnet/runtime#105446",
    .rule = &sliding_window_log,
    .state_bytes = BORROWED_BYTES,
    .entry_bytes = LOG_ENTRY_BYTES,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote_check,
    ZOO_SHARED,
};

/* micros_as_millis.c - seconds and microseconds of a store's clock, of which the latter are taken for
 * milliseconds (throttled/throttled before 4c11b8c).
 *
 * 0.9 s reads as 900 s, 1.1 s as 101 s: within a second the clock runs a thousand times too fast, and at each
 * second it jumps back.  The cure is the same rule on the right reading: algos/limiters/gcra.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

static int64_t misread(int64_t now_ns)
{
    int64_t seconds = (int64_t)div_floor(now_ns, ZOO_SECOND);
    int64_t micros = (now_ns - seconds * ZOO_SECOND) / 1000;

    return i64_min(INSTANT_MAX, seconds * ZOO_SECOND + micros * ZOO_MS);
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    gcra.fresh(policy, misread(now_ns), state);
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    request.now_ns = misread(request.now_ns);
    return gcra.check(policy, request, state);
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    request.now_ns = misread(request.now_ns);
    gcra.charge(policy, request, allowed, state);
}

ZOO_QUOTE(check)

const struct limiter zoo_micros_as_millis = {
    .name = "zoo/micros-as-millis",
    .formula = "gcra at t = seconds + microseconds/1000, for seconds + microseconds/1000000",
    .good_to_know = "within a second the clock runs a thousand times too fast, then it jumps back",
    .source = "throttled/throttled before 4c11b8c",
    .rule = &gcra,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

/* counter_with_an_end.c - a counter under a key that a store ends by itself, where the end is set wrongly.
 *
 *     used += c, allowed or not;  allow when used <= L;  at `end` the key is gone, and used with it
 *
 * Right is an end one period after the first request, once and for all: fixed-window-anchored.  Flawed, the
 * end moves with every request, is cut to whole seconds (and none at all when that leaves no second), or is
 * looked at in a command of its own, which at the very end finds no time left and an old count. */
#include "borrow.h"
#include "zoo.h"

struct counter { int64_t used, end_ns; };       /* end_ns NEVER_NS: the key has no end */
_Static_assert(sizeof(struct counter) == 16, "no padding");

static struct verdict answer(const struct policy *policy, struct request request, int64_t used, i128 end_ns)
{
    int64_t wait_ns = end_ns == NEVER_NS ? NEVER_NS : wait_until(request.now_ns, end_ns);

    return zoo_answer(request, policy->limit - used, policy->limit, wait_ns);
}

static struct counter counter_at(const struct counter *kept, int64_t t)
{
    return t < kept->end_ns ? *kept : (struct counter){ 0, 0 };
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct counter now = counter_at(state, request.now_ns);

    return answer(policy, request, now.used, now.end_ns);
}

ZOO_QUOTE(check)

/* Counts; true when it is the first of its key. */
static bool count(struct request request, struct counter *counter)
{
    struct counter now = counter_at(counter, request.now_ns);
    bool first = now.used == 0;

    now.used = i64_max(0, now.used + request.cost);
    *counter = now;
    return first;
}

/* ---- an end that moves ---- */

static void charge_and_put_off(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct counter *counter = state;

    (void)allowed;
    if (request.cost == 0)
        return;
    count(request, counter);
    counter->end_ns = request.now_ns + policy->period_ns;
}

const struct limiter zoo_end_put_off = {
    .name = "zoo/end-put-off",
    .formula = "used + c <= L in [.., end); each request, allowed or not, moves end to t + P",
    .good_to_know = "who keeps coming, however slowly, is never forgotten",
    .source = "apache/shenyu#6649",
    .rule = &fixed_window_anchored,
    .state_bytes = sizeof(struct counter),
    .charges_denied = true,
    .fresh = zoo_fresh_zero, .check = check, .charge = charge_and_put_off, .quote = quote_check,
    ZOO_SHARED,
};

/* ---- an end in whole seconds ---- */

static void charge_whole_seconds(const struct policy *policy, struct request request, bool allowed,
                                 void *state)
{
    struct counter *counter = state;
    int64_t span_ns = policy->period_ns / ZOO_SECOND * ZOO_SECOND;

    (void)allowed;
    if (request.cost != 0 && count(request, counter))
        counter->end_ns = span_ns > 0 ? request.now_ns + span_ns : NEVER_NS;
}

const struct limiter zoo_end_in_whole_seconds = {
    .name = "zoo/end-in-whole-seconds",
    .formula = "used + c <= L in [t0, t0 + floor(P)), floor to seconds; no end when that is 0",
    .good_to_know = "a window of less than a second never ends",
    .source = "animir/node-rate-limiter-flexible, its Redis store",
    .rule = &fixed_window_anchored,
    .state_bytes = sizeof(struct counter),
    .charges_denied = true,
    .fresh = zoo_fresh_zero, .check = check, .charge = charge_whole_seconds, .quote = quote_check,
    ZOO_SHARED,
};

/* ---- an end that is looked at apart ---- */

/* Read before the key ends, the count is the old one; the time left is asked for then, and is none. */
static bool between_the_commands(const struct counter *counter, int64_t t)
{
    return counter->used > 0 && t == counter->end_ns;
}

static struct verdict check_apart(const struct policy *policy, struct request request, const void *state)
{
    const struct counter *counter = state;

    if (between_the_commands(counter, request.now_ns))
        return answer(policy, request, counter->used, (i128)request.now_ns + policy->period_ns);
    return check(policy, request, state);
}

static void charge_apart(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct counter *counter = state;
    int64_t end_ns = request.now_ns + policy->period_ns;

    (void)allowed;
    if (request.cost == 0)
        return;
    if (between_the_commands(counter, request.now_ns))
        *counter = (struct counter){ i64_max(0, counter->used + request.cost), end_ns };
    else if (count(request, counter))
        counter->end_ns = end_ns;
}

ZOO_QUOTE(check_apart)

const struct limiter zoo_end_looked_at_apart = {
    .name = "zoo/end-looked-at-apart",
    .formula = "used + c <= L in [t0, t0 + P]; at t0 + P itself the old count gets another period",
    .good_to_know = "who comes back exactly when told waits once more",
    .source = "express-rate-limit/rate-limit-redis#216",
    .rule = &fixed_window_anchored,
    .state_bytes = sizeof(struct counter),
    .charges_denied = true,
    .fresh = zoo_fresh_zero, .check = check_apart, .charge = charge_apart, .quote = quote_check_apart,
    ZOO_SHARED,
};

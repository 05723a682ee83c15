/* kept_from_before.c - states that hold something of the policy under which they were written, and go by it
 * when the policy is another.
 *
 * A theoretical arrival time is a debt in time: at a hundred times the rate it should be a hundredth, and is
 * what it was (brandur/redis-cell#54).  An interval between requests that is cached is the first one for ever
 * (scality/cloudserver pull request 6046).  A window's end that is stored is the end of the old, long window
 * (Tabcorp/redis-rate-limiter#44).  The cures: algos/limiters/token_bucket.c, and fixed_window_anchored.c,
 * which stores when a window began. */
#include "borrow.h"
#include "zoo.h"
#include "../limiters/limiters.h"

/* ---- a time that is kept ---- */

BORROW_FRESH(gcra)
BORROW_CHECK(gcra)
BORROW_CHARGE(gcra)
BORROW_QUOTE(gcra)

const struct limiter zoo_tat_kept = {
    .name = "zoo/tat-kept",
    .formula = "gcra; TAT stays what it is when the limit changes",
    .good_to_know = "what was used at a low rate blocks a high one as long as it would have blocked the low",
    .source = "brandur/redis-cell#54",
    .rule = &token_bucket,
    .state_bytes = BORROWED_BYTES,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote,
    ZOO_SHARED,
};

/* ---- an interval that is cached ---- */

struct cached {
    int64_t gcra[3];                    /* the state of a GCRA */
    int64_t limit;                      /* of the policy that made it */
};
_Static_assert(sizeof(struct cached) == BORROWED_BYTES, "no padding");

static struct policy as_cached(const struct policy *policy, const struct cached *cached)
{
    return zoo_policy(policy, cached->limit, policy->period_ns, policy->burst);
}

static void fresh_cached(const struct policy *policy, int64_t now_ns, void *state)
{
    struct cached *cached = state;

    gcra.fresh(policy, now_ns, cached->gcra);
    cached->limit = policy->limit;
}

static struct verdict check_cached(const struct policy *policy, struct request request, const void *state)
{
    const struct cached *cached = state;
    struct policy first = as_cached(policy, cached);

    return gcra.check(&first, request, cached->gcra);
}

static void charge_cached(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct cached *cached = state;
    struct policy first = as_cached(policy, cached);

    gcra.charge(&first, request, allowed, cached->gcra);
}

ZOO_QUOTE(check_cached)

const struct limiter zoo_interval_cached = {
    .name = "zoo/interval-cached",
    .formula = "gcra with T = P/L of the limit under which the key was seen first",
    .good_to_know = "a key keeps the rate that it began with, whatever is configured since",
    .source = "scality/cloudserver pull request 6046",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct cached),
    .fresh = fresh_cached, .check = check_cached, .charge = charge_cached, .quote = quote_check_cached,
    ZOO_SHARED,
};

/* ---- an end that is stored ---- */

struct window { int64_t used, end_ns; };
_Static_assert(sizeof(struct window) == 16, "no padding");

static struct verdict check_window(const struct policy *policy, struct request request, const void *state)
{
    const struct window *window = state;
    int64_t used = request.now_ns < window->end_ns ? window->used : 0;

    return zoo_answer(request, policy->limit - used, policy->limit,
                      wait_until(request.now_ns, window->end_ns));
}

static void charge_window(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct window *window = state;

    (void)allowed;
    if (request.cost == 0)
        return;
    if (request.now_ns >= window->end_ns || window->used == 0)
        *window = (struct window){ 0, request.now_ns + policy->period_ns };
    window->used = i64_max(0, window->used + request.cost);
}

ZOO_QUOTE(check_window)

const struct limiter zoo_end_from_before = {
    .name = "zoo/end-from-before",
    .formula = "used + c <= L in [.., end); end = t + P, by the period of the window's first request",
    .good_to_know = "a shorter period begins when the longer one ends",
    .source = "Tabcorp/redis-rate-limiter#44",
    .rule = &fixed_window_anchored,
    .state_bytes = sizeof(struct window),
    .charges_denied = true,
    .fresh = zoo_fresh_zero, .check = check_window, .charge = charge_window, .quote = quote_check_window,
    ZOO_SHARED,
};

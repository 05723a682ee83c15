/* upstash_windows.c - the fixed and the sliding window of @upstash/ratelimit: Redis counters that are named
 * by the window, by the caller's Date.now().
 *
 *     w = floor(now / P), x = now mod P
 *     fixed:    count(w) += c;                                              success when count(w) <= L
 *     sliding:  floor((1 - x/P) * count(w-1)) + count(w) >= L: no success, nothing counted (c is not asked)
 *               else count(w) += c;    success when floor((1 - x/P) * count(w-1)) + count(w) <= L
 *     reset = (w + 1) * P for both
 *
 * So the fixed window counts what it denies, and the sliding one counts what overshoots.  The counters of
 * three windows are kept: a reading that comes late names its own, as long as its key would live. */
#include "milliseconds.h"
#include "system_limiters.h"

enum { WINDOWS = 3 };

struct counters {
    int64_t window;                     /* the latest that a caller named */
    int64_t count[WINDOWS];             /* of it, and of those before it */
};
_Static_assert(sizeof(struct counters) == 32, "no padding");

static int64_t window_at(const struct policy *policy, int64_t now_ns)
{
    return (int64_t)div_floor(date_now(policy, now_ns), period_ms(policy));
}

static int64_t count_of(const struct counters *counters, int64_t window)
{
    int64_t ago = counters->window - window;

    return ago >= 0 && ago < WINDOWS ? counters->count[ago] : 0;
}

static void add(struct counters *counters, int64_t window, int64_t cost)
{
    if (window > counters->window) {
        struct counters before = *counters;
        counters->window = window;
        for (int i = 0; i < WINDOWS; i++)
            counters->count[i] = count_of(&before, window - i);
    }
    int64_t ago = counters->window - window;
    if (ago < WINDOWS)
        counters->count[ago] += cost;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    ((struct counters *)state)->window = window_at(policy, now_ns);
}

/* What is told to whoever is denied, whatever was asked for. */
static int64_t until_reset_ns(const struct policy *policy, int64_t now_ns)
{
    i128 reset = ((i128)window_at(policy, now_ns) + 1) * period_ms(policy);

    return ms_ns(reset - date_now(policy, now_ns));
}

/* ---- fixed --------------------------------------------------------------------------------------------- */

static struct verdict fixed_check(const struct policy *policy, struct request request, const void *state)
{
    int64_t used = count_of(state, window_at(policy, request.now_ns)) + request.cost;

    return request.cost <= 0 || used <= policy->limit
         ? verdict_allow() : verdict_deny(until_reset_ns(policy, request.now_ns));
}

static void fixed_charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    (void)allowed;
    if (request.cost != 0)
        add(state, window_at(policy, request.now_ns), request.cost);
}

static struct quota fixed_quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    int64_t used = count_of(state, window_at(policy, now_ns));

    return (struct quota){ i64_max(0, policy->limit - used), used ? until_reset_ns(policy, now_ns) : 0 };
}

/* There, the key of each window gets it once, from its first hit: after that window either way. */
static int64_t fixed_ttl_ns(const struct policy *policy, int64_t now_ns, const void *state)
{
    (void)now_ns, (void)state;
    return policy->period_ns;
}

static struct promise fixed_promise(const struct policy *policy) { return fixed_window.promise(policy); }

const struct limiter upstash_fixed_window = {
    .name = "upstash-fixed-window",
    .formula = "INCRBY c in window floor(now/P); success when the count is <= L",
    .good_to_know = "a denied cost counts: after one that is too large, smaller ones do not fit either",
    .source = "@upstash/ratelimit 2.0.8 (5b5448a), fixedWindow",
    .rule = &fixed_window,
    .state_bytes = sizeof(struct counters),
    .refunds = true,
    .charges_denied = true,
    .refuses = refuses_parts_of_a_ms,
    .fresh = fresh,
    .check = fixed_check,
    .charge = fixed_charge,
    .quote = fixed_quote,
    .promise = fixed_promise,
    .ttl_ns = fixed_ttl_ns,
};

/* ---- sliding ------------------------------------------------------------------------------------------- */

/* The weighted count as the script computes it. */
static int64_t estimate(const struct policy *policy, int64_t now_ns, const struct counters *counters)
{
    int64_t window = window_at(policy, now_ns), period = period_ms(policy);
    int64_t into = (int64_t)(date_now(policy, now_ns) - (i128)window * period);
    double weight = 1 - (double)into / (double)period;
    int64_t before = (int64_t)(weight * (double)count_of(counters, window - 1));

    return before + count_of(counters, window);
}

static struct verdict sliding_check(const struct policy *policy, struct request request, const void *state)
{
    int64_t used = estimate(policy, request.now_ns, state);

    return request.cost <= 0 || (used < policy->limit && used + request.cost <= policy->limit)
         ? verdict_allow() : verdict_deny(until_reset_ns(policy, request.now_ns));
}

static void sliding_charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    if (request.cost != 0 && (allowed || estimate(policy, request.now_ns, state) < policy->limit))
        add(state, window_at(policy, request.now_ns), request.cost);
}

static struct quota sliding_quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    int64_t used = estimate(policy, now_ns, state);
    bool fresh_again = count_of(state, window_at(policy, now_ns)) == 0;
    i128 full_ns = until_reset_ns(policy, now_ns) + (fresh_again ? 0 : policy->period_ns);

    return (struct quota){ i64_max(0, policy->limit - used), used ? i64_clamp(full_ns) : 0 };
}

static int64_t sliding_ttl_ns(const struct policy *policy, int64_t now_ns, const void *state)
{
    (void)now_ns, (void)state;
    return i64_clamp((i128)2 * policy->period_ns + 1000 * (i128)MS);
}

static struct promise sliding_promise(const struct policy *policy)
{
    return sliding_window_counter.promise(policy);
}

const struct limiter upstash_sliding_window = {
    .name = "upstash-sliding-window",
    .formula = "floor((1 - x/P) * previous) + current < L, then INCRBY c; success when it is still <= L",
    .good_to_know = "the weighted count is rounded down: up to one more passes; a cost that overshoots is "
                    "denied and counted all the same",
    .source = "@upstash/ratelimit 2.0.8 (5b5448a), slidingWindow",
    .rule = &sliding_window_counter,
    .state_bytes = sizeof(struct counters),
    .charges_denied = true,
    .refuses = refuses_parts_of_a_ms,
    .fresh = fresh,
    .check = sliding_check,
    .charge = sliding_charge,
    .quote = sliding_quote,
    .promise = sliding_promise,
    .ttl_ns = sliding_ttl_ns,
};

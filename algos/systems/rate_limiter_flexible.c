/* rate_limiter_flexible.c - the counter of rate-limiter-flexible, in memory and in Redis.
 *
 *     a request at now >= expiresAt opens a window: consumed = 0, expiresAt = now + duration
 *     consumed += points asked for, always;  reject when consumed > points
 *     msBeforeNext = expiresAt - now, whatever was asked for
 *
 * In memory, duration is exact to the ms.  In Redis it is SET ... EX: whole seconds, rounded down, and below
 * one second the key gets no end at all: what is used up stays so.  reward() subtracts, below 0 too. */
#include "milliseconds.h"
#include "system_limiters.h"

struct counter {
    int64_t expiresAt;                  /* ms since the epoch; FOREVER: no end */
    int64_t consumed;
};
_Static_assert(sizeof(struct counter) == 16, "no padding");

#define FOREVER INT64_MAX

static int64_t consumed_at(const struct counter *counter, int64_t now)
{
    return now < counter->expiresAt ? counter->consumed : 0;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    ((struct counter *)state)->expiresAt = date_now(policy, now_ns);
}

static int64_t left_ns(const struct policy *policy, int64_t now_ns, int64_t expiresAt)
{
    if (expiresAt == FOREVER)
        return NEVER_NS;
    return i64_max(0, ms_ns((i128)expiresAt - date_now(policy, now_ns)));
}

static int64_t opened_until(const struct policy *policy, int64_t now_ns, int64_t duration)
{
    return duration == FOREVER ? FOREVER : date_now(policy, now_ns) + duration;
}

static struct verdict check_for(const struct policy *policy, struct request request,
                                const struct counter *counter, int64_t duration)
{
    int64_t now = date_now(policy, request.now_ns);
    int64_t end = now < counter->expiresAt ? counter->expiresAt
                                           : opened_until(policy, request.now_ns, duration);

    if (request.cost <= 0 || consumed_at(counter, now) + request.cost <= policy->limit)
        return verdict_allow();
    return verdict_deny(left_ns(policy, request.now_ns, end));
}

static void charge_for(const struct policy *policy, struct request request, struct counter *counter,
                       int64_t duration)
{
    int64_t now = date_now(policy, request.now_ns);

    if (request.cost == 0)
        return;
    counter->consumed = consumed_at(counter, now) + request.cost;
    if (now >= counter->expiresAt)
        counter->expiresAt = opened_until(policy, request.now_ns, duration);
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct counter *counter = state;
    int64_t consumed = consumed_at(counter, date_now(policy, now_ns));

    return (struct quota){ .remaining = i64_max(0, policy->limit - consumed),
                           .reset_after_ns = consumed ? left_ns(policy, now_ns, counter->expiresAt) : 0 };
}

static struct promise promise(const struct policy *policy) { return fixed_window_anchored.promise(policy); }

/* ---- in memory ----------------------------------------------------------------------------------------- */

static struct verdict memory_check(const struct policy *policy, struct request request, const void *state)
{
    return check_for(policy, request, state, period_ms(policy));
}

static void memory_charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    (void)allowed;
    charge_for(policy, request, state, period_ms(policy));
}

const struct limiter rlf_memory = {
    .name = "rlf-memory",
    .formula = "consumed += c, always; consumed <= L until expiresAt = first hit + P, in whole ms",
    .good_to_know = "rejected points count; asking for more than the limit uses the window up, and is told a "
                    "wait that does not help; 2L-1 can pass within one period",
    .source = "rate-limiter-flexible 11.1.0 (3c9c826), RateLimiterMemory",
    .rule = &fixed_window_anchored,
    .state_bytes = sizeof(struct counter),
    .refunds = true,
    .charges_denied = true,
    .refuses = refuses_parts_of_a_ms,
    .fresh = fresh,
    .check = memory_check,
    .charge = memory_charge,
    .quote = quote,
    .promise = promise,
};

/* ---- in Redis ------------------------------------------------------------------------------------------ */

static int64_t whole_seconds(const struct policy *policy)
{
    int64_t seconds = period_ms(policy) / 1000;

    return seconds > 0 ? seconds * 1000 : FOREVER;
}

static struct verdict redis_check(const struct policy *policy, struct request request, const void *state)
{
    return check_for(policy, request, state, whole_seconds(policy));
}

static void redis_charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    (void)allowed;
    charge_for(policy, request, state, whole_seconds(policy));
}

/* The end is set by whoever opens the window, and left alone after that. */
static int64_t redis_ttl_ns(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct counter *counter = state;
    bool opened = counter->expiresAt == opened_until(policy, now_ns, whole_seconds(policy));

    return opened ? left_ns(policy, now_ns, counter->expiresAt) : 0;
}

const struct limiter rlf_redis = {
    .name = "rlf-redis",
    .formula = "INCRBY c <= L until the key ends, floor(P) whole seconds after its first hit",
    .good_to_know = "a duration of 2.9 s is 2 s, and one below a second never ends: used up once is for ever",
    .source = "rate-limiter-flexible 11.1.0 (3c9c826), RateLimiterRedis",
    .rule = &fixed_window_anchored,
    .state_bytes = sizeof(struct counter),
    .refunds = true,
    .charges_denied = true,
    .refuses = refuses_parts_of_a_ms,
    .fresh = fresh,
    .check = redis_check,
    .charge = redis_charge,
    .quote = quote,
    .promise = promise,
    .ttl_ns = redis_ttl_ns,
};

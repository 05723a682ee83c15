/* leaky_bucket_queue.c - a queue that is served at a constant rate: it shapes instead of refusing.
 *
 *     T = period / limit, the time that serving one unit takes
 *     departure = max(t, free)                           free: when the server has finished all before
 *     allow c when (departure - t) / T + c <= B;         then free = departure + c * T
 *
 * What is allowed is delayed until its departure, rounded up to whole ns; the queue itself is exact.
 * Times are kept in credits, that is, multiplied by credits_per_ns, which makes T a whole number. */
#include "exact.h"
#include "limiters.h"

struct queue {
    i128_packed free;                   /* in credits since instant 0 */
    int64_t     t0;                     /* of the latest charge */
};
_Static_assert(sizeof(struct queue) == 24, "no padding");

/* The work in the queue at t, in credits. */
static i128 backlog_at(const struct policy *policy, const struct queue *queue, int64_t t)
{
    return i128_max(0, queue->free - instant_credits(policy, t));
}

/* So that a delay always fits: the longest is that of a full queue. */
static const char *refuses(const struct policy *policy)
{
    bool fits = policy->burst_credits <= (i128)PERIOD_MAX * policy->credits_per_ns;

    return fits ? NULL : "a full queue would take over 3653d to drain; expected a smaller burst";
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct queue *queue = state;

    queue->free = instant_credits(policy, now_ns);
    queue->t0 = now_ns;
}

/* A clock that went back stands still at t0, and the delay counts from there. */
static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    const struct queue *queue = state;
    int64_t t = i64_max(request.now_ns, queue->t0);

    if (request.cost <= 0)
        return verdict_allow();
    if (request.cost > policy->burst)
        return verdict_deny(NEVER_NS);
    i128 backlog = backlog_at(policy, queue, t);
    i128 above = backlog + cost_credits(policy, request.cost) - policy->burst_credits;
    if (above > 0)
        return verdict_deny(wait_until(request.now_ns, t + earning_ns(policy, above)));
    return (struct verdict){ .allowed = true, .delay_ns = (int64_t)earning_ns(policy, backlog) };
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct queue *queue = state;
    int64_t t = i64_max(request.now_ns, queue->t0);

    if (!allowed || request.cost == 0)
        return;
    i128 backlog = backlog_at(policy, queue, t) + cost_credits(policy, request.cost);
    queue->free = instant_credits(policy, t) + i128_max(0, backlog);
    queue->t0 = t;
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct queue *queue = state;
    int64_t t = i64_max(now_ns, queue->t0);
    i128 backlog = backlog_at(policy, queue, t);
    i128 room = i128_max(0, policy->burst_credits - backlog);

    return (struct quota){
        .remaining = (int64_t)quotient(room, policy->credits_per_unit),
        .reset_after_ns = wait_until(now_ns, t + earning_ns(policy, backlog)),
    };
}

/* Exact departures lie c * T apart, so their effective burst is the largest single cost, at most B.
 * Rounding up moves one that comes earlier by at most (p - 1) / p ns, p = credits_per_ns, towards the
 * last: worth (p - 1) / q units. */
static struct promise promise(const struct policy *policy)
{
    i128 rounding = div_ceil(policy->credits_per_ns - 1, policy->credits_per_unit);

    return (struct promise){ PROMISE_CURVE, policy->burst + (int64_t)rounding };
}

const struct limiter leaky_bucket_queue = {
    .name = "leaky-bucket-queue",
    .formula = "departs at max(t, free); (max(t, free) - t)/T + c <= B, T = P/L; then free = departure + c*T",
    .good_to_know = "delays instead of refusing: what leaves is smooth, after up to burst * P/L",
    .state_bytes = sizeof(struct queue),
    .refunds = true,
    .shapes = true,
    .refuses = refuses,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

/* gcra.c - the generic cell rate algorithm (ITU-T I.371, virtual scheduling), for cells of any cost.
 *
 *     T = period / limit, the time that one unit takes;  tau = B * T, how far ahead of time a key may be
 *     TAT' = max(t, TAT) + c * T
 *     allow c when TAT' - t <= tau;                      then TAT = TAT'
 *
 * (The standard's tolerance is tau - T: it looks at TAT before the cell is added.)  Times are kept in
 * credits, that is, multiplied by credits_per_ns, which makes T a whole number.  It is a token bucket
 * read from the other side, and decides as one; t0, which the textbook leaves out, makes that so when
 * the clock goes back, too. */
#include "exact.h"
#include "limiters.h"

struct schedule {
    i128_packed TAT;                    /* theoretical arrival time, in credits since instant 0 */
    int64_t     t0;                     /* of the latest charge */
};
_Static_assert(sizeof(struct schedule) == 24, "no padding");

/* How far the schedule is ahead of t, in credits: 0 for a key that is as good as new. */
static i128 ahead_at(const struct policy *policy, const struct schedule *schedule, int64_t t)
{
    return i128_max(0, schedule->TAT - instant_credits(policy, t));
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct schedule *schedule = state;

    schedule->TAT = instant_credits(policy, now_ns);
    schedule->t0 = now_ns;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    const struct schedule *schedule = state;
    int64_t t = i64_max(request.now_ns, schedule->t0);

    if (request.cost <= 0)
        return verdict_allow();
    if (request.cost > policy->burst)
        return verdict_deny(NEVER_NS);
    i128 tau = policy->burst_credits;
    i128 early = ahead_at(policy, schedule, t) + cost_credits(policy, request.cost) - tau;
    if (early <= 0)
        return verdict_allow();
    return verdict_deny(wait_until(request.now_ns, t + earning_ns(policy, early)));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct schedule *schedule = state;
    int64_t t = i64_max(request.now_ns, schedule->t0);

    if (!allowed || request.cost == 0)
        return;
    i128 ahead = ahead_at(policy, schedule, t) + cost_credits(policy, request.cost);
    schedule->TAT = instant_credits(policy, t) + i128_max(0, ahead);
    schedule->t0 = t;
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct schedule *schedule = state;
    int64_t t = i64_max(now_ns, schedule->t0);
    i128 ahead = ahead_at(policy, schedule, t);
    i128 left = i128_max(0, policy->burst_credits - ahead);

    return (struct quota){
        .remaining = (int64_t)quotient(left, policy->credits_per_unit),
        .reset_after_ns = wait_until(now_ns, t + earning_ns(policy, ahead)),
    };
}

static struct promise promise(const struct policy *policy)
{
    return (struct promise){ PROMISE_CURVE, policy->burst };
}

const struct limiter gcra = {
    .name = "gcra",
    .formula = "max(t, TAT) + c*T - t <= B*T, T = P/L; then TAT = max(t, TAT) + c*T",
    .good_to_know = "decides exactly as a token bucket of the same burst: one instant instead of a level",
    .state_bytes = sizeof(struct schedule),
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

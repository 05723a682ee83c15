/* bottleneck_reservoir.c - bottleneck's reservoir with reservoirRefreshAmount, seen by a heartbeat.
 *
 *     every 250 ms:  now - last >= interval  =>  reservoir = amount, last = now
 *     start a job of weight w when w <= reservoir;                    then reservoir -= w
 *
 * The refresh sets, it does not add.  It happens at the first beat that finds it due, and the next interval
 * counts from that beat: 1100 ms become 1250 ms, every time.  amount = limit, interval = period.  Jobs that
 * do not start wait in a queue there; here they are denied, and told when the reservoir is next filled.  The
 * heartbeat begins with the key.  On time, it would be a batch-bucket that holds one refill. */
#include "milliseconds.h"
#include "system_limiters.h"

enum { HEARTBEAT = 250 };

struct reservoir {
    int64_t last;                       /* ms since the epoch: a beat */
    int64_t left;
};
_Static_assert(sizeof(struct reservoir) == 16, "no padding");

/* From one refresh to the next: whole beats. */
static int64_t cycle_ms(const struct policy *policy)
{
    return (period_ms(policy) + HEARTBEAT - 1) / HEARTBEAT * HEARTBEAT;
}

static struct reservoir refreshed(const struct policy *policy, int64_t now_ns, const struct reservoir *kept)
{
    struct reservoir reservoir = *kept;
    int64_t cycle = cycle_ms(policy), cycles = (date_now(policy, now_ns) - kept->last) / cycle;

    if (cycles > 0) {
        reservoir.left = policy->limit;
        reservoir.last += cycles * cycle;
    }
    return reservoir;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct reservoir *reservoir = state;

    reservoir->last = date_now(policy, now_ns);
    reservoir->left = policy->limit;
}

static int64_t refresh_after_ns(const struct policy *policy, int64_t now_ns,
                                const struct reservoir *reservoir)
{
    return ms_ns((i128)reservoir->last + cycle_ms(policy) - date_now(policy, now_ns));
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct reservoir reservoir = refreshed(policy, request.now_ns, state);

    if (request.cost <= reservoir.left || request.cost <= 0)
        return verdict_allow();
    return verdict_deny(request.cost > policy->limit ? NEVER_NS
                                                     : refresh_after_ns(policy, request.now_ns, &reservoir));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct reservoir *kept = state;

    if (!allowed || request.cost == 0)
        return;
    *kept = refreshed(policy, request.now_ns, kept);
    kept->left -= request.cost;
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    struct reservoir reservoir = refreshed(policy, now_ns, state);
    bool full = reservoir.left >= policy->limit;

    return (struct quota){ i64_max(0, reservoir.left),
                           full ? 0 : refresh_after_ns(policy, now_ns, &reservoir) };
}

static struct promise promise(const struct policy *policy) { return batch_bucket.promise(policy); }

const struct limiter bottleneck_reservoir = {
    .name = "bottleneck-reservoir",
    .formula = "c <= reservoir; the first 250 ms beat at or after last + P sets reservoir = L, last = beat",
    .good_to_know = "the refresh is late by up to one beat and lateness adds up: every 1.1 s is every 1.25 s",
    .source = "bottleneck 2.19.5 (b835283), reservoirRefreshInterval",
    .rule = &batch_bucket,
    .state_bytes = sizeof(struct reservoir),
    .refuses = refuses_a_burst,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

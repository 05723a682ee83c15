/* changed_limits.c - buckets of whole tokens that remember what limit they last ran under, and do the wrong
 * thing when it is another.
 *
 * One fills up whenever the burst is not the one before (mailgun/gubernator), one whenever the limit is set
 * anew (milvus-io/milvus pull request 35699), and one stops its timer when the limit is set and never starts
 * it again (SGrondin/bottleneck#185).  The cure: algos/limiters/token_bucket.c. */
#include "borrow.h"
#include "zoo.h"
#include "../limiters/limiters.h"

struct bucket {
    int64_t tokens;
    int64_t t0;                         /* of the latest token */
    int64_t seen;                       /* burst or limit of the policy before; bottleneck: of the first */
};
_Static_assert(sizeof(struct bucket) == 24, "no padding");

/* With the tokens that have come until t. */
static struct bucket refilled(const struct policy *policy, const struct bucket *kept, int64_t t)
{
    struct bucket bucket = *kept;
    int64_t interval_ns = i64_max(1, zoo_interval_ns(policy));
    i128 come = i128_max(0, ((i128)t - kept->t0) / interval_ns);

    bucket.tokens = i64_clamp(i128_min(policy->burst, kept->tokens + come));
    bucket.t0 = i64_clamp(kept->t0 + come * interval_ns);
    return bucket;
}

static struct verdict answer(const struct policy *policy, struct request request, const struct bucket *bucket)
{
    i128 come_ns = bucket->t0 + ((i128)request.cost - bucket->tokens) * i64_max(1, zoo_interval_ns(policy));

    return zoo_answer(request, bucket->tokens, policy->burst, wait_until(request.now_ns, come_ns));
}

static void take(struct request request, bool allowed, struct bucket now, struct bucket *bucket)
{
    if (!allowed || request.cost == 0)
        return;
    now.tokens -= request.cost;
    *bucket = now;
}

/* ---- another burst ---- */

static void fresh_burst(const struct policy *policy, int64_t now_ns, void *state)
{
    *(struct bucket *)state = (struct bucket){ policy->burst, now_ns, policy->burst };
}

static struct bucket at_burst(const struct policy *policy, const struct bucket *kept, int64_t t)
{
    struct bucket bucket = refilled(policy, kept, t);

    if (kept->seen != policy->burst)
        bucket.tokens = i64_max(bucket.tokens, policy->burst);
    bucket.seen = policy->burst;
    return bucket;
}

static struct verdict check_burst(const struct policy *policy, struct request request, const void *state)
{
    struct bucket bucket = at_burst(policy, state, request.now_ns);

    return answer(policy, request, &bucket);
}

static void charge_burst(const struct policy *policy, struct request request, bool allowed, void *state)
{
    take(request, allowed, at_burst(policy, state, request.now_ns), state);
}

ZOO_QUOTE(check_burst)

const struct limiter zoo_burst_refills = {
    .name = "zoo/burst-refills",
    .formula = "tokens >= c, one token each P/L; a burst that is not the one before fills the bucket",
    .good_to_know = "a client that sends two bursts in turn has no limit",
    .source = "mailgun/gubernator, the leaky bucket",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct bucket),
    .fresh = fresh_burst, .check = check_burst, .charge = charge_burst, .quote = quote_check_burst,
    ZOO_SHARED,
};

/* ---- another limit ---- */

static void fresh_limit(const struct policy *policy, int64_t now_ns, void *state)
{
    *(struct bucket *)state = (struct bucket){ policy->burst, now_ns, policy->limit };
}

static struct bucket at_limit(const struct policy *policy, const struct bucket *kept, int64_t t)
{
    struct bucket anew = { policy->burst, t, policy->limit };

    return kept->seen == policy->limit ? refilled(policy, kept, t) : anew;
}

static struct verdict check_limit(const struct policy *policy, struct request request, const void *state)
{
    struct bucket bucket = at_limit(policy, state, request.now_ns);

    return answer(policy, request, &bucket);
}

static void charge_limit(const struct policy *policy, struct request request, bool allowed, void *state)
{
    take(request, allowed, at_limit(policy, state, request.now_ns), state);
}

ZOO_QUOTE(check_limit)

const struct limiter zoo_limit_refills = {
    .name = "zoo/limit-refills",
    .formula = "tokens >= c, one token each P/L; a limit that is set anew begins with a full bucket",
    .good_to_know = "a limit that follows a measurement is no limit",
    .source = "milvus-io/milvus pull request 35699",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct bucket),
    .fresh = fresh_limit, .check = check_limit, .charge = charge_limit, .quote = quote_check_limit,
    ZOO_SHARED,
};

/* ---- a timer that is stopped ---- */

static struct bucket ticked(const struct policy *policy, const struct bucket *kept, int64_t t)
{
    return kept->seen == policy->limit ? refilled(policy, kept, t) : *kept;
}

static struct verdict check_ticked(const struct policy *policy, struct request request, const void *state)
{
    struct bucket bucket = ticked(policy, state, request.now_ns);

    return answer(policy, request, &bucket);
}

static void charge_ticked(const struct policy *policy, struct request request, bool allowed, void *state)
{
    take(request, allowed, ticked(policy, state, request.now_ns), state);
}

ZOO_QUOTE(check_ticked)

const struct limiter zoo_timer_stopped = {
    .name = "zoo/timer-stopped",
    .formula = "tokens >= c, one token each P/L by a timer, which stops when the limit is set anew",
    .good_to_know = "after a change of settings what is left is all there will ever be",
    .source = "SGrondin/bottleneck#185",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct bucket),
    .fresh = fresh_limit, .check = check_ticked, .charge = charge_ticked, .quote = quote_check_ticked,
    ZOO_SHARED,
};

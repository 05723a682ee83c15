/* last_goes_back.c - a bucket that books every reading as the latest, an older one too (golang/go#56287).
 *
 *     tokens = min(B, tokens + r * (t - last)) when t > last;  then last = t, whatever t is
 *
 * So a reading that goes back opens an interval that is earned a second time.  The cure keeps the later one:
 * algos/limiters/token_bucket.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

struct bucket {
    int64_t last_ns;
    double  spent;                      /* at last_ns: burst - tokens */
};
_Static_assert(sizeof(struct bucket) == 16, "no padding");

static double spent_at(const struct policy *policy, const struct bucket *bucket, int64_t t)
{
    uint64_t elapsed_ns = t > bucket->last_ns ? (uint64_t)t - (uint64_t)bucket->last_ns : 0;
    double spent = bucket->spent - (double)elapsed_ns * (double)policy->limit / (double)policy->period_ns;

    return spent > 0 ? spent : 0;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    double spent = spent_at(policy, state, request.now_ns);
    double lacking = spent + (double)request.cost - (double)policy->burst;

    return zoo_answer(request, lacking <= 0 ? request.cost : 0, policy->burst,
                      zoo_ns(lacking * (double)policy->period_ns / (double)policy->limit));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct bucket *bucket = state;

    if (!allowed || request.cost == 0)
        return;
    bucket->spent = spent_at(policy, bucket, request.now_ns) + (double)request.cost;
    bucket->last_ns = request.now_ns;
}

ZOO_QUOTE(check)

const struct limiter zoo_last_goes_back = {
    .name = "zoo/last-goes-back",
    .formula = "min(B, tokens + r*max(0, t - last)) >= c; then last = t, though it be older",
    .good_to_know = "after a reading that goes back, the time that came before is earned again",
    .source = "golang.org/x/time/rate at 2b4e439",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct bucket),
    .fresh = zoo_fresh_now,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

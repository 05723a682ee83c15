/* nginx_limit_req.c - nginx's limit_req with burst and nodelay, as ngx_http_limit_req_module counts.
 *
 *     ms = now - last;   ms < -60000: 1;   ms < 0: 0
 *     excess' = max(0, excess - rate * ms / 1000 + 1000)          in 1/1000 request, truncated
 *     refuse when excess' > burst * 1000;     else excess = excess', and last = now unless ms is 0
 *     the first request of a key: excess = 0
 *
 * rate is in 1/1000 request a second, truncated: 100 a minute are 1666.  Its burst is what may come beside
 * the first request: the policy's burst less one.  A cost of c counts as c requests at once.  nginx tells
 * nobody how long to wait (503 or 429); here it is the least that does. */
#include "milliseconds.h"
#include "system_limiters.h"

enum { ONE = 1000 };                    /* request */

struct node {
    int64_t excess;
    int64_t last;                       /* ms since the epoch; NOT_YET: no request */
};
_Static_assert(sizeof(struct node) == 16, "no padding");

#define NOT_YET INT64_MIN

static int64_t rate_of(const struct policy *policy)
{
    return i64_clamp((i128)policy->limit * ONE * 1000000000 / policy->period_ns);
}

static const char *refuses(const struct policy *policy)
{
    return rate_of(policy) > 0
         ? NULL : "its rate is cut to nothing; expected at least 1/1000 request a second";
}

static int64_t since(const struct node *node, int64_t now)
{
    int64_t ms = now - node->last;

    return ms < -60000 ? 1 : i64_max(0, ms);
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    (void)policy, (void)now_ns;
    ((struct node *)state)->last = NOT_YET;
}

static i128 excess_after(const struct policy *policy, const struct node *node, int64_t now, int64_t cost)
{
    if (node->last == NOT_YET)
        return ((i128)cost - 1) * ONE;
    i128 leaked = (i128)rate_of(policy) * since(node, now) / 1000;
    return i128_max(0, node->excess - leaked + (i128)cost * ONE);
}

static i128 most_excess(const struct policy *policy) { return ((i128)policy->burst - 1) * ONE; }

/* The first ms at which that much has leaked. */
static int64_t wait_ns(const struct policy *policy, int64_t now_ns, const struct node *node, i128 too_much)
{
    i128 ms = div_ceil(too_much * 1000, rate_of(policy));

    return wait_until(now_ns, (node->last + ms) * MS - policy->epoch_ns);
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    const struct node *node = state;

    if (request.cost <= 0)
        return verdict_allow();
    if (request.cost > policy->burst)
        return verdict_deny(NEVER_NS);
    i128 excess = excess_after(policy, node, date_now(policy, request.now_ns), request.cost);
    if (excess <= most_excess(policy))
        return verdict_allow();
    i128 too_much = node->excess + (i128)request.cost * ONE - most_excess(policy);
    return verdict_deny(wait_ns(policy, request.now_ns, node, too_much));
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct node *node = state;
    int64_t now = date_now(policy, request.now_ns);

    if (!allowed || request.cost <= 0)
        return;
    node->excess = i64_clamp(excess_after(policy, node, now, request.cost));
    if (node->last == NOT_YET || since(node, now) != 0)
        node->last = now;
}

/* The bucket is as good as new when a request would find no excess, which the first one does not add. */
static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct node *node = state;

    if (node->last == NOT_YET)
        return (struct quota){ policy->burst, 0 };
    i128 excess = excess_after(policy, node, date_now(policy, now_ns), 1);
    i128 left = most_excess(policy) - excess;
    return (struct quota){
        .remaining = left < 0 ? 0 : (int64_t)i128_min(policy->burst, left / ONE + 1),
        .reset_after_ns = excess == 0 ? 0 : wait_ns(policy, now_ns, node, node->excess + (i128)ONE),
    };
}

static struct promise promise(const struct policy *policy) { return gcra.promise(policy); }

const struct limiter nginx_limit_req = {
    .name = "nginx-limit-req",
    .formula = "max(0, excess - rate*ms/1000 + 1000) <= (B-1)*1000, in 1/1000 request; at first excess = 0",
    .good_to_know = "burst=b lets b+1 pass at once; 100r/m is truncated to 1.666 a second; all in whole ms",
    .source = "nginx (3f6f782), ngx_http_limit_req_module.c",
    .rule = &gcra,
    .state_bytes = sizeof(struct node),
    .refuses = refuses,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

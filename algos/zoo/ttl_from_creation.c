/* ttl_from_creation.c - a bucket in a map that drops what is old, where old is counted from the bucket's
 * first request, and from its last (vulcand/oxy#132; S-zhi/LynxSense#257, a report that proved false).
 *
 * Ten periods are enough to fill this bucket.  Dropped so long after its last request it is full anyway, and
 * nobody notices: that is harmless, and must not be flagged.  Dropped so long after its first one it is full
 * all of a sudden, however busy its client is. */
#include "borrow.h"
#include "zoo.h"

enum { PERIODS = 10 };

struct entry {
    int64_t bucket[3];                  /* the state of a token bucket */
    int64_t charges;                    /* two stand for more */
};
_Static_assert(sizeof(struct entry) == BORROWED_BYTES, "no padding");

BORROW_FRESH(token_bucket)
BORROW_CHECK(token_bucket)
BORROW_QUOTE(token_bucket)

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct entry *entry = state;

    token_bucket.charge(policy, request, allowed, entry->bucket);
    if (allowed && request.cost != 0)
        entry->charges = i64_min(2, entry->charges + 1);
}

static int64_t ttl_from_last(const struct policy *policy, int64_t now_ns, const void *state)
{
    (void)now_ns, (void)state;
    return i64_clamp((i128)PERIODS * policy->period_ns);
}

static int64_t ttl_from_first(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct entry *entry = state;

    return entry->charges == 1 ? ttl_from_last(policy, now_ns, state) : 0;
}

const struct limiter zoo_ttl_from_creation = {
    .name = "zoo/ttl-from-creation",
    .formula = "token-bucket, which is full again ten periods after its first request",
    .good_to_know = "a client at its limit gets a whole burst every ten periods",
    .source = "vulcand/oxy#132",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct entry),
    .ttl_ns = ttl_from_first,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote,
    ZOO_SHARED,
};

const struct limiter zoo_evicted_when_idle = {
    .name = "zoo/evicted-when-idle",
    .formula = "token-bucket, which is dropped ten periods after its last request",
    .good_to_know = "harmless where ten periods fill it: B <= 10*L",
    .source = "S-zhi/LynxSense#257",
    .rule = &token_bucket,
    .state_bytes = sizeof(struct entry),
    .ttl_ns = ttl_from_last,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote,
    ZOO_SHARED,
};

/* level_kept.c - a token bucket for limits that change while it runs.
 *
 * It decides as the textbook's, and keeps with its tokens what one of them was worth.  A new policy takes
 * over the tokens that are left: no more than its burst, and not a full bucket.  What has come since the
 * last request comes at the new rate.  (The textbook's keep exact multiples of what their own limit and
 * period make a unit of, which mean something else under another policy.) */
#include "borrow.h"
#include "zoo.h"

struct level {
    i128_packed tokens;                 /* these two are the state of a token bucket */
    int64_t t0;
    int64_t credits_per_unit;           /* of the policy that wrote them */
};
_Static_assert(sizeof(struct level) == BORROWED_BYTES, "no padding");

/* The same tokens in the policy's own credits, rounded down.  Parts of a token are below 2^59 of them, and so
 * is what they are multiplied by. */
static struct level taken_over(const struct policy *policy, const struct level *kept)
{
    struct level level = *kept;
    i128 units = div_floor(kept->tokens, kept->credits_per_unit);
    i128 rest = kept->tokens - units * kept->credits_per_unit;

    if (kept->credits_per_unit == policy->credits_per_unit)
        return level;
    level.tokens = units * policy->credits_per_unit
                 + rest * policy->credits_per_unit / kept->credits_per_unit;
    level.credits_per_unit = policy->credits_per_unit;
    return level;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    token_bucket.fresh(policy, now_ns, state);
    ((struct level *)state)->credits_per_unit = policy->credits_per_unit;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct level level = taken_over(policy, state);

    return token_bucket.check(policy, request, &level);
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    if (!allowed || request.cost == 0)
        return;
    *(struct level *)state = taken_over(policy, state);
    token_bucket.charge(policy, request, allowed, state);
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    struct level level = taken_over(policy, state);

    return token_bucket.quote(policy, now_ns, &level);
}

const struct limiter zoo_level_kept = {
    .name = "zoo/level-kept",
    .formula = "token-bucket, whose tokens stay what they are when the limit changes",
    .good_to_know = "a new limit neither refills a bucket nor empties it",
    .source = "the rule that limits which change mean to follow",
    .state_bytes = sizeof(struct level),
    .refunds = true,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote,
    ZOO_SHARED,
};

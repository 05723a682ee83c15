/* untrue_quotas.c - limiters that decide rightly and tell what remains, or when all of it is there again,
 * wrongly.
 *
 * One answers a request for more than it ever holds before it looks at its state, and says what a full key
 * would: all remains, and there is nothing to wait for (redis/redis pull request 15113).  One adds a second
 * to whole seconds, to be on the safe side of a fraction that is not there (dragonflydb/dragonfly#1008).  The
 * cure is the textbook's: algos/limiters/gcra.c. */
#include "borrow.h"
#include "zoo.h"

struct schedule {
    int64_t gcra[3];                    /* the state of a GCRA */
    int64_t asked_too_much;             /* 1: the latest request was for more than the burst */
};
_Static_assert(sizeof(struct schedule) == BORROWED_BYTES, "no padding");

BORROW_FRESH(gcra)
BORROW_CHECK(gcra)

/* ---- a request that is too large sees a full key ---- */

static void charge_and_note(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct schedule *schedule = state;

    gcra.charge(policy, request, allowed, schedule->gcra);
    if (request.cost != 0)
        schedule->asked_too_much = request.cost > policy->burst;
}

static struct quota quote_full(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct schedule *schedule = state;

    return schedule->asked_too_much ? (struct quota){ policy->burst, 0 }
                                    : gcra.quote(policy, now_ns, schedule->gcra);
}

const struct limiter zoo_too_large_sees_full = {
    .name = "zoo/too-large-sees-full",
    .formula = "gcra; who asks for c > B is told that B remain, whatever is used",
    .good_to_know = "a client that believes it asks for all of it next, and is denied",
    .source = "redis/redis pull request 15113",
    .rule = &gcra,
    .state_bytes = sizeof(struct schedule),
    .charges_denied = true,
    .fresh = fresh, .check = check, .charge = charge_and_note, .quote = quote_full,
    ZOO_SHARED,
};

/* ---- a second more ---- */

BORROW_CHARGE(gcra)

static struct quota quote_a_second_more(const struct policy *policy, int64_t now_ns, const void *state)
{
    struct quota quota = gcra.quote(policy, now_ns, state);

    if (quota.reset_after_ns > 0)
        quota.reset_after_ns = i64_clamp(((i128)quota.reset_after_ns / ZOO_SECOND + 1) * ZOO_SECOND);
    return quota;
}

const struct limiter zoo_reset_a_second_more = {
    .name = "zoo/reset-a-second-more",
    .formula = "gcra; reset = floor(TAT - t) + 1 in seconds",
    .good_to_know = "whole seconds get one more",
    .source = "dragonflydb/dragonfly#1008",
    .rule = &gcra,
    .state_bytes = BORROWED_BYTES,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote_a_second_more,
    ZOO_SHARED,
};

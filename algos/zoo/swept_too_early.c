/* swept_too_early.c - three sweeps that take keys which still matter.
 *
 * A missing key is a full one, so a state may go when it is as good as new: a bucket when it is full, a
 * window when it is over.  These take everything once a minute, whatever was idle for a minute, and
 * whatever is five minutes old.  The cures are the textbook's, which keep their keys. */
#include "borrow.h"
#include "zoo.h"

/* ---- buckets ---- */

static struct policy as_it_is(const struct policy *policy)
{
    return *policy;
}

ZOO_UNDER(token_bucket, as_it_is)

static int64_t until_the_next_minute(const struct policy *policy, int64_t now_ns, const void *state)
{
    int64_t minute_ns = 60 * ZOO_SECOND, into_ns = now_ns % minute_ns;

    (void)policy, (void)state;
    return into_ns < 0 ? -into_ns : minute_ns - into_ns;
}

static int64_t one_minute(const struct policy *policy, int64_t now_ns, const void *state)
{
    (void)policy, (void)now_ns, (void)state;
    return 60 * ZOO_SECOND;
}

const struct limiter zoo_cleanup_of_all = {
    .name = "zoo/cleanup-of-all",
    .formula = "token-bucket; on each whole minute all keys are removed",
    .good_to_know = "no limit holds for longer than a minute",
    .source = "LemmyNet/lemmy before pull request 4560",
    .rule = &token_bucket,
    .ttl_ns = until_the_next_minute,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

const struct limiter zoo_idle_for_a_minute = {
    .name = "zoo/idle-for-a-minute",
    .formula = "token-bucket; a key that was idle for 60 s is removed",
    .good_to_know = "a bucket that takes longer to fill is full after a minute's pause",
    .source = "the eviction of many in-memory limiters",
    .rule = &token_bucket,
    .ttl_ns = one_minute,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};

/* ---- windows ---- */

static void fresh_window(const struct policy *policy, int64_t now_ns, void *state)
{
    fixed_window_anchored.fresh(policy, now_ns, state);
}

static struct verdict check_window(const struct policy *policy, struct request request, const void *state)
{
    return fixed_window_anchored.check(policy, request, state);
}

static void charge_window(const struct policy *policy, struct request request, bool allowed, void *state)
{
    fixed_window_anchored.charge(policy, request, allowed, state);
}

ZOO_QUOTE(check_window)

static int64_t five_minutes(const struct policy *policy, int64_t now_ns, const void *state)
{
    (void)policy, (void)now_ns, (void)state;
    return 300 * ZOO_SECOND;
}

const struct limiter zoo_reaped_after_five_minutes = {
    .name = "zoo/reaped-after-five-minutes",
    .formula = "fixed-window-anchored; a record that was not written for 300 s is removed",
    .good_to_know = "windows that are longer than the reaper waits do not hold",
    .source = "FusionAuth/fusionauth-issues#1758",
    .rule = &fixed_window_anchored,
    .state_bytes = ZOO_STATE_BYTES,
    .charges_denied = true,
    .ttl_ns = five_minutes,
    .fresh = fresh_window, .check = check_window, .charge = charge_window, .quote = quote_check_window,
    ZOO_SHARED,
};

/* when_the_window_ends.c - fixed windows that decide rightly and say wrongly how long to wait.
 *
 * Four ways to miss the end of a window: from now on a whole one; a share of one, as if units came back one
 * by one; the right end, read as a local time; and an end that is missing, from which now is subtracted. */
#include "borrow.h"

static const int64_t UTC_OFFSET_NS = INT64_C(2) * 3600 * 1000000000;

BORROW_FRESH(fixed_window)
BORROW_CHARGE(fixed_window)
BORROW_QUOTE(fixed_window)
BORROW_PROMISE(fixed_window)

/* What the rule answers, but wait_ns wherever it states a wait. */
static struct verdict but_wait(const struct policy *policy, struct request request, const void *state,
                               i128 wait_ns)
{
    struct verdict verdict = fixed_window.check(policy, request, state);

    if (!verdict.allowed && verdict.retry_after_ns != NEVER_NS)
        verdict.retry_after_ns = i64_clamp(wait_ns);
    return verdict;
}

static struct verdict check_whole(const struct policy *policy, struct request request, const void *state)
{
    return but_wait(policy, request, state, policy->period_ns);
}

static struct verdict check_share(const struct policy *policy, struct request request, const void *state)
{
    i128 share_ns = div_ceil((i128)request.cost * policy->period_ns, policy->limit);

    return but_wait(policy, request, state, share_ns);
}

static struct verdict check_local(const struct policy *policy, struct request request, const void *state)
{
    i128 right_ns = fixed_window.check(policy, request, state).retry_after_ns;

    return but_wait(policy, request, state, right_ns + UTC_OFFSET_NS);
}

static struct verdict check_missing(const struct policy *policy, struct request request, const void *state)
{
    return but_wait(policy, request, state, -((i128)policy->epoch_ns + request.now_ns));
}

const struct limiter zoo_wait_a_whole_window = {
    .name = "zoo/wait-a-whole-window",
    .formula = "used(floor(t/P)) + c <= L; else wait P",
    .good_to_know = "who is denied late in a window waits through most of the next",
    .source = "dotnet/runtime issue 92557",
    .rule = &fixed_window,
    .state_bytes = BORROWED_BYTES,
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check_whole, .charge = charge, .quote = quote, .promise = promise,
};

const struct limiter zoo_wait_a_share_of_it = {
    .name = "zoo/wait-a-share-of-it",
    .formula = "used(floor(t/P)) + c <= L; else wait c * P/L",
    .good_to_know = "told as if units came back one by one: all of them come at the window's end",
    .source = "bucket4j/bucket4j issue 71",
    .rule = &fixed_window,
    .state_bytes = BORROWED_BYTES,
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check_share, .charge = charge, .quote = quote, .promise = promise,
};

const struct limiter zoo_wait_in_local_time = {
    .name = "zoo/wait-in-local-time",
    .formula = "used(floor(t/P)) + c <= L; else wait until the window's end, taken for a time at UTC+2",
    .good_to_know = "the wait is off by the server's time zone",
    .source = "stefanprodan/AspNetCoreRateLimit issue 209",
    .rule = &fixed_window,
    .state_bytes = BORROWED_BYTES,
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check_local, .charge = charge, .quote = quote, .promise = promise,
};

const struct limiter zoo_wait_for_no_reset = {
    .name = "zoo/wait-for-no-reset",
    .formula = "used(floor(t/P)) + c <= L; else wait reset - t, with 0 for a reset that is not known",
    .good_to_know = "the wait is minus the Unix time",
    .source = "alisaifee/flask-limiter issue 62",
    .rule = &fixed_window,
    .state_bytes = BORROWED_BYTES,
    .refunds = true,
    .refuses = refuses_none,
    .fresh = fresh, .check = check_missing, .charge = charge, .quote = quote, .promise = promise,
};

/* lockout_of_its_own.c - attempts are counted under one key, and who has made too many is locked out under
 * another, which lives a whole period from then on (laravel/framework#9512).
 *
 * The attempts are long forgotten when the lockout still stands.  The cure has one end:
 * algos/limiters/fixed_window_anchored.c. */
#include "borrow.h"
#include "zoo.h"

struct attempts {
    int64_t window[2];                  /* the state of an anchored window */
    int64_t locked_until_ns;
};
_Static_assert(sizeof(struct attempts) == 24, "no padding");

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct attempts *attempts = state;

    fixed_window_anchored.fresh(policy, now_ns, attempts->window);
    attempts->locked_until_ns = now_ns;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    const struct attempts *attempts = state;
    struct verdict verdict = fixed_window_anchored.check(policy, request, attempts->window);

    if (request.cost > 0 && request.now_ns < attempts->locked_until_ns)
        return verdict_deny(wait_until(request.now_ns, attempts->locked_until_ns));
    return verdict.allowed || verdict.retry_after_ns == NEVER_NS ? verdict : verdict_deny(policy->period_ns);
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct attempts *attempts = state;

    if (allowed)
        fixed_window_anchored.charge(policy, request, allowed, attempts->window);
    else if (request.now_ns >= attempts->locked_until_ns)
        attempts->locked_until_ns = request.now_ns + policy->period_ns;
}

ZOO_QUOTE(check)

const struct limiter zoo_lockout_of_its_own = {
    .name = "zoo/lockout-of-its-own",
    .formula = "used + c <= L in [t0, t0 + P); whom that denies at t is locked out until t + P",
    .good_to_know = "a client that is late in a window pays for it in the next one",
    .source = "laravel/framework#9512",
    .rule = &fixed_window_anchored,
    .state_bytes = sizeof(struct attempts),
    .charges_denied = true,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote_check,
    ZOO_SHARED,
};

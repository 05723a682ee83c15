/* two_windows.c - two limits on one key: at most B in a second and at most L in a period, both in aligned
 * windows.
 *
 *     allow c when second(t) + c <= B and window(t) + c <= L;      then both += c
 *
 * The policy's burst is the limit of a second.  What goes wrong is what a request leaves behind that only one
 * of the two denies.  Flawed, each window counts whatever itself would admit, or both count whatever comes:
 * requests that the second denies use up the period. */
#include "borrow.h"

enum { SECOND_NS = 1000000000 };

struct windows {
    int64_t second, in_second;          /* the latest second, and what it has admitted or counted */
    int64_t window, in_window;
};
_Static_assert(sizeof(struct windows) == 32, "no padding");

static int64_t second_of(const struct policy *policy, int64_t t)
{
    return (int64_t)div_floor((i128)t + policy->phase_ns, SECOND_NS);
}

/* The windows as they are at t; a clock that went back stays in the latest ones. */
static struct windows windows_at(const struct policy *policy, const struct windows *kept, int64_t t)
{
    struct windows now;

    now.second = i64_max(kept->second, second_of(policy, t));
    now.window = i64_max(kept->window, policy_window(policy, t));
    now.in_second = now.second == kept->second ? kept->in_second : 0;
    now.in_window = now.window == kept->window ? kept->in_window : 0;
    return now;
}

static bool second_has_room(const struct policy *policy, const struct windows *now, int64_t cost)
{
    return cost <= 0 || now->in_second + cost <= policy->burst;
}

static bool window_has_room(const struct policy *policy, const struct windows *now, int64_t cost)
{
    return cost <= 0 || now->in_window + cost <= policy->limit;
}

/* The end of a window of that length; seconds divide the period, so a window's end is a second's, too. */
static i128 end_ns(const struct policy *policy, int64_t window, int64_t length_ns)
{
    return ((i128)window + 1) * length_ns - policy->phase_ns;
}

static const char *refuses(const struct policy *policy)
{
    return policy->period_ns % SECOND_NS == 0 ? NULL : "a period of whole seconds";
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct windows *windows = state;

    windows->second = second_of(policy, now_ns);
    windows->window = policy_window(policy, now_ns);
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct windows now = windows_at(policy, state, request.now_ns);

    if (request.cost > i64_min(policy->burst, policy->limit))
        return verdict_deny(NEVER_NS);
    if (!window_has_room(policy, &now, request.cost))
        return verdict_deny(wait_until(request.now_ns, end_ns(policy, now.window, policy->period_ns)));
    if (!second_has_room(policy, &now, request.cost))
        return verdict_deny(wait_until(request.now_ns, end_ns(policy, now.second, SECOND_NS)));
    return verdict_allow();
}

static void count(const struct policy *policy, struct request request, void *state, bool in_second,
                  bool in_window)
{
    struct windows now = windows_at(policy, state, request.now_ns);

    if (in_second)
        now.in_second = i64_max(0, now.in_second + request.cost);
    if (in_window)
        now.in_window = i64_max(0, now.in_window + request.cost);
    *(struct windows *)state = now;
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    if (allowed && request.cost != 0)
        count(policy, request, state, true, true);
}

static void charge_where_room(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct windows now = windows_at(policy, state, request.now_ns);

    if (request.cost != 0)
        count(policy, request, state, allowed || second_has_room(policy, &now, request.cost),
              allowed || window_has_room(policy, &now, request.cost));
}

static void charge_whatever_comes(const struct policy *policy, struct request request, bool allowed,
                                  void *state)
{
    (void)allowed;
    if (request.cost != 0)
        count(policy, request, state, true, true);
}

/* All is there again when as much passes at once as ever does; the period may still remember something. */
static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    struct windows now = windows_at(policy, state, now_ns);
    int64_t left = i64_min(policy->burst - now.in_second, policy->limit - now.in_window);
    struct request all = { now_ns, i64_min(policy->burst, policy->limit) };

    return (struct quota){ i64_max(0, left), check(policy, all, state).retry_after_ns };
}

static struct promise promise(const struct policy *policy)
{
    return (struct promise){ PROMISE_ALIGNED, policy->limit };
}

const struct limiter zoo_two_windows = {
    .name = "zoo/two-windows",
    .formula = "second(t) + c <= B and window(t) + c <= L; then both += c",
    .good_to_know = "burst is the limit of each second; what one denies the other does not count",
    .source = "the rule that two limits on one key mean to follow",
    .state_bytes = sizeof(struct windows),
    .refunds = true,
    .refuses = refuses,
    .fresh = fresh, .check = check, .charge = charge, .quote = quote, .promise = promise,
};

const struct limiter zoo_each_window_for_itself = {
    .name = "zoo/each-window-for-itself",
    .formula = "the same, but each counts what itself would admit, whatever the other says",
    .good_to_know = "what the second denies uses up the period",
    .source = "animir/node-rate-limiter-flexible issue 280; envoyproxy/ratelimit issue 430",
    .rule = &zoo_two_windows,
    .state_bytes = sizeof(struct windows),
    .refunds = true,
    .charges_denied = true,
    .refuses = refuses,
    .fresh = fresh, .check = check, .charge = charge_where_room, .quote = quote, .promise = promise,
};

const struct limiter zoo_both_windows_count_denied = {
    .name = "zoo/both-windows-count-denied",
    .formula = "second += c, window += c; then allow when neither is over its limit",
    .good_to_know = "denied requests count in both, so that one rush uses up the period",
    .source = "Kong/docs.konghq.com pull request 6586",
    .rule = &zoo_two_windows,
    .state_bytes = sizeof(struct windows),
    .refunds = true,
    .charges_denied = true,
    .refuses = refuses,
    .fresh = fresh, .check = check, .charge = charge_whatever_comes, .quote = quote, .promise = promise,
};

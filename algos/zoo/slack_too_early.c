/* slack_too_early.c - a queue that spaces requests by T and lets a late one catch up by a slack
 * (uber-go/ratelimit#119).
 *
 *     t - last > slack:      issued = t - slack              flawed: one T of lateness is still due
 *     t - last > slack + T:  issued = t - slack              cured
 *     else:                  issued = last + T
 *     the request goes at max(t, issued); last = issued
 *
 * slack = (burst - 1) * T.  With the flaw a client that keeps a millisecond more than T behind is never made
 * to wait.  No textbook's limiter does this, so the flaw is judged against the cure. */
#include "zoo.h"

static int64_t slack_ns(const struct policy *policy)
{
    return i64_clamp(i128_min(INSTANT_MAX, ((i128)policy->burst - 1) * zoo_interval_ns(policy)));
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    *(int64_t *)state = now_ns - zoo_interval_ns(policy);
}

/* When the last unit of a request goes. */
static int64_t issued_ns(const struct policy *policy, struct request request, int64_t last_ns,
                         i128 late_ns)
{
    i128 first_ns = (i128)request.now_ns - last_ns > late_ns ? (i128)request.now_ns - slack_ns(policy)
                                                             : (i128)last_ns + zoo_interval_ns(policy);

    return i64_clamp(first_ns + ((i128)request.cost - 1) * zoo_interval_ns(policy));
}

static struct verdict queue(const struct policy *policy, struct request request, const void *state,
                            i128 late_ns)
{
    struct verdict verdict = verdict_allow();
    int64_t issued = issued_ns(policy, request, *(const int64_t *)state, late_ns);

    if (request.cost > 0)
        verdict.delay_ns = i64_clamp(i128_max(0, (i128)issued - request.now_ns));
    return verdict;
}

static void enqueue(const struct policy *policy, struct request request, bool allowed, void *state,
                    i128 late_ns)
{
    if (allowed && request.cost != 0)
        *(int64_t *)state = issued_ns(policy, request, *(int64_t *)state, late_ns);
}

static struct verdict early(const struct policy *policy, struct request request, const void *state)
{
    return queue(policy, request, state, slack_ns(policy));
}

static void charge_early(const struct policy *policy, struct request request, bool allowed, void *state)
{
    enqueue(policy, request, allowed, state, slack_ns(policy));
}

static struct verdict in_time(const struct policy *policy, struct request request, const void *state)
{
    return queue(policy, request, state, (i128)slack_ns(policy) + zoo_interval_ns(policy));
}

static void charge_in_time(const struct policy *policy, struct request request, bool allowed, void *state)
{
    enqueue(policy, request, allowed, state, (i128)slack_ns(policy) + zoo_interval_ns(policy));
}

/* Whatever comes is let in; what it costs is time. */
static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    (void)policy, (void)now_ns, (void)state;
    return (struct quota){ COST_MAX, 0 };
}

const struct limiter zoo_slack = {
    .name = "zoo/slack",
    .formula = "goes at max(t, issued); issued = t - last > slack + T ? t - slack : last + T",
    .good_to_know = "who was late may catch up by the slack, no more",
    .source = "uber-go/ratelimit since 9364ca3",
    .state_bytes = sizeof(int64_t),
    .shapes = true,
    .fresh = fresh,
    .check = in_time,
    .charge = charge_in_time,
    .quote = quote,
    ZOO_SHARED,
};

const struct limiter zoo_slack_too_early = {
    .name = "zoo/slack-too-early",
    .formula = "goes at max(t, issued); issued = t - last > slack ? t - slack : last + T",
    .good_to_know = "who keeps a little late is never made to wait",
    .source = "uber-go/ratelimit before 9364ca3",
    .rule = &zoo_slack,
    .state_bytes = sizeof(int64_t),
    .shapes = true,
    .fresh = fresh,
    .check = early,
    .charge = charge_early,
    .quote = quote,
    ZOO_SHARED,
};

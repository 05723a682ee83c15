/* zoo.h - known bugs as tiny limiters and protocols, each beside its cure.
 *
 * A case is one file here and one scenario in scenarios/zoo/.  The file has the flawed limiter (or
 * coordination) and, unless a limiter of algos/limiters/ is the cure, the cured one; both say in `rule` which
 * textbook rule they mean to follow, so that the general oracles judge them without knowing the bug.
 * Names begin with "zoo/", so that nobody takes one for a design.  scenarios/zoo/README.md tells how to write
 * one.
 *
 * Most of real limiters compute in milliseconds and doubles; so do their models here, on purpose. */
#ifndef LIMITLAB_ZOO_H
#define LIMITLAB_ZOO_H
#include "../../engine/design.h"

/* NULL-terminated tables, one a class of bugs; ended by NULL. */
extern const struct limiter *const *const zoo_limiters[];
extern const struct coordination *const *const zoo_coordinations[];


/* ---- what cases share ---------------------------------------------------------------------------------- */

#define ZOO_MS INT64_C(1000000)                                    /* ns */
#define ZOO_SECOND (1000 * ZOO_MS)
#define ZOO_DAY (86400 * ZOO_SECOND)

typedef struct verdict zoo_check(const struct policy *policy, struct request request, const void *state);

/* How long one unit takes at the policy's rate, whole ns rounded down. */
static inline int64_t zoo_interval_ns(const struct policy *policy)
{
    return policy->period_ns / policy->limit;
}

/* How long `units` take at the policy's rate, rounded up; 0 for none. */
int64_t zoo_span_ns(const struct policy *policy, int64_t units);

/* A span that was reckoned in doubles, cut to whole ns; one that does not fit is NEVER_NS. */
int64_t zoo_ns(double ns);

/* "Allow when c <= left, else come back later", for costs above 0; c > most is never allowed. */
struct verdict zoo_answer(struct request request, int64_t left, int64_t most, int64_t retry_after_ns);

/* What a check() tells of remaining and reset, found by asking it: the largest cost that passes, and the wait
 * for a whole burst. */
struct quota zoo_ask(zoo_check *check, const struct policy *policy, int64_t now_ns, const void *state);

/* For limiter.quote, where one check() stands above. */
#define ZOO_QUOTE(check)                                                                                  \
    static struct quota quote_##check(const struct policy *policy, int64_t now_ns, const void *state)     \
    {                                                                                                     \
        return zoo_ask(check, policy, now_ns, state);                                                     \
    }

/* For limiter.fresh: the zeroes that are there already, or an int64_t instant that comes first. */
void zoo_fresh_zero(const struct policy *policy, int64_t now_ns, void *state);
void zoo_fresh_now(const struct policy *policy, int64_t now_ns, void *state);

/* For limiter.refuses and limiter.promise (runs are judged by the promise of the rule, not by this). */
const char *zoo_refuses_none(const struct policy *policy);
struct promise zoo_promise(const struct policy *policy);

/* The policy with other numbers, each forced into its range. */
struct policy zoo_policy(const struct policy *policy, int64_t limit, int64_t period_ns, int64_t burst);

/* A textbook's limiter that is handed the wrong policy: fresh, check, charge and quote under misread(policy),
 * a struct policy.  Its state is whatever the textbook keeps, in ZOO_STATE_BYTES. */
enum { ZOO_STATE_BYTES = 32 };
#define ZOO_UNDER(limiter, misread)                                                                       \
    static void fresh(const struct policy *policy, int64_t now_ns, void *state)                           \
    {                                                                                                     \
        struct policy wrong = misread(policy);                                                            \
        limiter.fresh(&wrong, now_ns, state);                                                             \
    }                                                                                                     \
    static struct verdict check(const struct policy *policy, struct request request, const void *state)   \
    {                                                                                                     \
        struct policy wrong = misread(policy);                                                            \
        return limiter.check(&wrong, request, state);                                                     \
    }                                                                                                     \
    static void charge(const struct policy *policy, struct request request, bool allowed, void *state)    \
    {                                                                                                     \
        struct policy wrong = misread(policy);                                                            \
        limiter.charge(&wrong, request, allowed, state);                                                  \
    }                                                                                                     \
    ZOO_QUOTE(check)

/* ... and the members of the limiter that they are. */
#define ZOO_UNDER_MEMBERS \
    .state_bytes = ZOO_STATE_BYTES, .fresh = fresh, .check = check, .charge = charge, .quote = quote_check

#define ZOO_SHARED .refuses = zoo_refuses_none, .promise = zoo_promise
#endif

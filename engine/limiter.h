/* limiter.h - what a rate limiter is.  Read this header first.
 *
 * A limiter is a pure function over the plain bytes of one key's state: it reads no clock, does no I/O,
 * allocates nothing and keeps nothing elsewhere.  Where the state lives and who else may touch it is the
 * business of store.h and protocol.h.
 *
 * It comes in two halves.  check() looks and answers; charge() changes the state.  Deciding is one after the
 * other (limiter_decide); a peek is check() alone; settling a cost that is already spent, or telling a state
 * what another node admitted, is charge() alone.
 *
 * Units are in the names: _ns counts nanoseconds since the start of the run (an instant) or between two
 * instants (a span).  Costs are in the policy's own unit (requests, tokens). */
#ifndef LIMITLAB_LIMITER_H
#define LIMITLAB_LIMITER_H
#include <stdbool.h>
#include <stddef.h>
#include "wide.h"

#define COST_MAX   ((INT64_C(1) << 53) - 1)                        /* largest limit, burst or cost */
#define PERIOD_MAX (INT64_C(3653) * 86400 * 1000000000)            /* ten years, in ns */
#define INSTANT_MAX (INT64_C(1) << 62)                             /* instants stay within +-this */
#define TOTAL_COST_MAX (INT64_C(1) << 62)                          /* costs of one run, summed */
#define NEVER_NS   INT64_MAX                                       /* "no wait will ever do" */

/* "limit per period, and at most burst of it at once".  Fill the first four, then call policy_init(). */
struct policy {
    int64_t limit;                      /* 1 .. COST_MAX */
    int64_t period_ns;                  /* 1 .. PERIOD_MAX */
    int64_t burst;                      /* 1 .. COST_MAX; equals limit unless stated otherwise */
    int64_t epoch_ns;                   /* Unix time of instant 0 when the run has absolute times, else 0 */
    int64_t format;                     /* which layout of stored states the running code knows: 0, unless a
                                           scenario's time line changes it */
    /* derived: */
    int64_t credits_per_ns;             /* limit/period in lowest terms: credits_per_ns / credits_per_unit; */
    int64_t credits_per_unit;           /*   one ns earns the first, one unit of cost takes the second */
    i128_packed burst_credits;          /* burst * credits_per_unit */
    int64_t phase_ns;                   /* epoch_ns modulo period_ns: where in its window instant 0 lies */
};

/* The aligned window [k*period, (k+1)*period) since the epoch that an instant lies in: k, and how long it
 * still lasts. */
static inline int64_t policy_window(const struct policy *policy, int64_t now_ns)
{
    return (int64_t)div_floor((i128)now_ns + policy->phase_ns, policy->period_ns);
}

static inline int64_t policy_window_left_ns(const struct policy *policy, int64_t now_ns)
{
    i128 end = ((i128)policy_window(policy, now_ns) + 1) * policy->period_ns - policy->phase_ns;
    return (int64_t)(end - now_ns);
}

/* Derives the rest.  NULL when the policy is in range, else the reason as static text. */
const char *policy_init(struct policy *policy);

/* The same policy for one of `parts` equal shares, the remainder going to the first ones.
 * A share with limit or burst 0 is refused by policy_init(). */
struct policy policy_share(const struct policy *policy, int64_t parts, int64_t part);

/* One take.  cost 0 is a peek; a negative cost is a refund (only where limiter.refunds). */
struct request {
    int64_t now_ns;                     /* the clock reading that the limiter is to believe */
    int64_t cost;
};

struct verdict {
    bool    allowed;
    uint8_t zero[7];                    /* verdicts are hashed as bytes: no hidden padding */
    int64_t retry_after_ns;             /* 0 when allowed; least wait until the same request, alone, passes
                                           (rounded up to whole ns); NEVER_NS when none will do */
    int64_t delay_ns;                   /* allowed, but only this much later (a shaping queue); else 0 */
};

/* What response headers are made of. */
struct quota {
    int64_t remaining;                  /* the largest cost that would be allowed at once */
    int64_t reset_after_ns;             /* wait until the state is as good as that of a key never seen */
};

/* What the limiter guarantees about admissions when one exact owner runs it on a perfect clock. */
struct promise {
    enum promise_kind {
        PROMISE_CURVE,                  /* effective burst, at the policy's rate, is at most `most` */
        PROMISE_WINDOW,                 /* at most `most` in any window (t - period, t] */
        PROMISE_ALIGNED                 /* at most `most` in each window [k*period, (k+1)*period): aligned */
    } kind;
    int64_t most;
};

/* A state that grows (a log) starts with this.  Whoever holds the bytes sets capacity_bytes, and sees to it
 * before each charge() that capacity_bytes - used_bytes >= entry_bytes.  The limiter keeps used_bytes and
 * drops what is dead, so that used_bytes follows the live entries. */
struct growing_state {
    uint32_t capacity_bytes;            /* of the whole state, this header included */
    uint32_t used_bytes;
};

struct limiter {
    const char *name;                   /* as in LIMITER@COORDINATION */
    const char *formula;                /* one line, for `limitlab list limiters` */
    const char *good_to_know;           /* one line: what surprises people about it */
    const char *source;                 /* of a model of real code: where it was read; NULL for a textbook's
                                           rule */
    const struct limiter *rule;         /* the limiter whose rule this one says it follows, and which its
                                           decisions are judged against; NULL: itself */
    size_t      state_bytes;            /* of a fresh state; no padding inside */
    size_t      entry_bytes;            /* 0, or the most that one charge() may add to a growing state */
    bool        refunds;                /* takes negative costs */
    bool        charges_denied;         /* a denied request changes the state too */
    bool        shapes;                 /* what it allows it may delay (verdict.delay_ns) */

    /* Why this policy cannot be represented by this limiter, as static text; NULL when it can. */
    const char *(*refuses)(const struct policy *policy);

    /* Makes the state of a key that was never seen ("full").  state_bytes of it arrive zeroed (a growing
     * state with its capacity_bytes set). */
    void (*fresh)(const struct policy *policy, int64_t now_ns, void *state);

    /* Would this request pass?  Changes nothing.  cost 0 and negative costs always pass.  A cost above what
     * could ever be admitted is denied with NEVER_NS. */
    struct verdict (*check)(const struct policy *policy, struct request request, const void *state);

    /* Makes the state that of a key whose request was answered so.  allowed: the cost is taken even when
     * check() would have denied it (the state may go into debt).  Not allowed: changes something only where
     * charges_denied.  Cost 0 changes nothing.  A clock that went back counts as one that stood still (but a
     * fixed window books it in the window before, where late readings belong). */
    void (*charge)(const struct policy *policy, struct request request, bool allowed, void *state);

    struct quota (*quote)(const struct policy *policy, int64_t now_ns, const void *state);

    struct promise (*promise)(const struct policy *policy);

    /* How long a store keeps the key after a write of this state (just charged, at now_ns on the decider's
     * clock), counted from the write on the store's own clock; then the key is missing.  NEVER_NS: for ever.
     * 0: whatever end the key has stays as it is.  NULL: keys are always kept. */
    int64_t (*ttl_ns)(const struct policy *policy, int64_t now_ns, const void *state);
};

/* What a limiter's decisions are judged against. */
static inline const struct limiter *limiter_rule(const struct limiter *limiter)
{
    return limiter->rule ? limiter->rule : limiter;
}

/* check(), then charge() as answered. */
static inline struct verdict limiter_decide(const struct limiter *limiter, const struct policy *policy,
                                            struct request request, void *state)
{
    struct verdict verdict = limiter->check(policy, request, state);

    if (verdict.allowed || limiter->charges_denied)
        limiter->charge(policy, request, verdict.allowed, state);
    return verdict;
}

static inline struct verdict verdict_allow(void)             { return (struct verdict){ .allowed = true }; }
static inline struct verdict verdict_deny(int64_t retry_ns)
{
    return (struct verdict){ .retry_after_ns = retry_ns };
}
#endif

/* observer.h - what a run tells whoever judges it.  The engine knows no oracle; an oracle knows no design.
 *
 * Four kinds of news, in the order in which they happen in true time:
 *
 *   arrived    a request came in.
 *   opened     a clock was read, and the reading may become an admission later (a compare-and-set that may
 *              fail, a reading that travels with the request).  True instants never go back from one opened()
 *              or decided() to the next; so whoever wants admissions sorted by the instant of their reading
 *              needs a plain ring of readings, not a heap.
 *   decided    a decision took effect: from now on nothing can undo it.
 *   dropped    an opened reading was not used.
 *   finished   the caller has its verdict (or knows that nobody decided). */
#ifndef LIMITLAB_OBSERVER_H
#define LIMITLAB_OBSERVER_H
#include "limiter.h"

enum { TICKET_NONE = 0 };

struct arrival {
    int64_t  at_ns;                     /* true instant */
    int64_t  cost;
    uint64_t id;                        /* its name in keyed streams: stable when others come or go */
    int64_t  surplus;                   /* what it turns out to cost beyond `cost`, once its work is done */
    uint32_t key;                       /* who asks, and is judged; dense: 0, 1, 2 ... in order of first
                                           appearance */
    uint32_t bucket;                    /* the key that the limiter sees + 1; 0: the same */
    uint32_t region;                    /* where the client is */
    uint32_t client;                    /* of those who react to answers, + 1; 0 for open traffic */
    uint32_t variant;                   /* of the policy that the request carries, + 1; 0: what its node
                                           knows (arrived() is told that, + 1, where there are several) */
    uint32_t zero;
};

/* The number of the key that the limiter sees. */
static inline uint32_t arrival_bucket(const struct arrival *arrival)
{
    return arrival->bucket > 0 ? arrival->bucket - 1 : arrival->key;
}

struct decision {
    int64_t  instant_ns;                /* true instant of the clock reading that it used */
    int64_t  reading_ns;                /* what that clock said */
    int64_t  cost;                      /* that it was decided for */
    int64_t  surplus;                   /* what it turns out to cost beyond that once it is admitted */
    uint64_t id;                        /* of the arrival */
    uint32_t key;
    uint32_t node;                      /* where it was decided */
    uint32_t region;                    /* of the client */
    uint32_t ticket;                    /* from opened(); TICKET_NONE: the reading was taken now */
    uint32_t variant;                   /* of the policy, that was in force */
    int64_t  departs_ns;                /* the true instant of its admission: instant_ns; of a shaped request,
                                           instant_ns + delay_ns, or when it took effect if that is later */
    struct verdict verdict;             /* delay_ns > 0: departed() follows at departs_ns */
    enum honesty { HONEST_UNASKED, HONEST, TOO_EARLY, TOO_LATE } honesty;   /* of retry_after_ns */
    const struct policy *policy;        /* that the last deciding take checked a state against: a share's,
                                           where limits are divided.  NULL: the observer wants no quota, or no
                                           limiter's check decided (a bare counter, a lease, fail-open) */
    struct quota quota;                 /* with a policy: of the state after this decision, at reading_ns */
    enum quota_told { QUOTA_UNASKED, QUOTA_TRUE, QUOTA_UNTRUE } quota_told; /* where the world judges
                                           quotas, whether the observer wants them or not */
};

/* One use of a cell of a store. */
struct cell_use {
    uint64_t id;                        /* of the arrival that it is for ... */
    bool     in_background;             /* ... or for none: what nodes tell each other, a copy of a message,
                                           one whose sender has gone on */
    uint32_t store, cell;               /* where versions are counted by one; what restores, ends or forgets a
                                           state counts as well, and is no use */
    uint32_t version;                   /* that was read; that is there now that it was written */
    uint32_t other;                     /* read: the newest; wrote: the one that its writer had read */
    int64_t  now_ns;
};

struct observer {
    void     (*arrived)(struct observer *self, const struct arrival *arrival);
    /* A ticket, not TICKET_NONE. */
    uint32_t (*opened)(struct observer *self, uint32_t key, int64_t instant_ns);
    void     (*decided)(struct observer *self, const struct decision *decision);
    void     (*dropped)(struct observer *self, uint32_t ticket);
    /* A shaped request leaves the queue: this, not the decision, is its admission. */
    void     (*departed)(struct observer *self, uint64_t id, uint32_t key, int64_t cost, int64_t instant_ns);
    void     (*finished)(struct observer *self, const struct arrival *arrival, int64_t now_ns, bool failed);
    /* News of this key is near: whoever keeps much may begin to fetch it.  Changes nothing; may be NULL. */
    void     (*soon)(struct observer *self, uint32_t key);
    /* A state was read, or written; as it takes effect.  May be NULL, both or none: then nobody wants to
     * know. */
    void     (*saw)(struct observer *self, const struct cell_use *use);
    void     (*wrote)(struct observer *self, const struct cell_use *use);
    bool     wants_quota;               /* decisions carry their quota, which costs a quote() each */
};
#endif

/* oracle.h - judges one run from the news it gives (engine/observer.h), knowing nothing of the design that
 * ran.
 *
 *     struct oracle *oracle = arena_alloc(arena, sizeof *oracle);         tens of kilobytes
 *     oracle_init(oracle, process_memory(), &options);
 *     ... the run tells oracle_observer(oracle) ...
 *     oracle_finish(oracle, now_ns);
 *     oracle_result(oracle, keys, arena, &result);
 *     oracle_free(oracle);
 *
 * It judges two things and keeps them apart: the limiter's own promise, and the user's target.
 * Definitions of all measures are in README.md; every one is exact.
 *
 * Checked against the target, over admissions in order of the instant of their reading (at one instant: in
 * order of their decisions; a shaped request is admitted when it departs): effective burst, worst window,
 * over-admission by an exact policer.  Checked against the limiter itself: alone on the same arrivals
 * (ideal), and with one atomic state charged with what was really admitted, in order of decisions
 * (wrongly).  A peek (cost 0) is admitted or denied, but never weighs.
 *
 * A request weighs what it turned out to cost (cost + surplus), from its admission on; what is decided is
 * whether its cost fits.  A variant of the policy changes what the limiter is judged against, never the
 * target, which is the user's; the promise is that of the policy itself.  A ceiling is one more target, for
 * keys together; where the design asks it, a request is right to be denied when either reference denies it,
 * and neither is charged for it.
 *
 * Memory: 128 bytes a key and two of the limiter's states, five to eight bytes for each admission of the
 * last period, 40 bytes for each reading since the oldest that is not settled.  It does not grow with the
 * number of requests.
 *
 * What it needs from the run: costs whose sizes sum to at most TOTAL_COST_MAX; instants of opened(),
 * decided() without a ticket and departed() that never go back; every ticket settled once. */
#ifndef LIMITLAB_ORACLE_H
#define LIMITLAB_ORACLE_H
#include "../engine/bank.h"
#include "../engine/network.h"
#include "../engine/observer.h"
#include "arena.h"
#include "curve.h"
#include "experiment.h"
#include "histogram.h"
#include "history.h"
#include "keys.h"
#include "promise.h"
#include "readings.h"
#include "result.h"
#include "sequence.h"
#include "window.h"

enum { NO_KEY = -1 };

/* What the exact policer for the target says to one admission. */
struct judged {
    uint64_t id;                        /* of the arrival */
    uint32_t key;
    int64_t  at_ns;                     /* the instant of the admission */
    bool     kept;                      /* else it is over */
    struct decimal before, after;       /* how far its key stood above the target's burst (limit) */
};

struct oracle_options {
    const struct limiter *limiter;      /* NULL (an audit of unknown code, a run of which only the target
                                           counts): no ideal, wrongly, promise */
    const struct policy *policy;        /* that the limiter runs; NULL without one */
    enum target_kind target;
    const struct policy *target_policy; /* its limit, period and burst, through policy_init() */
    int64_t watched;                    /* the key whose series is recorded, or NO_KEY */
    uint32_t variants;                  /* of the policy, when there are several: `policy` is the first of so
                                           many, borrowed */
    const struct policy *ceiling;       /* another target, for keys together; NULL: there is none */
    const uint32_t *group;              /* of each key: which of the ceilings it is under; borrowed */
    bool keeps_ceiling;                 /* the design asks it as well: a denial may be the ceiling's */
    /* Told of each admission when it is judged, in that order; NULL: nobody. */
    void (*judged)(void *context, const struct judged *judged);
    void *context;
};

/* All that is kept of one key: two cache lines. */
struct oracle_key {                     /* starts as { 0 } */
    struct curve curve;                 /* at the target's rate */
    union {                             /* what the exact policer has kept: */
        i128 level;                     /*   TARGET_CURVE: in its bucket, in credits */
        int64_t standing;               /*   TARGET_WINDOW: in the window */
    } policer;
    struct window window;               /* of the target's period */
    int64_t asked, admitted;            /* positive costs */
    uint64_t denied;
    bool seen, denied_before;
};

struct oracle_region { int64_t asked, admitted; };

struct oracle {
    struct observer observer;           /* first: the run knows no more of it */
    struct memory *memory;
    const struct limiter *limiter;
    struct policy policy, target;
    enum target_kind target_kind;
    int64_t watched;                    /* whose series it is, or NO_KEY */
    bool    ended;                      /* the series is complete */

    void    *key_block;                 /* what `key` lies in */
    struct oracle_key *key;             /* on whole cache lines */
    size_t   room;                      /* keys at `key` */
    struct oracle_region region[REGIONS_MAX];
    struct readings readings;
    struct history history;             /* of the target's period */
    struct bank bank;                   /* of key k: 2k the limiter alone, 2k + 1 the reference */
    const struct policy *variant;       /* of the policy; NULL: there is just the one */
    const uint32_t *group;              /* of each key, with a ceiling */
    struct oracle *above;               /* judges the ceiling by what is admitted here; NULL: there is none */
    struct bank ceiling_bank;           /* of ceiling g: 2g the limiter alone, 2g + 1 the reference; */
    bool keeps_ceiling;                 /*   only where the design asks the ceiling */
    bool promise_apart;                 /* the promise is not about the target's own rate or period: */
    struct promise_check promise;       /*   so it is checked by itself */
    struct histogram latency;
    struct series series;
    struct sequence sequence;

    void   (*judged)(void *context, const struct judged *judged);
    void    *context;                   /* of judged() */
    bool     ideal_allowed;             /* see oracle_ideal_allowed() */
    bool     reference_allowed;         /* see oracle_reference_allowed() */
    uint64_t requests, admitted, denied, failed, keys;
    int64_t  admitted_cost, denied_cost;
    uint64_t over_admitted;
    int64_t  over_admitted_cost;
    uint64_t ideal_admitted;
    int64_t  ideal_admitted_cost;
    uint64_t wrongly_admitted, wrongly_denied;
    int64_t  first_denial;              /* -1: none */
    uint64_t honesty[TOO_LATE + 1];     /* decisions by enum honesty */
    uint64_t quota_told[QUOTA_UNTRUE + 1];      /* and by enum quota_told */
};

void oracle_init(struct oracle *oracle, struct memory *memory, const struct oracle_options *options);
void oracle_free(struct oracle *oracle);

static inline struct observer *oracle_observer(struct oracle *oracle) { return &oracle->observer; }

/* What the limiter, alone, said to the latest arrival.  An audit compares it with the logged decision. */
static inline bool oracle_ideal_allowed(const struct oracle *oracle) { return oracle->ideal_allowed; }

/* What one atomic state, charged with what was really admitted, said to the latest decision. */
static inline bool oracle_reference_allowed(const struct oracle *oracle) { return oracle->reference_allowed; }

/* The run is over; readings that are still open came to nothing.  Call once, before oracle_result(). */
void oracle_finish(struct oracle *oracle, int64_t now_ns);

/* The worst key's excess, as oracle_result() has it. */
struct decimal oracle_excess(const struct oracle *oracle);

/* Fills what it measured into *result and leaves the rest alone (identity, stores, races, digest, causes).
 * Texts and points are allocated from arena; keys names the run's keys. */
void oracle_result(struct oracle *oracle, const struct keys *keys, struct arena *arena,
                   struct result *result);
#endif

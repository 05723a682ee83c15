/* experiment.h - one experiment, resolved: what a scenario file or a command line says, and what the runner
 * needs.
 *
 * Every member has a default (experiment_init), so that a bare trace with a limit is already an experiment.
 * Texts and tables are static or hang on the arena that was handed to scenario_load(): nothing here is freed
 * by itself. */
#ifndef LIMITLAB_EXPERIMENT_H
#define LIMITLAB_EXPERIMENT_H
#include "../engine/clock.h"
#include "../engine/faults.h"
#include "../engine/generators.h"
#include "../engine/limiter.h"
#include "../engine/network.h"
#include "../engine/retry.h"
#include "condition.h"
#include "origin.h"

enum target_kind { TARGET_CURVE, TARGET_WINDOW };

/* The user's target.  Zeros mean "as the policy". */
struct target {
    enum target_kind kind;
    int64_t limit, period_ns, burst;
};

struct link_spec {
    uint32_t from, to;                  /* regions; the loader writes both directions of a `between` */
    struct dist_spec delay;             /* one way */
    uint32_t loss_billionths, duplicate_billionths;
    struct origin origin;
};

struct clock_spec {
    int64_t region;                     /* which region's nodes; -1: all */
    int64_t instance;                   /* which instance there; -1: all; store_clock: ignored */
    bool    store_clock;                /* the store's clock in that region instead of a node's */
    struct clock clock;
    struct origin origin;
};

struct topology {
    uint32_t regions;
    const char *region[REGIONS_MAX];
    uint32_t instances[REGIONS_MAX];    /* nodes a region, 1 unless stated */
    uint32_t store;                     /* the region where central stores live; 0 unless stated */
    uint32_t links;
    const struct link_spec *link;       /* pairs that are not named have no delay */
    uint32_t clocks;
    const struct clock_spec *clock;
};

/* One stream of requests. */
struct traffic {
    enum traffic_kind kind;
    struct origin origin;
    const char *trace;                  /* TRACE: path, ready to open (a scenario's folder is in it
                                           already) */
    int64_t  region;                    /* index; -1: trace: its region column, else see region_by; generator:
                                           by weight */
    enum region_by { REGION_FIRST, REGION_BY_REQUEST, REGION_BY_KEY } region_by;
                                        /* TRACE without a region column: all in the first region; or at
                                           random, drawn for each request or for each key */
    uint32_t region_weights;            /* 0, or one weight a region, for generators with region -1 (0:
                                           equal) */
    uint32_t region_weight[REGIONS_MAX];
    int64_t  start_ns, duration_ns;     /* generators: when they begin and how long they last (0: until
                                           `requests`) */
    uint64_t requests;                  /* generators: stop after so many; 0: no bound but the duration */
    int64_t  rate_per_hour;             /* CONSTANT, POISSON, ON_OFF (while on), RAMP (at its start): requests
                                           an hour */
    int64_t  end_rate_per_hour;         /* RAMP: at its end */
    int64_t  on_ns, off_ns;             /* ON_OFF */
    int64_t  every_ns;                  /* BURST: `size` requests at start, start + every ... */
    uint64_t size;
    uint32_t in_flight;                 /* CLOSED_LOOP: how many clients take turns */
    int64_t  think_ns;                  /* CLOSED_LOOP: pause between an answer and the client's next
                                           request */
    uint32_t keys;                      /* generators: how many keys, named key_prefix followed by
                                           0 .. keys-1 ... */
    const char *key_prefix;             /* ... or just `key_prefix` when keys is 1 */
    int64_t  zipf_billionths;           /* popularity of key i is proportional to 1 / (i+1)^s; 0: all alike */
    uint32_t costs;                     /* generators: drawn costs; 0: every cost is 1 */
    const struct cost_weight *cost;
    uint32_t useds;                     /* generators: what a request turns out to cost; 0: its cost */
    const struct cost_weight *used;
    uint32_t keys_per_person;           /* generators: each key is a person, who shows so many keys in turn;
                                           0: just the one */
    uint32_t variant;                   /* of the policy, that its requests carry (see below); 0: none */
    struct retry_rule retry;            /* what a denied client does; at_most 0: it stays away */
};

/* Something that goes wrong. */
struct fault_spec {
    struct fault fault;                 /* of fault.key see `key` */
    const char *key;                    /* NULL: all; else one that asks in this traffic */
    struct origin origin;
};

/* What a scenario calls each enum fault_kind; ends with NULL. */
extern const char *const fault_words[];

enum expect { HOLDS, BREAKS };

/* What an exploration must have found: a figure of explored_claims.h and its range. */
struct explored_condition {
    const char *text;                   /* as written, for messages */
    unsigned figure;
    const char *low, *high;             /* numbers as written, of any length, inclusive; NULL: no bound */
};

/* One claim: what (`subject`) must hold or break for which designs, and which figures must come out. */
struct claim {
    enum claim_subject { CLAIM_TARGET, CLAIM_PROMISE, CLAIM_SOUND, CLAIM_FIGURES } subject;
                                        /* figures may join any; FIGURES: they stand alone */
    enum expect expect;                 /* TARGET holds when excess and over_admitted are 0; PROMISE when
                                           promise_kept; SOUND when result_is_sound() */
    uint32_t conditions;                /* FIGURES: all of them must come true ("over_admitted: 1", "p99:
                                           <=10ms") */
    const struct condition *condition;
    uint32_t explored;                  /* the same of figures of explorations */
    const struct explored_condition *explored_condition;
    const char *witness;                /* of the small world (witness.h): it must break the target there, and
                                           be as small as what exploring finds; NULL: none */
    uint32_t designs;                   /* 0: all of the scenario */
    const char *const *design;
    const char *name;                   /* what `check` prints */
    struct origin origin;
};

/* Another version of the policy, which the time line or a request may name.  Version 0 is the policy
 * itself, the first of experiment.variant is 1. */
struct variant {
    const char *name;
    int64_t limit, period_ns, burst;    /* 0: as the policy; a burst: as the limit where that is stated */
    int64_t format;                     /* of stored states: see struct policy */
};

/* Another limit that every request must keep as well. */
struct ceiling {
    int64_t limit, period_ns, burst;    /* limit 0: there is none; period 0: as the policy; burst 0: equals
                                           the limit */
    enum ceiling_per { CEILING_ALL, CEILING_PREFIX, CEILING_KEY } per;
                                        /* for all keys together; for keys that are alike up to the first
                                           ':'; for each key */
};

/* Kinds of bugs, by the names that scenarios use. */
#define BUG_CLASS_LIST(X) \
    X(CLK,   "clocks that step back, run apart or are read from two places") \
    X(OVF,   "numbers that do not fit where they are kept") \
    X(RND,   "rounding: fractions of a token or of an interval that are lost or invented") \
    X(TTL,   "keys that expire too early, too late or never") \
    X(RACE,  "two at once between reading and writing") \
    X(COST,  "costs of zero, below zero, above the capacity; refunds") \
    X(OBO,   "off by one at a limit, an edge or the first request") \
    X(DENY,  "denied requests that are charged, or that should have been") \
    X(CMP,   "several limits on one request") \
    X(CFG,   "limits that change while traffic runs") \
    X(EVICT, "states thrown away while they still matter") \
    X(KEY,   "requests booked on the wrong key") \
    X(HDR,   "what clients are told: remaining, reset, retry-after") \
    X(SYNC,  "several nodes that tell each other too little, too late or twice") \
    X(FAIL,  "what happens while the store is away, and after") \
    X(BND,   "rules that let more through at the edge of a window than users expect") \
    X(UNIT,  "seconds for milliseconds, periods for seconds, tokens for requests") \
    X(CAL,   "days, months and years that are not as long as was thought") \
    X(HERD,  "clients that all come back at one instant") \
    X(STUCK, "states from which no client gets out again")

#define BUG_CLASS(name, meaning) BUG_##name,
enum bug_class { BUG_CLASS_LIST(BUG_CLASS) BUG_CLASSES };
#undef BUG_CLASS

/* A known bug: which designs have it, and which are cured (zoo.h). */
struct zoo_case {
    enum bug_class bug_class;
    const char *name;                   /* where it was reported; NULL: the scenario is no case */
    uint32_t flaws, cures;
    const char *const *flaw, *const *cure;
    struct origin origin;
};

/* A small world, whose every interleaving is explored (explored.h): of the topology only regions count. */
enum { SMALL_STATES_MAX = 5000000 };    /* unless it is said otherwise */

struct small_spec {
    uint32_t clients, requests;         /* so many requests each, one after another ... */
    int64_t  cost;
    const char *arrivals;               /* ... or a file of them, ready to open; NULL: none */
    uint32_t crashes, store_faults;     /* that are allowed */
    int64_t  most_states;
};

/* What a scenario teaches; all NULL when it is no lesson. */
struct lesson { const char *question, *command, *look, *why; };

struct experiment {
    const char *file;                   /* the scenario's path; NULL without one */
    const char *name;                   /* its base name without ending; "trace" without one */
    const char *title, *story;          /* "" when not given */
    uint32_t limits;
    const int64_t *limit;               /* several limits are several rows */
    int64_t  period_ns;
    int64_t  burst;                     /* 0: equals the limit */
    uint32_t variants;                  /* beside the policy itself */
    const struct variant *variant;
    struct ceiling ceiling;
    int64_t  work_ns;                   /* how long an admitted request's work takes */
    struct target target;
    struct topology topology;
    enum mode { MODE_SIMULATE, MODE_EXPLORE } mode;
    struct small_spec small;            /* to explore */
    uint32_t traffics;                  /* to simulate */
    const struct traffic *traffic;
    uint32_t faults;
    const struct fault_spec *fault;
    int64_t  timeout_ns;                /* when a caller gives up on an answer */
    uint32_t designs;
    const char *const *design;          /* as written; resolved by design_parse() */
    struct origin *design_origin;
    uint64_t first_seed, last_seed;     /* 1 .. 1 unless stated */
    struct zoo_case zoo;
    struct lesson lesson;
    uint32_t claims;
    const struct claim *claim;
    uint32_t requires;
    const struct condition *require;    /* what a design must meet to qualify */
    enum { SPREAD_AUTO, SPREAD_OFF } spread;
    enum { CAUSES_AUTO, CAUSES_OFF } causes;            /* whether the causes of an excess are found */
};

/* 100 per 60s against the curve, in one region ("home") of one instance, seed 1, no traffic yet: what stands
 * where nobody says otherwise. */
void experiment_init(struct experiment *experiment);

/* The index of a region by its name; -1 when there is none. */
int64_t experiment_region(const struct experiment *experiment, const char *name);
#endif

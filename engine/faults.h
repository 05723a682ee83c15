/* faults.h - what goes wrong, on a run's time line.
 *
 * A fault is data: what, where, from when to when, with which probability.  It begins at from_ns and ends at
 * to_ns, which no longer belongs to it.  Beginnings and ends are queued like all events, and at one instant
 * they come first, ends before beginnings, and otherwise in the order of the list: what arrives at from_ns
 * meets the fault, what arrives at to_ns does not.  They are no choice: a fault is stated, not drawn.
 *
 * What is drawn (whether a message is hit, by how much it is late) comes from streams of the fault's own,
 * named by its kind and its place among those of its kind, by the request, and by which of its messages it
 * is.  So adding a fault does not reshuffle the rest, nor other faults.  Probability 1 draws nothing.
 *
 * Faults that are due after the last request and the last message are not performed. */
#ifndef LIMITLAB_FAULTS_H
#define LIMITLAB_FAULTS_H
#include <stdbool.h>
#include <stdint.h>

enum fault_kind {
    /* Links, from region `from` to region `to` (-1: any), or both ways.  A message meets what holds when it
     * sets out; an answer sets out when its store acts.  So does the answer of an owner: whether it will be
     * lost is known when the request enters. */
    FAULT_PARTITION,                    /* nothing arrives; inside a region all goes on */
    FAULT_LOSS,                         /* a message or an answer is lost, with a probability */
    FAULT_DUPLICATE,                    /* a request arrives twice, the copy by a delay of its own; background
                                           messages too */
    FAULT_DELAY,                        /* each takes more, anything from 0 to span_ns: later ones overtake */
    FAULT_LOST_ANSWERS,                 /* the store has acted, and its answer is lost */

    /* Stores of a region (-1: of all), owners' objects there included; not memories of instances.  A message
     * meets what holds when it arrives; what already waits in a mailbox is past it. */
    FAULT_OUTAGE,                       /* nothing is done: the caller gives up after its timeout, or, when
                                           the store `refuses`, hears of it at once (in->lost, as well) */
    FAULT_SLOW,                         /* an operation is done span_ns later */

    /* Instances: of a region (-1: all), by number there (-1: all). */
    FAULT_CRASH,                        /* at from_ns requests that run there end undecided (those whose
                                           decision stands end with it; those that are at an owner go on
                                           there), what they have sent goes on, and memory is lost.  Until
                                           to_ns requests go to the next instance of the region that is up;
                                           where none is, they end undecided after the timeout.  What other
                                           instances tell it is lost. */
    FAULT_RECYCLE,                      /* memory is lost, requests live on; at from_ns, again each every_ns
                                           until to_ns.  Both: the first request after it starts the instance,
                                           which takes span_ns, and whoever comes meanwhile waits as well. */

    /* States.  Versions are never used twice. */
    FAULT_OWNER_CRASH,                  /* the process of the objects of a region dies: who is inside ends
                                           (undecided unless its decision stands), who waits is lost like a
                                           message, and stores with volatile_memory forget those keys.  Again
                                           each every_ns. */
    FAULT_FAILOVER,                     /* the stores of a region (cells alone, not kv) are as they were
                                           span_ns ago; from then on their clock differs by offset_ns more */
    FAULT_FORGET,                       /* states of all keys (-1) or of one are gone from the stores of a
                                           region; memories of instances stay.  Again each every_ns. */
    FAULT_CAPACITY,                     /* the stores of a region keep at most `most` keys: who was not used
                                           for longest goes.  Those there at from_ns count as used in the
                                           order of their numbers. */
    FAULT_EXPIRY,                       /* ends of keys that are set meanwhile come span_ns later (negative:
                                           sooner), or with NEVER_NS not at all */
    FAULT_POLICY,                       /* a region (-1: all) learns the variant; at to_ns, variant 0 again */
    FAULT_KINDS
};

enum { FAULTS_MAX = 4096, FAULT_CERTAIN = 1000000000 };

struct fault {
    enum fault_kind kind;
    int64_t from_ns, to_ns;             /* NEVER_NS: it does not end */
    int64_t every_ns;                   /* 0: once */
    int64_t span_ns, offset_ns;
    int64_t key;                        /* -1: all */
    int64_t region, instance;           /* -1: all */
    int64_t from, to;                   /* of links; -1: any region */
    uint32_t billionths;                /* how probable it is for each message or key that it may hit */
    uint32_t variant;                   /* below world_setup.variants */
    uint32_t most;                      /* keys, 1 or more */
    bool both_ways;                     /* of links */
    bool refuses;                       /* of an outage */
};

struct world;
struct call;
struct message;
struct store;

/* Part of world_init() and world_free(). */
void faults_init(struct world *world);
void faults_free(struct world *world);

/* A queued beginning or end. */
void faults_perform(struct world *world, uint32_t index);

/* For drivers: all is well from now on, whatever the list and the links say.  Learned policies and the clocks
 * of stores stay as they are. */
void world_heal(struct world *world);

/* ---- for messages: only asked while world->faulty ------------------------------------------------------ */

enum leg { LEG_REQUEST, LEG_ANSWER, LEG_STORE };

/* Is it lost on its way from a region to a region? */
bool faults_lose(struct world *world, const struct message *message, uint32_t from, uint32_t to,
                 enum leg leg);
/* How much longer that way takes. */
int64_t faults_delay_ns(struct world *world, const struct message *message, uint32_t from, uint32_t to,
                        enum leg leg);
/* Does it arrive twice?  Then *draw is what the copy's delay is drawn from, below DIST_DRAWS. */
bool faults_double(struct world *world, const struct message *message, uint64_t *draw);

/* What becomes of a message that has come to its store: `wait_ns` is how much later it is done. */
struct reception { bool lost, refused; int64_t wait_ns; };
struct reception faults_receive(struct world *world, const struct message *message);

/* ---- for calls: the same ------------------------------------------------------------------------------ */

/* The instance that takes a request meant for `node`; NODES_MAX when none of its region is up. */
uint32_t faults_route(const struct world *world, uint32_t node);
/* How long a request that begins there waits for the instance to start. */
int64_t faults_start_ns(struct world *world, uint32_t node);

/* ---- for stores: the same ----------------------------------------------------------------------------- */

/* When a key really ends of which that was asked, at now_ns by the store's clock; NEVER_NS: not at all. */
int64_t faults_end_ns(struct world *world, const struct store *store, uint32_t cell, int64_t now_ns,
                      int64_t end_ns);
/* A key's state in a store was used. */
void faults_used(struct world *world, const struct store *store, uint32_t key);
#endif

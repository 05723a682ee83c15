/* world.h - everything that can change in a run: calls in progress, messages under way, stores, time.
 *
 * A call is one request's way to its verdict.  It runs a program (protocol.h) at a place: first at the node
 * that took the request, later perhaps at an owner.  A message is one operation on its way to a store and
 * back; it keeps all it needs, so that an answer that comes late finds the call gone on (the tags differ) and
 * is dropped.
 *
 * A message over a link with no delay arrives within the same step: nothing comes between.  So with no
 * topology every request finishes at its instant and a run is the rule applied in order; interleavings at one
 * instant are the explorer's business.
 *
 * Outcomes of an operation: answered; done but the answer lost; lost.  The caller cannot tell the last two
 * apart: it learns setup.timeout_ns after it sent the message that no answer came (in->lost).  What takes
 * longer than that on its way is lost for the caller, and done all the same; waiting in a mailbox is no way.
 * Other faults: faults.h. */
#ifndef LIMITLAB_WORLD_H
#define LIMITLAB_WORLD_H
#include "chooser.h"
#include "clock.h"
#include "design.h"
#include "digest.h"
#include "faults.h"
#include "observer.h"
#include "queue.h"
#include "store.h"
#include "traffic.h"

enum { STORES_MAX = 4, STEP_MESSAGES_MAX = 1100 };          /* one step sends at most so many messages */
#define NO_CALL UINT32_MAX

/* What a world is made from; borrowed for its lifetime. */
struct world_setup {
    struct memory *memory;
    struct observer *observer;
    struct chooser *chooser;
    const struct design *design;
    const struct policy *policy;        /* one for each layer and variant: [layer * variants + variant] */
    uint32_t layers;                    /* 0 counts as 1 */
    uint32_t variants;                  /* 0 counts as 1; a region runs variant 0 until it learns another */
    uint32_t ceiling_from;              /* with two layers: the first key of layer 1 ... */
    const uint32_t *ceiling_key;        /* ... and the key there of each key of layer 0 (borrowed) */
    int64_t work_ns;                    /* how long an admitted request's work takes */
    bool holds;                         /* nothing happens by itself: operations and timers wait in
                                           world->held until somebody performs them (an explorer) */
    bool instant;                       /* calls do not sleep: each finishes at its instant */
    bool judges_quota;                  /* decisions say whether the quota that they leave is told truly;
                                           that costs a quote() and a few check()s each */
    const struct network *network;
    const uint32_t *instances;          /* nodes of each region, 1 or more */
    uint32_t store_region;              /* where central stores are unless the design says otherwise */
    const struct clock *node_clock;     /* one a node; NULL: all perfect */
    const struct clock *store_clock;    /* one a region; NULL: all perfect */
    int64_t timeout_ns;                 /* when a caller gives up on an answer that was lost */
    const struct fault *fault;          /* what goes wrong, in any order */
    uint32_t faults;
};

struct call {
    struct arrival arrival;
    int64_t cost;                       /* of the present take ... */
    uint32_t key;                       /* ... and the key that it is for */
    uint32_t variant;                   /* of the policy, that decided */
    uint8_t take;                       /* its place in the program */
    bool     refunds;                   /* the program runs backwards: charges are given back */
    bool     silent;                    /* the take asks nothing: nobody hears of it */
    bool     told;                      /* the caller has the request's answer */
    struct verdict answer;              /* what the request was told, once a later take runs */
    int64_t reading_ns;                 /* what the clock said when the deciding reading was taken ... */
    int64_t instant_ns;                 /* ... and the true instant of it */
    struct verdict verdict;
    const struct policy *policy;        /* that `quota` is of; NULL: there is none (see struct decision) */
    struct quota quota;
    enum quota_told quota_told;
    uint64_t sum;                       /* of the amounts of gathered answers */
    uint32_t ticket;                    /* of the reading, while it is not settled */
    uint32_t attempts;
    uint32_t operations;                /* messages sent */
    uint32_t tag;                       /* what an answer must carry to be heard */
    uint32_t shard;                     /* the protocol's own */
    uint16_t node;                      /* which took the request */
    uint8_t  at;                        /* region where the program is now */
    uint8_t  phase;
    uint16_t pending;                   /* answers that are still awaited */
    uint32_t draws, chances;            /* random values drawn so far: of delays, and of what may go wrong;
                                           each by itself, so that no fault changes another's delay */
    int64_t  sent_ns;                   /* when it sent its last message */
    bool     at_store;                  /* the program is at an owner and reads its clock */
    bool     has_reading;               /* reading_ns travels with the request; else decisions read afresh */
    bool     effective;                 /* its decision has taken effect */
    bool     failed;                    /* nobody decided */
    bool     over;                      /* the program has ended */
    bool     departed;                  /* shaped, and its time in the queue is over */
    bool     mute;                      /* at an owner whose answer will be lost: what it decides there is no
                                           decision */
    bool     begun;                     /* and not yet ended: it has a node */
    bool     asleep;                    /* a queued event wakes it */
    bool     dead;                      /* it was ended by a crash, and stays for its events alone */
    uint32_t next_free;
};

struct message {
    uint32_t call, tag;                 /* in the background: NO_CALL, and the node that sends */
    uint8_t  operation, store, from, to;            /* regions */
    uint8_t  take;                      /* enum take_kind: what its call does with it */
    bool     lost;                      /* on its way back: no answer came */
    bool     answer_lost;               /* it is applied, but the answer will be lost */
    bool     ok;                        /* answer: done (OP_CAS, OP_BLOCK, a put); OP_ADD: set an end, too */
    bool     stays;                     /* the call goes on where the message went (OP_ENTER, OP_RETURN) */
    bool     orphan;                    /* nobody waits for an answer: a copy, or a background message */
    bool     commits;                   /* when it succeeds, the call's decision takes effect */
    bool     gathered;                  /* one of several: the call goes on when all are answered */
    bool     reused;                    /* the step that was given it has sent it again */
    bool     received;                  /* it has come to its store, past what faults do there */
    uint16_t ordinal;                   /* the how manieth message of its call, as far as it counts */
    uint32_t cell;
    uint32_t policy;                    /* its place in world->policies */
    uint32_t next;                      /* in a mailbox, a chain or the free list */
    uint32_t key;
    int64_t  amount, until_ns;          /* until_ns also: the window that an amount belongs to, the reading
                                           that an OP_TAKE carries (ok: it does) */
    struct value value;
};

struct world {
    const struct world_setup *setup;
    struct memory *memory;
    struct source *source;
    int64_t now_ns;
    struct queue queue;

    struct call *call;
    struct message *message;
    size_t call_room, message_room;
    uint32_t calls, free_call, messages, free_message;
    uint64_t in_flight;

    struct held { uint32_t payload; int64_t at_ns; } *held;         /* see setup.holds */
    size_t held_room;
    uint32_t held_n;
    uint32_t *ready;                    /* ring of messages that arrive within this step */
    size_t ready_room;
    uint32_t ready_head, ready_n;

    uint32_t actor, actor_tag;          /* whose step it is, while the observer wants to know; NO_CALL:
                                           nobody's */
    uint32_t home;                      /* the central store's region: parameter `home`, else store_region */
    bool     has_home;                  /* there is such a parameter */
    uint32_t nodes, first_node[REGIONS_MAX];
    uint16_t node_region[NODES_MAX];
    struct policy *policies;            /* sets, one for each layer and variant: the whole policy, then its
                                           shares */
    uint32_t policy_sets, policy_count; /* policy_count of each set */
    uint8_t variant[REGIONS_MAX];       /* of the policy, that each region knows */
    size_t policy_room;
    struct values values;
    struct store store[STORES_MAX];
    uint32_t stores;
    void *extra;                        /* the coordination's own tables, made in set_up */
    size_t extra_room, extra_bytes;

    bool delayed;                       /* something took time that takes none when every request finishes
                                           at its instant */
    bool faulted;                       /* there are faults; or a message was lost, or came twice */
    uint64_t retries, lost_updates, stale_reads, store_reads, store_writes;
    uint64_t stored, stored_peak;       /* states that were written and are there, in all stores but memories
                                           (a key that has ended is there until somebody looks); and the most
                                           that there ever were */
    uint32_t most_operations;           /* of any one request */
    uint32_t ties_at_instant;
    bool faulty;                        /* some fault holds now: ask faults.h */
    bool healed;                        /* nothing goes wrong any more: world_heal() */
    struct faults *faults;              /* NULL: nothing goes wrong in this run */
    const int64_t *skew_ns;             /* by region, what failovers did to the stores' clock; or NULL */
    uint64_t fault_events;              /* of those that are queued */
    struct digest digest;
};

void world_init(struct world *world, const struct world_setup *setup);
void world_free(struct world *world);

/* ---- for set_up ---------------------------------------------------------------------------------------- */

struct store *world_add_store(struct world *world, const struct store_model *model, uint32_t cells_per_key);
/* Adds `parts` shares of every policy; the id of the first.  Once a run. */
uint32_t world_add_shares(struct world *world, uint32_t parts);

/* ---- for protocols ------------------------------------------------------------------------------------- */

static inline int64_t world_parameter(const struct world *world, unsigned i)
{
    return world->setup->design->parameter[i];
}

/* Where in world->policies the set begins that holds for a key, by what a region knows (and, when positive,
 * by the variant + 1 that a request carries). */
static inline uint32_t world_policy_set(const struct world *world, uint32_t key, uint32_t region,
                                        uint32_t carried)
{
    if (world->policy_sets == 1)
        return 0;
    uint32_t layer = world->setup->layers > 1 && key >= world->setup->ceiling_from;
    uint32_t variants = world->setup->variants > 1 ? world->setup->variants : 1;
    uint32_t variant = carried > 0 ? carried - 1 : world->variant[region];
    return (layer * variants + variant) * world->policy_count;
}

/* The policy (0, or a share's id) that a call knows where it is now. */
static inline const struct policy *call_policy(const struct world *world, const struct call *call,
                                               uint32_t id)
{
    return &world->policies[world_policy_set(world, call->key, call->at, call->arrival.variant) + id];
}

/* The policy that a message carries. */
static inline const struct policy *message_policy(const struct world *world, const struct message *message)
{
    return &world->policies[message->policy];
}

/* The clock at the place where the call is. */
int64_t world_read_clock(const struct world *world, const struct call *call);
/* The clock of a node, and that of the stores in a region. */
int64_t world_node_clock(const struct world *world, uint32_t node);
int64_t world_store_clock(const struct world *world, uint32_t region);

/* Takes a reading that travels with the request: it is the one that the decision will use. */
void world_take_reading(struct world *world, struct call *call);

/* A message of the call for a cell of a store in a region.  Fill in what the operation needs, then
 * world_send() it. */
struct message *world_message(struct world *world, struct call *call, enum operation operation,
                              uint32_t store, uint32_t cell, uint32_t region);
/* Uses the answer that a step was given for the next operation on the same cell: its value stays in it. */
struct message *world_reuse(struct message *in, enum operation operation);
/* Sends it.  A step that sends several gathers them: it goes on when all are answered, with their amounts in
 * call->sum. */
void world_send(struct world *world, struct call *call, struct message *message);
/* The call has left a gate and comes back to it after span_ns, without any way: nothing of it is lost or
 * delayed, but it may have to wait for the gate.  It finds the value that the message (OP_RETURN) holds. */
void world_return(struct world *world, struct call *call, struct message *message, int64_t span_ns);
/* Throws away a message that was made and not sent. */
void world_forget(struct world *world, struct message *message);
/* The call sleeps where it is. */
void world_sleep(struct world *world, struct call *call, int64_t span_ns);
/* How long it would still wait for the answer to what it sent last. */
static inline int64_t world_patience_ns(const struct world *world, const struct call *call)
{
    return i64_max(0, call->sent_ns + world->setup->timeout_ns - world->now_ns);
}

/* Decides on a value, with a reading taken now unless the call carries one; the verdict goes to the call.
 * True when the value changed.  Unless tentative, the decision takes effect at once.  A tentative decision
 * that changed the value takes effect when the compare-and-set that `commits` it succeeds, or is dropped by
 * the next one. */
bool world_decide(struct world *world, struct call *call, uint32_t policy, struct value *value,
                  bool tentative);
/* A verdict that did not come from a limiter's check (a counter's answer, a catch block) takes effect. */
void world_conclude(struct world *world, struct call *call, struct verdict verdict);
/* Nobody decided. */
void world_fail(struct world *world, struct call *call);

/* Decides in a cell that the program can reach within its step (its own instance's memory; inside an owner's
 * gate). */
bool world_decide_here(struct world *world, struct call *call, uint32_t policy, uint32_t store,
                       uint32_t cell);

/* A program's own read and write of such a cell, in two steps between which others may come: a copy, with the
 * version that it has; and its way back, counted as a lost update when the version is another by now. */
void world_read_here(struct world *world, struct call *call, uint32_t store, uint32_t cell,
                     struct value *copy);
void world_write_here(struct world *world, struct call *call, uint32_t policy, uint32_t store, uint32_t cell,
                      const struct value *copy);
/* Deletes what a cell holds: a write. */
void world_delete(struct world *world, struct store *store, uint32_t cell);

/* A write to a cell took effect: counts it, gives it its version, feeds the digest.  Its writer had read the
 * version before; or, _over, the version that is named. */
void world_wrote(struct world *world, const struct store *store, uint32_t cell);
void world_wrote_over(struct world *world, const struct store *store, uint32_t cell, uint32_t read);

/* Tells who wants to know that this version of a cell was read while that one was the newest, or that a
 * version was written by who had read another. */
void tell_read(struct world *world, const struct store *store, uint32_t cell, uint32_t version,
               uint32_t newest);
void tell_wrote(struct world *world, const struct store *store, uint32_t cell, uint32_t version,
                uint32_t read);

static inline void world_note_read(struct world *world, const struct store *store, uint32_t cell,
                                   uint32_t version, uint32_t newest)
{
    if (world->setup->observer->saw)
        tell_read(world, store, cell, version, newest);
}

static inline void world_note_write(struct world *world, const struct store *store, uint32_t cell,
                                    uint32_t version, uint32_t read)
{
    if (world->setup->observer->wrote)
        tell_wrote(world, store, cell, version, read);
}

/* Node `node`'s timer goes off at at_ns. */
void world_set_timer(struct world *world, uint32_t node, int64_t at_ns);
/* A background message from a node to a region (OP_SYNC, OP_SPREAD, OP_WAKE): no call waits for it. */
struct message *world_background(struct world *world, enum operation operation, uint32_t store, uint32_t cell,
                                 uint32_t node, uint32_t to);
/* Sends it; it takes span_ns, or where that is negative as long as the link takes. */
void world_post(struct world *world, struct message *message, int64_t span_ns);

/* ---- for stores ---------------------------------------------------------------------------------------- */

/* Before a cell that holds a limiter's state is used, at now_ns by the store's clock: its key may have
 * ended. */
void cell_look(struct world *world, struct store *store, uint32_t cell, int64_t now_ns);
/* After a cell's state came or went: it counts, or no more. */
void cell_count(struct world *world, const struct store *store, uint32_t cell);
/* After such a state was written: how long its key is kept.  reading_ns: the clock that decided. */
void cell_keep(struct world *world, struct store *store, uint32_t cell, const struct policy *policy,
               int64_t reading_ns, int64_t now_ns);

/* A parked message's turn has come. */
void world_arrived(struct world *world, uint32_t message);
/* The verdict of an OP_TAKE on a cell, at the store's or the carried reading; charges, counts, takes
 * effect. */
void world_take(struct world *world, struct store *store, struct message *message, uint32_t cell);
/* The decision of the message's call takes effect: a compare-and-set that commits, or a counter's answer.
 * retry_after_ns < 0: until the end of the aligned window. */
void world_commit(struct world *world, struct message *message, bool admitted, int64_t retry_after_ns);

/* ---- for drivers --------------------------------------------------------------------------------------- */

void world_arrive(struct world *world, const struct arrival *arrival);
/* Puts an event's consequence into effect: payload as it was queued. */
void world_perform(struct world *world, uint32_t payload);
/* Source and destination of a queued event: what one source sends to one node keeps its order at one
 * instant.  CHANNEL_SETTLED: it goes first, in the order of queuing, and is no choice (a departure, which was
 * decided before). */
#define CHANNEL_SETTLED UINT32_MAX
uint32_t world_channel(const struct world *world, uint32_t payload);

/* Hints that an event, or an arrival of a key, is near: its memory is fetched.  They change nothing. */
void world_fetch_message(const struct world *world, uint32_t payload);
void world_fetch(const struct world *world, uint32_t payload);
void world_fetch_key(const struct world *world, uint32_t key);

/* Every invariant of a world that stands still; asserts. */
void world_check(const struct world *world);
#endif

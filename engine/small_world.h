/* small_world.h - a world of few clients, one step at a time: what an explorer needs to know of it.
 *
 * A few clients each send their requests one after another.  What such a world is made of is split into parts
 * that are named by numbers (intern.h), equal parts by equal numbers:
 *
 *   client   what one client is doing: waiting to send its i-th request, in the middle of it (its call and
 *            its messages, as plain bytes), or done.  Nothing in it says which client it is, so clients that
 *            ask for the same are interchangeable.
 *   shared   the stores, what is under way between nodes, the clocks' time.
 *   news     what a step told the observer: admissions, denials.
 *
 * A step is a function of one client (or none: a background step) and the shared part, so each is computed
 * once and then looked up: exploring a million states computes some hundred steps.
 *
 * Versions are kept only as far as they matter: whether what a compare-and-set expects is still there.  When
 * a step writes a cell, what other clients expect of it is out of date (small_outdate).
 *
 * Latencies, clocks that differ, and losses play no part here: an operation takes effect when it is chosen
 * to, which includes every order that any latency could give. */
#ifndef LIMITLAB_SMALL_WORLD_H
#define LIMITLAB_SMALL_WORLD_H
#include "intern.h"
#include "pair_map.h"
#include "world.h"

enum { SMALL_CLIENTS = 16, SMALL_CELLS = 64, SMALL_REQUESTS = 4096 };

struct small_client {
    uint32_t region, key, requests;
    int64_t cost;
    const int64_t *at_ns;               /* when each request may be sent at the earliest; NULL: at once
                                           (borrowed) */
};

struct small_setup {
    struct memory *memory;
    const struct world_setup *world;    /* observer, chooser and delays of it do not count (borrowed) */
    uint32_t clients;
    const struct small_client *client;  /* borrowed */
    uint32_t keys;
    uint32_t instants;                  /* that time may take, in rising order, at least one; all at_ns are */
    const int64_t *instant;             /*   among them (borrowed) */
};

/* What the observer heard. */
struct small_news {
    enum { NEWS_ADMITTED, NEWS_DENIED, NEWS_FAILED } kind;
    uint32_t key;
    int64_t instant_ns, cost;
};

/* Which step: of a client, its first step or one of its operations under way; or a background step. */
enum small_kind {
    SMALL_ACT,                          /* of a client: start, or perform its which-th operation under way */
    SMALL_CRASH,                        /* of a client: its caller dies; what is under way is lost */
    SMALL_UNHEARD,                      /* of a client: its operation takes effect, then its caller dies */
    SMALL_BACKGROUND,                   /* what the stores or nodes have under way (`which`) */
    SMALL_TICK,                         /* time goes on to the next instant */
    SMALL_FORGET                        /* a store loses all that it holds (`which` store) */
};

struct small_action { enum small_kind kind; uint32_t which; };

/* What a limiter made of the state that it was shown within a step. */
struct small_check {
    bool known;                         /* false: no limiter looked (a counter answered, a message went by) */
    bool passes;
    int64_t room;                       /* the largest cost that would have passed */
};

struct small_outcome {
    uint32_t client, shared, news;      /* what they are afterwards; news 0: none */
    uint64_t written;                   /* cells whose version moved, by bits */
};

/* One of the things that can happen at a place: which step, and which outcome of it. */
struct small_move {
    struct small_action action;
    uint32_t choice;
    uint32_t mask;                      /* a small number for outcome.written; 0: nothing */
    struct small_outcome outcome;
};

/* Which steps of a place. */
enum small_moves_of { MOVES_ACTS, MOVES_CRASHES, MOVES_BACKGROUND, MOVES_FORGETS, MOVES_OF };

struct small_moves { const struct small_move *move; uint32_t n; };

/* The outcomes of a step: one for each combination of the free choices in it (which shard); none when it
 * cannot happen now. */
struct small_outcomes { const struct small_outcome *outcome; uint32_t n; };

struct small_world {
    struct small_setup setup;
    struct world_setup world_setup;
    struct world world;
    struct observer observer;
    struct chooser chooser;
    struct odometer odometer;
    struct network network;
    const struct link **links;
    struct intern clients, shareds, news;
    uint32_t first_shared;
    unsigned char *bytes;               /* a part that is being put together */
    size_t bytes_used, bytes_room;
    struct small_news *heard;
    size_t heard_n, heard_room;
    struct intern steps;                /* (client, shared, action): number -> range of outcomes */
    struct small_range { uint32_t first, n; bool known; } *range;
    size_t range_room;
    struct small_outcome *outcome;
    size_t outcomes, outcome_room;
    struct pair_map moves_at[MOVES_OF]; /* (client, shared) -> number of a span */
    struct small_span { uint32_t first, n; } *span;
    struct small_move *move;
    size_t spans, span_room, moves, move_room;
    struct intern masks;                /* small_move.mask */
    struct pair_map outdated;           /* (client, mask) -> client */
    bool *expects;                      /* of each client, as a part: see small_expects() */
    size_t expects_room;
    bool starts_apart;                  /* to start a request is a step of its own */
    bool bounded_attempts;              /* how often a call tried matters */
    uint64_t computed;                  /* steps that were not looked up */
    bool overrun;                       /* some step has more free choices than can be gone through */
    struct small_check check;           /* heard while small_check() looks */
};

/* NULL, or why this cannot be explored (static text). */
const char *small_world_init(struct small_world *small, const struct small_setup *setup);
void small_world_free(struct small_world *small);

/* How everything begins: the shared part, then each client in turn, which may change it. */
uint32_t small_first_shared(struct small_world *small);
uint32_t small_first_client(struct small_world *small, uint32_t client, uint32_t *shared);

bool small_is_done(const struct small_world *small, uint32_t client);
/* The first client that asks for the same: of clients with one such number each could be any other. */
uint32_t small_like(const struct small_world *small, uint32_t client);
/* Its request that is next or under way. */
uint32_t small_request(const struct small_world *small, uint32_t client);
/* How many operations it has under way; 1 where it only has to start. */
uint32_t small_acts(const struct small_world *small, uint32_t client);
/* How many background steps are under way, the tick not counted. */
uint32_t small_backgrounds(const struct small_world *small, uint32_t shared);
bool small_can_tick(const struct small_world *small, uint32_t shared);
int64_t small_now_ns(const struct small_world *small, uint32_t shared);

/* A step; `client` is ignored by background steps.  Valid until the next call. */
struct small_outcomes small_step(struct small_world *small, uint32_t client, uint32_t shared,
                                 struct small_action action);

/* All steps of a client, or of nobody (NO_CALL), with all their outcomes, looked up at once.  Valid until the
 * next new one. */
struct small_moves small_moves(struct small_world *small, enum small_moves_of of, uint32_t client,
                               uint32_t shared);

/* The same client when others have written these cells. */
uint32_t small_outdate(struct small_world *small, uint32_t client, uint64_t written);
/* The same for the cells of a move (small_move.mask). */
uint32_t small_outdate_by(struct small_world *small, uint32_t client, uint32_t mask);
/* False: whatever others write, it stays the same. */
static inline bool small_expects(const struct small_world *small, uint32_t client)
{
    return small->expects[client];
}

/* ---- for those who show steps -------------------------------------------------------------------------- */

/* Where a client stands: its call (NULL: it is waiting or done) and its i-th operation under way (NULL: it
 * sleeps, or there is none).  Valid until the next small_step(). */
const struct call *small_call(const struct small_world *small, uint32_t client);
const struct message *small_message(const struct small_world *small, uint32_t client, uint32_t which);
const struct small_news *small_news(const struct small_world *small, uint32_t news, uint32_t *n);

/* The bit of a cell in small_outcome.written; -1 where the store keeps several versions of it. */
int small_cell_bit(const struct small_world *small, uint32_t store, uint32_t cell);

/* What the limiter's state that a message is about leaves, as it is stored; false where there is none. */
bool small_quota(struct small_world *small, uint32_t shared, const struct message *message,
                 struct quota *quota);

/* The check in the outcome `choice` of a step that can happen. */
struct small_check small_check(struct small_world *small, uint32_t client, uint32_t shared,
                               struct small_action action, uint32_t choice);

/* The i-th step that was computed (i < small->steps.items); false where there is none.  Valid until the next
 * small_step(). */
struct small_known {
    uint32_t client, shared;            /* client NO_CALL: a background step */
    struct small_action action;
    struct small_outcomes outcomes;
    bool     outdates;                  /* it is none of these: small_outdate(client, written) is `to` */
    uint64_t written;
    uint32_t to;
};
bool small_known(const struct small_world *small, uint32_t i, struct small_known *out);
#endif

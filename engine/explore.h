/* explore.h - every state that a small world can reach, each once, and the steps between them.
 *
 * A state is what all clients are doing, what is shared, and what has been admitted so far.  Clients that ask
 * for the same are interchangeable: their order is forgotten (unless symmetry is off), and a step that m of
 * them could make counts m times.  So paths are counted exactly: every path from the first state to a last
 * one is an interleaving.
 *
 * An interleaving ends when every client is done; a state in which some client is not and nothing can happen
 * is blocked.  Graphs have no cycles unless a program can go round without anybody else's help: then there
 * are infinitely many interleavings, and `endless` says so.
 *
 * Memory: about 60 bytes a state and 8 a step (explore_bytes() says how many). */
#ifndef LIMITLAB_EXPLORE_H
#define LIMITLAB_EXPLORE_H
#include "small_world.h"
#include "states.h"

struct explore_setup {
    struct small_setup small;
    bool symmetry;
    uint32_t crashes;                   /* callers that may die, in all */
    uint32_t forgets;                   /* times that a store may lose all that it holds */
    uint64_t most_states;               /* 0: no bound */
    uint64_t most_bytes;                /* 0: no bound */
    bool (*keep_on)(void *context, uint64_t states, uint64_t waiting);  /* asked now and then; may be NULL */
    void *context;
};

/* A state: how its bytes begin; the clients' numbers follow, 16 bits each. */
struct explore_state { uint32_t shared, told; uint16_t crashes, forgets; };

struct explore_edge { uint32_t to, count; };

enum explore_end {
    EXPLORE_COMPLETE, EXPLORE_STATES, EXPLORE_MEMORY, EXPLORE_STOPPED, EXPLORE_TOO_MANY_PARTS
};

struct explorer {
    struct explore_setup setup;
    struct small_world small;
    struct states states;
    struct intern tolds;                /* what was admitted: see explore_told() */
    struct pair_map telling;            /* (told, news) -> told */
    uint32_t first;                     /* the first state */
    /* of each state: */
    struct explore_node { uint64_t first_edge : 40, edges : 20, mark : 2, last : 1, blocked : 1; } *node;
    size_t node_room;
    struct explore_edge *edge;
    uint64_t edges;
    size_t edge_room;
    uint32_t *order;                    /* states, each after all that it leads to */
    uint64_t ordered;
    size_t order_room;
    struct successor *found;            /* of the state that is being looked at */
    struct draft *draft;                /* each of these, before it has a number */
    uint32_t found_n;
    size_t found_room, draft_room;
    bool found_last;                    /* all was done in that state */
    enum explore_end end;
    bool endless, blocked;
    uint64_t plain_states;              /* states if clients were not interchangeable */
};

/* One step from a state. */
struct successor {
    uint32_t state, count;              /* in so many ways (interchangeable clients) */
    struct small_action action;
    uint32_t choice;                    /* which outcome of it */
    uint16_t from, to;                  /* the client that acts: what it is before and after */
    uint64_t written;                   /* cells that it writes, by bits */
    bool     acts;                      /* a client does, not the background */
};

/* What has been admitted: one for each instant, key and cost, in that order. */
struct told { int64_t instant_ns, cost; uint32_t key, count; };

/* NULL, or why this cannot be explored (static text).  Free it in either case. */
const char *explorer_init(struct explorer *explorer, const struct explore_setup *setup);
void explorer_free(struct explorer *explorer);

/* Finds all states, or as many as the bounds allow (explorer.end). */
void explore(struct explorer *explorer);

/* The first state, whether or not anything was explored. */
uint32_t explore_first(struct explorer *explorer);

/* Steps from a state; they stay valid until the next call. */
const struct successor *explore_successors(struct explorer *explorer, uint32_t state, uint32_t *n);

const struct told *explore_told(const struct explorer *explorer, uint32_t state, uint32_t *n);
uint64_t explore_bytes(const struct explorer *explorer);

/* Bytes for what states and walks are made of, parts and the steps between them, which is not in these. */
uint64_t explore_parts_bytes(const struct explorer *explorer);

static inline const struct explore_state *explore_state(const struct explorer *explorer, uint32_t state)
{
    return states_at(&explorer->states, state);
}

static inline const uint16_t *explore_clients(const struct explorer *explorer, uint32_t state)
{
    return (const uint16_t *)(const void *)(explore_state(explorer, state) + 1);
}

/* What has been told after news; the same list for the same admissions, in whatever order they came. */
uint32_t explore_tell(struct explorer *explorer, uint32_t told, uint32_t news);
#endif

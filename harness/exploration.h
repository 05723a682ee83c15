/* exploration.h - what came of exploring a small world: counts, chances, the worst, and a witness of it.
 *
 * When the exploration was complete all of it is exact.  When a bound ended it, `most` and `excess` are what
 * has been seen so far, and what would need all of it is not known. */
#ifndef LIMITLAB_EXPLORATION_H
#define LIMITLAB_EXPLORATION_H
#include <stdio.h>
#include "explored.h"
#include "interleavings.h"
#include "small_target.h"
#include "witness.h"

enum { EXPLORATION_CURVE_MAX = 16 };

struct exploration {
    const struct explored *explored;    /* borrowed */
    struct small_target target;
    uint32_t clients, requests, instants;
    bool background;                    /* stores or nodes have something under way at some time */
    enum explore_end end;
    bool overrun;                       /* some step has more free choices than were gone through */
    bool endless;                       /* the program can go round for ever: infinitely many interleavings */
    uint64_t states, canonical;         /* with every client under its own name, and without */
    uint64_t blocked;                   /* canonical states in which nothing can go on though not all is
                                           done */
    uint64_t most, least;               /* admitted requests; least: once ... */
    bool least_known;                   /* ... some interleaving was seen to its end */
    i128 excess;                        /* the worst over the target, in credits */
    bool counted;
    struct interleavings counts;        /* when counted */
    uint32_t curves;                    /* the most admitted with at most 0, 1 .. curves - 1 preemptions; 0:
                                           not known */
    uint64_t curve[EXPLORATION_CURVE_MAX];
    struct witness_found witness;
};

/* Explores the world, which is open, within the bounds that it was opened with (the same are for the search
 * of a witness).  Texts hang on the arena.  Clear it afterwards. */
void exploration_run(struct exploration *out, struct explored_world *world,
                     const struct explored_bounds *bounds, uint32_t curves, struct arena *arena);
void exploration_clear(struct exploration *out);

static inline bool exploration_complete(const struct exploration *exploration)
{
    return exploration->end == EXPLORE_COMPLETE && !exploration->overrun;
}

/* Which bound ended it, in words; NULL when none did. */
const char *exploration_stopped_at(const struct exploration *exploration);

/* What is in it and what was left out of it, in a sentence each. */
const char *exploration_scope(const struct exploration *exploration, struct arena *arena);
const char *exploration_out_of_scope(const struct exploration *exploration, struct arena *arena);

/* For people, in lines of at most 100 columns; as one JSON object. */
void exploration_show(const struct exploration *exploration, FILE *out, struct arena *arena);
void exploration_print_json(const struct exploration *exploration, FILE *out, struct arena *arena);
#endif

/* exploration.h - what came of exploring a small world: counts, chances, the worst, and a witness of it.
 *
 * When the exploration was complete all of it is exact.  When a bound ended it, `most` and `excess` are what
 * has been seen so far, and what would need all of it is not known. */
#ifndef LIMITLAB_EXPLORATION_H
#define LIMITLAB_EXPLORATION_H
#include <stdio.h>
#include "../engine/dpor.h"
#include "../engine/sample.h"
#include "explored.h"
#include "interleavings.h"
#include "small_target.h"
#include "witness.h"

enum { EXPLORATION_CURVE_MAX = 16 };

/* All states, each once; so many runs by a portfolio of schedulers; a run for each class of interleavings
 * (exploration_runs.h). */
enum exploration_way { EXPLORATION_STATES, EXPLORATION_SAMPLED, EXPLORATION_STATELESS };

struct exploration_samples {
    uint64_t seed, asked, runs, found;  /* found: runs that over-admit */
    struct sample_yield yield[SAMPLE_RULES];        /* most: admitted requests */
    uint64_t most[SAMPLE_RULES];
};

struct exploration_stateless {
    enum dpor_end end;
    uint64_t estimate;                  /* interleavings, from before; UINT64_MAX: so many or more */
    uint64_t executions, repeated;      /* repeated: runs that turned out to repeat others, and were ended */
    const char *refused;                /* why it cannot be; NULL: it can */
};

struct exploration {
    const struct explored *explored;    /* borrowed */
    enum exploration_way way;
    struct exploration_samples samples;         /* when sampled */
    struct exploration_stateless stateless;     /* when stateless */
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

/* Nothing is known yet of this world, which is open. */
void exploration_init(struct exploration *out, struct explored_world *world);

/* Explores the world, which is open, within the bounds that it was opened with (the same are for the search
 * of a witness).  Texts hang on the arena.  Clear it afterwards. */
void exploration_run(struct exploration *out, struct explored_world *world,
                     const struct explored_bounds *bounds, uint32_t curves, struct arena *arena);
void exploration_clear(struct exploration *out);

static inline bool exploration_complete(const struct exploration *exploration)
{
    switch (exploration->way) {
    case EXPLORATION_SAMPLED:   return false;
    case EXPLORATION_STATELESS: return exploration->stateless.end == DPOR_COMPLETE && !exploration->overrun;
    default:                    return exploration->end == EXPLORE_COMPLETE && !exploration->overrun;
    }
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

/* sample.h - worlds that are too large to be exhausted: one walk after another, each by a scheduler's rule.
 *
 * What a sampler says is "found", with the walk, or "not found in so many"; never that something holds.  A
 * run is a pure function of (seed, rule, number of the run).
 *
 *   random        any option, all alike
 *   work          any client by the operations that it has left, so that every interleaving is about as
 *                 likely as any other (after Zhao et al., URW, ASPLOS'25)
 *   reads-first   nine times in ten an operation that only reads, if there is one: everybody decides on what
 *                 nobody has written yet
 *   preemptions   any option, with at most `depth` preemptions
 *   priorities    the client of the highest priority; at depth - 1 random steps whoever runs falls below all
 *                 others (Burckhardt et al., PCT, ASPLOS'10): finds orders, not quantities
 *
 * Which finds what: without refill and all at once, random walks see at once that get-then-set admits too
 * many, and hardly ever the most; reads-first sees the most; priorities see limit + depth - 1. */
#ifndef LIMITLAB_SAMPLE_H
#define LIMITLAB_SAMPLE_H
#include "walk.h"

enum sample_rule { SAMPLE_RANDOM, SAMPLE_WORK, SAMPLE_READS_FIRST, SAMPLE_PREEMPTIONS, SAMPLE_PRIORITIES,
                   SAMPLE_RULES };

extern const char *const sample_rule_name[SAMPLE_RULES];

struct sampler { enum sample_rule rule; uint32_t depth; };

/* The options of a walk, in order. */
struct sample_trace { struct walk_option *option; size_t n, room; };

enum { SAMPLE_STEPS_MAX = 1 << 20 };    /* a walk that goes round is cut off here */

/* What sampling needs to know of a world beforehand: from its sequential run. */
struct sample_world {
    struct explorer *explorer;          /* borrowed; initialised, explored or not */
    uint32_t operations[SMALL_CLIENTS]; /* the most steps that a request of each client took */
    uint32_t steps;                     /* about the most steps of any run */
};

void sample_open(struct sample_world *world, struct explorer *explorer);

/* One walk from the start to its end.  Its options go to *trace, if there is one (free trace->option). */
void sample_walk(const struct sample_world *world, struct sampler sampler, uint64_t seed, uint64_t run,
                 struct walk *walk, struct sample_trace *trace);

/* ---- a portfolio --------------------------------------------------------------------------------------- */

struct sample_setup {
    uint64_t seed, runs;
    struct worth worth;
    uint64_t least;                     /* a walk worth so much is what is looked for ... */
    bool all_runs;                      /* ... and the first does not end the search */
    bool (*keep_on)(void *context, uint64_t runs);      /* asked before each run; may be NULL */
    void *context;
};

struct sample_yield { uint64_t runs, found, most; };

struct sampled {
    uint64_t runs;                      /* that were made */
    struct sample_yield yield[SAMPLE_RULES];
    bool found;                         /* false: not found in so many runs, which proves nothing */
    uint64_t most;                      /* the worst of all runs, ... */
    struct sampler by;                  /* ... the first that was so bad: its rule and its walk */
    uint64_t run;
    struct sample_trace trace;          /* free trace.option */
};

/* The rule of a run: half of them by work, two in ten reads-first, one in ten each of the others. */
struct sampler sample_of_portfolio(uint64_t run);

void sample_portfolio(const struct sample_world *world, const struct sample_setup *setup,
                      struct sampled *sampled);
#endif

/* interleavings.h - what a complete graph of states (engine/explore.h) says, counted exactly.
 *
 * Numbers of interleavings outgrow any machine word (26 digits for five clients that retry): GMP has them.
 * Paths are counted forwards over the graph, a step that m interchangeable clients could make m times:
 * so the counts are those of the graph in which every client has a name.
 *
 * The chances are those under a scheduler that, at each point, takes one of the possible steps, all alike.
 * They are exact fractions: weight / all_weight. */
#ifndef LIMITLAB_INTERLEAVINGS_H
#define LIMITLAB_INTERLEAVINGS_H
#include <gmp.h>
#include "../engine/explore.h"

enum { ADMITTED_MAX = 4096 };               /* counts above are counted together */

struct interleavings {
    mpz_t all, over;                    /* interleavings; those of which the judge said "over" */
    uint64_t most, least;               /* admitted requests, of any interleaving */
    uint32_t counts;                    /* of the two arrays: most + 1 */
    mpz_t *by_admitted;                 /* interleavings that admit so many */
    mpz_t *weight;                      /* their chance, times all_weight */
    mpz_t all_weight;
    uint64_t last_states;               /* states in which all is done */
};

/* Does so much admitted mean over?  And how much is it, for whoever looks for the most of something. */
struct judge {
    bool (*over)(void *context, const struct told *told, uint32_t n);
    void *context;
};

/* The explorer has finished: end is EXPLORE_COMPLETE and it is not endless.  Clear it afterwards. */
void interleavings_count(struct interleavings *out, const struct explorer *explorer,
                         const struct judge *judge);
void interleavings_clear(struct interleavings *out);

/* Admitted requests in a list. */
uint64_t told_requests(const struct told *told, uint32_t n);
#endif

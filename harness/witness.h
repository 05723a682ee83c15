/* witness.h - a violation in one line of text: the small world it is in, and the choices that lead to it.
 *
 *     llw1:WORLD:DIGEST:CHOICES
 *
 * WORLD is readable (explored.h); DIGEST, 16 hexadecimal digits, is that of world and design and of all that
 * the steps did (replayed.h), so that a witness of another version is known for one; CHOICES are the places
 * of the steps among the options there (engine/walk.h), written as schedule.h writes choices. */
#ifndef LIMITLAB_WITNESS_H
#define LIMITLAB_WITNESS_H
#include "../engine/walk.h"
#include "explored.h"

struct witness {
    struct explored explored;
    uint64_t digest;
    size_t   choices;
    const uint64_t *choice;
};

const char *witness_text(const struct witness *witness, struct arena *arena);

/* Any text: NULL, or what is wrong with it.  A good one may still be of a world that cannot be. */
const char *witness_parse(struct witness *witness, const char *text, struct arena *arena);

/* ---- finding ------------------------------------------------------------------------------------ */

struct witness_found {
    const char *text;                   /* NULL: none was found */
    uint32_t requests, clients, faults, preemptions, steps;
    bool minimal;                       /* no world with fewer requests over-admits, nor one with as many and
                                           fewer clients; of a file of arrivals: no row can be left out */
};

/* The smallest violation of the target in worlds with no more clients and requests than this one has: fewest
 * requests first, then clients, faults, preemptions, steps.  keep_on of the bounds may end the search, as
 * may most_states, of all worlds together. */
void witness_find(const struct explored *explored, const struct explored_bounds *bounds, struct arena *arena,
                  struct witness_found *out);

/* A walk through the world, which is open, up to the step with which it is over the target: not made any
 * smaller.  out->text stays NULL when it is not over. */
void witness_of_walk(struct explored_world *world, const struct walk_option *step, size_t steps,
                     struct arena *arena, struct witness_found *out);
#endif

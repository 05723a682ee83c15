/* programs.h - how a request uses its limiter, as named programs of takes (engine/design.h).
 *
 * Every design runs one: `token-bucket@owner:takes=check-then-consume`.  Without `takes` it is `take`: one
 * question, charged when it passes.  A new program is a row of the table. */
#ifndef LIMITLAB_PROGRAMS_H
#define LIMITLAB_PROGRAMS_H
#include "../engine/design.h"

extern const struct program programs[];         /* the first is the default */
extern const unsigned program_count;

/* By name; NULL when there is none. */
const struct program *program_find(const char *name);

/* Why this limiter and this coordination cannot run this program, as static text; NULL when they can. */
const char *program_refuses(const struct program *program, const struct limiter *limiter,
                            const struct coordination *coordination);
#endif

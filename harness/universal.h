/* universal.h - the parameters that every design takes, whatever its coordination: how a request uses the
 * limiter (takes=), and what becomes of the key before the limiter sees it (key=). */
#ifndef LIMITLAB_UNIVERSAL_H
#define LIMITLAB_UNIVERSAL_H
#include "../engine/design.h"
#include "arena.h"
#include "failure.h"
#include "origin.h"

enum { UNIVERSALS = 2 };

struct universal {
    const char *name, *preset, *meaning;
    const char *listing;                /* what `limitlab list` calls its values */
    /* The i-th value; NULL after the last. */
    const char *(*value)(unsigned i);
    void (*set)(struct design *design, unsigned i);
    /* Its value in a design; NULL: the preset. */
    const char *(*get)(const struct design *design);
};

extern const struct universal universals[UNIVERSALS];

/* By name; -1 when there is none. */
int universal_find(const char *name);

/* Sets universal i of the design.  False: *failure names the nearest known value. */
bool universal_read(unsigned i, const char *text, struct origin origin, struct design *design,
                    struct failure *failure);

/* `all`, a list of parameters, with those that are not as preset added. */
const char *universal_text(const struct design *design, const char *all, struct arena *arena);
#endif

/* zoo.h - known bugs as tiny limiters and protocols, each beside its cure.
 *
 * A case is one file here and one scenario in scenarios/zoo/.  The file has the flawed limiter (or
 * coordination) and, unless a limiter of algos/limiters/ is the cure, the cured one; both say in `rule` which
 * textbook rule they mean to follow, so that the general oracles judge them without knowing the bug.
 * Names begin with "zoo/", so that nobody takes one for a design.  scenarios/zoo/README.md tells how to write
 * one. */
#ifndef LIMITLAB_ZOO_H
#define LIMITLAB_ZOO_H
#include "../../engine/design.h"

/* NULL-terminated tables, one a class of bugs; ended by NULL. */
extern const struct limiter *const *const zoo_limiters[];
extern const struct coordination *const *const zoo_coordinations[];
#endif

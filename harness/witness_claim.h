/* witness_claim.h - a claim that a witness still breaks its design, where nothing is explored beside it. */
#ifndef LIMITLAB_WITNESS_CLAIM_H
#define LIMITLAB_WITNESS_CLAIM_H
#include "claims.h"

/* Whether it is of this design and breaks its target when it is replayed.  False: why[] says why not. */
bool witness_breaks(const char *text, const char *design, char why[CLAIM_WHY]);
#endif

/* explored_claims.h - what a scenario says that exploring must find, held against what it found.
 *
 * Figures are whole numbers of any length (interleavings outgrow 64 bits) or decimals, compared exactly.
 * What is not known (because a bound ended the exploration) makes no claim true. */
#ifndef LIMITLAB_EXPLORED_CLAIMS_H
#define LIMITLAB_EXPLORED_CLAIMS_H
#include "claims.h"
#include "exploration.h"

/* Index by name; -1 when there is none.  The nearest name, or NULL. */
int explored_figure_find(const char *name);
const char *explored_figure_nearest(const char *name);
/* All names, ending with NULL. */
const char *const *explored_figure_names(void);

/* "2", ">=3", "1..4", "true", for a figure of that index.  False: why[] says what is wrong. */
bool explored_condition_parse(unsigned figure, const char *value, struct explored_condition *out,
                              struct arena *arena, char why[CONDITION_WHY]);

/* Whether one exploration is what the claim says.  False: why[] says what was found and expected. */
bool explored_comes_true(const struct claim *claim, const struct exploration *exploration,
                         char why[CLAIM_WHY]);

/* Whether a witness is of the world that was explored, breaks its target when it is replayed, and needs no
 * more than the one that was found.  Without an exploration see witness_claim.h. */
bool explored_witness_holds(const char *text, const struct exploration *exploration, char why[CLAIM_WHY]);
#endif

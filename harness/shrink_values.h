/* shrink_values.h - the values of a failing part of a run, made small: what shrink.h does last. */
#ifndef LIMITLAB_SHRINK_VALUES_H
#define LIMITLAB_SHRINK_VALUES_H
#include "shrink.h"

/* Instants and costs.  arrival: the list of `left`, written to where that helps; scratch: room for as many.
 * True when something is smaller. */
bool shrink_values(struct trials *trials, struct candidate *left, struct arrival *arrival,
                   struct arrival *scratch);

/* The choices; fills out->schedule and what goes with it, and plays what is left for the last time. */
void shrink_choices(struct trials *trials, struct arena *arena, struct shrunk *out);
#endif

/* causes.h - why a run let too much through: its excess, split by cause.
 *
 * The same streams are played in five realities, each of which has one thing more than the one before; a
 * cause's share is the signed difference that its thing makes, so that the shares always sum to the total,
 * and what two of them do together belongs to the later one.
 *
 *   ALONE     the limiter with one exact owner, every request finished at its instant,
 *             who asks as the key                                               algorithm
 *   INSTANT   the design as it is, every request finished at its instant:
 *             no delays of links, no sleep; caches and intervals stay           + sharing
 *   DELAYED   delays, so that requests overlap                                  + race
 *   FAULTY    all faults of the time line, and links that lose and double
 *             messages                                                          + fault
 *   WHOLE     clocks as they are: the run itself                                + clock
 *
 * Clients that react to answers react to those of each reality.  What cannot differ from the next reality is
 * not played: perfect clocks, no faults and links (or draws) that lose nothing, a run in which nothing took
 * time.  A limiter alone is played once for all its designs: with the same program, limit and seed it answers
 * alike, because the rest of what it is held to (variants, ceiling, period, burst) is the experiment's. */
#ifndef LIMITLAB_CAUSES_H
#define LIMITLAB_CAUSES_H
#include "failure.h"
#include "result.h"

enum reality { REALITY_ALONE, REALITY_INSTANT, REALITY_DELAYED, REALITY_FAULTY, REALITY_WHOLE, REALITIES };

_Static_assert((int)REALITIES == (int)CAUSES, "each reality adds one cause");

struct cell;

/* Fills result->causes, where the rest of *result is what the whole run measured; unknown when the experiment
 * does not want them.  Call right after that run was played, before cell_clear(). */
bool causes_find(struct cell *cell, struct result *result, struct failure *failure);
#endif

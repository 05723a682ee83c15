/* frozen.h - the requests of a run as they came, in a list: to be played again, all of them or a part.
 *
 * A request keeps its id, so that what is drawn for it stays the same whoever else is left out.  Clients who
 * react to answers do not when they are frozen: what they sent is sent again, at the same instants. */
#ifndef LIMITLAB_FROZEN_H
#define LIMITLAB_FROZEN_H
#include "cell.h"

struct frozen {
    struct intervention intervention;   /* first: it is one */
    struct source source, *inner;
    struct arrival *arrival;            /* in order of time once frozen_sort() has been called */
    size_t arrivals, room;
    bool reacted;                       /* some of them answered an answer */
    const struct arrival *play;         /* what is played (borrowed), ... */
    size_t plays, next;                 /* ... and how far */
};

/* Every request of the next run is written down; what its choices do is left to who sets that. */
void frozen_record(struct frozen *frozen);
/* After that run. */
void frozen_sort(struct frozen *frozen);
void frozen_free(struct frozen *frozen);

/* The next run has just these requests (borrowed), in order of time. */
void frozen_play(struct frozen *frozen, const struct arrival *arrival, size_t arrivals);

/* Names a list of requests under a design and a limit: which of them come when from where, for how much. */
uint64_t frozen_subject(const struct cell *cell, const struct arrival *arrival, size_t arrivals);
#endif

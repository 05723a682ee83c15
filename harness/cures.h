/* cures.h - the same order of clients under another coordination. */
#ifndef LIMITLAB_CURES_H
#define LIMITLAB_CURES_H
#include "experiment.h"
#include "story.h"

enum { CURES = 3 };

/* What came of it, as counted in struct story. */
struct cure {
    const char *name;                   /* of the coordination */
    bool possible;                      /* false: the limiter cannot be in it, or it cannot be explored */
    bool over, finished;
    uint32_t admitted, denied, failed, retries, round_trips;
    int64_t cost;
};

/* Replays the clients of a story in their order, as far as it applies: where a client has nothing to do its
 * turn is left out, and what is left over at the end is done calmly.  Under cas, atomic and owner, each with
 * its defaults. */
void cures_try(struct cure cure[CURES], const struct story *story, const struct topology *topology,
               const struct judge *judge);
#endif

/* shrink.h - the smallest part of a run that still fails in the same way (trial.h says what that is).
 *
 * Entities first: faults, all keys but the worst, streams, regions, then requests one by one (delta
 * debugging; Zeller and Hildebrandt 2002).  What is left out reshuffles nothing, since all that is drawn is
 * keyed by ids.  Then values: instants (by whole periods, then to round ones), costs, and the choices of the
 * run towards 0, the smallest delay.  Again from the start as long as that helps. */
#ifndef LIMITLAB_SHRINK_H
#define LIMITLAB_SHRINK_H
#include "trial.h"

enum { SHRINK_RUNS_MAX = 20000 };

struct shrunk {
    struct symptom symptom;
    bool reproduced;                    /* false: not with frozen requests; nothing below is known then, but
                                           `reacted` and `before` */
    bool reacted;                       /* clients reacted to answers, and are frozen */
    bool cut;                           /* it may not be the smallest: a bound was hit, or it was stopped */
    uint64_t runs, before, over;        /* requests before; over-admitted requests now */
    struct candidate left;              /* on the arena, as is all of it; without `replay` */
    enum fate *fate;                    /* of what is left; TARGET only */
    const char *schedule;               /* the choices, as text (schedule.h); NULL: of no use */
    bool calm;                          /* ... and all of them are 0, or there are none */
    bool whole;                         /* with them the experiment as it stands fails in the same way */
};

/* Does this result fail, and how?  By the conditions, where there are some; else by the target, or the
 * limiter's promise.  Of a target only the kind is known yet. */
bool shrink_finds(const struct result *result, const struct condition *require, uint32_t requires,
                  struct symptom *out);

/* Of the cell that was just run, and failed so.  False: a run could not be played. */
bool shrink(struct cell *cell, const struct symptom *symptom, uint64_t most_runs, struct arena *arena,
            struct shrunk *out, struct failure *failure);
#endif

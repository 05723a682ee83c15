/* trial.h - does a part of a run fail as the whole of it did?
 *
 * The same failure is: the same thing is broken (the target, the limiter's promise, or a condition), for the
 * same key, and for a target by the same cause: what that cause adds to what is over-admitted (causes.h) is
 * still at least one request.  So a race never shrinks into the doubling that a window's edge allows
 * anyway.  Each candidate that fails is played twice, and must do the same to the byte. */
#ifndef LIMITLAB_TRIAL_H
#define LIMITLAB_TRIAL_H
#include "../engine/intern.h"
#include "frozen.h"

struct symptom {
    enum symptom_kind { SYMPTOM_TARGET, SYMPTOM_PROMISE, SYMPTOM_CONDITION } kind;
    const struct condition *condition;  /* CONDITION: which */
    uint32_t key;                       /* TARGET: whose */
    enum cause cause;                   /* TARGET: and by what */
    enum reality reality;               /* in which candidates are played: nothing beyond that cause in it */
};

/* A part of a run. */
struct candidate {
    const struct arrival *arrival;      /* in order of time */
    uint32_t requests;
    const struct fault *fault;
    uint32_t faults;
    const struct schedule *replay;      /* its choices; NULL: keyed, as in the run */
};

struct trials {
    struct cell *cell, *probe;          /* the run that failed; who plays in its place */
    struct symptom symptom;
    struct intern tried;                /* candidates that did not fail so */
    uint64_t runs, most_runs;
    bool cut;                           /* by most_runs, or because somebody wants it to stop */
    struct failure failure;             /* of a run that could not be played to its end */
};

enum fate { FATE_DENIED, FATE_ADMITTED, FATE_OVER };

void trials_open(struct trials *trials, struct cell *cell, uint64_t most_runs, struct arena *arena);
void trials_close(struct trials *trials);

bool trial(struct trials *trials, const struct candidate *candidate);

/* What came of one playing; whatever is NULL is not wanted. */
struct played {
    uint64_t over;                      /* over-admitted requests of the symptom's key */
    uint64_t digest;
    bool strayed;                       /* the choices were of another run */
    uint64_t *over_by_key;              /* room for every key, zeroed */
    enum fate *fate;                    /* of each request of the candidate */
    struct schedule *record;            /* the choices that were made */
};

/* False when it could not be played. */
bool trial_play(struct trials *trials, const struct candidate *candidate, enum reality reality,
                struct played *out);
#endif

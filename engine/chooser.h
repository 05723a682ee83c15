/* chooser.h - every free choice of a run is asked here, and nowhere else.
 *
 * Which of several events at one instant goes first, how long a message takes, whether it is lost, which
 * shard: all are choose(stream, n).  A run is then a function of its set-up and of the answers.
 *
 * Answer 0 is always the calm one: carry on with what came first, no fault, the smallest delay.  So a chooser
 * that always answers 0 makes the sequential run. */
#ifndef LIMITLAB_CHOOSER_H
#define LIMITLAB_CHOOSER_H
#include <assert.h>
#include "schedule.h"
#include "stream.h"

enum chooser_mode {
    CHOOSE_CALM,                        /* always 0 */
    CHOOSE_KEYED,                       /* a pure function of (seed, stream): see stream.h */
    CHOOSE_REPLAY,                      /* as a schedule says; 0 when it has ended */
    CHOOSE_ALL                          /* every combination of answers, one after the other: see odometer */
};

enum { ODOMETER_DIGITS = 32 };

/* Goes through all combinations of the answers of a short run: do { run } while (odometer_next()). */
struct odometer {
    uint32_t digits, at;                /* digits asked for so far; the next one */
    uint32_t digit[ODOMETER_DIGITS], base[ODOMETER_DIGITS];
    bool overrun;                       /* more digits were asked for than there are: not all were tried */
};

void odometer_start(struct odometer *odometer);
/* The next combination; false when all have been had. */
bool odometer_next(struct odometer *odometer);

struct chooser {
    enum chooser_mode mode;
    uint64_t seed;
    struct schedule *record;            /* where answers are written down; NULL: nowhere (borrowed) */
    const struct schedule *replay;      /* CHOOSE_REPLAY: what to answer (borrowed) */
    size_t at;                          /* next of replay->choice */
    struct odometer *odometer;          /* CHOOSE_ALL (borrowed) */
    bool strayed;                       /* an answer of the replay was out of range: it is of another run */
};

uint64_t chooser_answer_slowly(struct chooser *chooser, struct stream stream, uint64_t n);

/* 0 <= answer < n.  n == 1 is no choice: it is answered 0 and leaves no trace. */
static inline uint64_t choose(struct chooser *chooser, struct stream stream, uint64_t n)
{
    assert(n >= 1);
    if (chooser->mode == CHOOSE_KEYED && !chooser->record)
        return n == 1 ? 0 : stream_below(chooser->seed, stream, n);
    return chooser_answer_slowly(chooser, stream, n);
}
#endif

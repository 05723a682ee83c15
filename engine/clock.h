/* clock.h - what a node believes the time is.
 *
 *     reading = true + offset + drift * (true - 0) / 1e9 + every step that has happened
 *
 * Drift is in parts per billion, rounded towards minus infinity.  Steps are sorted by time; one that happens
 * at an instant shows in the reading of that instant.  One that takes a while is a slew, as NTP makes them:
 * it is worked off evenly, rounded likewise; one that takes none is a jump.  Instants stay within
 * +-INSTANT_MAX (limiter.h): so must offset and steps, and a reading beyond sticks there. */
#ifndef LIMITLAB_CLOCK_H
#define LIMITLAB_CLOCK_H
#include <stdbool.h>
#include "wide.h"

struct clock_step {
    int64_t at_ns, by_ns;
    int64_t over_ns;                    /* how long it takes; backwards, more than by_ns: a clock that is
                                           slewed never stands still */
};

struct clock {
    bool    perfect;                    /* offset, drift and steps are all nothing: clock_init() finds out */
    int64_t offset_ns;
    int64_t drift_ppb;                  /* above -1e9: a clock does not run backwards by drift */
    uint32_t steps;
    const struct clock_step *step;      /* borrowed */
};

/* Sets `perfect`; NULL, or why this clock cannot be (static text). */
const char *clock_init(struct clock *clock);

int64_t clock_read_imperfect(const struct clock *clock, int64_t true_ns);

static inline int64_t clock_read(const struct clock *clock, int64_t true_ns)
{
    return clock->perfect ? true_ns : clock_read_imperfect(clock, true_ns);
}
#endif

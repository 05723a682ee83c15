/* reference_limiters.h - what each limiter must answer, computed slowly from the whole history of a key.
 *
 * Written apart from algos/limiters: no state is carried from one request to the next.  Every question
 * is answered from the list of everything that was ever charged, in rationals of any size (GMP).  There
 * is one question only: does this cost pass at this instant?  All else follows from it: a wait is right
 * when the request passes after it and not one ns earlier, a remaining cost when it passes and one unit
 * more does not. */
#ifndef LIMITLAB_REFERENCE_LIMITERS_H
#define LIMITLAB_REFERENCE_LIMITERS_H
#include <stdbool.h>
#include <stdint.h>

enum { REFERENCE_EVENTS = 512 };

struct reference {
    const char *name;                   /* the limiter's */
    int64_t limit, period_ns, burst, epoch_ns;
    int64_t fresh_ns;                   /* when the key was first seen */
    unsigned events;
    struct reference_event {
        int64_t at_ns;                  /* as charged */
        int64_t cost;                   /* negative: a refund */
        bool    allowed;
    } event[REFERENCE_EVENTS];
};

/* The largest cost that could ever pass. */
int64_t reference_capacity(const struct reference *reference);

/* Appends to the history whatever changes the state; the rest (peeks, denials that do not count) is
 * dropped. */
void reference_charge(struct reference *reference, int64_t now_ns, int64_t cost, bool allowed);

bool reference_passes(const struct reference *reference, int64_t now_ns, int64_t cost);

/* How much later a request that passes leaves the shaping queue; 0 for all other limiters. */
int64_t reference_delay_ns(const struct reference *reference, int64_t now_ns);

/* The latest instant that the key has seen. */
int64_t reference_latest_ns(const struct reference *reference);
#endif

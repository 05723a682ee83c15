/* promise.h - does a limiter keep its own promise (limiter.h), whatever the user's target is?
 *
 * Admissions come in order of time.  Memory per key, plus for PROMISE_WINDOW what was admitted in the last
 * period. */
#ifndef LIMITLAB_PROMISE_H
#define LIMITLAB_PROMISE_H
#include "../engine/limiter.h"
#include "../engine/memory.h"
#include "curve.h"
#include "history.h"
#include "window.h"

struct aligned_sum { int64_t window_start_ns, cost; };

struct promise_check {
    struct memory *memory;
    struct policy policy;
    struct promise promise;
    bool broken;
    size_t room;                        /* keys in that of these which the promise needs; others are NULL */
    struct curve *curve;
    struct window *window;
    struct aligned_sum *aligned;
    struct history history;             /* PROMISE_WINDOW */
    int64_t aligned_start_ns, aligned_end_ns;   /* PROMISE_ALIGNED: the window that time has reached */
};

void promise_init(struct promise_check *check, struct memory *memory, const struct policy *policy,
                  struct promise promise);
void promise_free(struct promise_check *check);

void promise_admitted(struct promise_check *check, uint32_t key, int64_t at_ns, int64_t cost);

/* After the last admission. */
bool promise_kept(struct promise_check *check);
#endif

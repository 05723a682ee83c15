/* window.h - the cost that stands admitted in (t - period, t], and the most that ever stood, for one key.
 *
 * Changes come in order of time.  A sum counts once its instant is over, so that what happens at one
 * instant (an admission enters, another leaves, a refund) is seen as one change; the last sum counts once
 * everything has left. */
#ifndef LIMITLAB_WINDOW_H
#define LIMITLAB_WINDOW_H
#include "../engine/wide.h"

struct window {                         /* starts as { 0 } */
    int64_t cost, changed_ns;           /* what stands since when */
    int64_t worst, worst_at_ns;         /* the largest sum so far, and when it was first reached */
};

/* A cost enters, or leaves (negative), at that instant. */
static inline void window_change(struct window *window, int64_t at_ns, int64_t cost)
{
    if (at_ns != window->changed_ns && window->cost > window->worst) {
        window->worst = window->cost;
        window->worst_at_ns = window->changed_ns;
    }
    window->changed_ns = at_ns;
    window->cost += cost;
}
#endif

/* fault_rig.h - worlds in which something goes wrong: what the tests of faults share. */
#ifndef LIMITLAB_FAULT_RIG_H
#define LIMITLAB_FAULT_RIG_H
#include "world_rig.h"

static const int64_t hour_ns = 3600 * S;

/* Region a has the store, b is 45 ms away. */
static inline struct trial *apart(const char *text, int64_t limit)
{
    struct trial *trial = trial_new(text, 2, limit, hour_ns);

    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    trial->watched = true;
    return trial;
}

static inline struct trial *alone(const char *text, int64_t limit, int64_t period_ns)
{
    return trial_new(text, 1, limit, period_ns);
}

/* How many of requests first .. last were admitted. */
static inline unsigned passed(const struct trial *trial, uint32_t first, uint32_t last)
{
    unsigned n = 0;

    for (uint32_t i = first; i <= last; i++)
        n += admitted(trial, i);
    return n;
}

static inline unsigned undecided(const struct trial *trial, uint32_t first, uint32_t last)
{
    unsigned n = 0;

    for (uint32_t i = first; i <= last; i++)
        n += trial->told[i].failed;
    return n;
}
#endif

/* history.h - the admissions of the last period, of all keys, in order of time.
 *
 * A queue: admissions enter as they happen and leave one period later, which is when they stop to stand in
 * the window (t - period, t].  They are packed (what changed since the one before, in as few bytes as it
 * takes: mostly five to eight), so that memory follows what stands and a day of traffic fits.  Neighbours
 * at one instant of one key are one. */
#ifndef LIMITLAB_HISTORY_H
#define LIMITLAB_HISTORY_H
#include <stdbool.h>
#include <stdint.h>
#include "../engine/memory.h"

struct admission {
    int64_t  at_ns, cost;
    uint32_t key;
    bool     kept;                      /* an exact policer would have let it pass too */
};

struct history_block;

struct history {
    struct memory *memory;
    int64_t period_ns;
    bool has_oldest, has_newest;        /* both ends are kept unpacked */
    struct admission oldest, newest;
    int64_t read_ns, written_ns;        /* instants of the last admission unpacked and packed */
    struct history_block *first, *last; /* packed, oldest first; NULL when there are none */
    struct history_block *spare;        /* one emptied block, for the next */
    uint32_t read_bytes;                /* of the first block */
};

void history_init(struct history *history, struct memory *memory, int64_t period_ns);
void history_free(struct history *history);

/* at_ns never goes back from one call to the next. */
void history_add(struct history *history, struct admission admission);

/* Unpacks the oldest one into history->oldest; false when there is none. */
bool history_unpack(struct history *history);

/* Takes the oldest admission out when its period ended at or before now_ns. */
static inline bool history_leave(struct history *history, int64_t now_ns, struct admission *out)
{
    if (!history->has_oldest && !history_unpack(history))
        return false;
    if (history->oldest.at_ns > now_ns - history->period_ns)
        return false;
    *out = history->oldest;
    history->has_oldest = false;
    return true;
}
#endif

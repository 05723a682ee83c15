/* readings.h - puts clock readings in order: by instant, and at one instant by when their decisions took
 * effect.
 *
 * Readings are opened in order of time but settled in any order.  They wait in a ring until all that were
 * opened before them or at their instant are settled.  So memory follows the readings since the oldest
 * that is not settled. */
#ifndef LIMITLAB_READINGS_H
#define LIMITLAB_READINGS_H
#include <stdbool.h>
#include <stdint.h>
#include "../engine/memory.h"

enum { READINGS_SOON = 4 };             /* how far readings_soon() looks ahead */

enum reading_state { READING_OPEN, READING_ADMITTED, READING_DENIED, READING_UNUSED };

struct reading {
    int64_t  instant_ns, cost;
    uint64_t order;                     /* of settling */
    uint64_t id;                        /* of the request; of no meaning here */
    uint32_t key;
    enum reading_state state;
};

struct readings {
    struct memory *memory;
    struct reading *ring;
    size_t   room;                      /* a power of two */
    struct reading *sorted;             /* for sorting one instant's readings */
    size_t   sorted_room;
    uint64_t first, end;                /* positions: those in the ring are first .. end-1 */
    uint64_t same_until;                /* first .. same_until-1 are settled, all at one instant */
    uint64_t ready_until;               /* first .. ready_until-1 may come out, in this order */
    uint64_t settled;                   /* how many so far */
};

void readings_init(struct readings *readings, struct memory *memory);
void readings_free(struct readings *readings);

/* A new reading, not before the last one's instant.  Returns its ticket, never 0, good until it is
 * settled. */
uint32_t readings_open(struct readings *readings, uint32_t key, int64_t instant_ns);

/* What became of it, for the request `id`; once per ticket. */
void readings_settle(struct readings *readings, uint32_t ticket, enum reading_state state, int64_t cost,
                     uint64_t id);

/* Nobody waits: what is opened and settled now would come out at once. */
static inline bool readings_none(const struct readings *readings) { return readings->first == readings->end; }

/* Whose reading will probably come out soon: a hint, any number when nobody's.  Only after readings_next()
 * was true. */
static inline uint32_t readings_soon(const struct readings *readings)
{
    return readings->ring[(readings->first + READINGS_SOON) & (readings->room - 1)].key;
}

/* What stood when a reading was denied, of the same key: the cost of later readings that were admitted
 * before.  False when a later reading was denied before it: then this is not the key's first denial.  Call
 * for what readings_next() has just handed out; looks at all that waits. */
bool readings_before(const struct readings *readings, const struct reading *denied, int64_t *cost);

/* The next reading that was admitted or denied, in order.  False when it is not known yet; `ended`: no
 * more will open, and those that are still open count as unused. */
bool readings_next(struct readings *readings, bool ended, struct reading *out);
#endif

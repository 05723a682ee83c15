/* ledger_rows.h - the rows of a ledger: for ledger.c alone. */
#ifndef LIMITLAB_LEDGER_ROWS_H
#define LIMITLAB_LEDGER_ROWS_H
#include "ledger.h"
#include "result.h"

#define AGE_UNKNOWN INT64_C(-1)

/* A write that took effect. */
struct written {
    int64_t  at_ns;
    uint64_t id, number;                /* of the request; number 0: of none, or of one that is done with */
    uint32_t version;                   /* 0: there is none */
    bool     stale;                     /* its writer had read what was not the newest even then */
};

/* The last writes of a state. */
struct past {
    struct written *ring;               /* by version, modulo room */
    size_t   room;                      /* a power of two, at most WRITES_KEPT */
    uint32_t newest;                    /* version */
    int64_t  lost_ns;                   /* when a write last replaced one that its writer had not read,
                                           though it had read the newest; 0: never */
    int64_t  reset_ns;                  /* when it was last seen at a version that nobody wrote: restored,
                                           expired or forgotten; 0: never */
};

/* One request, from its arrival until all is known. */
struct story {
    uint64_t id, number;                /* number: in the order of arrival, from 1 */
    uint32_t next;                      /* in its chain or the free list, + 1; 0: the last */
    uint32_t key, node, region, newest; /* newest: version of what it read, when it decided */
    int64_t  cost, at_ns;               /* at_ns: the instant of its admission */
    int64_t  clock_ns;                  /* how far the clock that decided was ahead */
    int64_t  age_ns;                    /* how long what it read had been replaced */
    int64_t  lost_ns, reset_ns;         /* as in past, when it read */
    struct cell_use read;               /* the last before it decided */
    struct written overwrote, overwritten_by;
    struct decimal before, after;       /* above the target */
    bool has_read, has_written, overwrote_any, overwritten;
    bool replaced;                      /* what it wrote has been replaced */
    bool decided, admitted, finished, judged, over;
    bool right;                         /* one atomic state that knows all admissions admits it as well */
};

void ledger_head(struct ledger *ledger);
void ledger_row(struct ledger *ledger, const struct story *story);
#endif

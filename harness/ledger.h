/* ledger.h - explains each over-admission of a run, one row of CSV for each: what its decision had read, how
 * old that was, and who overwrote whom.
 *
 * Columns: t (ISO 8601, when the run has absolute times) or t_ns, the instant of the admission; request, its
 * place in the order of arrival, from 1; key, cost, region, node; read_version and newest_version, of the
 * state that it decided on and of the newest there was then; read_age_ns, how long the version that it read
 * had been replaced already, 0 when it was the newest; overwrote and overwrote_ns, whose write its own
 * replaced without having read it, and when that was written; overwritten_by and overwritten_by_ns, who did
 * the same to it, and when; excess_before and excess_after, how far its key stood above the target; cause and
 * why, what all that points to.  A field is empty where there is nothing to say, and an age is where it goes
 * further back than the last writes that are kept of each state.
 *
 * The cause of one row is what the evidence of that row points to; excess_by_cause (causes.h) is exact.  A
 * state at a version that no request wrote is evidence of a fault, where a time line has any; a region that
 * was cut off shows as a copy that does not know.
 *
 * A row is written once its story is over: when its request is answered and judged and what it wrote has been
 * replaced, or the run ends.  Memory: requests in flight, one story for each state whose last writer is over,
 * and up to WRITES_KEPT writes for each state. */
#ifndef LIMITLAB_LEDGER_H
#define LIMITLAB_LEDGER_H
#include "../engine/observer.h"
#include "experiment.h"
#include "failure.h"
#include "keys.h"
#include "outfile.h"

struct oracle;
struct judged;

enum { LEDGER_STORES = 4, WRITES_KEPT = 256 };

struct ledger {
    struct observer observer;           /* first: a ledger is an observer */
    struct observer *next;              /* who hears the news too */
    const struct oracle *oracle;        /* who judges, behind `next` */
    struct outfile out;
    const struct keys *keys;
    const struct topology *topology;
    int64_t  epoch_ns, period_ns;       /* of the target */
    bool     faulty;                    /* there are faults on the time line */
    uint64_t requests;                  /* that have arrived */
    struct story *story;                /* of requests, while they last */
    size_t   room;
    uint32_t stories, free_story;
    uint32_t *head;                     /* chains of stories by id: as many as there is room for stories */
    struct past *past[LEDGER_STORES];   /* of each state */
    size_t   past_room[LEDGER_STORES];
};

/* What a run is recorded of. */
struct ledger_setting {
    const char *path;
    const struct keys *keys;
    const struct topology *topology;
    int64_t epoch_ns, period_ns;
    bool faulty;
};

/* The oracle must have been made to tell ledger_judged(), with this ledger as the context. */
bool ledger_open(struct ledger *ledger, const struct ledger_setting *setting, struct observer *next,
                 const struct oracle *oracle, struct failure *failure);
void ledger_judged(void *ledger, const struct judged *judged);

/* After oracle_finish().  The file is there as a whole, or (whole is false: the run was stopped) as it was
 * before.  False when it could not be written. */
bool ledger_close(struct ledger *ledger, bool whole, struct failure *failure);
#endif

/* arrivals.h - an experiment's traffic, ready to be played as often as there are runs. */
#ifndef LIMITLAB_ARRIVALS_H
#define LIMITLAB_ARRIVALS_H
#include "experiment.h"
#include "merge.h"
#include "shown.h"

struct arrivals {
    const struct experiment *experiment;        /* borrowed */
    struct arena arena;
    struct keys keys;                   /* every key that can appear, numbered before any run: so that a key's
                                           number does not depend on what ran before */
    uint32_t traces;
    struct trace *trace;                /* in the order of the experiment's traffics */
    struct generator **generator;       /* by traffic; NULL where it is a trace */
    uint32_t **generator_key;           /* by traffic: the number of its i-th key */
    struct shown_used *used;            /* what generated requests turn out to cost */
    int64_t  epoch_ns;
    int64_t  precision_ns;              /* the coarsest clock of traces with absolute times; 1 without any */
    int64_t  last_ns;                   /* no open arrival comes later; 0 where it is not known */
    uint64_t requests;                  /* how many there will be; 0 where it is not known */
    struct key_numbers numbers;         /* for generators */
};

/* Scans traces and makes generators.  refunds: negative costs are allowed. */
bool arrivals_open(struct arrivals *arrivals, const struct experiment *experiment, bool refunds,
                   struct failure *failure);
void arrivals_close(struct arrivals *arrivals);

/* Tells what people should know about the traces: rows that had to be sorted, regions that had to be
 * drawn. */
void arrivals_notes(struct arrivals *arrivals, void (*note)(void *context, const char *line), void *context);

/* One playing: a source, and what to free afterwards. */
struct playing {
    struct arrivals *arrivals;
    struct merged_source merged;
    struct shown_source shown;
    struct source *source;              /* what a world is to be given */
    struct merged_head *head;
    struct source **part;
    struct retrying *retrying;          /* by traffic, for those whose clients come back */
    struct trace_source **trace;        /* by traffic; NULL where it is a generator */
};

void playing_start(struct playing *playing, struct arrivals *arrivals, uint64_t seed, bool spread);
/* After it, for a design whose keys go by a rule (bucket: of buckets_make(), borrowed; NULL: they do not). */
void playing_by_rule(struct playing *playing, const uint32_t *bucket);
/* False when a trace could not be read to its end. */
bool playing_end(struct playing *playing, struct failure *failure);

/* The key that asks for most in this playing of the open traffic (ties: the smaller name); -1 without any. */
int64_t arrivals_top_key(struct arrivals *arrivals, uint64_t seed, bool spread);
#endif

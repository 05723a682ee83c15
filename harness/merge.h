/* merge.h - several sources as one, by time; at one instant the source with the lower index goes first.
 *
 * Ids tell whose arrival it was: each source i must hand out arrivals with id >> TRACE_ID_BITS == i, as
 * traces and generators do that were given that index.  So ended() finds the closed loop that a request
 * belongs to. */
#ifndef LIMITLAB_MERGE_H
#define LIMITLAB_MERGE_H
#include "trace.h"

struct merged_source {
    struct source source;               /* first: a merged source is a source */
    struct source *const *part;         /* borrowed */
    uint32_t parts;
    struct merged_head { struct arrival arrival; bool ready, over; } *head;   /* of each part */
};

/* head: `parts` of them, given by the caller; any value. */
void merged_init(struct merged_source *merged, struct source *const *part, uint32_t parts,
                 struct merged_head *head);
#endif

/* sequence.h - the outcomes of a short run's requests in order of arrival, as letters: "A A D".
 *
 *   A   admitted
 *   D   denied
 *   F   failed: nobody decided
 *
 * It follows a run's news (engine/observer.h) and knows requests by arrival.id.  Of a run with more than
 * SEQUENCE_MAX requests it says nothing: figures are for those. */
#ifndef LIMITLAB_SEQUENCE_H
#define LIMITLAB_SEQUENCE_H
#include <stdint.h>
#include "arena.h"

enum { SEQUENCE_MAX = 64 };

struct sequence {                       /* starts as { 0 } */
    uint64_t asked;
    uint64_t id[SEQUENCE_MAX];
    char     outcome[SEQUENCE_MAX];     /* 0: not yet */
};

void sequence_asked(struct sequence *sequence, uint64_t id);
void sequence_settled(struct sequence *sequence, uint64_t id, char outcome);

/* NULL when nothing was asked, too much was, or a request is not settled. */
const char *sequence_text(const struct sequence *sequence, struct arena *arena);
#endif

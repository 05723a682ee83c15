/* explain.h - a story (story.h) as text: a space-time diagram, a sentence, and the cures.
 *
 * One column a client, one for the store, one line a step; `!` marks the critical step.  ASCII only. */
#ifndef LIMITLAB_EXPLAIN_H
#define LIMITLAB_EXPLAIN_H
#include <stdio.h>
#include "cures.h"
#include "story.h"

enum { EXPLAIN_TEXT = 512 };

/* What is explained; all borrowed. */
struct explain {
    const struct story *story;
    const char *design;                 /* as it was typed */
    const struct cure *cure;            /* CURES of them; NULL: none are shown */
};

void explain_print(FILE *out, const struct explain *explain);

/* Why too much was admitted, for somebody who never saw a race; or that it was not. */
const char *explain_sentence(const struct story *story, char text[EXPLAIN_TEXT]);

/* Until when it could be avoided, and how; "" where that does not apply. */
const char *explain_critical(const struct story *story, char text[EXPLAIN_TEXT]);
#endif

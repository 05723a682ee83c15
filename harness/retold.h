/* retold.h - a walk through an explored world, retold: explained as text (explain.h), or as a page (page.h).
 *
 * Both open a world of their own, so that nothing of the caller's is changed. */
#ifndef LIMITLAB_RETOLD_H
#define LIMITLAB_RETOLD_H
#include <stdio.h>
#include "explored.h"

/* All borrowed. */
struct retold {
    const struct explored *explored;
    enum target_kind target;            /* that is judged against */
    const uint64_t *choice;             /* the walk: options by number (engine/walk.h) ... */
    size_t choices;                     /* ... and the calm way from there */
    const char *title, *story;          /* of a page; NULL: the design and what asks for what; "" */
    const char *command;                /* that makes the page again; NULL: not shown */
};

bool retold_explain(const struct retold *retold, FILE *out, struct failure *failure);

/* Writes the page to a file ("-": standard output), which is there as a whole or not at all. */
bool retold_page(const struct retold *retold, const char *path, struct failure *failure);
#endif

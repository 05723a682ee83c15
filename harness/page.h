/* page.h - a witness as one HTML file: to step through, to play with, to project.  It needs nothing else, no
 * network, and works by keyboard.
 *
 * In it are the small world's tables (engine/small_world.h) as JSON, the story of the witness, the text of
 * the protocol's step function and of its cures, and a script (page.js) that walks the tables as
 * engine/walk.c does.  A link's fragment "#s=0.1.0" holds a schedule: options by number, as in a witness;
 * "#play" begins with none, "#selftest" lets the page test itself. */
#ifndef LIMITLAB_HARNESS_PAGE_H
#define LIMITLAB_HARNESS_PAGE_H
#include <stdio.h>
#include "cures.h"
#include "story.h"

/* All borrowed.  Texts are any bytes. */
struct witness_page {
    const char *title, *story_text;     /* the latter may be "" */
    const char *design;                 /* as it was typed */
    const char *command;                /* that makes it again; "": none is shown */
    const char *const *key;             /* names of keys, as many as the world has; NULL: "key 1" ... */
    struct explorer *explorer;          /* explored, to the end */
    const struct judge *judge;
    const struct story *witness;
    const struct story *best;           /* of the cheapest walk to too much; NULL: there is none, or it is not
                                           known */
    const struct cure *cure;            /* CURES of them; NULL: none are shown */
    const char *orders, *bad_orders;    /* how many interleavings there are, and too much in how many; NULL:
                                           not known */
};

/* NULL, or why there can be no page of this world (static text): not all of it is known, or it is too
 * large. */
const char *witness_page_refuses(const struct explorer *explorer);

/* Writes the page; errors are left in the stream. */
void witness_page_write(FILE *out, const struct witness_page *page);
#endif

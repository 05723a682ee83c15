/* columns.h - the columns of a comparison, once for the terminal, Markdown and HTML. */
#ifndef LIMITLAB_COLUMNS_H
#define LIMITLAB_COLUMNS_H
#include "contender.h"
#include "show.h"

struct column {
    const char *head[2];                /* two short lines, for a terminal */
    const char *name;                   /* in full */
    const char *term;                   /* its entry in the glossary (glossary.h) */
    unsigned width;                     /* in a terminal; 0: it has no room there */
    const char *(*cell)(const struct contender *contender, char out[SHOW_NUMBER]);
    bool (*alarming)(const struct contender *contender);    /* NULL: never */
    bool minor;                         /* the page leaves it out on a narrow screen */
};

extern const struct column columns[];
extern const unsigned column_count;
#endif

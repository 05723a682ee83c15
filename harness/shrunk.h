/* shrunk.h - what is left of a failure (shrink.h), for people and as files. */
#ifndef LIMITLAB_SHRUNK_H
#define LIMITLAB_SHRUNK_H
#include <stdio.h>
#include "shrink.h"

/* In words: "race", "clock". */
const char *cause_word(enum cause cause);

/* The requests that are left, a line each, and in a sentence what they show. */
void shrunk_show(const struct cell *cell, const struct shrunk *shrunk, FILE *out);

/* The same failure as a scenario of its own. */
struct shrunk_files {
    const char *trace;                  /* FOLDER/shrunk.csv */
    const char *schedule;               /* FOLDER/shrunk.schedule, its choices in one line; NULL: none */
    const char *scenario;               /* FOLDER/shrunk.yaml; NULL: no scenario could be found that fails so,
                                           and none is there */
};

/* The folder is made unless it is there.  The scenario has been read again and run, and failed. */
bool shrunk_write(const struct cell *cell, const struct shrunk *shrunk, const char *folder,
                  struct arena *arena, struct shrunk_files *out, struct failure *failure);

/* One line about the least that any interleaving of these requests needs, by the explorer (explored.h), and
 * how to replay that; nothing where they do not fit into a small world. */
void shrunk_explore(const struct cell *cell, const struct shrunk *shrunk, FILE *out, struct arena *arena);

/* Requests beyond that least; -1: not known. */
int64_t shrunk_distance(const struct cell *cell, const struct shrunk *shrunk, struct arena *arena);
#endif

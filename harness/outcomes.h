/* outcomes.h - what a check found, line by line: TAP on standard output as it comes, JUnit XML in a file at
 * the end. */
#ifndef LIMITLAB_OUTCOMES_H
#define LIMITLAB_OUTCOMES_H
#include <stdio.h>
#include "arena.h"
#include "failure.h"

struct outcome {
    const char *scenario, *what;        /* "both-read-nine", "target breaks: fixed-window@kv": any bytes */
    bool good;
    bool error;                         /* not good because it could not be found out */
    const char *why;                    /* of what is not good */
    const char *where;                  /* "both-read-nine.yaml:19", or "" */
};

struct outcomes {                       /* starts as { 0 } */
    struct outcome *outcome;
    size_t   have;
    unsigned count, bad, errors;
};

/* Prints and keeps one; its texts are borrowed. */
void outcomes_add(struct outcomes *outcomes, FILE *tap, const struct outcome *outcome);

/* The plan, which ends TAP. */
void outcomes_end(const struct outcomes *outcomes, FILE *tap);

bool outcomes_write_junit(const struct outcomes *outcomes, const char *path, struct failure *failure);
void outcomes_free(struct outcomes *outcomes);
#endif

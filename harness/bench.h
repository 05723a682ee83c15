/* bench.h - how fast this build is on this machine. */
#ifndef LIMITLAB_BENCH_H
#define LIMITLAB_BENCH_H
#include <stdbool.h>
#include "failure.h"

struct bench_options {
    bool json;                          /* for programs instead of people */
};

/* Measures and prints to standard output. */
bool bench_run(const struct bench_options *options, struct failure *failure);

/* How many states a second the explorer finds and counts. */
bool bench_explore(bool json, struct failure *failure);
#endif

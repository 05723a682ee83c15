/* lab.h - a topology as the engine wants it: links with their tables, clocks for every node. */
#ifndef LIMITLAB_LAB_H
#define LIMITLAB_LAB_H
#include "../engine/world.h"
#include "arena.h"
#include "experiment.h"
#include "failure.h"
#include "keys.h"

struct lab {
    struct network network;
    struct network calm, instant;       /* the same without loss and duplication; and without delays, too */
    bool     clocks_differ;             /* some clock is not perfect */
    struct clock store_clock[REGIONS_MAX];
    struct clock *node_clock;           /* for the instances that lab_clocks() was told of */
    struct fault *fault;                /* lab_faults() */
    int64_t  shortest_ns;               /* the smallest delay of any link that has one; 0: none has */
};

/* Tables hang on the arena. */
bool lab_build(struct lab *lab, const struct topology *topology, struct arena *arena,
               struct failure *failure);

/* The experiment's faults, keys by their numbers.  False: one names a key that nobody asks for. */
bool lab_faults(struct lab *lab, const struct experiment *experiment, const struct keys *keys,
                struct arena *arena, struct failure *failure);

/* Clocks of the nodes, for so many instances in each region. */
void lab_clocks(struct lab *lab, const struct topology *topology, const uint32_t *instances,
                struct arena *arena);
#endif

/* network.h - regions, the nodes in them, and the links between them. */
#ifndef LIMITLAB_NETWORK_H
#define LIMITLAB_NETWORK_H
#include "dist.h"

enum { REGIONS_MAX = 64, NODES_MAX = 1024 };

/* One direction of a link.  Probabilities are in billionths. */
struct link {
    struct dist delay;                  /* one way */
    uint32_t loss_billionths;
    uint32_t duplicate_billionths;
};

/* Full mesh; a region to itself is a link too (no delay unless stated). */
struct network {
    uint32_t regions;
    const struct link *const *links;    /* regions * regions of them, [from * regions + to]; borrowed */
};

static inline const struct link *network_link(const struct network *network, uint32_t from, uint32_t to)
{
    return network->links[from * network->regions + to];
}
#endif

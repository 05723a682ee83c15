/* explore_rig.h - small worlds for tests of the explorer, stated in one line each. */
#ifndef LIMITLAB_EXPLORE_RIG_H
#define LIMITLAB_EXPLORE_RIG_H
#include "test.h"
#include "../engine/walk.h"
#include "../harness/design.h"
#include "../harness/interleavings.h"

struct stated {
    const char *design;
    uint32_t clients, requests;
    int64_t limit;
    bool symmetry;
    uint32_t regions;                   /* 0: one; clients are spread over them in turn */
    uint32_t crashes, forgets;
    int64_t period_ns;                  /* 0: a minute */
    uint32_t instants;                  /* 0: one, at 0 */
    const int64_t *instant;
    const int64_t *at_ns;               /* of the requests of every client; NULL: at once */
};

struct scene {
    struct stated stated;
    struct experiment experiment;
    struct design design;
    struct policy policy;
    struct network network;
    const struct link *links[16];
    uint32_t instances[REGIONS_MAX];
    struct world_setup world;
    struct small_client client[SMALL_CLIENTS];
    struct explorer explorer;
};

/* Fails the test when such a world cannot be explored. */
void scene_open(struct scene *scene, const struct stated *stated);
void scene_close(struct scene *scene);

/* Opens it, finds all states, counts; "over" is more than stated->limit admitted. */
void scene_count(struct scene *scene, const struct stated *stated, struct interleavings *counted);

extern const struct worth worth_admitted;
#endif

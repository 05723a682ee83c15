/* small_rig.h - a small world for tests, with all that it borrows.
 *
 *     struct scene scene;
 *     scene_open(&scene, "fixed-window@get-then-set", 2, 1, 1);         two clients, a request each, limit 1
 *     ... scene.explorer ...
 *     scene_close(&scene); */
#ifndef LIMITLAB_SMALL_RIG_H
#define LIMITLAB_SMALL_RIG_H
#include "test.h"
#include "../engine/walk.h"
#include "../harness/design.h"
#include "../harness/interleavings.h"

struct scene {
    struct experiment experiment;
    struct design design;
    struct policy policy;
    struct network network;
    struct world_setup world;
    struct small_client client[SMALL_CLIENTS];
    struct explorer explorer;
    uint64_t limit;
    struct judge judge;                 /* more is admitted, by cost, than the limit */
};

/* Clients that send `requests` requests each, of cost 1, all at once. */
void scene_open(struct scene *scene, const char *design, uint32_t clients, uint32_t requests, uint32_t limit);
/* Limit 10: the first client takes 9 at 1 s; then, at 3 s, two more ask for 1 each. */
void scene_open_both_read_nine(struct scene *scene, const char *design);
void scene_close(struct scene *scene);
#endif

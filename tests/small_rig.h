/* small_rig.h - a small world for tests, with all that it borrows.
 *
 *     struct small_scene scene;
 *     small_open(&scene, "fixed-window@get-then-set", 2, 1, 1);         two clients, a request each, limit 1
 *     ... scene.explorer ...
 *     small_close(&scene); */
#ifndef LIMITLAB_SMALL_RIG_H
#define LIMITLAB_SMALL_RIG_H
#include "test.h"
#include "../engine/walk.h"
#include "../harness/design.h"
#include "../harness/interleavings.h"

struct small_scene {
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
void small_open(struct small_scene *scene, const char *design, uint32_t clients, uint32_t requests,
                uint32_t limit);
/* Limit 10: the first client takes 9 at 1 s; then, at 3 s, two more ask for 1 each. */
void small_open_both_read_nine(struct small_scene *scene, const char *design);
void small_close(struct small_scene *scene);
#endif

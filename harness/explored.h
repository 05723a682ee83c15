/* explored.h - what is explored, as a person describes it, and the small world (engine/explore.h) made of it.
 *
 * A world is a design, a policy, and clients that each send their requests one after another.  Without a file
 * of arrivals all requests cost the same, are for one key, and time stands still; with one, each row is a
 * request, and time goes on to the instants of the rows.
 *
 * The same description has a readable form, which opens every witness:
 *
 *     clients=3,requests=2,limit=5,period=60s,design=fixed-window@get-then-set
 *
 * Keys come in the order of the members below, those that say nothing are left out, and the design, which may
 * hold any sign, is last.  `requests` and `in` may be lists, one number a client: 1+2+2. */
#ifndef LIMITLAB_EXPLORED_H
#define LIMITLAB_EXPLORED_H
#include "../engine/explore.h"
#include "arena.h"
#include "design.h"
#include "small_arrivals.h"

enum { EXPLORED_FAULTS_MAX = 64 };

/* Texts and tables are borrowed, or hang on the arena that was handed in. */
struct explored {
    uint32_t clients;
    uint32_t requests[SMALL_CLIENTS];   /* of each client, 1 or more */
    uint32_t region[SMALL_CLIENTS];     /* where each client is */
    int64_t cost;
    int64_t limit, period_ns, burst;
    enum target_kind target;            /* with the policy's limit, period and burst */
    uint32_t regions;
    const char *region_name[REGIONS_MAX + 1];       /* NULL-terminated */
    const struct small_arrivals *arrivals;          /* NULL: none; then clients, regions and requests of
                                                       clients are the file's */
    uint64_t arrivals_digest;           /* 0: no file */
    uint64_t without;                   /* rows of the file that are left out, by bits */
    uint32_t crashes, forgets;          /* faults that are allowed, in all */
    const char *design;
};

/* All clients alike, in the regions by turns; limit 0 and design NULL are still to be filled in. */
void explored_init(struct explored *explored, uint32_t clients, uint32_t requests, uint32_t regions);

/* Regions by names ("a,b,c" with that separator) or by a number of them ("3": r1, r2, r3).  NULL, or what is
 * wrong as static text. */
const char *explored_regions(struct explored *explored, const char *text, char separator,
                             struct arena *arena);

/* Requests that it has in all. */
uint32_t explored_requests(const struct explored *explored);

/* The readable form, and back: NULL, or what is wrong as static text.  What is read may still be refused by
 * explored_open(). */
const char *explored_text(const struct explored *explored, struct arena *arena);
const char *explored_parse(struct explored *explored, const char *text, struct arena *arena);

/* How far an exploration may go; 0: no bound.  keep_on is as in explore.h. */
struct explored_bounds {
    uint64_t most_states, most_bytes;
    bool no_symmetry;
    bool (*keep_on)(void *context, uint64_t states, uint64_t waiting);
    void *context;
};

/* The world, open: all that the explorer borrows.  It must not move. */
struct explored_world {
    const struct explored *explored;    /* borrowed */
    struct policy policy;
    struct topology topology;
    struct design design;
    struct network network;
    struct world_setup setup;
    uint32_t instances[REGIONS_MAX];
    struct small_client client[SMALL_CLIENTS];
    struct explorer explorer;
    struct arena arena;
};

/* False: the failure says why there is no such world.  In any case close it. */
bool explored_open(struct explored_world *world, const struct explored *explored,
                   const struct explored_bounds *bounds, struct failure *failure);
void explored_close(struct explored_world *world);

/* What all of it depends on beside the description: names and parameters of limiter and coordination. */
const char *explored_design(struct explored_world *world);
#endif

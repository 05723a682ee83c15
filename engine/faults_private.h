/* faults_private.h - what the files of faults share with each other and with nobody else. */
#ifndef LIMITLAB_FAULTS_PRIVATE_H
#define LIMITLAB_FAULTS_PRIVATE_H
#include "faults.h"
#include "world_private.h"

/* A store as it was. */
struct snapshot {
    struct value *cell;
    int64_t *ends;
    size_t cell_room, ends_room, cells;
};

/* Which keys a store holds, in order of their last use: a list by number + 1, 0 is none. */
struct recency {
    uint32_t *older, *newer;            /* of each key */
    size_t older_room, newer_room;
    uint32_t oldest, newest, keys;
};

struct fault_state {
    uint32_t stream;                    /* the kind of its streams */
    bool active;
    bool taken;                         /* there is a snapshot */
    struct snapshot snapshot[STORES_MAX];
    struct recency recency;
};

struct faults {
    struct fault_state *state;          /* of each fault */
    uint32_t *active;                   /* numbers of those that hold now, in the order of the list */
    size_t state_room, active_room;
    uint32_t actives;
    bool cold;                          /* some instance has yet to start, or did */
    uint16_t down[NODES_MAX];           /* so many crashes hold it down */
    int64_t start_ns[NODES_MAX];        /* how long it will take to start; 0: it has */
    int64_t started_ns[NODES_MAX];      /* until when it starts */
    int64_t skew_ns[REGIONS_MAX];       /* how far the clock of the stores there is ahead, by failovers */
};

static inline const struct fault *fault_at(const struct world *world, uint32_t i)
{
    return &world->setup->fault[i];
}

/* The region where the state of a key lives in the stores. */
uint32_t fault_key_region(const struct world *world, uint32_t key);
static inline bool fault_hits_key(const struct world *world, const struct fault *fault, uint32_t key)
{
    return fault->region < 0 || fault_key_region(world, key) == (uint32_t)fault->region;
}

/* The owners' gates; NULL when there are none. */
struct store *fault_gates(struct world *world);

/* What a node keeps in memory is gone. */
void fault_wipe_node(struct world *world, uint32_t node);
/* How many keys the stores have room for. */
uint32_t fault_keys(const struct world *world);
/* Every store but memories of instances forgets the key. */
void fault_forget_key(struct world *world, uint32_t key);
/* States of the keys that the fault says are gone. */
void fault_forget(struct world *world, const struct fault *fault);
void fault_crash_owners(struct world *world, const struct fault *fault);
void fault_take_snapshot(struct world *world, uint32_t i);
void fault_restore(struct world *world, uint32_t i);
void fault_drop_snapshot(struct world *world, uint32_t i);
/* A bound on the keys begins: those that are there are counted, and the first of them go. */
void fault_begin_capacity(struct world *world, uint32_t i);
void fault_end_capacity(struct world *world, uint32_t i);
#endif

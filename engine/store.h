/* store.h - where states live, as a machine of atomic steps.
 *
 * One apply() is one step: nothing is ever half done inside it.  A store keeps cells, reads and replaces the
 * state in them under a version that counts the writes, and counts what it does, so that race losses are
 * counted and not estimated:
 *
 *   lost update   a write that replaced a version which its writer had not read (a blind write too)
 *   stale read    a read that returned an older version than the newest committed one
 *
 * Operations travel as messages (world.h). */
#ifndef LIMITLAB_STORE_H
#define LIMITLAB_STORE_H
#include <stdbool.h>
#include "value.h"

enum operation {
    OP_NONE,
    OP_GET,                             /* reply: value */
    OP_PUT,                             /* value.version names what the writer had read */
    OP_CAS,                             /* replaces only if the version is still value.version; reply: ok */
    OP_TAKE,                            /* check and charge inside the store; reply: verdict */
    OP_ADD,                             /* adds `amount` to a counter; reply: amount, until_ns */
    OP_COUNT,                           /* reads a counter; reply: amount */
    OP_EXPIRE,                          /* gives a counter that has none an end, one period from now */
    OP_ENTER,                           /* takes the gate of an owner; not enabled while another holds it */
    OP_RETURN,                          /* takes the gate again after having left it; carries the value that
                                           its call read inside, before it left */
    OP_WAKE,                            /* what an object has set itself to do (background step); waits its
                                           turn at the gate, too */
    OP_BLOCK,                           /* takes `amount` of allowance, or when that is too much the least
                                           that helps (until_ns); reply: ok and the amount granted, or
                                           until_ns to wait */
    OP_SPREAD,                          /* a version becomes visible elsewhere (background step) */
    OP_SYNC,                            /* what one node tells another (background step) */
    OPERATIONS
};

extern const char *const operation_name[OPERATIONS];

/* A counter with a window or an end, in a value's bytes.  A counter of aligned windows stands for one key a
 * window, of which those of the present window and the one before still live: an increment that comes late
 * finds its own. */
struct counter {
    int64_t window;                     /* the latest aligned window counted; 0 where there is an end */
    int64_t count;                      /* in that window */
    int64_t previous;                   /* in the one before */
    int64_t until_ns;                   /* the end, by the store's clock; INT64_MAX: none */
};

struct store;
struct store_model {
    const char *name;
    uint32_t operations;                /* bits 1 << OP_... of what it offers */
    size_t more_bytes;                  /* what it keeps for each cell beside its value; zeroed at first */
    bool orders_versions;               /* which of two versions is later matters to it, not only whether they
                                           are equal */
    bool memory_only;                   /* an instance's own memory: its steps are no store operations, but
                                           what others tell it by message is a write */
    bool node_memory;                   /* its cells may be one a node: see store.of_nodes */
    /* May this message be applied now?  NULL: always. */
    bool (*enabled)(const struct store *store, const struct message *message);
    /* Keeps a message that is not enabled; world_arrived() takes it up again when its turn comes. */
    void (*park)(struct world *world, struct store *store, uint32_t message);
    /* The atomic step; the reply is written into the message.  NULL where operations is 0. */
    void (*apply)(struct world *world, struct store *store, struct message *message);
    /* A cell's state is gone: so is what is kept beside it of the state.  May be NULL. */
    void (*forget)(struct world *world, struct store *store, uint32_t cell);
    /* Its invariants when nothing is under way; asserts.  May be NULL. */
    void (*check)(const struct store *store);
};

struct store {
    const struct store_model *model;
    uint32_t cells_per_key;
    bool of_nodes;                      /* cell i of a key is in the memory of node i, and lost with it: as
                                           world_add_store() finds it where there are enough cells */
    bool volatile_memory;               /* states that an owner keeps in memory alone: lost when its process
                                           crashes.  False unless set_up says so */
    uint32_t keys;                      /* so many have cells; grows as keys stream in */
    struct value *cell;                 /* [key * cells_per_key + i] */
    unsigned char *more;                /* model->more_bytes each, same index */
    int64_t *ends;                      /* of each cell's key, by the store's clock; 0: kept for ever.  NULL
                                           where keys never end */
    unsigned char *counted;             /* is each cell in world->stored?  NULL: memory_only */
    size_t cell_room, more_room, ends_room, counted_room;       /* so many are allocated */
};

static inline void *store_more(const struct store *store, uint32_t cell)
{
    return store->more + (size_t)cell * store->model->more_bytes;
}

extern const struct store_model cells_store, owner_store, kv_store, memory_store, replicated_store,
                                regional_store;
#endif

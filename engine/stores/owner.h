/* owner.h - a single-threaded object a key: a gate that one call at a time may hold, and the state behind
 * it.
 *
 * Whoever leaves the gate in the middle (an await that lets other events in) comes back with OP_RETURN; what
 * the object has set itself to do comes as OP_WAKE.  Both wait in the mailbox like everybody else. */
#ifndef LIMITLAB_OWNER_H
#define LIMITLAB_OWNER_H
#include "../world.h"

struct gate {
    uint32_t first, last;               /* mailbox: messages that wait, by number + 1; 0: none */
    uint32_t home;                      /* region of the object + 1; 0: not known yet */
    uint32_t busy;                      /* 1: some call holds it ... */
    uint32_t holder;                    /* ... this one */
};

/* The call that holds the gate leaves; the next one's turn has come. */
void owner_leave(struct world *world, struct store *store, uint32_t cell);
/* The object's process dies: whoever is inside ends, and the messages that wait are lost. */
void owner_crash(struct world *world, struct store *store, uint32_t cell);
#endif

/* channels.c - what one source sends to one node keeps its order at one instant: which events those are. */
#include <assert.h>
#include "world_private.h"

/* The node that a message comes from or goes back to; once its call has ended only the region is known. */
static uint32_t node_of(const struct world *world, const struct message *message)
{
    assert(message->operation != OP_NONE);
    if (message->call == NO_CALL)
        return message->tag;
    const struct call *call = &world->call[message->call];
    return call->tag == message->tag ? call->node : (uint32_t)NODES_MAX + message->from;
}

uint32_t world_channel(const struct world *world, uint32_t payload)
{
    uint32_t kind = payload >> 29, i = payload & (EVENT_INDEX_MAX - 1);

    assert(kind <= EVENT_FAULT);
    if (kind == EVENT_OPERATION || kind == EVENT_ANSWER) {
        const struct message *message = &world->message[i];
        return kind << 24 | node_of(world, message) << 8 | message->to;
    }
    if (kind == EVENT_DEPART || kind == EVENT_FAULT)
        return CHANNEL_SETTLED;
    return kind << 24 | (kind == EVENT_TIMER ? i : world->call[i].node);
}

/* world_private.h - what the files that make up the world share with each other and with nobody else. */
#ifndef LIMITLAB_WORLD_PRIVATE_H
#define LIMITLAB_WORLD_PRIVATE_H
#include "world.h"

/* What a queued event is; payload = kind << 29 | index of a message, a call or a node. */
enum event_kind {
    EVENT_OPERATION,                    /* message: reaches its store */
    EVENT_ANSWER,                       /* message: its answer, or the news that there is none, is there */
    EVENT_WAKE,                         /* call: has slept enough */
    EVENT_DEPART,                       /* call: a shaped request leaves the queue */
    EVENT_HOME,                         /* call: its verdict reaches the caller */
    EVENT_TIMER,                        /* node: its timer goes off */
    EVENT_ARRIVE,                       /* call: a closed loop's next request */
    EVENT_FAULT                         /* a fault's beginning or end: faults_perform() */
};
#define EVENT_INDEX_MAX (UINT32_C(1) << 29)

static inline uint32_t event_payload(enum event_kind kind, uint32_t index)
{
    return (uint32_t)kind << 29 | index;
}

/* Does a message of this operation carry a value (rather than an answer)? */
static inline bool operation_has_value(enum operation operation)
{
    return operation == OP_GET || operation == OP_PUT || operation == OP_CAS || operation == OP_SPREAD
        || operation == OP_RETURN;
}

/* An event, at its instant. */
void event_at(struct world *world, int64_t at_ns, uint32_t payload);
uint32_t call_new(struct world *world);
void call_free(struct world *world, uint32_t i);
uint32_t message_new(struct world *world);
/* So many more can be made without moving those that there are. */
void message_reserve(struct world *world, uint32_t more);
void message_free(struct world *world, uint32_t i);
void world_reserve_key(struct world *world, uint32_t key);

/* The present take of a call's program. */
const struct take *call_take(const struct world *world, const struct call *call);
/* Does a later take decide as well? */
bool decides_later(const struct world *world, const struct call *call);

/* What the present take does; charges that are given back are settled. */
static inline enum take_kind call_kind(const struct world *world, const struct call *call)
{
    return call->refunds ? TAKE_SETTLE : call_take(world, call)->kind;
}

/* An event span_ns from now; without delay, within this step. */
void post_event(struct world *world, int64_t span_ns, uint32_t payload);
/* How long a message takes over a link, what faults add included. */
int64_t way_ns(struct world *world, const struct message *message, uint32_t from, uint32_t to, enum leg leg);
/* The message or its answer is lost: its call, if it still waits, will learn that. */
void message_lose(struct world *world, uint32_t i);

/* calls.c: a request begins where it is taken. */
void call_start(struct world *world, uint32_t i);
/* The program has ended: a shaped request waits for its departure, then the verdict travels home. */
void call_conclude(struct world *world, uint32_t i);
/* The verdict has reached the caller. */
void call_finish(struct world *world, uint32_t i);
/* Queued events of a call. */
void call_wake(struct world *world, uint32_t i);
void call_depart(struct world *world, uint32_t i);
/* It was running on what has crashed: it ends now, undecided unless its decision stands. */
void call_kill(struct world *world, uint32_t i);

/* Whose step it is, for those who hear of reads and writes. */
void world_set_actor(struct world *world, uint32_t call, uint32_t tag);
/* Runs the call's program one step and whatever follows from it without delay. */
void call_step(struct world *world, uint32_t i, struct message *in);
void drop_ticket(struct world *world, struct call *call);
/* takes.c: the request's first take is prepared. */
void take_first(struct world *world, struct call *call);
/* The next take begins; false when the request is done with. */
bool take_next(struct world *world, uint32_t i);
/* Its answer stands: what follows is silent. */
bool answer_stands(const struct world *world, const struct call *call);
/* A shaped request's delay is over. */
void leave_now(struct world *world, struct call *call);

/* quotas.c: is a quota of this value, told at now_ns, true?  The value is not changed. */
enum quota_told quota_judge(struct world *world, const struct policy *policy, int64_t now_ns,
                            struct value *value, const struct quota *quota);
#endif

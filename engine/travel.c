/* travel.c - how calls and messages get from place to place, and what happens when they arrive. */
#include <assert.h>
#include "world_private.h"

const char *const operation_name[OPERATIONS] = {
    "none", "get", "put", "compare-and-set", "take", "add", "count", "expire", "enter", "return", "wake",
    "block", "spread", "sync"
};

/* Background messages draw from streams of their own, far from any request's id: named by the instant and
 * the node that sends, and by the cell, so that what is told of one key does not depend on other keys. */
static uint64_t background_entity(int64_t now_ns, uint32_t node)
{
    assert(node < NODES_MAX);
    return UINT64_C(1) << 63 | (uint64_t)now_ns * NODES_MAX | node;
}

static struct stream stream_of(struct world *world, const struct message *message, enum stream_kind kind)
{
    assert(message->operation != OP_NONE);
    if (message->call == NO_CALL)
        return (struct stream){ background_entity(world->now_ns, message->tag), kind, message->cell };
    struct call *call = &world->call[message->call];
    return (struct stream){ call->arrival.id, kind,
                            kind == STREAM_DELAY ? call->draws++ : call->chances++ };
}

static int64_t draw_delay(struct world *world, const struct message *message, const struct link *link)
{
    int64_t span_ns = link->delay.least_ns;

    assert(link);
    if (!link->delay.constant)
        span_ns = dist_span_ns(&link->delay, choose(world->setup->chooser,
                                                    stream_of(world, message, STREAM_DELAY), DIST_DRAWS));
    world->delayed |= span_ns > 0;
    return span_ns;
}

static bool draw_rare(struct world *world, const struct message *message, enum stream_kind kind,
                      uint32_t billionths)
{
    assert(billionths <= 1000000000);
    /* The calm answer, 0, is "it does not happen": so what happens lies at the top. */
    bool happens = choose(world->setup->chooser, stream_of(world, message, kind), 1000000000)
                   >= 1000000000 - billionths;
    world->faulted |= happens;
    return happens;
}

static inline bool draw_chance(struct world *world, const struct message *message, enum stream_kind kind,
                               uint32_t billionths)
{
    return billionths > 0 && draw_rare(world, message, kind, billionths);
}

static void ready_push(struct world *world, uint32_t payload)
{
    if (world->ready_n == world->ready_room) {
        /* A ring that is full is unrolled into a larger one. */
        size_t old = world->ready_room;
        world->ready = memory_grow(world->memory, world->ready, &world->ready_room, world->ready_n + 1,
                                   sizeof *world->ready);
        memcpy(world->ready + old, world->ready, world->ready_head * sizeof *world->ready);
    }
    assert(world->ready_n < world->ready_room);
    world->ready[(world->ready_head + world->ready_n++) & (world->ready_room - 1)] = payload;
}

static void post_event(struct world *world, int64_t span_ns, uint32_t payload)
{
    uint32_t kind = payload >> 29;

    assert(span_ns >= 0);
    if (span_ns == 0 && !(world->setup->holds && (kind == EVENT_OPERATION || kind == EVENT_WAKE)))
        ready_push(world, payload);
    else
        event_at(world, world->now_ns + span_ns, payload);
}

/* ---- messages ------------------------------------------------------------------------------------------ */

struct message *world_message(struct world *world, struct call *call, enum operation operation,
                              uint32_t store, uint32_t cell, uint32_t region)
{
    assert(store < world->stores && (world->store[store].model->operations & 1u << operation));
    uint32_t i = message_new(world);
    struct message *message = &world->message[i];
    message->call = (uint32_t)(call - world->call);
    message->tag = call->tag;
    message->operation = (uint8_t)operation;
    message->store = (uint8_t)store;
    message->from = call->at;
    message->to = (uint8_t)region;
    message->take = (uint8_t)call_kind(world, call);
    message->policy = world_policy_set(world, call->key, call->at, call->arrival.variant);
    message->cell = cell;
    message->key = call->key;
    return message;
}

struct message *world_reuse(struct message *in, enum operation operation)
{
    assert(operation_has_value(in->operation) && operation_has_value(operation) && !in->reused);
    in->operation = (uint8_t)operation;
    in->reused = true;
    in->ok = in->lost = in->commits = in->gathered = false;
    return in;
}

/* A copy that arrives too, after the original; nobody waits for it. */
static void duplicate(struct world *world, const struct message *message, int64_t span_ns)
{
    uint32_t original = (uint32_t)(message - world->message), i = message_new(world);
    struct message *copy = &world->message[i];

    message = &world->message[original];
    assert(!message->orphan);
    *copy = *message;
    copy->orphan = true;
    if (values_grow(&world->values) && operation_has_value(copy->operation))
        block_share(&world->values, &copy->value);
    post_event(world, span_ns, event_payload(EVENT_OPERATION, i));
}

void world_send(struct world *world, struct call *call, struct message *message)
{
    const struct link *link = network_link(world->setup->network, message->from, message->to);
    uint32_t i = (uint32_t)(message - world->message);

    assert(call->tag == message->tag && call->pending < UINT16_MAX);
    call->pending++;
    call->operations++;
    if (draw_chance(world, message, STREAM_LOSS, link->loss_billionths)) {
        message->lost = true;
        post_event(world, world->setup->timeout_ns, event_payload(EVENT_ANSWER, i));
        return;
    }
    int64_t span_ns = draw_delay(world, message, link), again_ns = span_ns;
    bool twice = draw_chance(world, message, STREAM_DUPLICATE, link->duplicate_billionths);
    if (twice)
        again_ns = draw_delay(world, message, link);
    /* The caller hears the answer to whichever comes first: call that one the original. */
    post_event(world, i64_min(span_ns, again_ns), event_payload(EVENT_OPERATION, i));
    if (twice)
        duplicate(world, message, i64_max(span_ns, again_ns));
}

void world_return(struct world *world, struct call *call, struct message *message, int64_t span_ns)
{
    assert(message->operation == OP_RETURN && message->to == call->at && call->pending == 0);
    message->stays = true;
    call->pending++;
    post_event(world, world->setup->instant ? 0 : span_ns,
               event_payload(EVENT_OPERATION, (uint32_t)(message - world->message)));
}

void world_forget(struct world *world, struct message *message)
{
    assert(!message->reused);
    message_free(world, (uint32_t)(message - world->message));
}

void world_sleep(struct world *world, struct call *call, int64_t span_ns)
{
    assert(span_ns >= 0 && call->pending == 0);
    if (world->setup->instant)
        span_ns = 0;
    world->delayed |= span_ns > 0;
    post_event(world, span_ns, event_payload(EVENT_WAKE, (uint32_t)(call - world->call)));
}

struct message *world_background(struct world *world, enum operation operation, uint32_t store, uint32_t cell,
                                 uint32_t node, uint32_t to)
{
    assert(store < world->stores && (world->store[store].model->operations & 1u << operation));
    assert(node < world->nodes);
    uint32_t i = message_new(world);
    struct message *message = &world->message[i];
    message->call = NO_CALL;
    message->tag = node;
    message->orphan = true;
    message->operation = (uint8_t)operation;
    message->store = (uint8_t)store;
    message->from = (uint8_t)world->node_region[node];
    message->to = (uint8_t)to;
    message->cell = cell;
    return message;
}

void world_post(struct world *world, struct message *message, int64_t span_ns)
{
    const struct link *link = network_link(world->setup->network, message->from, message->to);
    uint32_t i = (uint32_t)(message - world->message);

    assert(message->call == NO_CALL);
    if (span_ns < 0 && draw_chance(world, message, STREAM_LOSS, link->loss_billionths))
        message_free(world, i);
    else
        post_event(world, span_ns < 0 ? draw_delay(world, message, link) : span_ns,
                   event_payload(EVENT_OPERATION, i));
}

void world_set_timer(struct world *world, uint32_t node, int64_t at_ns)
{
    assert(node < world->nodes && at_ns > world->now_ns);
    event_at(world, at_ns, event_payload(EVENT_TIMER, node));
}

/* ---- arrivals of messages ------------------------------------------------------------------------------ */

/* The store has answered: the call goes on there, or the answer travels back.  True when it is heard within
 * this step. */
static bool answer(struct world *world, uint32_t i, const struct link *back)
{
    struct message *message = &world->message[i];
    int64_t span_ns = 0;

    assert(!message->lost);
    if (message->orphan) {
        message_free(world, i);
        return false;
    }
    if (message->operation == OP_RETURN)
        return true;                        /* it is where it was: what becomes of its answer is known */
    if (message->stays)
        world->call[message->call].mute = message->answer_lost;
    else if ((message->lost = message->answer_lost))
        span_ns = world->setup->timeout_ns;
    else
        span_ns = draw_delay(world, message, back);
    if (span_ns > 0)
        event_at(world, world->now_ns + span_ns, event_payload(EVENT_ANSWER, i));
    return span_ns == 0;
}

static void set_actor(struct world *world, uint32_t call, uint32_t tag)
{
    assert(call == NO_CALL || call < world->calls);
    world->actor = call;
    world->actor_tag = tag;
}

/* A message reaches its store.  True when its answer is heard within this step. */
static bool reach_store(struct world *world, uint32_t i)
{
    struct message *message = &world->message[i];
    struct store *store = &world->store[message->store];

    if (store->model->enabled && !store->model->enabled(store, message)) {
        store->model->park(world, store, i);
        return false;
    }
    /* Whether the answer will be lost is drawn now: a decision that its caller never hears of is none. */
    const struct link *back = network_link(world->setup->network, message->to, message->from);
    assert(message->operation != OP_NONE);
    if (!message->orphan && message->operation != OP_RETURN)
        message->answer_lost = draw_chance(world, message, STREAM_LOSS, back->loss_billionths);
    if (world->setup->observer->saw)
        set_actor(world, message->orphan ? NO_CALL : message->call, message->tag);
    store->model->apply(world, store, message);
    return answer(world, i, back);
}

void world_arrived(struct world *world, uint32_t i)
{
    assert(world->message[i].operation != OP_NONE);
    if (reach_store(world, i))
        ready_push(world, event_payload(EVENT_ANSWER, i));
}

static void hear(struct world *world, uint32_t i)
{
    struct message *message = &world->message[i];
    uint32_t c = message->call;
    struct call *call = &world->call[c];

    if (message->tag != call->tag) {
        message_free(world, i);
        return;
    }
    assert(call->pending > 0);
    call->pending--;
    assert(!message->stays || call->pending == 0);
    call->sum += message->gathered && !message->lost ? (uint64_t)message->amount : 0;
    if (message->stays && !message->lost) {
        call->at = message->to;
        call->at_store = true;
    }
    if (call->pending > 0 && !message->lost) {
        message_free(world, i);             /* the last of those that are gathered goes on */
        return;
    }
    message->reused = false;
    call_step(world, c, message);
    if (!world->message[i].reused)
        message_free(world, i);
}

/* ---- calls --------------------------------------------------------------------------------------------- */

static uint32_t route(struct world *world, const struct arrival *arrival)
{
    uint32_t instances = world->setup->instances[arrival->region];
    const struct coordination *coordination = world->setup->design->coordination;

    assert(arrival->region < world->setup->network->regions);
    if (instances == 1)
        return world->first_node[arrival->region];
    if (coordination->route)
        return world->first_node[arrival->region] + coordination->route(world, arrival);
    return world->first_node[arrival->region]
        + (uint32_t)choose(world->setup->chooser, (struct stream){ arrival->id, STREAM_ROUTE, 0 }, instances);
}

static void start(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];
    const struct arrival *arrival = &call->arrival;

    assert(!call->over && call->phase == 0);
    call->node = (uint16_t)route(world, arrival);
    call->at = (uint8_t)arrival->region;
    take_first(world, call);
    world->setup->observer->arrived(world->setup->observer, arrival);
    call_step(world, i, NULL);
}

static void run_ready(struct world *world);

void world_arrive(struct world *world, const struct arrival *arrival)
{
    assert(arrival->at_ns == world->now_ns);
    uint32_t i = call_new(world);
    world->call[i].arrival = *arrival;
    start(world, i);
    if (world->ready_n > 0)
        run_ready(world);
}

/* The request is done with.  A client who reacts may send its next one. */
static void end(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];
    bool undecided = call->failed && !call->silent;
    struct arrival next;

    assert(call->over);
    if (call->operations > world->most_operations)
        world->most_operations = call->operations;
    bool again = call->arrival.client
        && world->source->ended(world->source, &call->arrival, world->now_ns,
                                undecided ? NULL : &call->answer, &next);
    call_free(world, i);
    if (!again)
        return;
    i = call_new(world);
    world->call[i].arrival = next;
    post_event(world, i64_max(0, next.at_ns - world->now_ns), event_payload(EVENT_ARRIVE, i));
}

/* A take's outcome reaches the caller, who goes on with the program. */
static void finish(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];

    assert(call->over);
    if (call->failed)
        drop_ticket(world, call);
    if (answer_stands(world, call))
        world->setup->observer->finished(world->setup->observer, &call->arrival, world->now_ns, call->failed);
    if (!take_next(world, i))
        end(world, i);
}

/* The program has ended: a shaped request waits for its departure, then the verdict travels home. */
static void conclude(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];

    assert(call->over);
    if (call->effective && call->verdict.allowed && call->verdict.delay_ns > 0 && !call->departed)
        return;
    const struct link *home = network_link(world->setup->network, call->at, call->arrival.region);
    struct message like = { .call = i, .operation = OP_ENTER };
    int64_t span_ns = call->at_store ? draw_delay(world, &like, home) : 0;
    if (span_ns == 0)
        finish(world, i);
    else
        event_at(world, world->now_ns + span_ns, event_payload(EVENT_HOME, i));
}

static void depart(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];

    assert(call->verdict.delay_ns > 0);
    leave_now(world, call);
    if (call->over)
        conclude(world, i);
}

void call_step(struct world *world, uint32_t i, struct message *in)
{
    const struct coordination *coordination = world->setup->design->coordination;

    if (world->message_room - world->messages < STEP_MESSAGES_MAX) {
        uint32_t at = in ? (uint32_t)(in - world->message) : 0;
        message_reserve(world, STEP_MESSAGES_MAX);
        in = in ? &world->message[at] : NULL;
    }
    struct call *call = &world->call[i];
    assert(!call->over);
    if (world->setup->observer->saw)
        set_actor(world, i, call->tag);
    if (in && in->lost && !coordination->catches_loss) {
        call->over = true;
        call->failed = !call->effective;
    } else {
        coordination->step(world, call, in);
    }
    if (call->over) {
        call->tag++;                        /* what is still under way to it comes too late */
        conclude(world, i);
    }
}

/* ---- events -------------------------------------------------------------------------------------------- */

static void perform(struct world *world, uint32_t payload)
{
    uint32_t i = payload & (EVENT_INDEX_MAX - 1);

    switch ((enum event_kind)(payload >> 29)) {
    case EVENT_OPERATION:
        if (reach_store(world, i))
            hear(world, i);
        break;
    case EVENT_ANSWER:    hear(world, i); break;
    case EVENT_WAKE:      call_step(world, i, NULL); break;
    case EVENT_DEPART:    depart(world, i); break;
    case EVENT_HOME:      finish(world, i); break;
    case EVENT_TIMER:     world->setup->design->coordination->timer(world, i); break;
    case EVENT_ARRIVE:    start(world, i); break;
    default:              assert(!"an event of no kind");
    }
}

static void run_ready(struct world *world)
{
    while (world->ready_n > 0) {
        uint32_t payload = world->ready[world->ready_head];
        world->ready_head = (world->ready_head + 1) & (uint32_t)(world->ready_room - 1);
        world->ready_n--;
        perform(world, payload);
    }
    assert(world->ready_n == 0);
}

void world_perform(struct world *world, uint32_t payload)
{
    assert(world->ready_n == 0);
    perform(world, payload);
    if (world->ready_n > 0)
        run_ready(world);
}

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

    assert(kind <= EVENT_ARRIVE);
    if (kind == EVENT_OPERATION || kind == EVENT_ANSWER) {
        const struct message *message = &world->message[i];
        return kind << 24 | node_of(world, message) << 8 | message->to;
    }
    if (kind == EVENT_DEPART)
        return CHANNEL_SETTLED;
    return kind << 24 | (kind == EVENT_TIMER ? i : world->call[i].node);
}

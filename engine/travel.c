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

int64_t way_ns(struct world *world, const struct message *message, uint32_t from, uint32_t to, enum leg leg)
{
    int64_t span_ns = draw_delay(world, message, network_link(world->setup->network, from, to));

    assert(span_ns >= 0);
    return world->faulty ? span_ns + faults_delay_ns(world, message, from, to, leg) : span_ns;
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
    return billionths > 0 && !world->healed && draw_rare(world, message, kind, billionths);
}

/* Is it lost on that way? */
static bool draw_loss(struct world *world, const struct message *message, uint32_t from, uint32_t to,
                      enum leg leg)
{
    const struct link *link = network_link(world->setup->network, from, to);

    assert(leg != LEG_STORE);
    return draw_chance(world, message, STREAM_LOSS, link->loss_billionths)
        || (world->faulty && faults_lose(world, message, from, to, leg));
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

void post_event(struct world *world, int64_t span_ns, uint32_t payload)
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

/* A copy arrives too, and nobody waits for it. */
static void send_copy(struct world *world, uint32_t i, int64_t span_ns)
{
    uint32_t c = message_new(world);
    struct message *copy = &world->message[c];

    assert(c != i);
    *copy = world->message[i];
    copy->orphan = true;
    copy->lost = false;
    if (values_grow(&world->values) && operation_has_value(copy->operation))
        block_share(&world->values, &copy->value);
    post_event(world, span_ns, event_payload(EVENT_OPERATION, c));
}

/* Its call, if it still waits for it, gives up when its patience ends. */
void message_lose(struct world *world, uint32_t i)
{
    struct message *message = &world->message[i];
    struct call *call = message->call == NO_CALL ? NULL : &world->call[message->call];

    assert(message->operation != OP_NONE);
    if (message->orphan || call->tag != message->tag) {
        message_free(world, i);
        return;
    }
    message->lost = true;
    event_at(world, world->now_ns + world_patience_ns(world, call),
               event_payload(EVENT_ANSWER, i));
}

/* It will reach its store, or be done there, in span_ns.  A caller that does not wait so long takes it for
 * lost. */
static void come_later(struct world *world, uint32_t i, int64_t span_ns)
{
    const struct message *message = &world->message[i];

    assert(span_ns >= 0);
    if (!message->orphan && span_ns > world_patience_ns(world, &world->call[message->call])) {
        send_copy(world, i, span_ns);
        message_lose(world, i);
    } else {
        post_event(world, span_ns, event_payload(EVENT_OPERATION, i));
    }
}

/* The delay of a copy.  In the background its stream must not be that of the original. */
static int64_t draw_copy_delay(struct world *world, const struct message *message, const struct link *link)
{
    assert(link);
    if (link->delay.constant)
        return link->delay.least_ns;
    struct stream stream = stream_of(world, message, STREAM_DELAY);
    if (message->call == NO_CALL)
        stream.entity ^= UINT64_C(1) << 62;
    return dist_span_ns(&link->delay, choose(world->setup->chooser, stream, DIST_DRAWS));
}

/* Does it arrive twice?  When the copy does is drawn like any delay, or where a fault doubles it from the
 * fault's own stream. */
static bool draw_double(struct world *world, const struct message *message, int64_t *again_ns)
{
    const struct link *link = network_link(world->setup->network, message->from, message->to);
    uint64_t draw;

    assert(!message->lost);
    if (draw_chance(world, message, STREAM_DUPLICATE, link->duplicate_billionths)) {
        *again_ns = draw_copy_delay(world, message, link);
        return true;
    }
    if (!world->faulty || !faults_double(world, message, &draw))
        return false;
    *again_ns = link->delay.constant ? link->delay.least_ns : dist_span_ns(&link->delay, draw);
    return true;
}

void world_send(struct world *world, struct call *call, struct message *message)
{
    uint32_t i = (uint32_t)(message - world->message);
    int64_t again_ns;

    assert(call->tag == message->tag && call->pending < UINT16_MAX);
    call->pending++;
    message->ordinal = (uint16_t)call->operations++;
    message->received = false;
    call->sent_ns = world->now_ns;
    if (draw_loss(world, message, message->from, message->to, LEG_REQUEST)) {
        message_lose(world, i);
        return;
    }
    int64_t span_ns = way_ns(world, message, message->from, message->to, LEG_REQUEST);
    bool twice = draw_double(world, message, &again_ns);
    /* The caller hears the answer to whichever comes first: call that one the original. */
    come_later(world, i, twice ? i64_min(span_ns, again_ns) : span_ns);
    if (twice)
        send_copy(world, i, i64_max(span_ns, again_ns));
}

void world_return(struct world *world, struct call *call, struct message *message, int64_t span_ns)
{
    assert(message->operation == OP_RETURN && message->to == call->at && call->pending == 0);
    if (world->setup->instant)
        span_ns = 0;
    world->delayed |= span_ns > 0;
    message->stays = true;
    call->pending++;
    post_event(world, span_ns, event_payload(EVENT_OPERATION, (uint32_t)(message - world->message)));
}

void world_forget(struct world *world, struct message *message)
{
    assert(!message->reused);
    message_free(world, (uint32_t)(message - world->message));
}

void world_sleep(struct world *world, struct call *call, int64_t span_ns)
{
    assert(span_ns >= 0 && call->pending == 0 && !call->asleep);
    if (world->setup->instant)
        span_ns = 0;
    world->delayed |= span_ns > 0;
    call->asleep = true;
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
    uint32_t i = (uint32_t)(message - world->message);
    int64_t again_ns;

    assert(message->call == NO_CALL);
    if (span_ns >= 0) {
        post_event(world, span_ns, event_payload(EVENT_OPERATION, i));
        return;
    }
    if (draw_loss(world, message, message->from, message->to, LEG_REQUEST)) {
        message_free(world, i);
        return;
    }
    span_ns = way_ns(world, message, message->from, message->to, LEG_REQUEST);
    if (draw_double(world, message, &again_ns))
        send_copy(world, i, again_ns);
    post_event(world, span_ns, event_payload(EVENT_OPERATION, i));
}

void world_set_timer(struct world *world, uint32_t node, int64_t at_ns)
{
    assert(node < world->nodes && at_ns > world->now_ns);
    event_at(world, at_ns, event_payload(EVENT_TIMER, node));
}

/* ---- arrivals of messages ------------------------------------------------------------------------------ */

/* How long an answer takes; negative: it is lost, or comes when nobody waits for it any more. */
static int64_t draw_way_back(struct world *world, const struct message *message)
{
    assert(!message->orphan);
    if (draw_loss(world, message, message->to, message->from, LEG_ANSWER))
        return -1;
    if (message->stays && !message->lost)   /* the call goes on there: no way back yet */
        return 0;
    int64_t span_ns = way_ns(world, message, message->to, message->from, LEG_ANSWER);
    return span_ns > world_patience_ns(world, &world->call[message->call]) ? -1 : span_ns;
}

/* The store has answered: the call goes on there, or the answer travels back.  True when it is heard within
 * this step. */
static bool answer(struct world *world, uint32_t i, int64_t back_ns)
{
    struct message *message = &world->message[i];

    if (message->orphan) {
        message_free(world, i);
        return false;
    }
    if (message->operation == OP_RETURN)
        return true;                        /* it is where it was: what becomes of its answer is known */
    assert(message->call < world->calls);
    if (message->stays && !message->lost) {
        world->call[message->call].mute = message->answer_lost;
        return true;
    }
    if (back_ns < 0)
        message_lose(world, i);
    else if (back_ns > 0)
        event_at(world, world->now_ns + back_ns, event_payload(EVENT_ANSWER, i));
    return back_ns == 0;
}

/* The store cannot do it and says so at once. */
static bool turn_away(struct world *world, uint32_t i)
{
    struct message *message = &world->message[i];

    assert(!message->lost);
    message->lost = !message->orphan;
    return answer(world, i, message->orphan ? 0 : draw_way_back(world, message));
}

/* A message comes to its store while faults hold.  False: it goes no further now; then *heard says whether
 * its answer is heard within this step. */
static bool receive(struct world *world, uint32_t i, bool *heard)
{
    struct reception reception = faults_receive(world, &world->message[i]);

    assert(reception.wait_ns >= 0 && (reception.lost || !reception.refused));
    *heard = false;
    world->message[i].received = true;
    if (reception.refused)
        *heard = turn_away(world, i);
    else if (reception.lost)
        message_lose(world, i);
    else if (reception.wait_ns > 0)
        come_later(world, i, reception.wait_ns);
    else
        return true;
    return false;
}

/* A message reaches its store.  True when its answer is heard within this step. */
static bool reach_store(struct world *world, uint32_t i)
{
    struct message *message = &world->message[i];
    struct store *store = &world->store[message->store];
    uint32_t key = message->key;
    int64_t back_ns = 0;
    bool heard;

    assert(message->operation != OP_NONE);
    if (!message->orphan && world->call[message->call].tag != message->tag)
        message->orphan = true;             /* its call has ended meanwhile */
    if (world->faulty && !message->received && !receive(world, i, &heard))
        return heard;
    message->received = true;
    if (store->model->enabled && !store->model->enabled(store, message)) {
        store->model->park(world, store, i);
        return false;
    }
    /* What becomes of the answer is drawn now: a decision that its caller never hears of is none. */
    assert(message->operation != OP_NONE);
    if (!message->orphan && message->operation != OP_RETURN) {
        back_ns = draw_way_back(world, message);
        message->answer_lost = back_ns < 0;
    }
    if (world->setup->observer->saw)
        world_set_actor(world, message->orphan ? NO_CALL : message->call, message->tag);
    store->model->apply(world, store, message);
    if (world->faulty)
        faults_used(world, store, key);
    return answer(world, i, back_ns);
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

static void run_ready(struct world *world);

void world_arrive(struct world *world, const struct arrival *arrival)
{
    assert(arrival->at_ns == world->now_ns);
    uint32_t i = call_new(world);
    world->call[i].arrival = *arrival;
    call_start(world, i);
    if (world->ready_n > 0)
        run_ready(world);
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
    case EVENT_WAKE:      call_wake(world, i); break;
    case EVENT_DEPART:    call_depart(world, i); break;
    case EVENT_HOME:      call_finish(world, i); break;
    case EVENT_TIMER:     world->setup->design->coordination->timer(world, i); break;
    case EVENT_ARRIVE:    call_start(world, i); break;
    case EVENT_FAULT:     faults_perform(world, i); break;
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

/* durable_object.c - a Durable Object as it really runs: one object a key, one event at a time.
 *
 * An event enters through the object's input gate.  Storage operations keep the gate shut, and so do hashes
 * and promises that are resolved already; anything else that is awaited (a fetch, a timer, another object,
 * storage.sync()) opens it, and other events come in.  So a read, a decision and a write are exact with
 * nothing but storage between them, and a race with a fetch there: every event that entered meanwhile has
 * read the same state.  A copy is decided on that is as old as the await, and written over what is there.
 *
 * The object forgets its memory when it is evicted after some time without an event; what is stored stays.
 * An alarm may delete a state that is as good as a missing one, because a missing one reads as full. */
#include <assert.h>
#include "systems.h"
#include "../protocols/owners.h"

enum { ENTER = 1, START, BEFORE, READ, BETWEEN, SERVE, AFTER, UNHEARD };
enum { STORE_OBJECTS = OWNER_STORES };
enum { HOME = OWNER_PARAMETERS, PLACE, WAIT, WAIT_TIME, AT, CACHED, REFRESH, STORAGE, STATE, IDLE, COLD,
       ALARM, ALARM_AFTER };
enum { PLACE_FIRST, PLACE_HOME };
enum { WAIT_NONE, WAIT_FETCH, WAIT_TIMER, WAIT_CALL, WAIT_SYNC, WAIT_GET, WAIT_LIST, WAIT_HASH,
       WAIT_PROMISE };
enum { AT_BETWEEN, AT_BEFORE, AT_AFTER };
enum { CACHED_NO, CACHED_TIMER, CACHED_EXPIRY };
enum { STATE_STORED, STATE_MEMORY };
enum { ALARM_NONE, ALARM_FULL, ALARM_HALF, ALARM_ALWAYS };

/* A limiter whose state never gets as good as fresh would have its alarm set again for ever. */
enum { REARMS_MAX = 10000 };

/* What an object keeps beside the state.  The first half belongs to the object, the second to a key, of which
 * it has many with scope=global. */
struct object {
    int64_t last_ns;                    /* until when some event is known to go on, or went on */
    int64_t cached_ns;                  /* when what the field holds was fetched; only where it `caches` */
    uint32_t life;                      /* how often it was started */
    bool loaded, caches;

    bool armed;                         /* a wake-up is under way */
    uint32_t seen_life;                 /* the life that the state in memory is from */
    uint32_t rearmed;                   /* times since the last allowed take */
    int64_t alarm_ns;                   /* when the alarm is due */
};

/* The process died.  What it had stored is still there, and so is its alarm. */
static void forget(struct world *world, struct store *objects, uint32_t cell)
{
    struct object *object = store_more(objects, cell);

    (void)world;
    object->loaded = object->caches = false;
}

static const struct store_model objects_store = {
    .name = "objects", .memory_only = true, .more_bytes = sizeof(struct object), .forget = forget,
};

static struct object *object_of(struct world *world, uint32_t key)
{
    return store_more(&world->store[STORE_OBJECTS], owner_gate_cell(world, key));
}

static struct object *key_of(struct world *world, uint32_t key)
{
    return store_more(&world->store[STORE_OBJECTS], key);
}

static bool is(const struct world *world, unsigned parameter, int64_t value)
{
    return world_parameter(world, parameter) == value;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* An event goes on for so long at least, whether it is inside the gate or waits outside. */
static void stay_awake(struct world *world, uint32_t key, int64_t span_ns)
{
    struct object *object = object_of(world, key);

    object->last_ns = i64_max(object->last_ns, i64_clamp((i128)world->now_ns + span_ns));
}

/* An event is there.  Eviction shows only now: nobody looked at the object since. */
static void begin_event(struct world *world, uint32_t key)
{
    struct object *object = object_of(world, key);
    int64_t idle_ns = world_parameter(world, IDLE);

    if (object->loaded && idle_ns > 0 && world->now_ns - object->last_ns >= idle_ns)
        object->loaded = object->caches = false;
    stay_awake(world, key, 0);
}

/* The object is there, started when it was not; how long that takes. */
static int64_t load(struct world *world, uint32_t key)
{
    struct object *object = object_of(world, key);

    if (object->loaded)
        return 0;
    object->loaded = true;
    object->life++;
    return world_parameter(world, COLD);
}

/* State in memory is from this life of the object, or it is gone. */
static void recall(struct world *world, uint32_t key)
{
    struct object *object = object_of(world, key), *mine = key_of(world, key);
    struct store *states = &world->store[OWNER_STATES];

    if (!is(world, STATE, STATE_MEMORY) || mine->seen_life == object->life)
        return;
    mine->seen_life = object->life;
    if (states->cell[key].present)
        world_delete(world, states, key);
}

/* ---- alarms -------------------------------------------------------------------------------------------- */

static void post_wake(struct world *world, uint32_t key)
{
    uint32_t home = owner_home(world, key);
    struct message *message = world_background(world, OP_WAKE, OWNER_GATES, owner_gate_cell(world, key),
                                               world->first_node[home], home);

    message->key = key;
    world_post(world, message, key_of(world, key)->alarm_ns - world->now_ns);
}

/* The alarm goes off so long from now, and not before, whenever it was set to.  One wake-up is under way at
 * most: one that comes too early goes on. */
static void set_alarm(struct world *world, uint32_t key)
{
    struct object *mine = key_of(world, key);
    i128 due_ns = (i128)world->now_ns + world_parameter(world, ALARM_AFTER);

    mine->alarm_ns = i64_clamp(due_ns);
    if (mine->armed || due_ns > INSTANT_MAX)
        return;
    mine->armed = true;
    post_wake(world, key);
}

static bool may_delete(struct world *world, const struct policy *policy, const struct value *state,
                       int64_t now_ns)
{
    struct quota quota = world->values.limiter->quote(policy, now_ns, value_state(&world->values, state));

    switch (world_parameter(world, ALARM)) {
    case ALARM_FULL: return quota.reset_after_ns == 0;
    case ALARM_HALF: return quota.remaining >= policy->burst / 2;
    default:         return true;
    }
}

static void ring(struct world *world, uint32_t key)
{
    struct store *states = &world->store[OWNER_STATES];
    struct object *mine = key_of(world, key);
    uint32_t home = owner_home(world, key);
    const struct policy *policy = &world->policies[world_policy_set(world, key, home, 0)];

    begin_event(world, key);
    load(world, key);
    recall(world, key);
    if (states->cell[key].present) {
        world->store_reads++;
        if (may_delete(world, policy, &states->cell[key], world_store_clock(world, home)))
            world_delete(world, states, key);
        else if (mine->rearmed++ < REARMS_MAX)
            set_alarm(world, key);
    }
}

static void wake(struct world *world, const struct message *message)
{
    uint32_t key = message->key;

    assert(key_of(world, key)->armed);
    if (world->now_ns < key_of(world, key)->alarm_ns) {
        post_wake(world, key);
        return;
    }
    key_of(world, key)->armed = false;
    ring(world, key);
}

/* ---- one request --------------------------------------------------------------------------------------- */

static bool opens_gate(const struct world *world)
{
    return world_parameter(world, WAIT) >= WAIT_FETCH && world_parameter(world, WAIT) <= WAIT_SYNC;
}

/* Is there something to wait for at this place? */
static bool waits(struct world *world, const struct call *call, int64_t at)
{
    const struct object *object = object_of(world, call->key);
    int64_t refresh_ns = world_parameter(world, REFRESH);

    if (is(world, WAIT, WAIT_NONE) || !is(world, AT, at))
        return false;
    if (is(world, CACHED, CACHED_NO) || !object->caches)
        return true;
    return is(world, CACHED, CACHED_EXPIRY) && world->now_ns - object->cached_ns >= refresh_ns;
}

/* Waits for it, inside the gate or outside; a copy of the state travels along when there is one to make. */
static void pause(struct world *world, struct call *call, bool with_copy)
{
    int64_t span_ns = world_parameter(world, WAIT_TIME);

    if (!opens_gate(world)) {
        world_sleep(world, call, span_ns);
        return;
    }
    struct message *message = world_message(world, call, OP_RETURN, OWNER_GATES,
                                            owner_gate_cell(world, call->key), call->at);
    if (with_copy)
        world_read_here(world, call, OWNER_STATES, call->key, &message->value);
    stay_awake(world, call->key, span_ns);
    world_return(world, call, message, span_ns);
    owner_give_up(world, call);
}

/* What was waited for is there. */
static void keep(struct world *world, const struct call *call)
{
    struct object *object = object_of(world, call->key);

    object->caches = !is(world, CACHED, CACHED_NO);
    object->cached_ns = world->now_ns;
}

/* Decides on the state, or on a copy of it that was read before; whether it was written goes to
 * call->shard. */
static void decide(struct world *world, struct call *call, struct message *copy)
{
    if (!copy) {
        call->shard = world_decide_here(world, call, 0, OWNER_STATES, call->key);
    } else if ((call->shard = world_decide(world, call, 0, &copy->value, false))) {
        world_write_here(world, call, 0, OWNER_STATES, call->key, &copy->value);
    }
    if (is(world, ALARM, ALARM_NONE) || !call->shard || !call->verdict.allowed)
        return;
    key_of(world, call->key)->rearmed = 0;
    set_alarm(world, call->key);
}

static int64_t storage_ns(const struct world *world)
{
    return is(world, STATE, STATE_STORED) ? world_parameter(world, STORAGE) : 0;
}

static int64_t busy_ns(const struct world *world, const struct call *call)
{
    return world_parameter(world, OWNER_SERVICE) + (call->shard ? storage_ns(world) : 0);
}

static void leave(struct world *world, struct call *call)
{
    stay_awake(world, call->key, 0);
    owner_give_up(world, call);
}

/* The object crashed while the program was away from it: there is nothing to come back to. */
static bool died(struct world *world, struct call *call, const struct message *in)
{
    if (!in || !in->lost)
        return false;
    if (!call->effective)
        world_fail(world, call);
    return true;
}

static void step(struct world *world, struct call *call, struct message *in)
{
    int64_t span_ns;

    PROTOCOL_BEGIN(call);
    owner_enter(world, call, is(world, PLACE, PLACE_HOME));
    AWAIT(call, ENTER);
    if (in->lost) {
        owner_unreachable(world, call);
        FINISH(call);
    }
    begin_event(world, call->key);
    if ((span_ns = load(world, call->key)) > 0) {
        world_sleep(world, call, span_ns);
        AWAIT(call, START);
    }
    if (waits(world, call, AT_BEFORE)) {
        pause(world, call, false);
        AWAIT(call, BEFORE);
        if (died(world, call, in))
            FINISH(call);
        keep(world, call);
    }
    if ((span_ns = storage_ns(world)) > 0) {
        world_sleep(world, call, span_ns);
        AWAIT(call, READ);
    }
    recall(world, call->key);
    if (waits(world, call, AT_BETWEEN)) {
        pause(world, call, true);
        AWAIT(call, BETWEEN);
        if (died(world, call, in))
            FINISH(call);
        keep(world, call);
        decide(world, call, in);
    } else {
        decide(world, call, NULL);
    }
    if ((span_ns = busy_ns(world, call)) > 0) {
        world_sleep(world, call, span_ns);
        AWAIT(call, SERVE);
    }
    if (waits(world, call, AT_AFTER)) {
        pause(world, call, false);
        AWAIT(call, AFTER);
        if (died(world, call, in))
            FINISH(call);
        keep(world, call);
    }
    leave(world, call);
    if (!call->mute)
        FINISH(call);
    owner_unheard(world, call);
    AWAIT(call, UNHEARD);
    owner_unreachable(world, call);
    PROTOCOL_END(call);
}

static void set_up(struct world *world)
{
    bool in_memory = is(world, STATE, STATE_MEMORY);

    owners_set_up(world, in_memory ? &memory_store : &cells_store);
    world->store[OWNER_STATES].of_nodes = false;        /* an object's memory is not that of its callers */
    world->store[OWNER_STATES].volatile_memory = in_memory;
    world_add_store(world, &objects_store, 1)->volatile_memory = true;
}

#define SPAN(NAME, PRESET, NS, LOW, ZERO, MEANING)                                                      \
    { .name = NAME, .kind = PARAMETER_SPAN, .preset_text = PRESET, .preset = NS, .low = LOW,            \
      .high = PERIOD_MAX, .zero_word = ZERO, .meaning = MEANING }
#define CHOICE(NAME, PRESET, MEANING, ...)                                                              \
    { .name = NAME, .kind = PARAMETER_CHOICE, .preset_text = PRESET,                                    \
      .choices = (const char *const[]){ PRESET, __VA_ARGS__, NULL }, .meaning = MEANING }

const struct coordination coordination_durable_object = {
    .name = "durable-object",
    .summary = "one object a key behind an input gate, with what it awaits, its memory, storage and alarm",
    .parameter = {
        PARAMETERS_OF_OWNERS,
        PARAMETER_HOME,
        CHOICE("place", "first", "where the object lives: where it was first asked for, or at home", "home"),
        CHOICE("await", "none", "what its code awaits (fetch, timer, call, sync: others come in meanwhile)",
               "fetch", "timer", "call", "sync", "get", "list", "hash", "promise"),
        SPAN("await_time", "50ms", 50000000, 0, NULL, "how long that takes"),
        CHOICE("at", "between", "where it awaits: between read and write, before the read, after the write",
               "before", "after"),
        CHOICE("cached", "no", "what came is kept in a field: refreshed by a timer, or old after `refresh`",
               "timer", "expiry"),
        SPAN("refresh", "60s", 60000000000, 1, NULL, "with cached=expiry: how long the field is good"),
        SPAN("storage", "0", 0, 0, NULL, "how long a storage operation takes (the gate stays shut)"),
        CHOICE("state", "stored", "where the state is: in storage, or in the object's memory alone",
               "memory"),
        SPAN("idle", "none", 0, 0, "none", "evicted from memory after so long without an event"),
        SPAN("cold", "0", 0, 0, NULL, "how long it takes to start, the first time and after an eviction"),
        CHOICE("alarm", "none", "what deletes the state: when full, when half full, or whatever it is",
               "full", "half", "always"),
        SPAN("alarm_after", "10m", 600000000000, 1, NULL, "how long after the last allowed take it rings"),
    },
    .phase = { "start", "enter", "load", "before", "read", "between", "serve", "after", "unheard" },
    .catches_loss = true, .set_up = set_up, .step = step, .wake = wake,
};

/* decide.c - where a limiter meets a state: decisions, their effect, and what the observer and the digest
 * hear of them. */
#include <assert.h>
#include "world_private.h"

int64_t world_store_clock(const struct world *world, uint32_t region)
{
    const struct clock *clocks = world->setup->store_clock;

    assert(region < world->setup->network->regions);
    int64_t reading_ns = clocks ? clock_read(&clocks[region], world->now_ns) : world->now_ns;
    return world->skew_ns ? reading_ns + world->skew_ns[region] : reading_ns;
}

int64_t world_node_clock(const struct world *world, uint32_t node)
{
    const struct clock *clocks = world->setup->node_clock;

    assert(node < world->nodes);
    return clocks ? clock_read(&clocks[node], world->now_ns) : world->now_ns;
}

int64_t world_read_clock(const struct world *world, const struct call *call)
{
    assert(call->node < world->nodes);
    return call->at_store ? world_store_clock(world, call->at) : world_node_clock(world, call->node);
}

void drop_ticket(struct world *world, struct call *call)
{
    assert(world->setup->observer);
    if (call->ticket != TICKET_NONE)
        world->setup->observer->dropped(world->setup->observer, call->ticket);
    call->ticket = TICKET_NONE;
}

/* A reading that may become an admission later; nobody hears of a silent take. */
static void open_ticket(struct world *world, struct call *call, int64_t instant_ns)
{
    assert(call->ticket == TICKET_NONE);
    if (!call->silent)
        call->ticket = world->setup->observer->opened(world->setup->observer, call->arrival.key, instant_ns);
}

void world_take_reading(struct world *world, struct call *call)
{
    assert(!call->effective);
    drop_ticket(world, call);
    call->reading_ns = world_read_clock(world, call);
    call->instant_ns = world->now_ns;
    call->has_reading = true;
    open_ticket(world, call, world->now_ns);
}

/* ---- effect -------------------------------------------------------------------------------------------- */

/* What the digest hears of a decision. */
struct decision_record {
    int64_t instant_ns, cost, retry_after_ns, delay_ns;
    uint32_t node, key, allowed, kind;
};

/* A shaped request leaves the queue when its delay is over, even while its program still goes on.  Where
 * nothing happens by itself, the decision has told when that will be, and nobody waits for it. */
static void leave_later(struct world *world, struct call *call, int64_t departs_ns)
{
    assert(!call->departed && departs_ns >= world->now_ns);
    if (world->setup->holds)
        call->departed = true;
    else if (departs_ns > world->now_ns)
        event_at(world, departs_ns, event_payload(EVENT_DEPART, (uint32_t)(call - world->call)));
    else
        leave_now(world, call);
}

void leave_now(struct world *world, struct call *call)
{
    struct observer *observer = world->setup->observer;

    assert(call->effective && !call->departed);
    call->departed = true;
    observer->departed(observer, call->arrival.id, call->arrival.key,
                       call->arrival.cost + call->arrival.surplus, world->now_ns);
}

/* The variant that a policy, by its place in world->policies, belongs to. */
static uint32_t variant_of(const struct world *world, uint32_t policy)
{
    uint32_t variants = world->setup->variants > 1 ? world->setup->variants : 1;

    assert(policy < world->policy_sets * world->policy_count);
    return policy / world->policy_count % variants;
}

static void tell_decision(struct world *world, struct call *call, enum honesty honesty)
{
    struct observer *observer = world->setup->observer;
    bool shaped = call->verdict.allowed && call->verdict.delay_ns > 0;
    int64_t departs_ns = shaped ? i64_max(world->now_ns, call->instant_ns + call->verdict.delay_ns)
                                : call->instant_ns;
    struct decision decision = {
        .instant_ns = call->instant_ns, .reading_ns = call->reading_ns, .cost = call->arrival.cost,
        .surplus = call->arrival.surplus, .id = call->arrival.id,
        .key = call->arrival.key, .node = call->node, .region = call->arrival.region,
        .ticket = call->ticket, .departs_ns = departs_ns, .verdict = call->verdict, .honesty = honesty,
        .policy = call->policy, .quota = call->quota, .variant = call->variant,
        .quota_told = call->quota_told,
    };

    observer->decided(observer, &decision);
    call->ticket = TICKET_NONE;
    if (shaped)
        leave_later(world, call, departs_ns);
}

/* A take's decision takes effect.  It is the request's unless the request has one, or needs others as
 * well. */
static void take_effect(struct world *world, struct call *call, enum honesty honesty)
{
    bool final = !call->silent && (!call->verdict.allowed || !decides_later(world, call));
    struct decision_record record = {
        call->instant_ns, call->cost, call->verdict.retry_after_ns, call->verdict.delay_ns,
        call->node, call->key, call->verdict.allowed, final ? 1 : 2,
    };

    assert(!call->effective && !call->mute);
    call->effective = true;
    digest_add(&world->digest, &record, sizeof record);
    if (final)
        tell_decision(world, call, honesty);
    else
        drop_ticket(world, call);
}

/* A caller who was told that no wait will do: would one, after all? */
static enum honesty honesty_of_never(struct world *world, const struct policy *policy, struct request request,
                                     struct value *value)
{
    assert(value->present);
    if (request.now_ns >= INSTANT_MAX)
        return HONEST_UNASKED;
    request.now_ns = INSTANT_MAX;
    return value_check(&world->values, policy, request, value).allowed ? TOO_LATE : HONEST_UNASKED;
}

/* Does the wait that a denied caller is told do, and would a nanosecond less not?  Asked of the very state
 * that denied. */
static enum honesty honesty_of(struct world *world, const struct policy *policy, struct request request,
                               struct value *value, const struct verdict *verdict)
{
    struct request later = request;

    assert(value->present);
    if (verdict->allowed)
        return HONEST_UNASKED;
    if (verdict->retry_after_ns == NEVER_NS)
        return honesty_of_never(world, policy, request, value);
    if (verdict->retry_after_ns <= 0)       /* at once, or in the past: there it was denied */
        return TOO_EARLY;
    if (verdict->retry_after_ns > INSTANT_MAX || request.now_ns > INSTANT_MAX - verdict->retry_after_ns)
        return HONEST_UNASKED;
    later.now_ns = request.now_ns + verdict->retry_after_ns;
    if (!value_check(&world->values, policy, later, value).allowed)
        return TOO_EARLY;
    later.now_ns--;
    return value_check(&world->values, policy, later, value).allowed ? TOO_LATE : HONEST;
}

/* Kept with the call: a compare-and-set takes effect later than its state was looked at.  A take that settles
 * nothing leaves no state to look at. */
static void take_quota(struct world *world, struct call *call, const struct policy *policy,
                       struct value *value)
{
    struct quota quota;

    call->policy = NULL;
    call->quota_told = QUOTA_UNASKED;
    if (!value->present)
        return;
    quota = value_quote(&world->values, policy, call->reading_ns, value);
    if (world->setup->judges_quota)
        call->quota_told = quota_judge(world, policy, call->reading_ns, value, &quota);
    if (world->setup->observer->wants_quota) {
        call->policy = policy;
        call->quota = quota;
    }
}

/* A reading taken now, unless one travels with the call. */
static void read_now(struct world *world, struct call *call, int64_t reading_ns)
{
    assert(call->ticket == TICKET_NONE || call->has_reading);
    if (call->has_reading)
        return;
    call->reading_ns = reading_ns;
    call->instant_ns = world->now_ns;
}

/* What a take of this kind does to a value; true when it changed. */
static bool apply_take(struct world *world, enum take_kind kind, const struct policy *policy,
                       struct request request, struct value *value, struct verdict *verdict)
{
    if (kind == TAKE_CHECK) {
        *verdict = value_check(&world->values, policy, request, value);
        return false;
    }
    if (kind == TAKE_DECIDE || kind == TAKE_SPEND)
        return value_decide(&world->values, policy, request, value, verdict);
    assert(request.cost >= 0 || world->values.limiter->refunds);
    assert(kind == TAKE_SETTLE || request.cost == 0);
    *verdict = verdict_allow();
    if (request.cost != 0)
        value_charge(&world->values, policy, request, true, value);
    return request.cost != 0;
}

/* world_decide() under a policy. */
static bool decide(struct world *world, struct call *call, const struct policy *policy, struct value *value,
                   bool tentative)
{
    struct request request = { .cost = call->cost };

    assert(!call->effective);
    if (!call->has_reading)
        drop_ticket(world, call);           /* of an attempt that failed */
    read_now(world, call, world_read_clock(world, call));
    request.now_ns = call->reading_ns;
    call->variant = variant_of(world, (uint32_t)(policy - world->policies));
    bool changed = apply_take(world, call_kind(world, call), policy, request, value, &call->verdict);
    if (call->mute)
        return changed;
    if ((world->setup->observer->wants_quota || world->setup->judges_quota) && !call->silent)
        take_quota(world, call, policy, value);
    if (!tentative || !changed)
        take_effect(world, call,
                    call->verdict.allowed ? HONEST_UNASKED
                                          : honesty_of(world, policy, request, value, &call->verdict));
    else if (call->ticket == TICKET_NONE)
        open_ticket(world, call, call->instant_ns);
    return changed;
}

bool world_decide(struct world *world, struct call *call, uint32_t policy, struct value *value,
                  bool tentative)
{
    assert(policy < world->policy_count);
    return decide(world, call, call_policy(world, call, policy), value, tentative);
}

void world_conclude(struct world *world, struct call *call, struct verdict verdict)
{
    assert(!call->effective);
    if (!call->has_reading)
        drop_ticket(world, call);
    read_now(world, call, world_read_clock(world, call));
    call->variant = variant_of(world, world_policy_set(world, call->key, call->at, call->arrival.variant));
    call->verdict = verdict;
    call->policy = NULL;                /* an attempt that failed may have had one */
    call->quota_told = QUOTA_UNASKED;
    take_effect(world, call, HONEST_UNASKED);
}

void world_fail(struct world *world, struct call *call)
{
    assert(!call->effective);
    drop_ticket(world, call);
    call->failed = true;
}

/* ---- writes -------------------------------------------------------------------------------------------- */

/* Names the request whose step this is, unless it has gone on meanwhile. */
static struct cell_use use_of(const struct world *world, const struct store *store, uint32_t cell)
{
    struct cell_use use = { .store = (uint32_t)(store - world->store), .cell = cell,
                            .now_ns = world->now_ns, .in_background = true };

    assert(cell / store->cells_per_key < store->keys);
    if (world->actor == NO_CALL || world->call[world->actor].tag != world->actor_tag)
        return use;
    use.id = world->call[world->actor].arrival.id;
    use.in_background = false;
    return use;
}

void tell_read(struct world *world, const struct store *store, uint32_t cell, uint32_t version,
               uint32_t newest)
{
    struct observer *observer = world->setup->observer;
    struct cell_use use = use_of(world, store, cell);

    assert(observer->saw);
    use.version = version;
    use.other = newest;
    observer->saw(observer, &use);
}

void tell_wrote(struct world *world, const struct store *store, uint32_t cell, uint32_t version,
                uint32_t read)
{
    struct observer *observer = world->setup->observer;
    struct cell_use use = use_of(world, store, cell);

    assert(observer->wrote);
    use.version = version;
    use.other = read;
    observer->wrote(observer, &use);
}

struct write_record { int64_t at_ns; uint32_t store, cell, version, bytes; };

void world_wrote(struct world *world, const struct store *store, uint32_t cell)
{
    world_wrote_over(world, store, cell, store->cell[cell].version);
}

void world_wrote_over(struct world *world, const struct store *store, uint32_t cell, uint32_t read)
{
    struct value *value = &store->cell[cell];
    struct write_record record = { world->now_ns, (uint32_t)(store - world->store), cell,
                                   ++value->version, 0 };

    assert(value->version != 0);
    /* Of a growing state the digest hears the size alone: its entries are decisions, which it has heard. */
    record.bytes = values_grow(&world->values) ? (uint32_t)value_state_bytes(&world->values, value)
                                               : INLINE_BYTES;
    digest_add(&world->digest, &record, sizeof record);
    if (!values_grow(&world->values))
        digest_add(&world->digest, value->state.bytes, INLINE_BYTES);
    if (!store->model->memory_only)
        world->store_writes++;
    cell_count(world, store, cell);
    world_note_write(world, store, cell, value->version, read);
}

bool world_decide_here(struct world *world, struct call *call, uint32_t policy, uint32_t store, uint32_t cell)
{
    struct store *here = &world->store[store];

    assert(cell / here->cells_per_key < here->keys);
    if (!here->model->memory_only)
        world->store_reads++;
    cell_look(world, here, cell, world_read_clock(world, call));
    world_note_read(world, here, cell, here->cell[cell].version, here->cell[cell].version);
    bool changed = world_decide(world, call, policy, &here->cell[cell], false);
    if (changed) {
        world_wrote(world, here, cell);
        cell_keep(world, here, cell, call_policy(world, call, policy), call->reading_ns,
                  world_read_clock(world, call));
    }
    if (world->faulty)
        faults_used(world, here, cell / here->cells_per_key);
    return changed;
}

void world_read_here(struct world *world, struct call *call, uint32_t store, uint32_t cell,
                     struct value *copy)
{
    struct store *here = &world->store[store];

    assert(cell / here->cells_per_key < here->keys);
    if (!here->model->memory_only)
        world->store_reads++;
    cell_look(world, here, cell, world_read_clock(world, call));
    world_note_read(world, here, cell, here->cell[cell].version, here->cell[cell].version);
    value_copy(&world->values, copy, &here->cell[cell]);
}

void world_write_here(struct world *world, struct call *call, uint32_t policy, uint32_t store, uint32_t cell,
                      const struct value *copy)
{
    struct store *here = &world->store[store];
    uint32_t version = here->cell[cell].version;

    assert(copy->present && policy < world->policy_count);
    world->lost_updates += copy->version != version;
    value_copy(&world->values, &here->cell[cell], copy);
    here->cell[cell].version = version;
    world_wrote_over(world, here, cell, copy->version);
    cell_keep(world, here, cell, call_policy(world, call, policy), call->reading_ns,
              world_read_clock(world, call));
}

void world_delete(struct world *world, struct store *store, uint32_t cell)
{
    assert(store->cell[cell].present);
    value_clear(&world->values, &store->cell[cell]);
    if (store->ends)
        store->ends[cell] = 0;
    world_wrote(world, store, cell);
}

/* ---- for stores ---------------------------------------------------------------------------------------- */

/* The call that a message decides for; NULL when it decides for none: a copy, an answer that will be lost or
 * late. */
static struct call *deciding_call(struct world *world, const struct message *message)
{
    if (message->orphan || message->answer_lost)
        return NULL;
    struct call *call = &world->call[message->call];
    assert(message->call < world->calls);
    return call->tag == message->tag && !call->effective ? call : NULL;
}

void world_take(struct world *world, struct store *store, struct message *message, uint32_t cell)
{
    struct value *value = &store->cell[cell];
    struct call *call = deciding_call(world, message);
    int64_t store_ns = world_store_clock(world, message->to);
    bool changed;

    assert(message->operation == OP_TAKE);
    int64_t reading_ns = message->ok ? message->until_ns : store_ns;

    world->store_reads++;
    cell_look(world, store, cell, store_ns);
    world_note_read(world, store, cell, value->version, value->version);
    if (call) {
        if (!call->has_reading)
            read_now(world, call, store_ns);
        reading_ns = call->reading_ns;
        call->has_reading = true;       /* the store's clock, read now, is as good as one that travelled */
        changed = decide(world, call, message_policy(world, message), value, false);
    } else {
        struct request request = { reading_ns, message->amount };
        struct verdict unheard;
        changed = apply_take(world, (enum take_kind)message->take, message_policy(world, message), request,
                             value, &unheard);
    }
    if (!changed)
        return;
    world_wrote(world, store, cell);
    cell_keep(world, store, cell, message_policy(world, message), reading_ns, store_ns);
}

void world_commit(struct world *world, struct message *message, bool admitted, int64_t retry_after_ns)
{
    struct call *call = deciding_call(world, message);

    assert(message->operation == OP_CAS || message->operation == OP_ADD);
    if (!call)
        return;
    if (message->operation == OP_ADD) {
        assert(!call->policy);              /* a count is no state that a limiter looked at */
        read_now(world, call, world_store_clock(world, message->to));
        call->variant = variant_of(world, message->policy);
        if (retry_after_ns < 0)             /* the window has no end of its own */
            retry_after_ns = policy_window_left_ns(message_policy(world, message), call->reading_ns);
        call->verdict = admitted ? verdict_allow() : verdict_deny(retry_after_ns);
    }
    take_effect(world, call, HONEST_UNASKED);
}

/* calls.c - the life of a request: where it begins, how its verdict gets home, and how a crash ends it. */
#include <assert.h>
#include "world_private.h"

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

/* While faults hold: another instance may take it, or none, or one that must start first.  False when it does
 * not begin now. */
static bool finds_instance(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];
    uint32_t node = faults_route(world, call->node);

    assert(!call->over);
    if (node == NODES_MAX) {                /* nobody is there to answer: the client gives up */
        call->over = call->failed = true;
        event_at(world, world->now_ns + world->setup->timeout_ns, event_payload(EVENT_HOME, i));
        return false;
    }
    call->node = (uint16_t)node;
    int64_t wait_ns = faults_start_ns(world, node);
    if (wait_ns > 0)
        world_sleep(world, call, wait_ns);
    return wait_ns == 0;
}

/* Whoever judges is told which variant of the policy holds for the request when it comes. */
static void tell_arrival(struct world *world, const struct arrival *arrival)
{
    struct arrival told = *arrival;

    assert(arrival->region < world->setup->network->regions);
    if (world->setup->variants > 1 && told.variant == 0)
        told.variant = 1u + world->variant[arrival->region];
    world->setup->observer->arrived(world->setup->observer, &told);
}

void call_start(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];
    const struct arrival *arrival = &call->arrival;

    assert(!call->over && call->phase == 0);
    call->node = (uint16_t)route(world, arrival);
    call->at = (uint8_t)arrival->region;
    call->begun = true;
    take_first(world, call);
    tell_arrival(world, arrival);
    if (world->faulty && !finds_instance(world, i))
        return;
    call_step(world, i, NULL);
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
void call_finish(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];

    assert(call->over);
    if (call->failed)
        drop_ticket(world, call);
    if (answer_stands(world, call)) {
        call->told = true;
        world->setup->observer->finished(world->setup->observer, &call->arrival, world->now_ns,
                                         call->failed && !call->silent);
    }
    if (!take_next(world, i))
        end(world, i);
}

/* Is it admitted, and waits for its departure? */
static bool is_shaped(const struct call *call)
{
    assert(call->verdict.delay_ns >= 0);
    return call->effective && call->verdict.allowed && call->verdict.delay_ns > 0 && !call->departed;
}

void call_conclude(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];

    assert(call->over);
    if (is_shaped(call))
        return;
    struct message like = { .call = i, .tag = call->tag, .operation = OP_ENTER, .from = call->at,
                            .ordinal = (uint16_t)call->operations };
    int64_t span_ns = call->at_store ? way_ns(world, &like, call->at, call->arrival.region, LEG_ANSWER) : 0;
    if (span_ns == 0)
        call_finish(world, i);
    else
        event_at(world, world->now_ns + span_ns, event_payload(EVENT_HOME, i));
}

void world_set_actor(struct world *world, uint32_t call, uint32_t tag)
{
    assert(call == NO_CALL || call < world->calls);
    world->actor = call;
    world->actor_tag = tag;
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
        world_set_actor(world, i, call->tag);
    if (in && in->lost && !coordination->catches_loss) {
        call->over = true;
        call->failed = !call->effective;
    } else {
        coordination->step(world, call, in);
    }
    if (call->over) {
        call->tag++;                        /* what is still under way to it comes too late */
        call_conclude(world, i);
    }
}

/* ---- crashes ------------------------------------------------------------------------------------------- */

/* A request that a crash has ended stays until its last event has come. */
static void end_when_alone(struct world *world, uint32_t i)
{
    const struct call *call = &world->call[i];

    assert(call->dead);
    if (!call->asleep && !is_shaped(call))
        end(world, i);
}

void call_kill(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];
    bool told = call->effective && (!call->verdict.allowed || !decides_later(world, call));

    assert(call->begun && !call->over && !call->dead);
    call->over = call->dead = true;
    call->tag++;
    call->pending = 0;
    drop_ticket(world, call);
    if (!call->silent) {
        call->failed = !told;
        call->answer = call->verdict;
    }
    if (!call->told)
        world->setup->observer->finished(world->setup->observer, &call->arrival, world->now_ns,
                                         call->failed && !call->silent);
    call->told = true;
    end_when_alone(world, i);
}

void call_wake(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];

    assert(call->asleep);
    call->asleep = false;
    if (call->dead)
        end_when_alone(world, i);
    else
        call_step(world, i, NULL);
}

void call_depart(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];

    assert(call->verdict.delay_ns > 0);
    leave_now(world, call);
    if (call->dead)
        end_when_alone(world, i);
    else if (call->over)
        call_conclude(world, i);
}

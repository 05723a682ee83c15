/* faults_ways.c - what faults do to messages: on their way, and when they come to their store. */
#include <assert.h>
#include "faults_private.h"

/* ---- draws --------------------------------------------------------------------------------------------- */

enum { DRAW_WHETHER, DRAW_HOW_MUCH, DRAWS };
enum { LEGS = 4 };

/* Whose message it is.  What nobody waits for any more is named like what goes on in the background. */
static uint64_t entity_of(const struct world *world, const struct message *message)
{
    if (message->call != NO_CALL && world->call[message->call].tag == message->tag)
        return world->call[message->call].arrival.id;
    assert(message->from < world->setup->network->regions);
    return UINT64_C(3) << 62 | (uint64_t)world->now_ns * REGIONS_MAX | message->from;
}

static uint64_t draw(struct world *world, uint32_t i, const struct message *message, enum leg leg,
                     uint32_t what, uint64_t n)
{
    bool background = message->call == NO_CALL;
    uint32_t ordinal = background ? message->cell : message->ordinal;

    assert(what < DRAWS);
    return choose(world->setup->chooser,
                  (struct stream){ entity_of(world, message), world->faults->state[i].stream,
                                   (ordinal * LEGS + leg) * DRAWS + what }, n);
}

static bool happens(struct world *world, uint32_t i, const struct message *message, enum leg leg)
{
    uint32_t billionths = fault_at(world, i)->billionths;

    assert(billionths <= FAULT_CERTAIN);
    return billionths == FAULT_CERTAIN
        || (billionths > 0
            && draw(world, i, message, leg, DRAW_WHETHER, FAULT_CERTAIN) >= FAULT_CERTAIN - billionths);
}

/* ---- links --------------------------------------------------------------------------------------------- */

static bool leads(const struct fault *fault, uint32_t from, uint32_t to)
{
    assert(from < REGIONS_MAX && to < REGIONS_MAX);
    return (fault->from < 0 || (uint32_t)fault->from == from) && (fault->to < 0 || (uint32_t)fault->to == to);
}

static bool on_way(const struct fault *fault, uint32_t from, uint32_t to)
{
    assert(fault->kind <= FAULT_LOST_ANSWERS);
    return leads(fault, from, to) || (fault->both_ways && leads(fault, to, from));
}

static bool loses(const struct fault *fault, uint32_t from, uint32_t to, enum leg leg)
{
    switch (fault->kind) {
    case FAULT_PARTITION:    return from != to && on_way(fault, from, to);
    case FAULT_LOSS:         return on_way(fault, from, to);
    case FAULT_LOST_ANSWERS: return leg == LEG_ANSWER && on_way(fault, from, to);
    default:                 return false;
    }
}

bool faults_lose(struct world *world, const struct message *message, uint32_t from, uint32_t to, enum leg leg)
{
    const struct faults *faults = world->faults;

    assert(world->faulty && leg != LEG_STORE);
    for (uint32_t a = 0; a < faults->actives; a++)
        if (loses(fault_at(world, faults->active[a]), from, to, leg)
            && happens(world, faults->active[a], message, leg))
            return true;
    return false;
}

int64_t faults_delay_ns(struct world *world, const struct message *message, uint32_t from, uint32_t to,
                        enum leg leg)
{
    const struct faults *faults = world->faults;
    int64_t span_ns = 0;

    assert(world->faulty && leg != LEG_STORE);
    for (uint32_t a = 0; a < faults->actives; a++) {
        uint32_t i = faults->active[a];
        const struct fault *fault = fault_at(world, i);
        if (fault->kind == FAULT_DELAY && on_way(fault, from, to) && happens(world, i, message, leg))
            span_ns += (int64_t)draw(world, i, message, leg, DRAW_HOW_MUCH, (uint64_t)fault->span_ns + 1);
    }
    return span_ns;
}

bool faults_double(struct world *world, const struct message *message, uint64_t *copy)
{
    const struct faults *faults = world->faults;

    assert(world->faulty);
    for (uint32_t a = 0; a < faults->actives; a++) {
        uint32_t i = faults->active[a];
        const struct fault *fault = fault_at(world, i);
        if (fault->kind == FAULT_DUPLICATE && on_way(fault, message->from, message->to)
            && happens(world, i, message, LEG_REQUEST)) {
            *copy = draw(world, i, message, LEG_REQUEST, DRAW_HOW_MUCH, DIST_DRAWS);
            return true;
        }
    }
    return false;
}

/* ---- stores -------------------------------------------------------------------------------------------- */

/* What others tell an instance finds it up, or is lost. */
static struct reception tell_node(const struct world *world, const struct message *message)
{
    const struct store *store = &world->store[message->store];
    uint32_t node = message->cell % store->cells_per_key;

    assert(store->model->memory_only);
    return (struct reception){ .lost = store->of_nodes && node < world->nodes && world->faults->down[node] };
}

struct reception faults_receive(struct world *world, const struct message *message)
{
    const struct faults *faults = world->faults;
    struct reception reception = { 0 };

    assert(world->faulty);
    if (world->store[message->store].model->memory_only)
        return tell_node(world, message);
    for (uint32_t a = 0; a < faults->actives && message->operation != OP_SPREAD; a++) {
        uint32_t i = faults->active[a];
        const struct fault *fault = fault_at(world, i);
        if ((fault->kind != FAULT_OUTAGE && fault->kind != FAULT_SLOW)
            || (fault->region >= 0 && (uint32_t)fault->region != message->to)
            || !happens(world, i, message, LEG_STORE))
            continue;
        if (fault->kind == FAULT_SLOW)
            reception.wait_ns += fault->span_ns;
        else
            reception.lost = true;
        reception.refused |= fault->refuses;
    }
    return reception;
}

/* faults.c - the time line of faults: what begins and ends when. */
#include "faults_private.h"
#include <assert.h>

/* What is due of a fault; a queued event is fault * DUES + due. */
enum due { DUE_SNAPSHOT, DUE_END, DUE_BEGIN, DUES };

/* ---- set-up -------------------------------------------------------------------------------------------- */

static void plan(struct world *world, uint32_t i, enum due due, int64_t at_ns)
{
    assert(i < world->setup->faults && due < DUES);
    if (at_ns == NEVER_NS)
        return;
    queue_push(&world->queue, at_ns, event_payload(EVENT_FAULT, i * DUES + due));
    world->fault_events++;
}

/* At one instant the order of queuing holds: so all ends are queued before any beginning. */
static void plan_all(struct world *world, enum due due)
{
    for (uint32_t i = 0; i < world->setup->faults; i++) {
        const struct fault *fault = fault_at(world, i);
        assert(fault->from_ns >= 0 && fault->to_ns >= fault->from_ns && fault->kind < FAULT_KINDS);
        if (due == DUE_BEGIN)
            plan(world, i, due, fault->from_ns);
        else if (due == DUE_END && fault->every_ns == 0)
            plan(world, i, due, fault->to_ns);
        else if (due == DUE_SNAPSHOT && fault->kind == FAULT_FAILOVER)
            plan(world, i, due, i64_max(0, fault->from_ns - fault->span_ns));
    }
}

static uint32_t number_in_kind(const struct world *world, uint32_t i)
{
    uint32_t number = 0;

    assert(i < world->setup->faults);
    for (uint32_t before = 0; before < i; before++)
        number += fault_at(world, before)->kind == fault_at(world, i)->kind;
    return number;
}

void faults_init(struct world *world)
{
    uint32_t count = world->setup->faults;

    assert(count <= FAULTS_MAX && (count == 0 || world->setup->fault));
    if (count == 0)
        return;
    struct faults *faults = world->faults = world->memory->resize(world->memory, NULL, sizeof *faults);
    memset(faults, 0, sizeof *faults);
    faults->state = memory_grow(world->memory, NULL, &faults->state_room, count, sizeof *faults->state);
    faults->active = memory_grow(world->memory, NULL, &faults->active_room, count, sizeof *faults->active);
    for (uint32_t i = 0; i < count; i++)
        faults->state[i].stream = stream_of_fault(fault_at(world, i)->kind, number_in_kind(world, i));
    for (enum due due = DUE_SNAPSHOT; due < DUES; due++)
        plan_all(world, due);
}

void faults_free(struct world *world)
{
    struct faults *faults = world->faults;

    assert(world->setup);
    if (!faults)
        return;
    for (uint32_t i = 0; i < world->setup->faults; i++) {
        fault_drop_snapshot(world, i);
        fault_end_capacity(world, i);
    }
    memory_free(world->memory, faults->state);
    memory_free(world->memory, faults->active);
    world->faults = memory_free(world->memory, faults);
}

/* ---- what holds ---------------------------------------------------------------------------------------- */

/* Does it hold from an instant to another, rather than happen? */
static bool lasts(const struct fault *fault)
{
    assert(fault->kind < FAULT_KINDS);
    switch (fault->kind) {
    case FAULT_RECYCLE: case FAULT_OWNER_CRASH: case FAULT_FAILOVER: case FAULT_FORGET: case FAULT_POLICY:
        return false;
    default:
        return true;
    }
}

static void list_active(struct world *world)
{
    struct faults *faults = world->faults;

    assert(faults);
    faults->actives = 0;
    for (uint32_t i = 0; i < world->setup->faults; i++)
        if (faults->state[i].active)
            faults->active[faults->actives++] = i;
    world->faulty = faults->actives > 0 || faults->cold;
}

/* ---- instances ----------------------------------------------------------------------------------------- */

static bool hits_node(const struct world *world, const struct fault *fault, uint32_t node)
{
    uint32_t region = world->node_region[node];

    assert(node < world->nodes);
    return (fault->region < 0 || (uint32_t)fault->region == region)
        && (fault->instance < 0 || (uint32_t)fault->instance == node - world->first_node[region]);
}

static void cool(struct world *world, uint32_t node, int64_t start_ns)
{
    struct faults *faults = world->faults;

    assert(start_ns >= 0);
    faults->start_ns[node] = start_ns;
    faults->started_ns[node] = INT64_MIN;
    faults->cold |= start_ns > 0;
}

static void stop_calls(struct world *world, uint32_t node)
{
    for (uint32_t i = 0; i < world->calls; i++) {
        const struct call *call = &world->call[i];
        assert(!call->begun || call->node < world->nodes);
        if (call->begun && !call->over && call->node == node && !call->at_store)
            call_kill(world, i);
    }
}

static void crash(struct world *world, const struct fault *fault, bool begins)
{
    assert(fault->kind == FAULT_CRASH);
    for (uint32_t node = 0; node < world->nodes; node++) {
        if (!hits_node(world, fault, node))
            continue;
        if (!begins) {
            world->faults->down[node]--;
            continue;
        }
        world->faults->down[node]++;
        fault_wipe_node(world, node);
        cool(world, node, fault->span_ns);
        stop_calls(world, node);
    }
}

static void recycle(struct world *world, const struct fault *fault)
{
    assert(fault->kind == FAULT_RECYCLE);
    for (uint32_t node = 0; node < world->nodes; node++)
        if (hits_node(world, fault, node)) {
            fault_wipe_node(world, node);
            cool(world, node, fault->span_ns);
        }
}

uint32_t faults_route(const struct world *world, uint32_t node)
{
    uint32_t region = world->node_region[node], first = world->first_node[region];
    uint32_t instances = world->setup->instances[region];

    assert(node >= first && node < first + instances);
    for (uint32_t i = 0; i < instances; i++) {
        uint32_t next = first + (node - first + i) % instances;
        if (world->faults->down[next] == 0)
            return next;
    }
    return NODES_MAX;
}

int64_t faults_start_ns(struct world *world, uint32_t node)
{
    struct faults *faults = world->faults;

    assert(node < world->nodes);
    if (faults->start_ns[node] > 0) {
        faults->started_ns[node] = i64_clamp((i128)world->now_ns + faults->start_ns[node]);
        faults->start_ns[node] = 0;
    }
    return i64_max(0, faults->started_ns[node] == INT64_MIN ? 0 : faults->started_ns[node] - world->now_ns);
}

/* ---- beginnings and ends ------------------------------------------------------------------------------- */

static void learn(struct world *world, const struct fault *fault, uint32_t variant)
{
    assert(variant == 0 || variant < world->setup->variants);
    for (uint32_t region = 0; region < world->setup->network->regions; region++)
        if (fault->region < 0 || (uint32_t)fault->region == region)
            world->variant[region] = (uint8_t)variant;
}

static void fail_over(struct world *world, uint32_t i)
{
    const struct fault *fault = fault_at(world, i);

    assert(fault->kind == FAULT_FAILOVER);
    fault_restore(world, i);
    if (fault->offset_ns == 0)
        return;
    world->skew_ns = world->faults->skew_ns;
    for (uint32_t region = 0; region < world->setup->network->regions; region++)
        if (fault->region < 0 || (uint32_t)fault->region == region)
            world->faults->skew_ns[region] += fault->offset_ns;
}

static void begin(struct world *world, uint32_t i)
{
    const struct fault *fault = fault_at(world, i);

    assert(!world->faults->state[i].active);
    world->faults->state[i].active = lasts(fault) && fault->to_ns > fault->from_ns;
    switch (fault->kind) {
    case FAULT_CRASH:       crash(world, fault, true); break;
    case FAULT_RECYCLE:     recycle(world, fault); break;
    case FAULT_OWNER_CRASH: fault_crash_owners(world, fault); break;
    case FAULT_FAILOVER:    fail_over(world, i); break;
    case FAULT_FORGET:      fault_forget(world, fault); break;
    case FAULT_CAPACITY:    fault_begin_capacity(world, i); break;
    case FAULT_POLICY:      learn(world, fault, fault->variant); break;
    default:                break;
    }
    if (fault->every_ns > 0 && world->now_ns < fault->to_ns - fault->every_ns)
        plan(world, i, DUE_BEGIN, world->now_ns + fault->every_ns);
}

static void end(struct world *world, uint32_t i)
{
    const struct fault *fault = fault_at(world, i);

    assert(fault->every_ns == 0);
    world->faults->state[i].active = false;
    if (fault->kind == FAULT_CRASH)
        crash(world, fault, false);
    else if (fault->kind == FAULT_CAPACITY)
        fault_end_capacity(world, i);
    else if (fault->kind == FAULT_POLICY)
        learn(world, fault, 0);
}

void faults_perform(struct world *world, uint32_t index)
{
    uint32_t i = index / DUES;

    assert(world->fault_events > 0 && i < world->setup->faults);
    world->fault_events--;
    if (world->healed)
        return;
    switch ((enum due)(index % DUES)) {
    case DUE_SNAPSHOT: fault_take_snapshot(world, i); break;
    case DUE_BEGIN:    begin(world, i); break;
    default:           end(world, i);
    }
    list_active(world);
}

void world_heal(struct world *world)
{
    struct faults *faults = world->faults;

    world->healed = true;
    if (!faults)
        return;
    for (uint32_t i = 0; i < world->setup->faults; i++) {
        fault_end_capacity(world, i);
        faults->state[i].active = false;
    }
    memset(faults->down, 0, sizeof faults->down);
    memset(faults->start_ns, 0, sizeof faults->start_ns);
    faults->cold = false;
    list_active(world);
    assert(!world->faulty);
}

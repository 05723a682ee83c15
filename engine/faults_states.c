/* faults_states.c - what faults do to what is stored: memory that is lost, keys that are forgotten, stores
 * that are as they were before. */
#include <assert.h>
#include "faults_private.h"
#include "stores/owner.h"

/* ---- where keys live ----------------------------------------------------------------------------------- */

struct store *fault_gates(struct world *world)
{
    assert(world->stores <= STORES_MAX);
    for (uint32_t i = 0; i < world->stores; i++)
        if (world->store[i].model->operations & 1u << OP_ENTER)
            return &world->store[i];
    return NULL;
}

/* The region of a key's own object, or of the one object that all keys share; REGIONS_MAX: nowhere yet. */
static uint32_t home_of(const struct store *gates, uint32_t key)
{
    const struct gate *gate;

    assert(gates->model->more_bytes == sizeof *gate);
    if (key >= gates->keys)
        return REGIONS_MAX;
    gate = store_more(gates, key * gates->cells_per_key);
    if (gate->home == 0)
        gate = store_more(gates, 0);
    return gate->home > 0 ? gate->home - 1 : REGIONS_MAX;
}

uint32_t fault_key_region(const struct world *world, uint32_t key)
{
    for (uint32_t i = 0; i < world->stores; i++)
        if (world->store[i].model->operations & 1u << OP_ENTER)
            return home_of(&world->store[i], key);
    assert(world->home < world->setup->network->regions);
    return world->home;
}

/* ---- forgetting ---------------------------------------------------------------------------------------- */

static void clear_cell(struct world *world, struct store *store, uint32_t cell)
{
    assert(cell / store->cells_per_key < store->keys);
    if (store->cell[cell].present)
        store->cell[cell].version++;
    value_clear(&world->values, &store->cell[cell]);
    if (store->ends)
        store->ends[cell] = 0;
    if (store->model->forget)
        store->model->forget(world, store, cell);
    cell_count(world, store, cell);
}

static void clear_key(struct world *world, struct store *store, uint32_t key)
{
    assert(key < store->keys);
    for (uint32_t i = 0; i < store->cells_per_key; i++)
        clear_cell(world, store, key * store->cells_per_key + i);
}

void fault_wipe_node(struct world *world, uint32_t node)
{
    assert(node < world->nodes);
    for (uint32_t s = 0; s < world->stores; s++) {
        struct store *store = &world->store[s];
        for (uint32_t key = 0; store->of_nodes && key < store->keys; key++)
            clear_cell(world, store, key * store->cells_per_key + node);
    }
}

void fault_forget_key(struct world *world, uint32_t key)
{
    assert(world->stores <= STORES_MAX);
    for (uint32_t s = 0; s < world->stores; s++) {
        struct store *store = &world->store[s];
        if (!store->model->memory_only && key < store->keys)
            clear_key(world, store, key);
    }
}

uint32_t fault_keys(const struct world *world)
{
    uint32_t keys = 0;

    assert(world->stores <= STORES_MAX);
    for (uint32_t s = 0; s < world->stores; s++)
        keys = world->store[s].keys > keys ? world->store[s].keys : keys;
    return keys;
}

void fault_forget(struct world *world, const struct fault *fault)
{
    assert(fault->kind == FAULT_FORGET);
    for (uint32_t key = 0; key < fault_keys(world); key++)
        if ((fault->key < 0 || fault->key == key) && fault_hits_key(world, fault, key))
            fault_forget_key(world, key);
}

void fault_crash_owners(struct world *world, const struct fault *fault)
{
    struct store *gates = fault_gates(world);

    assert(fault->kind == FAULT_OWNER_CRASH);
    for (uint32_t key = 0; gates && key < gates->keys; key++) {
        if (!fault_hits_key(world, fault, key))
            continue;
        for (uint32_t s = 0; s < world->stores; s++)
            if (world->store[s].volatile_memory && key < world->store[s].keys)
                clear_key(world, &world->store[s], key);
        for (uint32_t i = 0; i < gates->cells_per_key; i++)
            owner_crash(world, gates, key * gates->cells_per_key + i);
    }
}

/* ---- failover ------------------------------------------------------------------------------------------ */

static bool fails_over(const struct store *store)
{
    return !store->model->memory_only && store->model->more_bytes == 0;
}

static void copy_store(struct world *world, struct snapshot *to, const struct store *from)
{
    assert(to->cells == 0);
    if (from->keys == 0)
        return;
    to->cells = (size_t)from->keys * from->cells_per_key;
    to->cell = memory_grow(world->memory, to->cell, &to->cell_room, to->cells, sizeof *to->cell);
    for (size_t i = 0; i < to->cells; i++)
        value_copy(&world->values, &to->cell[i], &from->cell[i]);
    if (!from->ends)
        return;
    to->ends = memory_grow(world->memory, to->ends, &to->ends_room, to->cells, sizeof *to->ends);
    memcpy(to->ends, from->ends, to->cells * sizeof *to->ends);
}

void fault_take_snapshot(struct world *world, uint32_t i)
{
    struct fault_state *state = &world->faults->state[i];

    assert(!state->taken);
    state->taken = true;
    for (uint32_t s = 0; s < world->stores; s++)
        if (fails_over(&world->store[s]))
            copy_store(world, &state->snapshot[s], &world->store[s]);
}

void fault_drop_snapshot(struct world *world, uint32_t i)
{
    struct fault_state *state = &world->faults->state[i];

    assert(i < world->setup->faults);
    for (uint32_t s = 0; s < world->stores; s++) {
        struct snapshot *snapshot = &state->snapshot[s];
        for (size_t cell = 0; cell < snapshot->cells; cell++)
            value_clear(&world->values, &snapshot->cell[cell]);
        memory_free(world->memory, snapshot->cell);
        memory_free(world->memory, snapshot->ends);
        *snapshot = (struct snapshot){ 0 };
    }
    state->taken = false;
}

static void restore_cell(struct world *world, struct store *store, uint32_t cell,
                         const struct snapshot *snapshot)
{
    struct value *value = &store->cell[cell];
    uint32_t version = value->version;
    bool known = cell < snapshot->cells;

    assert(!known || snapshot->cell[cell].version <= version);
    if (version == (known ? snapshot->cell[cell].version : 0))
        return;                             /* nothing was written meanwhile */
    if (known)
        value_copy(&world->values, value, &snapshot->cell[cell]);
    else
        value_clear(&world->values, value);
    value->version = version + 1;
    if (store->ends)
        store->ends[cell] = known ? snapshot->ends[cell] : 0;
    cell_count(world, store, cell);
}

void fault_restore(struct world *world, uint32_t i)
{
    const struct fault *fault = fault_at(world, i);
    const struct fault_state *state = &world->faults->state[i];

    assert(state->taken);
    for (uint32_t s = 0; s < world->stores; s++) {
        struct store *store = &world->store[s];
        if (!fails_over(store))
            continue;
        for (uint32_t key = 0; key < store->keys; key++)
            for (uint32_t c = 0; c < store->cells_per_key && fault_hits_key(world, fault, key); c++)
                restore_cell(world, store, key * store->cells_per_key + c, &state->snapshot[s]);
    }
    fault_drop_snapshot(world, i);
}

/* ---- ends of keys -------------------------------------------------------------------------------------- */

static bool ends_otherwise(struct world *world, uint32_t i, const struct store *store, uint32_t cell)
{
    const struct fault *fault = fault_at(world, i);
    struct stream stream = { (uint64_t)(store - world->store) << 32 | cell, world->faults->state[i].stream,
                             store->cell[cell].version };

    assert(fault->kind == FAULT_EXPIRY);
    return fault->billionths == FAULT_CERTAIN
        || (fault->billionths > 0
            && choose(world->setup->chooser, stream, FAULT_CERTAIN) >= FAULT_CERTAIN - fault->billionths);
}

int64_t faults_end_ns(struct world *world, const struct store *store, uint32_t cell, int64_t now_ns,
                      int64_t end_ns)
{
    const struct faults *faults = world->faults;

    assert(world->faulty);
    for (uint32_t a = 0; a < faults->actives; a++) {
        const struct fault *fault = fault_at(world, faults->active[a]);
        if (fault->kind != FAULT_EXPIRY || !fault_hits_key(world, fault, cell / store->cells_per_key)
            || !ends_otherwise(world, faults->active[a], store, cell))
            continue;
        if (fault->span_ns == NEVER_NS)
            return NEVER_NS;
        end_ns = i64_max(now_ns, i64_clamp((i128)end_ns + fault->span_ns));
    }
    return end_ns;
}

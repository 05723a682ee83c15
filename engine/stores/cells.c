/* cells.c - one linearizable copy of each key's state: a database row, a Redis key. */
#include <assert.h>
#include "cells.h"

static void get(struct world *world, struct store *store, struct message *message)
{
    assert(!message->value.present);
    cell_look(world, store, message->cell, world_store_clock(world, message->to));
    world->store_reads++;
    world_note_read(world, store, message->cell, store->cell[message->cell].version,
                    store->cell[message->cell].version);
    value_copy(&world->values, &message->value, &store->cell[message->cell]);
}

static void keep(struct world *world, struct store *store, const struct message *message)
{
    const struct call *call = message->orphan ? NULL : &world->call[message->call];
    int64_t now_ns = world_store_clock(world, message->to);
    int64_t reading_ns = call && call->tag == message->tag ? call->reading_ns : now_ns;

    assert(message->operation == OP_PUT || message->operation == OP_CAS);
    cell_keep(world, store, message->cell, message_policy(world, message), reading_ns, now_ns);
}

void cells_put(struct world *world, struct store *store, struct message *message)
{
    struct value *cell = &store->cell[message->cell];
    uint32_t version = cell->version;

    assert(message->value.present);
    uint32_t read = message->value.version;

    world->lost_updates += read != version;
    value_copy(&world->values, cell, &message->value);
    cell->version = version;
    world_wrote_over(world, store, message->cell, read);
    if (store->ends)
        keep(world, store, message);
}

static void compare_and_set(struct world *world, struct store *store, struct message *message)
{
    cell_look(world, store, message->cell, world_store_clock(world, message->to));
    message->ok = store->cell[message->cell].version == message->value.version;
    assert(message->value.present);
    if (!message->ok) {
        world->store_reads++;
        return;
    }
    cells_put(world, store, message);
    if (message->commits)
        world_commit(world, message, true, 0);
}

/* ---- counters ------------------------------------------------------------------------------------------ */

/* The counter as it stands at a window (aligned ones) or an instant (those with an end). */
static struct counter counter_at(struct value *value, int64_t window, int64_t now_ns)
{
    struct counter counter = *value_counter(value);

    assert(!value->present || counter.count >= 0);
    if (!value->present || now_ns >= counter.until_ns)
        return (struct counter){ .window = window, .until_ns = INT64_MAX };
    if (window > counter.window)
        return (struct counter){ .window = window, .until_ns = INT64_MAX,
                                 .previous = window == counter.window + 1 ? counter.count : 0 };
    return counter;
}

/* The count of a window, present or past; what is older has expired. */
static int64_t count_of(const struct counter *counter, int64_t window)
{
    assert(window <= counter->window);
    return window == counter->window ? counter->count : window == counter->window - 1 ? counter->previous : 0;
}

/* A counter's end, one period from now. */
static int64_t end_of_period(struct world *world, const struct store *store, const struct message *message,
                             int64_t now_ns)
{
    int64_t end_ns = i64_clamp((i128)now_ns + message_policy(world, message)->period_ns);

    assert(end_ns > now_ns);
    return world->faulty ? faults_end_ns(world, store, message->cell, now_ns, end_ns) : end_ns;
}

/* message->until_ns: the window that the caller's clock names (0 where windows have an end instead);
 * message->ok: an end is set in the same step when there is none. */
static void add(struct world *world, struct store *store, struct message *message)
{
    const struct policy *policy = message_policy(world, message);
    struct value *cell = &store->cell[message->cell];
    int64_t now_ns = world_store_clock(world, message->to), window = message->until_ns;
    struct counter counter = counter_at(cell, window, now_ns);
    int64_t sum = i64_max(0, count_of(&counter, window) + message->amount);
    bool passes = message->amount <= 0 || sum <= policy->limit, never = message->amount > policy->limit;

    assert(message->policy < world->policy_sets * world->policy_count);
    if (window == counter.window)
        counter.count = sum;
    else if (window == counter.window - 1)
        counter.previous = sum;
    if (message->ok && counter.until_ns == INT64_MAX)
        counter.until_ns = end_of_period(world, store, message, now_ns);
    *value_counter(cell) = counter;
    cell->present = 1;
    world_note_read(world, store, message->cell, cell->version, cell->version);
    world_wrote(world, store, message->cell);
    message->amount = sum;
    message->until_ns = counter.until_ns;
    if (message->commits)
        world_commit(world, message, passes,
                     never ? NEVER_NS : counter.until_ns == INT64_MAX ? -1 : counter.until_ns - now_ns);
}

static void count(struct world *world, struct store *store, struct message *message)
{
    struct counter counter = counter_at(&store->cell[message->cell], message->until_ns,
                                        world_store_clock(world, message->to));

    assert(counter.count >= 0);
    world->store_reads++;
    world_note_read(world, store, message->cell, store->cell[message->cell].version,
                    store->cell[message->cell].version);
    message->amount = count_of(&counter, message->until_ns);
}

static void expire(struct world *world, struct store *store, struct message *message)
{
    struct value *cell = &store->cell[message->cell];
    int64_t now_ns = world_store_clock(world, message->to);

    assert(message->operation == OP_EXPIRE);
    if (!cell->present || value_counter(cell)->until_ns != INT64_MAX)
        return;
    value_counter(cell)->until_ns = end_of_period(world, store, message, now_ns);
    world_wrote(world, store, message->cell);
}

/* ---- blocks of allowance ------------------------------------------------------------------------------- */

static void block(struct world *world, struct store *store, struct message *message)
{
    const struct policy *policy = message_policy(world, message);
    struct value *cell = &store->cell[message->cell];
    struct request request = { world_store_clock(world, message->to), message->amount };
    struct verdict verdict;

    assert(message->amount >= message->until_ns);
    world->store_reads++;
    world_note_read(world, store, message->cell, cell->version, cell->version);
    if (!value_check(&world->values, policy, request, cell).allowed)
        request.cost = message->until_ns;
    if (value_decide(&world->values, policy, request, cell, &verdict))
        world_wrote(world, store, message->cell);
    message->ok = verdict.allowed;
    message->amount = verdict.allowed ? request.cost : 0;
    message->until_ns = verdict.retry_after_ns;
}

void cells_apply(struct world *world, struct store *store, struct message *message)
{
    switch ((enum operation)message->operation) {
    case OP_GET:    get(world, store, message); break;
    case OP_PUT:    cells_put(world, store, message); break;
    case OP_CAS:    compare_and_set(world, store, message); break;
    case OP_TAKE:   world_take(world, store, message, message->cell); break;
    case OP_ADD:    add(world, store, message); break;
    case OP_COUNT:  count(world, store, message); break;
    case OP_EXPIRE: expire(world, store, message); break;
    case OP_BLOCK:  block(world, store, message); break;
    default:        assert(!"an operation that this store does not offer");
    }
}

const struct store_model cells_store = {
    .name = "cells",
    .operations = 1u << OP_GET | 1u << OP_PUT | 1u << OP_CAS | 1u << OP_TAKE | 1u << OP_ADD | 1u << OP_COUNT
                | 1u << OP_EXPIRE | 1u << OP_BLOCK,
    .apply = cells_apply,
};

/* An instance's own memory: reached within a step, never by message. */
const struct store_model memory_store = { .name = "memory", .memory_only = true, .node_memory = true };

#include "world_rig.h"
#include "../engine/stores/kv.h"

static struct trial *trial_of_world(struct world *world) { return (struct trial *)(void *)world; }
static struct trial *trial_of_observer(struct observer *observer)
{
    return (struct trial *)(void *)((char *)observer - offsetof(struct trial, observer));
}

static void *grown(void *block, size_t n, size_t bytes)
{
    void *more = (n & (n - 1)) == 0 ? realloc(block, (n ? 2 * n : 1) * bytes) : block;

    assert_non_null(more);
    return more;
}

/* ---- stating ----------------------------------------------------------------------------------------- */

struct trial *trial_new(const char *design, uint32_t regions, int64_t limit, int64_t period_ns)
{
    static const char *const name[TRIAL_REGIONS] = { "a", "b", "c", "d", "e", "f", "g", "h" };
    struct trial *trial = calloc(1, sizeof *trial);

    assert_non_null(trial);
    assert_true(regions <= TRIAL_REGIONS);
    trial->text = design;
    trial->policy = (struct policy){ .limit = limit, .period_ns = period_ns, .burst = limit };
    trial->topology = (struct topology){ .regions = regions, .link = trial->link, .clock = trial->clock };
    for (uint32_t i = 0; i < regions; i++) {
        trial->topology.region[i] = name[i];
        trial->topology.instances[i] = 1;
    }
    trial->chooser = (struct chooser){ .mode = CHOOSE_KEYED, .seed = 1 };
    trial->timeout_ns = 5 * S;
    return trial;
}

void trial_free(struct trial *trial)
{
    if (trial->played)
        oracle_free(&trial->oracle);
    keys_free(&trial->keys);
    arena_free(&trial->arena);
    free(trial->asked);
    free(trial->told);
    free(trial->effect);
    free(trial->reading);
    if (trial->played)
        world_free(&trial->world);
    assert_int_equal(trial->counting.used, 0);
    free(trial);
}

static void link_one_way(struct trial *trial, uint32_t from, uint32_t to, int64_t low_ns, int64_t high_ns)
{
    assert_true(trial->topology.links < TRIAL_LINKS);
    trial->link[trial->topology.links++] = (struct link_spec){ .from = from, .to = to, .delay = {
        .kind = low_ns == high_ns ? DIST_CONSTANT : DIST_UNIFORM, .low_ns = low_ns,
        .high_ns = low_ns == high_ns ? 0 : high_ns } };
}

void trial_link(struct trial *trial, uint32_t a, uint32_t b, int64_t low_ns, int64_t high_ns)
{
    link_one_way(trial, a, b, low_ns, high_ns);
    if (a != b)
        link_one_way(trial, b, a, low_ns, high_ns);
}

void trial_links(struct trial *trial, int64_t low_ns, int64_t high_ns)
{
    for (uint32_t a = 0; a < trial->topology.regions; a++)
        for (uint32_t b = 0; b < a; b++)
            trial_link(trial, a, b, low_ns, high_ns);
}

void trial_hurt(struct trial *trial, uint32_t from, uint32_t to, uint32_t loss, uint32_t duplicate)
{
    for (uint32_t i = 0; i < trial->topology.links; i++)
        if (trial->link[i].from == from && trial->link[i].to == to) {
            trial->link[i].loss_billionths = loss;
            trial->link[i].duplicate_billionths = duplicate;
            return;
        }
    fail_msg("no link leads from %u to %u", from, to);
}

void trial_offset(struct trial *trial, uint32_t region, bool of_store, int64_t offset_ns)
{
    assert_true(trial->topology.clocks < TRIAL_CLOCKS);
    trial->clock[trial->topology.clocks++] = (struct clock_spec){
        .region = region, .instance = -1, .store_clock = of_store, .clock = { .offset_ns = offset_ns } };
}

struct fault *trial_fault(struct trial *trial, enum fault_kind kind, int64_t from_ns, int64_t to_ns)
{
    assert_true(trial->faults < TRIAL_FAULTS);
    struct fault *fault = &trial->fault[trial->faults++];
    *fault = (struct fault){ .kind = kind, .from_ns = from_ns, .to_ns = to_ns, .key = -1, .region = -1,
                             .instance = -1, .from = -1, .to = -1, .billionths = FAULT_CERTAIN };
    return fault;
}

void ask(struct trial *trial, int64_t at_ns, uint32_t region, uint32_t key, int64_t cost)
{
    uint32_t i = trial->asks;

    assert_true(i == 0 || trial->asked[i - 1].at_ns <= at_ns);
    trial->asked = grown(trial->asked, trial->asks++, sizeof *trial->asked);
    trial->asked[i] = (struct arrival){ .at_ns = at_ns, .cost = cost, .id = i, .key = key, .region = region };
}

void ask_times(struct trial *trial, int times, int64_t at_ns, uint32_t region)
{
    for (int i = 0; i < times; i++)
        ask(trial, at_ns, region, 0, 1);
}

/* ---- watching ---------------------------------------------------------------------------------------- */

static bool next_arrival(struct source *source, struct arrival *out)
{
    struct trial *trial = (struct trial *)(void *)((char *)source - offsetof(struct trial, source));

    if (trial->next == trial->asks)
        return false;
    *out = trial->asked[trial->next++];
    return true;
}

static void check_instant(struct trial *trial, int64_t instant_ns)
{
    assert_true(instant_ns >= trial->last_instant_ns);
    trial->last_instant_ns = instant_ns;
}

static void arrived(struct observer *observer, const struct arrival *arrival)
{
    struct trial *trial = trial_of_observer(observer);

    assert_int_equal(trial->world.now_ns, arrival->at_ns);
    trial->told[arrival->id].arrived++;
    trial->oracle.observer.arrived(&trial->oracle.observer, arrival);
}

static uint32_t opened(struct observer *observer, uint32_t key, int64_t instant_ns)
{
    struct trial *trial = trial_of_observer(observer);
    uint32_t ticket = trial->oracle.observer.opened(&trial->oracle.observer, key, instant_ns);

    check_instant(trial, instant_ns);
    trial->reading = grown(trial->reading, trial->readings, sizeof *trial->reading);
    trial->reading[trial->readings++] = (struct opening){ .oracle_ticket = ticket };
    return trial->readings;
}

static uint32_t settle(struct trial *trial, uint32_t ticket)
{
    struct opening *reading = &trial->reading[ticket - 1];

    assert_in_range(ticket, 1, trial->readings);
    assert_false(reading->settled);
    reading->settled = true;
    return reading->oracle_ticket;
}

static void dropped(struct observer *observer, uint32_t ticket)
{
    struct trial *trial = trial_of_observer(observer);

    trial->oracle.observer.dropped(&trial->oracle.observer, settle(trial, ticket));
}

/* It is that of a call that has just become effective. */
static const struct arrival *whose(struct trial *trial, const struct decision *decision)
{
    for (uint32_t i = 0; i < trial->world.calls; i++) {
        const struct call *call = &trial->world.call[i];
        if (call->effective && call->arrival.id == decision->id && trial->told[decision->id].decided == 0)
            return &call->arrival;
    }
    fail_msg("a decision on key %u belongs to no request that lacks one", decision->key);
    return NULL;
}

static void decided(struct observer *observer, const struct decision *decision)
{
    struct trial *trial = trial_of_observer(observer);
    const struct arrival *arrival = whose(trial, decision);
    struct told *told = &trial->told[arrival->id];
    struct decision forwarded = *decision;

    assert_int_equal(told->finished, 0);
    assert_int_equal(decision->cost, arrival->cost);
    assert_int_equal(decision->surplus, arrival->surplus);
    assert_int_equal(decision->key, arrival->key);
    assert_int_equal(decision->region, arrival->region);
    assert_int_equal(decision->verdict.retry_after_ns > 0, !decision->verdict.allowed);
    assert_true(decision->instant_ns <= trial->world.now_ns);
    assert_null(decision->policy);      /* no quota was asked for */
    if (decision->ticket == TICKET_NONE)
        check_instant(trial, decision->instant_ns);
    else
        forwarded.ticket = settle(trial, decision->ticket);
    told->decided++;
    told->order = ++trial->decisions;
    told->decision = *decision;
    trial->oracle.observer.decided(&trial->oracle.observer, &forwarded);
}

static void departed(struct observer *observer, uint64_t id, uint32_t key, int64_t cost,
                     int64_t instant_ns)
{
    struct trial *trial = trial_of_observer(observer);

    for (uint32_t i = 0; i < trial->world.calls; i++) {
        const struct call *call = &trial->world.call[i];
        struct told *told = &trial->told[call->arrival.id];
        if (call->departed && call->arrival.key == key && told->departed == 0 && told->decided) {
            told->departed++;
            told->departed_ns = instant_ns;
            break;
        }
    }
    trial->oracle.observer.departed(&trial->oracle.observer, id, key, cost, instant_ns);
}

static void finished(struct observer *observer, const struct arrival *arrival, int64_t now_ns,
                     bool failed)
{
    struct trial *trial = trial_of_observer(observer);
    struct told *told = &trial->told[arrival->id];

    told->finished++;
    told->finished_ns = now_ns;
    told->failed = failed;
    trial->oracle.observer.finished(&trial->oracle.observer, arrival, now_ns, failed);
}

/* A store's step, noted and then done. */
static void apply_watched(struct world *world, struct store *store, struct message *message)
{
    struct trial *trial = trial_of_world(world);
    uint32_t i = trial->effects, at = (uint32_t)(message - world->message);

    trial->effect = grown(trial->effect, trial->effects++, sizeof *trial->effect);
    trial->effect[i] = (struct effect){
        .at_ns = world->now_ns, .operation = (enum operation)message->operation, .cell = message->cell,
        .request = message->orphan ? NOBODY : world->call[message->call].arrival.id, .from = message->from,
        .store = (uint32_t)(store - world->store) };
    trial->real[store - world->store]->apply(world, store, message);
    trial->effect[i].ok = world->message[at].ok;
}

static void watch_stores(struct trial *trial)
{
    for (uint32_t i = 0; i < trial->world.stores; i++) {
        struct store *store = &trial->world.store[i];
        if (!store->model->apply)
            continue;
        trial->real[i] = store->model;
        trial->model[i] = *store->model;
        trial->model[i].apply = apply_watched;
        store->model = &trial->model[i];
    }
}

/* ---- playing ----------------------------------------------------------------------------------------- */

bool trial_possible(struct trial *trial)
{
    const char *why = policy_init(&trial->policy);

    if (why)
        fail_msg("%s: %s", trial->text, why);
    return design_parse(trial->text, &trial->topology, &trial->policy, (struct origin){ 0 }, &trial->design,
                        &trial->failure);
}

/* Both layers: the policy, its variant if there is one, and the ceiling or what stands in for it. */
static void add_layers(struct trial *trial)
{
    bool ceiling = trial->ceiling.limit > 0;
    uint32_t variants = trial->variant.limit > 0 ? 2 : 1;

    trial->policies[0] = trial->policy;
    trial->policies[1] = trial->variant;
    for (uint32_t i = 0; ceiling && i < variants; i++)
        trial->policies[variants + i] = trial->ceiling;
    for (uint32_t i = 0; i < variants + (ceiling ? variants : 0); i++)
        assert_null(policy_init(&trial->policies[i]));
    for (uint32_t i = 0; i < TRIAL_KEYS; i++)
        trial->ceiling_key[i] = TRIAL_KEYS;
    trial->setup.policy = trial->policies;
    trial->setup.variants = variants;
    trial->setup.layers = ceiling ? 2 : 1;
    trial->setup.ceiling_from = TRIAL_KEYS;
    trial->setup.ceiling_key = trial->ceiling_key;
    trial->setup.work_ns = trial->work_ns;
    oracle_init(&trial->oracle, process_memory(), &(struct oracle_options){
        .limiter = trial->design.limiter, .policy = trial->policies, .variants = variants,
        .target_policy = &trial->policy, .watched = NO_KEY, .group = trial->group,
        .ceiling = ceiling ? &trial->policies[variants] : NULL,
        .keeps_ceiling = program_has_ceiling(trial->design.program) });
}

static void build(struct trial *trial)
{
    if (!trial_possible(trial) || !lab_build(&trial->lab, &trial->topology, &trial->arena, &trial->failure))
        fail_msg("%s: %s", trial->text, trial->failure.line);
    design_instances(&trial->design, &trial->topology, trial->instances);
    lab_clocks(&trial->lab, &trial->topology, trial->instances, &trial->arena);
    trial->counting = counting_memory();
    trial->told = calloc(trial->asks + 1, sizeof *trial->told);
    assert_non_null(trial->told);
    trial->observer = (struct observer){ .arrived = arrived, .opened = opened, .decided = decided,
                                         .dropped = dropped, .departed = departed, .finished = finished };
    trial->source = (struct source){ .next = next_arrival };
    trial->last_instant_ns = INT64_MIN;
    trial->setup = (struct world_setup){
        .memory = &trial->counting.memory, .observer = &trial->observer, .chooser = &trial->chooser,
        .design = &trial->design, .policy = &trial->policy, .network = &trial->lab.network,
        .instances = trial->instances, .store_region = trial->topology.store, .timeout_ns = trial->timeout_ns,
        .node_clock = trial->lab.clocks_differ ? trial->lab.node_clock : NULL,
        .store_clock = trial->lab.clocks_differ ? trial->lab.store_clock : NULL,
        .fault = trial->fault, .faults = trial->faults,
        .judges_quota = trial->judges_quota,
    };
    add_layers(trial);
    world_init(&trial->world, &trial->setup);
    for (uint32_t i = 0; i < trial->world.stores; i++)
        trial->world.store[i].volatile_memory |= trial->volatile_memory;
    if (trial->watched)
        watch_stores(trial);
}

static void check_request(struct trial *trial, const struct arrival *arrival)
{
    const struct told *told = &trial->told[arrival->id];
    const struct verdict *verdict = &told->decision.verdict;
    bool allowed = told->decided && verdict->allowed;

    assert_int_equal(told->arrived, 1);
    assert_int_equal(told->finished, 1);
    assert_int_equal(told->decided, !told->failed);
    assert_int_equal(told->departed, allowed && verdict->delay_ns > 0);
    assert_true(told->finished_ns >= arrival->at_ns);
    trial->failed += told->failed;
    trial->admitted += allowed;
    trial->denied += told->decided && !verdict->allowed;
    trial->admitted_cost += allowed ? arrival->cost : 0;
}

static void check_counts(struct trial *trial)
{
    for (uint32_t i = 0; i < trial->asks; i++)
        check_request(trial, &trial->asked[i]);
    for (uint32_t i = 0; i < trial->readings; i++)
        assert_true(trial->reading[i].settled);
    assert_int_equal(trial->admitted + trial->denied + trial->failed, trial->asks);
    assert_int_equal(trial->result.requests, trial->asks);
    assert_int_equal(trial->result.admitted, trial->admitted);
    assert_int_equal(trial->result.denied, trial->denied);
    assert_int_equal(trial->result.failed, trial->failed);
}

/* Every message is free again; every block is held by exactly the cells that name it. */
static void check_nothing_is_left(const struct trial *trial)
{
    const struct world *world = &trial->world;
    uint64_t free_messages = 0, held = 0, shared = 0;

    for (uint32_t i = world->free_message; i != NO_CALL; i = world->message[i].next)
        free_messages++;
    assert_int_equal(free_messages, world->messages);
    assert_int_equal(world->in_flight, 0);
    assert_int_equal(world->queue.queued, world->fault_events);
    if (!values_grow(&world->values))
        return;
    for (uint32_t s = 0; s < world->stores; s++) {
        const struct store *store = &world->store[s];
        for (uint32_t i = 0; i < store->keys * store->cells_per_key; i++) {
            held += store->cell[i].present;
            if (store->model->operations & 1u << OP_SPREAD)
                held += ((const struct kv_cell *)store_more(store, i))->visible.present;
        }
    }
    for (size_t i = 1; i < world->values.blocks; i++)
        shared += world->values.block[i].shared_by;
    assert_int_equal(shared, held);
}

void play(struct trial *trial)
{
    build(trial);
    trial->played = true;
    simulate(&trial->world, &trial->source, NULL, NULL);
    trial->digest = digest_value(&trial->world.digest);
    for (uint32_t i = 0; i < trial->asks; i++)
        while (trial->keys.count <= trial->asked[i].key)
            key_intern_text(&trial->keys, arena_format(&trial->arena, "k%u", trial->keys.count));
    oracle_finish(&trial->oracle, trial->world.now_ns);
    oracle_result(&trial->oracle, &trial->keys, &trial->arena, &trial->result);
    check_counts(trial);
    check_nothing_is_left(trial);
}

#include <assert.h>
#include "small_pack.h"
#include "world_private.h"

/* ---- set-up -------------------------------------------------------------------------------------------- */

static const struct link no_delay = { .delay = { .constant = true } };

static bool has_bound_on_attempts(const struct design *design)
{
    assert(design->coordination);
    for (unsigned i = 0; design->coordination->parameter[i].name; i++)
        if (strcmp(design->coordination->parameter[i].name, "attempts") == 0)
            return design->parameter[i] > 0;
    return false;
}

static bool starts_apart(const struct small_setup *setup)
{
    bool apart = setup->world->design->coordination->looks_at_once;

    assert(setup->clients >= 1);
    for (uint32_t i = 0; i < setup->clients; i++)
        apart |= setup->client[i].at_ns != NULL || setup->world->instances[setup->client[i].region] > 1;
    return apart;
}

static bool asks_for_a_ceiling(const struct program *program)
{
    assert(!program || program->takes <= TAKES_MAX);
    for (unsigned i = 0; program && i < program->takes; i++)
        if (program->take[i].layer > 0)
            return true;
    return false;
}

static const char *cannot(const struct small_setup *setup)
{
    assert(setup->world->design->limiter);
    if (setup->clients > SMALL_CLIENTS)
        return "more than 16 clients";
    if (asks_for_a_ceiling(setup->world->design->program) && setup->world->layers < 2)
        return "requests that ask for a ceiling as well, where there is none";
    if (setup->world->network->regions > 16)
        return "more than 16 regions";
    for (uint32_t i = 0; i < setup->clients; i++)
        if (setup->client[i].requests < 1 || setup->client[i].requests > SMALL_REQUESTS)
            return "a client with no requests, or more than 4096";
    return NULL;
}

static void make_network(struct small_world *small)
{
    uint32_t regions = small->setup.world->network->regions;

    assert(regions >= 1);
    small->links = small->setup.memory->resize(small->setup.memory, NULL,
                                               (size_t)regions * regions * sizeof *small->links);
    for (uint32_t i = 0; i < regions * regions; i++)
        small->links[i] = &no_delay;
    small->network = (struct network){ .regions = regions, .links = small->links };
}

static uint32_t setup_cells(const struct small_world *small, uint32_t store)
{
    assert(store < small->world.stores);
    return small->setup.keys * small->world.store[store].cells_per_key;
}

static void make_world(struct small_world *small)
{
    small_listen(small);
    small->chooser = (struct chooser){ .mode = CHOOSE_ALL, .odometer = &small->odometer };
    small->world_setup = *small->setup.world;
    small->world_setup.memory = small->setup.memory;
    small->world_setup.observer = &small->observer;
    small->world_setup.chooser = &small->chooser;
    small->world_setup.network = &small->network;
    small->world_setup.node_clock = small->world_setup.store_clock = NULL;
    small->world_setup.holds = true;
    world_init(&small->world, &small->world_setup);
    world_reserve_key(&small->world, small->setup.keys - 1);
    small->world.now_ns = small->setup.instant[0];
    for (uint32_t i = 0; i < small->world.stores; i++)
        for (uint32_t k = 0; k < setup_cells(small, i); k++)
            small->world.store[i].cell[k].version = small->world.store[i].model->orders_versions
                                                  ? 0 : VERSION_NOW;
    small->first_shared = small_pack_shared(small);
}

static bool too_many_cells(const struct small_world *small)
{
    uint64_t cells = 0;

    assert(small->setup.keys >= 1);
    for (uint32_t i = 0; i < small->world.stores; i++)
        if (!small->world.store[i].model->orders_versions)
            cells += (uint64_t)small->setup.keys * small->world.store[i].cells_per_key;
    return cells > SMALL_CELLS;
}

/* News number 0 is no news, mask number 0 nothing written. */
static void make_tables(struct small_world *small)
{
    intern_init(&small->clients, small->setup.memory);
    intern_init(&small->shareds, small->setup.memory);
    intern_init(&small->news, small->setup.memory);
    intern_init(&small->steps, small->setup.memory);
    intern_init(&small->masks, small->setup.memory);
    intern(&small->news, "", 0);
    intern(&small->masks, &(uint64_t){ 0 }, sizeof(uint64_t));
    for (int i = 0; i < MOVES_OF; i++)
        pair_map_init(&small->moves_at[i], small->setup.memory);
    pair_map_init(&small->outdated, small->setup.memory);
    assert(small->news.items == 1);
}

const char *small_world_init(struct small_world *small, const struct small_setup *setup)
{
    const char *why = cannot(setup);

    memset(small, 0, sizeof *small);
    if (why)
        return why;
    small->setup = *setup;
    small->starts_apart = starts_apart(setup);
    small->bounded_attempts = has_bound_on_attempts(setup->world->design);
    make_network(small);
    make_tables(small);
    make_world(small);
    if (too_many_cells(small))
        return "more than 64 cells in the stores";
    for (uint32_t i = 0; i < small->world.stores; i++)
        if (small->world.store[i].model->orders_versions && values_grow(&small->world.values))
            return "a limiter whose states grow, on a store that keeps several of them for each key";
    return NULL;
}

void small_world_free(struct small_world *small)
{
    struct memory *memory = small->setup.memory;

    if (!memory)
        return;
    world_free(&small->world);
    intern_free(&small->clients);
    intern_free(&small->shareds);
    intern_free(&small->news);
    intern_free(&small->steps);
    intern_free(&small->masks);
    for (int i = 0; i < MOVES_OF; i++)
        pair_map_free(&small->moves_at[i]);
    pair_map_free(&small->outdated);
    small->expects = memory_free(memory, small->expects);
    small->span = memory_free(memory, small->span);
    small->move = memory_free(memory, small->move);
    small->links = memory_free(memory, small->links);
    small->bytes = memory_free(memory, small->bytes);
    small->heard = memory_free(memory, small->heard);
    small->range = memory_free(memory, small->range);
    small->outcome = memory_free(memory, small->outcome);
}

/* ---- what a client is ---------------------------------------------------------------------------------- */

static const struct small_head *head_of(const struct small_world *small, uint32_t client)
{
    assert(client < small->clients.items);
    return intern_bytes(&small->clients, client);
}

bool small_is_done(const struct small_world *small, uint32_t client)
{
    return head_of(small, client)->stage == STAGE_DONE;
}

uint32_t small_like(const struct small_world *small, uint32_t client)
{
    return head_of(small, client)->like;
}

uint32_t small_request(const struct small_world *small, uint32_t client)
{
    return head_of(small, client)->request;
}

uint32_t small_acts(const struct small_world *small, uint32_t client)
{
    const struct small_head *head = head_of(small, client);

    return head->stage == STAGE_RUNNING ? head->items : head->stage == STAGE_WAITING;
}

static const struct small_base *base_of(const struct small_world *small, uint32_t shared)
{
    assert(shared < small->shareds.items);
    return intern_bytes(&small->shareds, shared);
}

uint32_t small_backgrounds(const struct small_world *small, uint32_t shared)
{
    return base_of(small, shared)->items;
}

int64_t small_now_ns(const struct small_world *small, uint32_t shared)
{
    return base_of(small, shared)->now_ns;
}

bool small_can_tick(const struct small_world *small, uint32_t shared)
{
    assert(small->setup.instants >= 1);
    return small_now_ns(small, shared) < small->setup.instant[small->setup.instants - 1];
}

static bool alike(const struct small_client *a, const struct small_client *b)
{
    assert(a && b);
    return a->region == b->region && a->key == b->key && a->cost == b->cost && a->requests == b->requests
        && a->at_ns == b->at_ns;
}

uint32_t small_first_shared(struct small_world *small)
{
    assert(small->shareds.items >= 1);
    return small->first_shared;
}

/* ---- steps --------------------------------------------------------------------------------------------- */

/* A client's next request comes in. */
static void start(struct small_world *small, const struct small_head *head)
{
    const struct small_client *client = &small->setup.client[head->like];
    struct arrival arrival = { .at_ns = small->world.now_ns, .cost = client->cost, .key = client->key,
                               .region = client->region };

    assert(small->world.in_flight == 0 && head->request < client->requests);
    world_arrive(&small->world, &arrival);
}

/* The client after a step: further on in its request, or before the next one, or done. */
static uint32_t pack_after(struct small_world *small, struct small_head head)
{
    const struct small_client *client = &small->setup.client[head.like];

    while (small->world.in_flight == 0) {
        head.request += head.stage == STAGE_RUNNING;
        head.stage = head.request < client->requests ? STAGE_WAITING : STAGE_DONE;
        if (head.stage == STAGE_DONE || small->starts_apart)
            break;
        start(small, &head);
        head.stage = STAGE_RUNNING;
    }
    head.items = 0;
    return small_pack_client(small, head);
}

static void take_out(struct world *world, uint32_t i)
{
    assert(i < world->held_n);
    memmove(&world->held[i], &world->held[i + 1], (--world->held_n - i) * sizeof *world->held);
}

/* Performs what is under way; false when it cannot happen now. */
static bool perform(struct small_world *small, bool background, uint32_t which, bool unheard)
{
    struct world *world = &small->world;
    int i = small_held(small, background, which);
    if (i < 0)
        return false;

    uint32_t payload = world->held[i].payload, index = payload & (EVENT_INDEX_MAX - 1);
    if (payload >> 29 == EVENT_OPERATION) {
        const struct message *message = &world->message[index];
        const struct store *store = &world->store[message->store];
        if (store->model->enabled && !store->model->enabled(store, message))
            return false;
        world->message[index].orphan |= unheard;
    } else if (unheard) {
        return false;
    }
    take_out(world, (uint32_t)i);
    world_perform(world, payload);
    return true;
}

/* The caller dies: whatever is under way to the stores is lost, or its one operation still arrives. */
static bool crash(struct small_world *small, bool unheard)
{
    struct world *world = &small->world;
    struct call *call = &world->call[0];

    /* A program at an owner does not die with its caller. */
    if (world->in_flight == 0 || call->at_store)
        return false;
    if (unheard && !perform(small, false, 0, true))
        return false;
    for (int i; (i = small_held(small, false, 0)) >= 0; )
        take_out(world, (uint32_t)i);
    if (!call->effective)
        small->observer.finished(&small->observer, &call->arrival, world->now_ns, true);
    if (world->in_flight > 0)
        call_free(world, 0);
    assert(world->in_flight == 0);
    return true;
}

static void tick(struct small_world *small)
{
    uint32_t i = 0;

    while (small->setup.instant[i] <= small->world.now_ns)
        i++;
    assert(i < small->setup.instants);
    small->world.now_ns = small->setup.instant[i];
}

/* Stores of plain cells lose what they hold. */
static bool forget(struct small_world *small, uint32_t which)
{
    struct world *world = &small->world;

    if (which >= world->stores)
        return false;
    struct store *store = &world->store[which];
    if (store->model->memory_only || store->model->orders_versions || store->model->more_bytes > 0)
        return false;
    for (uint32_t i = 0; i < small->setup.keys * store->cells_per_key; i++) {
        memset(&store->cell[i], 0, sizeof store->cell[i]);
        store->cell[i].version = VERSION_NOW + 1;
    }
    return true;
}

static bool may_start(const struct small_world *small, const struct small_head *head)
{
    const int64_t *at_ns = small->setup.client[head->like].at_ns;

    assert(head->stage == STAGE_WAITING);
    return !at_ns || at_ns[head->request] <= small->world.now_ns;
}

static bool act(struct small_world *small, struct small_head *head, uint32_t which)
{
    if (head->stage != STAGE_WAITING)
        return head->stage == STAGE_RUNNING && perform(small, false, which, false);
    if (which > 0 || !may_start(small, head))
        return false;
    start(small, head);
    head->stage = STAGE_RUNNING;
    return true;
}

/* Makes the step once, with the answers that the odometer shows; false when it cannot happen. */
static bool step_once(struct small_world *small, struct small_head *head, struct small_action action)
{
    assert(small->heard_n == 0);
    switch (action.kind) {
    case SMALL_ACT:        return act(small, head, action.which);
    case SMALL_CRASH:      return crash(small, false);
    case SMALL_UNHEARD:    return crash(small, true);
    case SMALL_BACKGROUND: return perform(small, true, action.which, false);
    case SMALL_TICK:       tick(small); return true;
    case SMALL_FORGET:     return forget(small, action.which);
    default:               return false;
    }
}

static void add_outcome(struct small_world *small, struct small_outcome outcome)
{
    assert(small->outcomes < UINT32_MAX);
    small->outcome = memory_grow(small->setup.memory, small->outcome, &small->outcome_room,
                                 small->outcomes + 1, sizeof *small->outcome);
    small->outcome[small->outcomes++] = outcome;
}

/* One outcome for each combination of answers. */
static struct small_range compute(struct small_world *small, uint32_t client, uint32_t shared,
                                  struct small_action action)
{
    struct small_range range = { .first = (uint32_t)small->outcomes, .known = true };

    small->computed++;
    odometer_start(&small->odometer);
    do {
        struct small_head head = { 0 };
        if (client != NO_CALL)
            head = *head_of(small, client);
        small->heard_n = 0;
        small_unpack(small, client, shared);
        if (!step_once(small, &head, action))
            break;
        struct small_outcome outcome = { .client = client };
        if (client != NO_CALL)
            outcome.client = pack_after(small, head);
        outcome.written = small_written(small);
        outcome.shared = small_pack_shared(small);
        outcome.news = intern(&small->news, small->heard, small->heard_n * sizeof *small->heard);
        add_outcome(small, outcome);
    } while (odometer_next(&small->odometer));
    small->overrun |= small->odometer.overrun;
    small->heard_n = 0;
    range.n = (uint32_t)small->outcomes - range.first;
    return range;
}

/* What is known of a step; it stays where it is until the next new one. */
static struct small_range *range_of(struct small_world *small, const uint32_t name[4])
{
    uint32_t step = intern(&small->steps, name, 4 * sizeof *name);

    assert(step < small->steps.items);
    small->range = memory_grow(small->setup.memory, small->range, &small->range_room, step + (size_t)1,
                               sizeof *small->range);
    return &small->range[step];
}

struct small_outcomes small_step(struct small_world *small, uint32_t client, uint32_t shared,
                                 struct small_action action)
{
    bool background = action.kind >= SMALL_BACKGROUND;
    uint32_t name[4] = { background ? NO_CALL : client, shared, (uint32_t)action.kind, action.which };
    struct small_range *range = range_of(small, name);

    if (!range->known)
        *range = compute(small, name[0], shared, action);
    assert(range->known);
    return (struct small_outcomes){ range->n > 0 ? small->outcome + range->first : NULL, range->n };
}

uint32_t small_first_client(struct small_world *small, uint32_t client, uint32_t *shared)
{
    struct small_head head = { .stage = STAGE_WAITING };

    assert(client < small->setup.clients);
    while (!alike(&small->setup.client[head.like], &small->setup.client[client]))
        head.like++;
    odometer_start(&small->odometer);
    small_unpack(small, NO_CALL, *shared);
    uint32_t first = pack_after(small, head);
    *shared = small_pack_shared(small);
    small->heard_n = 0;
    return first;
}

/* Looked up as if it were a step: what it leaves is in `first`. */
uint32_t small_outdate(struct small_world *small, uint32_t client, uint64_t written)
{
    uint32_t name[4] = { client, (uint32_t)(written >> 32), SMALL_OUTDATE, (uint32_t)written };

    if (written == 0 || head_of(small, client)->stage != STAGE_RUNNING)
        return client;
    struct small_range *range = range_of(small, name);
    if (!range->known) {
        uint32_t outdated = small_pack_outdated(small, client, written);
        *range = (struct small_range){ .first = outdated, .known = true };
    }
    assert(range->known);
    return range->first;
}

/* ---- showing ------------------------------------------------------------------------------------------- */

/* The step is made once more, with an observer that wants quotas; what comes of it is thrown away. */
struct small_check small_check(struct small_world *small, uint32_t client, uint32_t shared,
                               struct small_action action, uint32_t choice)
{
    uint32_t actor = action.kind >= SMALL_BACKGROUND ? NO_CALL : client;
    bool happens = true;

    small->observer.wants_quota = true;
    odometer_start(&small->odometer);
    for (uint32_t i = 0; happens && i <= choice; i++) {
        struct small_head head = { 0 };
        if (actor != NO_CALL)
            head = *head_of(small, actor);
        small->heard_n = 0;
        small->check = (struct small_check){ 0 };
        small_unpack(small, actor, shared);
        happens = step_once(small, &head, action) && (i == choice || odometer_next(&small->odometer));
    }
    assert(happens);
    const struct call *call = &small->world.call[0];
    if (!small->check.known && small->world.in_flight > 0 && call->policy)
        small->check = small_checked(call->verdict, call->quota, call->cost);
    small->observer.wants_quota = false;
    small->heard_n = 0;
    return small->check;
}

#include "dpor.h"

/* Cells by their bits (small_outcome.written). */
struct access { uint64_t reads, writes; };

/* A step that was made, and what comes before it: of each client the first so many steps (a vector clock). */
struct event { uint32_t client, ordinal; struct access access; uint32_t clock[SMALL_CLIENTS]; };

/* A point of the present run: sets of clients by bits.  Whoever sleeps leads to nothing new from here: it is
 * awoken by a step that touches what its next step touches. */
struct level {
    uint32_t enabled, backtrack, asleep;
    struct access next[SMALL_CLIENTS];  /* of those asleep */
};

struct search {
    const struct dpor_setup *setup;
    struct dpor_result *result;
    struct walk walk;
    struct event *event;                /* of the present run */
    struct level *level;                /* level[i] is before event[i] */
    size_t events, event_room, level_room;
};

static bool dependent(struct access a, struct access b)
{
    return (a.writes & (b.reads | b.writes)) != 0 || (b.writes & a.reads) != 0;
}

static struct small_world *small_of(const struct search *search)
{
    return &search->setup->explorer->small;
}

/* ---- one step ------------------------------------------------------------------------------------------ */

static bool refuse(struct search *search, const char *why)
{
    search->result->end = DPOR_REFUSED;
    search->result->refused = why;
    return false;
}

/* Who can move; false, refused, when something else can happen than one step of each of them. */
static bool movers(struct search *search, uint32_t *enabled, uint32_t *first)
{
    struct walk_option option[WALK_OPTIONS_MAX];
    uint32_t n = walk_options(&search->walk, option);

    *enabled = 0;
    *first = n > 0 ? option[0].client : NOBODY;
    for (uint32_t i = 0; i < n; i++) {
        if (option[i].action.kind != SMALL_ACT || option[i].client == NOBODY)
            return refuse(search, "steps that no client makes: in the background, of time, or faults");
        if (*enabled >> option[i].client & 1)
            return refuse(search, "a client with more than one step to choose from");
        *enabled |= 1u << option[i].client;
    }
    for (uint32_t i = 0; i < search->setup->explorer->setup.small.clients; i++)
        if (!(*enabled >> i & 1) && !small_is_done(small_of(search), search->walk.client[i]))
            return refuse(search, "a client that waits for others");
    assert(n == 0 || *enabled != 0);
    return true;
}

static bool has_hidden_memory(const struct world *world)
{
    assert(world->stores <= STORES_MAX);
    for (uint32_t i = 0; i < world->stores; i++)
        if (world->store[i].model->memory_only || world->store[i].model->orders_versions)
            return true;
    return false;
}

/* What a client's next step reads as far as can be seen: the cell that its operation names; all, where it
 * looks at memory that nobody sees. */
static uint64_t reads_of(const struct search *search, uint32_t client)
{
    const struct small_world *small = small_of(search);
    const struct message *message = small_message(small, search->walk.client[client], 0);
    uint32_t bit = 0;

    assert(client < SMALL_CLIENTS);
    if (!message || has_hidden_memory(&small->world))
        return UINT64_MAX;
    for (uint32_t i = 0; i < message->store; i++)
        bit += small->setup.keys * small->world.store[i].cells_per_key;
    return UINT64_C(1) << (bit + message->cell);
}

/* The client moves; what it touched. */
static struct access move(struct search *search, uint32_t client)
{
    struct walk *walk = &search->walk;
    struct walk_option option = { .client = client, .action = { SMALL_ACT, 0 } };
    struct access access = { .reads = reads_of(search, client) };
    uint32_t part = walk->client[client], shared = walk->shared;

    access.writes = small_step(small_of(search), part, shared, option.action).outcome[0].written;
    walk_step(walk, &option, NULL);
    assert(walk->steps >= 1);
    if (access.writes == 0 && walk->shared != shared)
        access.writes = UINT64_MAX;                         /* something that is no cell */
    return access;
}

/* ---- races --------------------------------------------------------------------------------------------- */

static bool before(const struct event *a, const struct event *b)
{
    return b->clock[a->client] > a->ordinal;
}

static void join(uint32_t clock[SMALL_CLIENTS], const struct event *event)
{
    assert(event->clock[event->client] == event->ordinal + 1);
    for (uint32_t i = 0; i < SMALL_CLIENTS; i++)
        clock[i] = event->clock[i] > clock[i] ? event->clock[i] : clock[i];
}

/* Of the steps after `at` that do not come after it, with the newest: those clients that could go first, and
 * the first of them. */
static uint32_t initials(const struct search *search, size_t at, uint32_t *first)
{
    const struct event *event = search->event, *newest = &event[search->events - 1];
    uint32_t seen = 0, clients = 0;

    *first = newest->client;
    assert(at + 1 < search->events);
    for (size_t i = at + 1; i < search->events; i++) {
        bool free = !(seen >> event[i].client & 1);
        if (&event[i] != newest && before(&event[at], &event[i]))
            continue;
        for (size_t k = at + 1; free && k < i; k++)
            free = before(&event[at], &event[k]) || !before(&event[k], &event[i]);
        if (free && clients == 0)
            *first = event[i].client;
        clients |= (uint32_t)free << event[i].client;
        seen |= 1u << event[i].client;
    }
    return clients;
}

/* The newest step could have come before that one: then somebody else must go first there, once. */
static void reverse(struct search *search, size_t at)
{
    struct level *level = &search->level[at];
    uint32_t first, clients = initials(search, at, &first);

    assert(clients != 0);
    if ((clients & level->backtrack) == 0)
        level->backtrack |= 1u << first;
}

/* The newest step's clock, and every race that ends in it: with a step that is not before it by way of a
 * third one. */
static void find_races(struct search *search)
{
    struct event *newest = &search->event[search->events - 1];
    size_t race[SMALL_CLIENTS], races = 0;

    for (size_t i = search->events - 1; i-- > 0; ) {
        const struct event *event = &search->event[i];
        if (before(event, newest))
            continue;
        if (event->client != newest->client && !dependent(event->access, newest->access))
            continue;
        if (event->client != newest->client)
            race[races++] = i;
        join(newest->clock, event);
    }
    newest->clock[newest->client] = newest->ordinal + 1;
    assert(races <= SMALL_CLIENTS);
    while (races > 0)
        reverse(search, race[--races]);
}

/* ---- runs ---------------------------------------------------------------------------------------------- */

static uint32_t ordinal_of(const struct search *search, uint32_t client)
{
    uint32_t ordinal = 0;

    assert(client < SMALL_CLIENTS);
    for (size_t i = 0; i < search->events; i++)
        ordinal += search->event[i].client == client;
    return ordinal;
}

/* A step from the last level, and the level after it. */
static void extend(struct search *search, uint32_t client)
{
    struct memory *memory = search->setup->explorer->setup.small.memory;
    size_t at = search->events;
    struct event event = { .client = client, .ordinal = ordinal_of(search, client) };

    event.access = move(search, client);
    search->event = memory_grow(memory, search->event, &search->event_room, at + 1, sizeof *search->event);
    search->level = memory_grow(memory, search->level, &search->level_room, at + 2, sizeof *search->level);
    search->event[search->events++] = event;
    find_races(search);
    struct level next = { .asleep = 0 };
    const struct level *level = &search->level[at];
    for (uint32_t i = 0; i < SMALL_CLIENTS; i++)
        if (level->asleep >> i & 1 && !dependent(level->next[i], event.access)) {
            next.asleep |= 1u << i;
            next.next[i] = level->next[i];
        }
    search->level[at + 1] = next;
    assert(search->events == at + 1);
}

static void judge(struct search *search)
{
    struct dpor_result *result = search->result;
    struct memory *memory = search->setup->explorer->setup.small.memory;
    uint32_t n;
    const struct told *told = walk_told(&search->walk, &n);
    uint64_t value = search->setup->worth.of(search->setup->worth.context, told, n);

    assert(search->events <= UINT32_MAX);
    result->least = result->executions == 0 || value < result->least ? value : result->least;
    if (result->executions++ > 0 && value <= result->most)
        return;
    result->most = value;
    result->steps = (uint32_t)search->events;
    result->client = memory->resize(memory, result->client, (search->events + 1) * sizeof *result->client);
    for (size_t i = 0; i < search->events; i++)
        result->client[i] = search->event[i].client;
}

/* From the last level to the end of a run; unless refused. */
static void run_on(struct search *search)
{
    for (;;) {
        struct level *level = &search->level[search->events];
        uint32_t first;
        if (!movers(search, &level->enabled, &first))
            return;
        if (search->events >= DPOR_STEPS_MAX) {
            refuse(search, "a run that is too long, or never ends");
            return;
        }
        uint32_t awake = level->enabled & ~level->asleep;
        if (awake == 0)
            break;
        uint32_t client = awake >> first & 1 ? first : (uint32_t)__builtin_ctz(awake);
        assert(client < SMALL_CLIENTS);
        level->backtrack = 1u << client;
        extend(search, client);
    }
    if (search->level[search->events].enabled == 0)
        judge(search);
    else
        search->result->blocked++;
}

/* The run up to the deepest level from where there is another way to go; false when there is none.  What was
 * tried there sleeps. */
static bool go_back(struct search *search, uint32_t *client)
{
    while (search->events > 0) {
        const struct event *tried = &search->event[--search->events];
        struct level *level = &search->level[search->events];
        level->asleep |= 1u << tried->client;
        level->next[tried->client] = tried->access;
        uint32_t left = level->backtrack & ~level->asleep;
        assert((left & ~level->enabled) == 0);
        if (left != 0) {
            *client = (uint32_t)__builtin_ctz(left);
            return true;
        }
    }
    return false;
}

/* From the start, as far as the events say. */
static void repeat(struct search *search)
{
    walk_start(&search->walk, search->setup->explorer);
    for (size_t i = 0; i < search->events; i++)
        move(search, search->event[i].client);
    assert(search->walk.steps == search->events);
}

static bool may_run(const struct search *search)
{
    const struct dpor_setup *setup = search->setup;
    struct dpor_result *result = search->result;
    uint64_t runs = result->executions + result->blocked;

    assert(result->end == DPOR_COMPLETE);
    if (setup->most_runs > 0 && runs >= setup->most_runs)
        result->end = DPOR_RUNS;
    else if (setup->keep_on && !setup->keep_on(setup->context, runs))
        result->end = DPOR_STOPPED;
    return result->end == DPOR_COMPLETE;
}

void dpor_run(const struct dpor_setup *setup, struct dpor_result *result)
{
    struct memory *memory = setup->explorer->setup.small.memory;
    struct search search = { .setup = setup, .result = result };
    uint32_t client;

    *result = (struct dpor_result){ .end = DPOR_COMPLETE };
    search.level = memory_grow(memory, NULL, &search.level_room, 1, sizeof *search.level);
    walk_start(&search.walk, setup->explorer);
    run_on(&search);
    while (result->end == DPOR_COMPLETE && go_back(&search, &client) && may_run(&search)) {
        repeat(&search);
        extend(&search, client);
        run_on(&search);
    }
    memory_free(memory, search.event);
    memory_free(memory, search.level);
    assert(result->end != DPOR_COMPLETE || result->executions > 0);
}

/* ---- how much there will be ---------------------------------------------------------------------------- */

uint64_t dpor_estimate(struct explorer *explorer, uint64_t seed, uint32_t walks)
{
    enum { STEPS = 1 << 16 };
    u128 sum = 0;

    assert(walks >= 1);
    for (uint32_t i = 0; i < walks; i++) {
        struct walk_option option[WALK_OPTIONS_MAX];
        struct walk walk;
        u128 ways = 1;
        uint32_t n;
        walk_start(&walk, explorer);
        while (walk.steps < STEPS && (n = walk_options(&walk, option)) > 0) {
            ways = ways > UINT64_MAX ? ways : ways * n;
            walk_step(&walk, &option[stream_below(seed, (struct stream){ i, STREAM_SAMPLE, walk.steps }, n)],
                      NULL);
        }
        sum += ways > UINT64_MAX ? UINT64_MAX : ways;
    }
    return (uint64_t)(sum / walks);
}

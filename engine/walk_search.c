/* walk_search.c - the best walks: Dijkstra's search over states and who moved last. */
#include <assert.h>
#include "heap.h"
#include "walk.h"

/* Fewest faults first, then preemptions, then steps. */
#define COST_STEP       INT64_C(1)
#define COST_PREEMPTION (INT64_C(1) << 20)
#define COST_FAULT      (INT64_C(1) << 40)
#define COST_NONE       INT64_MAX

/* A place of the search: a state, and the client (its number as a part) that moved last while its call is
 * unfinished. */
struct pair { uint32_t state, last; };

struct place {
    int64_t cost;
    uint32_t from;                      /* the place before; itself: the first */
    struct small_action action;
    uint32_t choice, client;            /* what was done, and by which part */
    bool     closed;
};

struct search {
    struct explorer *explorer;
    struct worth worth;
    struct intern pairs;
    struct place *place;
    size_t room;
    struct heap heap;
    bool free_faults;                   /* faults cost nothing */
    uint64_t most_pairs, looked_at;
    bool cut;                           /* it was ended before all was looked at */
};

static void open_search(struct search *search)
{
    struct memory *memory = search->explorer->setup.small.memory;

    intern_init(&search->pairs, memory);
    heap_init(&search->heap, memory);
    assert(search->worth.of);
}

static void close_search(struct search *search)
{
    struct memory *memory = search->explorer->setup.small.memory;

    assert(memory);
    intern_free(&search->pairs);
    heap_free(&search->heap);
    search->place = memory_free(memory, search->place);
}

/* A way to a pair; it counts when it is cheaper than those known. */
static void reach(struct search *search, struct pair pair, struct place way)
{
    size_t known = search->pairs.items;
    uint32_t number = intern(&search->pairs, &pair, sizeof pair);

    assert(way.cost >= 0);
    search->place = memory_grow(search->explorer->setup.small.memory, search->place, &search->room,
                                number + (size_t)1, sizeof *search->place);
    struct place *place = &search->place[number];
    if (number < known && (place->closed || place->cost <= way.cost))
        return;
    if (number == known && known == 0)
        way.from = 0;
    *place = way;
    heap_push(&search->heap, (struct heap_event){ way.cost, 0, number });
}

static uint32_t last_after(struct search *search, uint32_t last, const struct successor *step)
{
    struct small_world *small = &search->explorer->small;

    assert(step->count >= 1);
    if (!step->acts)
        return last == NOBODY ? NOBODY : small_outdate(small, last, step->written);
    if (small_is_done(small, step->to) || small_request(small, step->from) != small_request(small, step->to))
        return NOBODY;
    return step->to;
}

static int64_t cost_of(const struct search *search, uint32_t last, const struct successor *step)
{
    bool fault = step->action.kind == SMALL_CRASH || step->action.kind == SMALL_UNHEARD
              || step->action.kind == SMALL_FORGET;
    bool preempts = step->acts && last != NOBODY && step->from != last;

    assert(search->explorer);
    return COST_STEP + (preempts ? COST_PREEMPTION : 0) + (fault && !search->free_faults ? COST_FAULT : 0);
}

static void expand(struct search *search, uint32_t number)
{
    struct pair pair = *(const struct pair *)intern_bytes(&search->pairs, number);
    int64_t cost = search->place[number].cost;
    uint32_t n;
    const struct successor *step = explore_successors(search->explorer, pair.state, &n);

    assert(search->place[number].closed);
    for (uint32_t i = 0; i < n; i++)
        reach(search, (struct pair){ step[i].state, last_after(search, pair.last, &step[i]) },
              (struct place){ .cost = cost + cost_of(search, pair.last, &step[i]), .from = number,
                              .action = step[i].action, .choice = step[i].choice,
                              .client = step[i].acts ? step[i].from : NOBODY });
}

static uint64_t worth_of(const struct search *search, uint32_t number)
{
    const struct pair *pair = intern_bytes(&search->pairs, number);
    uint32_t n;
    const struct told *told = explore_told(search->explorer, pair->state, &n);

    assert(told || n == 0);
    return search->worth.of(search->worth.context, told, n);
}

static void begin(struct search *search)
{
    struct pair first = { explore_first(search->explorer), NOBODY };

    assert(search->pairs.items == 0);
    reach(search, first, (struct place){ .cost = 0 });
}

/* Whoever asked for the search may end it, as may its bound. */
static bool goes_too_far(struct search *search)
{
    enum { ASK_EVERY = 1 << 12 };
    const struct explore_setup *setup = &search->explorer->setup;

    assert(search->pairs.items >= 1);
    if (search->most_pairs > 0 && search->pairs.items > search->most_pairs)
        return true;
    return search->looked_at++ % ASK_EVERY == 0 && setup->keep_on
        && !setup->keep_on(setup->context, search->explorer->states.items, search->heap.n);
}

/* The next cheapest place that was not looked at; false when there is none, or the search is cut. */
static bool next(struct search *search, uint32_t *number)
{
    assert(number);
    while (search->heap.n > 0) {
        *number = heap_pop(&search->heap).payload;
        if (search->place[*number].closed)
            continue;
        search->cut = goes_too_far(search);
        search->place[*number].closed = true;
        return !search->cut;
    }
    return false;
}

/* ---- the cheapest walk --------------------------------------------------------------------------------- */

/* Which client it was: the one that moved last when it fits, else the first that does. */
static uint32_t who(const struct walk *walk, uint32_t part)
{
    assert(part != NOBODY);
    if (walk->last != NOBODY && walk->client[walk->last] == part)
        return walk->last;
    for (uint32_t i = 0; i < walk->explorer->setup.small.clients; i++)
        if (walk->client[i] == part)
            return i;
    assert(!"a path that no client could walk");
    return 0;
}

/* The path to a place, walked by clients with numbers. */
static uint32_t retrace(struct search *search, uint32_t number, struct walk_option **option)
{
    struct walk walk;
    uint32_t steps = 0;

    for (uint32_t at = number; at != search->place[at].from; at = search->place[at].from)
        steps++;
    *option = search->explorer->setup.small.memory->resize(search->explorer->setup.small.memory, NULL,
                                                           (steps + 1) * sizeof **option);
    uint32_t left = steps;
    for (uint32_t at = number; left > 0; at = search->place[at].from)
        (*option)[--left] = (struct walk_option){ search->place[at].client, search->place[at].action,
                                             search->place[at].choice };
    walk_start(&walk, search->explorer);
    for (uint32_t i = 0; i < steps; i++) {
        if ((*option)[i].client != NOBODY)
            (*option)[i].client = who(&walk, (*option)[i].client);
        walk_step(&walk, &(*option)[i], NULL);
    }
    assert(walk.steps == steps);
    return steps;
}

uint32_t walk_cheapest(struct explorer *explorer, struct worth worth, uint64_t least, uint64_t most_pairs,
                       struct walk_option **option)
{
    struct search search = { .explorer = explorer, .worth = worth, .most_pairs = most_pairs };
    uint32_t number, steps = 0;

    *option = NULL;
    open_search(&search);
    begin(&search);
    while (next(&search, &number)) {
        if (worth_of(&search, number) >= least) {
            steps = retrace(&search, number, option);
            break;
        }
        expand(&search, number);
    }
    close_search(&search);
    assert(steps == 0 || *option);
    return steps;
}

bool walk_curve(struct explorer *explorer, struct worth worth, uint64_t *most, uint32_t curves,
                uint64_t most_pairs)
{
    struct search search = { .explorer = explorer, .worth = worth, .most_pairs = most_pairs,
                             .free_faults = true };
    uint32_t number;

    assert(curves >= 1);
    memset(most, 0, curves * sizeof *most);
    open_search(&search);
    begin(&search);
    while (next(&search, &number)) {
        int64_t preemptions = search.place[number].cost / COST_PREEMPTION;
        if (preemptions >= curves)
            break;
        uint64_t value = worth_of(&search, number);
        most[preemptions] = value > most[preemptions] ? value : most[preemptions];
        expand(&search, number);
    }
    for (uint32_t i = 1; i < curves; i++)
        most[i] = most[i] > most[i - 1] ? most[i] : most[i - 1];
    close_search(&search);
    return !search.cut;
}

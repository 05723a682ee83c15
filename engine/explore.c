#include <assert.h>
#include "explore.h"

enum { MARK_NEW, MARK_OPEN, MARK_DONE, ASK_EVERY = 1 << 14, TOLD_MAX = 4096 };

/* ---- tables -------------------------------------------------------------------------------------------- */

/* Where the value of a name is; *known: it has one. */
static uint32_t *memo_at(struct memo *memo, const void *name, size_t bytes, bool *known)
{
    size_t before = memo->names.items;
    uint32_t number = intern(&memo->names, name, bytes);

    assert(number <= before);
    *known = number < before;
    memo->value = memory_grow(memo->names.memory, memo->value, &memo->room, number + (size_t)1,
                              sizeof *memo->value);
    return &memo->value[number];
}

const char *explorer_init(struct explorer *explorer, const struct explore_setup *setup)
{
    struct memory *memory = setup->small.memory;
    const char *why;

    assert(memory);
    *explorer = (struct explorer){ .setup = *setup };
    intern_init(&explorer->states, memory);
    intern_init(&explorer->tolds, memory);
    intern_init(&explorer->telling.names, memory);
    intern(&explorer->tolds, "", 0);
    why = small_world_init(&explorer->small, &setup->small);
    return why;
}

void explorer_free(struct explorer *explorer)
{
    struct memory *memory = explorer->setup.small.memory;

    assert(memory);
    small_world_free(&explorer->small);
    intern_free(&explorer->states);
    intern_free(&explorer->tolds);
    intern_free(&explorer->telling.names);
    explorer->telling.value = memory_free(memory, explorer->telling.value);
    explorer->node = memory_free(memory, explorer->node);
    explorer->edge = memory_free(memory, explorer->edge);
    explorer->order = memory_free(memory, explorer->order);
    explorer->found = memory_free(memory, explorer->found);
}

uint64_t explore_bytes(const struct explorer *explorer)
{
    const struct intern *states = &explorer->states;

    assert(states->memory);
    return states->text_room + states->item_room * sizeof *states->item + states->slots * sizeof *states->slot
         + explorer->node_room * sizeof *explorer->node + explorer->edge_room * sizeof *explorer->edge
         + explorer->order_room * sizeof *explorer->order;
}

/* ---- what was admitted --------------------------------------------------------------------------------- */

static bool told_before(const struct told *a, const struct told *b)
{
    if (a->instant_ns != b->instant_ns)
        return a->instant_ns < b->instant_ns;
    return a->key != b->key ? a->key < b->key : a->cost < b->cost;
}

/* One admission more in a sorted list of n. */
static uint32_t insert(struct told *list, uint32_t n, const struct told *one)
{
    uint32_t at = 0;

    assert(n < TOLD_MAX);
    while (at < n && told_before(&list[at], one))
        at++;
    if (at < n && !told_before(one, &list[at])) {
        list[at].count++;
        return n;
    }
    memmove(&list[at + 1], &list[at], (n - at) * sizeof *list);
    list[at] = *one;
    return n + 1;
}

static uint32_t told_after(struct explorer *explorer, uint32_t told, uint32_t news)
{
    struct told list[TOLD_MAX];
    uint32_t n = (uint32_t)(intern_size(&explorer->tolds, told) / sizeof *list), count;
    const struct small_news *heard = small_news(&explorer->small, news, &count);

    assert(n + count < TOLD_MAX);
    if (n > 0)
        memcpy(list, intern_bytes(&explorer->tolds, told), n * sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        struct told one = { heard[i].instant_ns, heard[i].cost, heard[i].key, 1 };
        if (heard[i].kind == NEWS_ADMITTED && heard[i].cost != 0)
            n = insert(list, n, &one);
    }
    return intern(&explorer->tolds, list, n * sizeof *list);
}

uint32_t explore_tell(struct explorer *explorer, uint32_t told, uint32_t news)
{
    uint32_t name[2] = { told, news };
    bool known;

    if (news == 0)
        return told;
    uint32_t *value = memo_at(&explorer->telling, name, sizeof name, &known);
    if (!known)
        *value = told_after(explorer, told, news);
    assert(*value < explorer->tolds.items);
    return *value;
}

const struct told *explore_told(const struct explorer *explorer, uint32_t state, uint32_t *n)
{
    uint32_t told = explore_state(explorer, state)->told;

    assert(told < explorer->tolds.items);
    *n = (uint32_t)(intern_size(&explorer->tolds, told) / sizeof(struct told));
    return intern_bytes(&explorer->tolds, told);
}

/* ---- states -------------------------------------------------------------------------------------------- */

/* A state while it is put together. */
struct draft { struct explore_state state; uint16_t client[SMALL_CLIENTS]; };
_Static_assert(offsetof(struct draft, client) == sizeof(struct explore_state), "clients follow at once");

static void sort(uint16_t *client, uint32_t n)
{
    assert(n <= SMALL_CLIENTS);
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = i; k > 0 && client[k - 1] > client[k]; k--) {
            uint16_t swap = client[k];
            client[k] = client[k - 1];
            client[k - 1] = swap;
        }
}

static uint16_t narrow(struct explorer *explorer, uint32_t client)
{
    assert(explorer->setup.small.clients >= 1);
    if (client > UINT16_MAX)
        explorer->end = EXPLORE_TOO_MANY_PARTS;
    return (uint16_t)client;
}

static uint32_t number_of(struct explorer *explorer, struct draft *draft)
{
    uint32_t clients = explorer->setup.small.clients;

    assert(clients <= SMALL_CLIENTS);
    if (explorer->setup.symmetry)
        sort(draft->client, clients);
    uint32_t number = intern(&explorer->states, draft, sizeof draft->state + clients * sizeof *draft->client);
    explorer->node = memory_grow(explorer->setup.small.memory, explorer->node, &explorer->node_room,
                                 number + (size_t)1, sizeof *explorer->node);
    return number;
}

uint32_t explore_first(struct explorer *explorer)
{
    struct draft draft = { .state = { .shared = small_first_shared(&explorer->small) } };

    if (explorer->states.items > 0)
        return explorer->first;
    for (uint32_t i = 0; i < explorer->setup.small.clients; i++)
        draft.client[i] = narrow(explorer, small_first_client(&explorer->small, i, &draft.state.shared));
    assert(draft.state.told == 0);
    return explorer->first = number_of(explorer, &draft);
}

/* The state as a draft: what is interned may move. */
static struct draft draft_of(const struct explorer *explorer, uint32_t state)
{
    struct draft draft = { 0 };

    assert(state < explorer->states.items);
    memcpy(&draft, explore_state(explorer, state), intern_size(&explorer->states, state));
    return draft;
}

/* ---- steps --------------------------------------------------------------------------------------------- */

static void add_successor(struct explorer *explorer, const struct successor *successor)
{
    assert(successor->count >= 1);
    explorer->found = memory_grow(explorer->setup.small.memory, explorer->found, &explorer->found_room,
                                  explorer->found_n + 1, sizeof *explorer->found);
    explorer->found[explorer->found_n++] = *successor;
}

/* What follows when the client at `place` (clients: nobody) steps so, in `count` ways. */
static void add_steps(struct explorer *explorer, const struct draft *from, uint32_t place,
                      struct small_action action, uint32_t count)
{
    struct small_world *small = &explorer->small;
    uint32_t clients = explorer->setup.small.clients, actor = place < clients ? from->client[place] : NO_CALL;
    uint32_t n = small_step(small, actor, from->state.shared, action).n;

    for (uint32_t i = 0; i < n; i++) {
        struct small_outcome outcome = small_step(small, actor, from->state.shared, action).outcome[i];
        struct successor successor = { .count = count, .action = action, .choice = i,
                                       .written = outcome.written, .acts = place < clients };
        struct draft next = *from;
        next.state.shared = outcome.shared;
        next.state.told = explore_tell(explorer, from->state.told, outcome.news);
        next.state.crashes += action.kind == SMALL_CRASH || action.kind == SMALL_UNHEARD;
        next.state.forgets += action.kind == SMALL_FORGET;
        for (uint32_t k = 0; k < clients; k++)
            next.client[k] = narrow(explorer, k == place ? outcome.client
                                              : small_outdate(small, from->client[k], outcome.written));
        if (place < clients) {
            successor.from = from->client[place];
            successor.to = next.client[place];
        }
        successor.state = number_of(explorer, &next);
        add_successor(explorer, &successor);
    }
}

static void add_client_steps(struct explorer *explorer, const struct draft *from, uint32_t place,
                             uint32_t count)
{
    uint32_t acts = small_acts(&explorer->small, from->client[place]);

    assert(count >= 1);
    for (uint32_t which = 0; which < acts; which++)
        add_steps(explorer, from, place, (struct small_action){ SMALL_ACT, which }, count);
    if (from->state.crashes >= explorer->setup.crashes)
        return;
    add_steps(explorer, from, place, (struct small_action){ SMALL_CRASH, 0 }, count);
    add_steps(explorer, from, place, (struct small_action){ SMALL_UNHEARD, 0 }, count);
}

static void add_background_steps(struct explorer *explorer, const struct draft *from)
{
    uint32_t nobody = explorer->setup.small.clients;
    uint32_t n = small_backgrounds(&explorer->small, from->state.shared);

    assert(n <= STEP_MESSAGES_MAX);
    for (uint32_t which = 0; which < n; which++)
        add_steps(explorer, from, nobody, (struct small_action){ SMALL_BACKGROUND, which }, 1);
    if (small_can_tick(&explorer->small, from->state.shared))
        add_steps(explorer, from, nobody, (struct small_action){ SMALL_TICK, 0 }, 1);
    for (uint32_t i = 0; from->state.forgets < explorer->setup.forgets && i < STORES_MAX; i++)
        add_steps(explorer, from, nobody, (struct small_action){ SMALL_FORGET, i }, 1);
}

static bool is_last(const struct explorer *explorer, const struct draft *draft)
{
    assert(explorer->setup.small.clients >= 1);
    for (uint32_t i = 0; i < explorer->setup.small.clients; i++)
        if (!small_is_done(&explorer->small, draft->client[i]))
            return false;
    return true;
}

/* Clients that are the same step once for all of them. */
const struct successor *explore_successors(struct explorer *explorer, uint32_t state, uint32_t *n)
{
    struct draft from = draft_of(explorer, state);
    uint32_t clients = explorer->setup.small.clients, count;

    explorer->found_n = 0;
    if (!is_last(explorer, &from)) {
        for (uint32_t place = 0; place < clients; place += count) {
            count = 1;
            while (explorer->setup.symmetry && place + count < clients
                   && from.client[place + count] == from.client[place])
                count++;
            add_client_steps(explorer, &from, place, count);
        }
        add_background_steps(explorer, &from);
    }
    assert(explorer->found_n <= explorer->found_room);
    *n = explorer->found_n;
    return explorer->found;
}

/* ---- the search ---------------------------------------------------------------------------------------- */

/* In how many ways its clients could change places with those that ask for the same. */
static uint64_t arrangements(const struct explorer *explorer, uint32_t state)
{
    const uint16_t *client = explore_clients(explorer, state);
    uint32_t of[SMALL_CLIENTS] = { 0 }, same = 0;
    uint64_t product = 1;

    assert(explorer->setup.symmetry);
    for (uint32_t i = 0; i < explorer->setup.small.clients; i++) {
        same = i > 0 && client[i] == client[i - 1] ? same + 1 : 1;
        product = product * ++of[small_like(&explorer->small, client[i])] / same;
    }
    return product;
}

/* Looks at a state for the first time: its edges. */
static void open_state(struct explorer *explorer, uint32_t state)
{
    uint32_t n;
    const struct successor *found = explore_successors(explorer, state, &n);
    struct draft draft = draft_of(explorer, state);
    struct explore_node *node = &explorer->node[state];

    assert(node->mark == MARK_NEW);
    node->mark = MARK_OPEN;
    node->first_edge = explorer->edges;
    node->edges = n;
    node->last = is_last(explorer, &draft);
    node->blocked = n == 0 && !node->last;
    explorer->blocked |= node->blocked;
    explorer->edge = memory_grow(explorer->setup.small.memory, explorer->edge, &explorer->edge_room,
                                 explorer->edges + n, sizeof *explorer->edge);
    for (uint32_t i = 0; i < n; i++)
        explorer->edge[explorer->edges++] = (struct explore_edge){ found[i].state, found[i].count };
    explorer->plain_states += explorer->setup.symmetry ? arrangements(explorer, state) : 1;
}

static void close_state(struct explorer *explorer, uint32_t state)
{
    assert(explorer->node[state].mark == MARK_OPEN);
    explorer->node[state].mark = MARK_DONE;
    explorer->order = memory_grow(explorer->setup.small.memory, explorer->order, &explorer->order_room,
                                  explorer->ordered + 1, sizeof *explorer->order);
    explorer->order[explorer->ordered++] = state;
}

static bool keep_on(struct explorer *explorer, uint64_t waiting)
{
    const struct explore_setup *setup = &explorer->setup;

    assert(explorer->states.items >= 1);
    if (explorer->end != EXPLORE_COMPLETE)
        return false;
    if (setup->most_states > 0 && explorer->states.items >= setup->most_states)
        explorer->end = EXPLORE_STATES;
    else if (explorer->states.items >= UINT32_MAX - ASK_EVERY)
        explorer->end = EXPLORE_TOO_MANY_PARTS;
    else if (setup->most_bytes > 0 && explore_bytes(explorer) >= setup->most_bytes)
        explorer->end = EXPLORE_MEMORY;
    else if (explorer->ordered % ASK_EVERY == 0 && setup->keep_on
             && !setup->keep_on(setup->context, explorer->states.items, waiting))
        explorer->end = EXPLORE_STOPPED;
    return explorer->end == EXPLORE_COMPLETE;
}

/* Depth first, so that states are ordered when it ends; a path is the stack. */
void explore(struct explorer *explorer)
{
    struct memory *memory = explorer->setup.small.memory;
    struct frame { uint32_t state, next; } *stack = NULL;
    size_t room = 0, depth = 0;

    explore_first(explorer);
    stack = memory_grow(memory, stack, &room, 1, sizeof *stack);
    stack[depth++] = (struct frame){ explorer->first, 0 };
    open_state(explorer, explorer->first);
    while (depth > 0 && keep_on(explorer, depth)) {
        struct frame *top = &stack[depth - 1];
        const struct explore_node *node = &explorer->node[top->state];
        if (top->next == node->edges) {
            close_state(explorer, top->state);
            depth--;
            continue;
        }
        uint32_t to = explorer->edge[node->first_edge + top->next++].to;
        explorer->endless |= explorer->node[to].mark == MARK_OPEN;
        if (explorer->node[to].mark != MARK_NEW)
            continue;
        stack = memory_grow(memory, stack, &room, depth + 1, sizeof *stack);
        stack[depth++] = (struct frame){ to, 0 };
        open_state(explorer, to);
    }
    memory_free(memory, stack);
    assert(explorer->end != EXPLORE_COMPLETE || explorer->ordered == explorer->states.items);
}

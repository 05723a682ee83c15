#include <assert.h>
#include "explore.h"

enum { MARK_NEW, MARK_OPEN, MARK_DONE, ASK_EVERY = 1 << 14, TOLD_MAX = 4096 };

/* A state while it is put together.  Where there are fewer clients, a record ends sooner. */
struct draft { struct explore_state state; uint16_t client[SMALL_CLIENTS]; uint32_t zero; };
_Static_assert(offsetof(struct draft, client) == sizeof(struct explore_state), "clients follow at once");
_Static_assert(sizeof(struct draft) % 8 == 0, "records are read in words");

static size_t record_bytes(uint32_t clients)
{
    assert(clients >= 1);
    if (clients > SMALL_CLIENTS)                            /* it will be refused */
        return sizeof(struct draft);
    return (sizeof(struct explore_state) + clients * sizeof(uint16_t) + 7) / 8 * 8;
}

/* ---- tables -------------------------------------------------------------------------------------------- */

const char *explorer_init(struct explorer *explorer, const struct explore_setup *setup)
{
    struct memory *memory = setup->small.memory;
    const char *why;

    assert(memory);
    *explorer = (struct explorer){ .setup = *setup };
    states_init(&explorer->states, memory, record_bytes(setup->small.clients));
    intern_init(&explorer->tolds, memory);
    pair_map_init(&explorer->telling, memory);
    intern(&explorer->tolds, "", 0);
    why = small_world_init(&explorer->small, &setup->small);
    return why;
}

void explorer_free(struct explorer *explorer)
{
    struct memory *memory = explorer->setup.small.memory;

    assert(memory);
    small_world_free(&explorer->small);
    states_free(&explorer->states);
    intern_free(&explorer->tolds);
    pair_map_free(&explorer->telling);
    explorer->node = memory_free(memory, explorer->node);
    explorer->edge = memory_free(memory, explorer->edge);
    explorer->order = memory_free(memory, explorer->order);
    explorer->found = memory_free(memory, explorer->found);
    explorer->draft = memory_free(memory, explorer->draft);
}

uint64_t explore_bytes(const struct explorer *explorer)
{
    assert(explorer->states.memory);
    return states_bytes(&explorer->states) + explorer->node_room * sizeof *explorer->node
         + explorer->edge_room * sizeof *explorer->edge + explorer->order_room * sizeof *explorer->order;
}

static uint64_t held(const struct intern *intern)
{
    assert(intern->text_used <= intern->text_room);
    return intern->text_room + intern->item_room * sizeof *intern->item
         + intern->slots * sizeof *intern->slot;
}

uint64_t explore_parts_bytes(const struct explorer *explorer)
{
    const struct small_world *small = &explorer->small;
    uint64_t bytes = small->range_room * sizeof *small->range + small->outcome_room * sizeof *small->outcome
                   + small->span_room * sizeof *small->span + small->move_room * sizeof *small->move;

    assert(small->outcomes <= small->outcome_room);
    for (unsigned i = 0; i < MOVES_OF; i++)
        bytes += small->moves_at[i].room * sizeof *small->moves_at[i].slot;
    return bytes + held(&small->clients) + held(&small->shareds) + held(&small->news) + held(&small->steps)
         + held(&small->masks) + held(&explorer->tolds);
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
    if (news == 0)
        return told;
    const uint32_t *known = pair_map_find(&explorer->telling, told, news);
    if (known)
        return *known;
    uint32_t after = told_after(explorer, told, news);
    assert(after < explorer->tolds.items);
    pair_map_add(&explorer->telling, told, news, after);
    return after;
}

const struct told *explore_told(const struct explorer *explorer, uint32_t state, uint32_t *n)
{
    uint32_t told = explore_state(explorer, state)->told;

    assert(told < explorer->tolds.items);
    *n = (uint32_t)(intern_size(&explorer->tolds, told) / sizeof(struct told));
    return intern_bytes(&explorer->tolds, told);
}

/* ---- states -------------------------------------------------------------------------------------------- */

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

static uint32_t number_of(struct explorer *explorer, const struct draft *draft, uint32_t hash)
{
    uint32_t number = states_number(&explorer->states, draft, hash);

    assert(number < explorer->states.items);
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
    if (explorer->setup.symmetry)
        sort(draft.client, explorer->setup.small.clients);
    return explorer->first = number_of(explorer, &draft, states_hash(&explorer->states, &draft));
}

/* The state as a draft: what is stored may move. */
static struct draft draft_of(const struct explorer *explorer, uint32_t state)
{
    struct draft draft = { .zero = 0 };

    assert(state < explorer->states.items);
    memcpy(&draft, explore_state(explorer, state), explorer->states.width);
    return draft;
}

/* ---- steps --------------------------------------------------------------------------------------------- */

/* Makes of a state what a move of the client at `place` (clients: nobody) makes of it. */
static void go_on(struct explorer *explorer, struct draft *draft, uint32_t place,
                  const struct small_move *move)
{
    struct small_world *small = &explorer->small;
    uint32_t clients = explorer->setup.small.clients;

    assert(clients <= SMALL_CLIENTS);
    draft->state.shared = move->outcome.shared;
    draft->state.told = explore_tell(explorer, draft->state.told, move->outcome.news);
    draft->state.crashes += move->action.kind == SMALL_CRASH || move->action.kind == SMALL_UNHEARD;
    draft->state.forgets += move->action.kind == SMALL_FORGET;
    for (uint32_t i = 0; move->mask != 0 && i < clients; i++)
        if (small_expects(small, draft->client[i]))
            draft->client[i] = narrow(explorer, small_outdate_by(small, draft->client[i], move->mask));
    if (place < clients)
        draft->client[place] = narrow(explorer, move->outcome.client);
}

/* What follows when the client at `place` (clients: nobody) moves, each in `count` ways; numbers come
 * later. */
static void add_moves(struct explorer *explorer, const struct draft *from, uint32_t place,
                      enum small_moves_of of, uint32_t count)
{
    struct memory *memory = explorer->setup.small.memory;
    uint32_t clients = explorer->setup.small.clients, actor = place < clients ? from->client[place] : NO_CALL;
    struct small_moves moves = small_moves(&explorer->small, of, actor, from->state.shared);
    size_t need = explorer->found_n + (size_t)moves.n;

    assert(count >= 1);
    explorer->found = memory_grow(memory, explorer->found, &explorer->found_room, need,
                                  sizeof *explorer->found);
    explorer->draft = memory_grow(memory, explorer->draft, &explorer->draft_room, need,
                                  sizeof *explorer->draft);
    for (uint32_t i = 0; i < moves.n; i++) {
        const struct small_move *move = &moves.move[i];
        struct draft *draft = &explorer->draft[explorer->found_n];
        struct successor *successor = &explorer->found[explorer->found_n++];
        *draft = *from;
        go_on(explorer, draft, place, move);
        *successor = (struct successor){ .count = count, .action = move->action, .choice = move->choice,
                                         .written = move->outcome.written, .acts = place < clients };
        if (place < clients) {
            successor->from = from->client[place];
            successor->to = draft->client[place];
        }
        if (explorer->setup.symmetry)
            sort(draft->client, clients);
        successor->state = states_hash(&explorer->states, draft);
        states_fetch(&explorer->states, successor->state);
    }
}

static void add_background_moves(struct explorer *explorer, const struct draft *from)
{
    uint32_t nobody = explorer->setup.small.clients;

    assert(from->state.forgets <= explorer->setup.forgets);
    add_moves(explorer, from, nobody, MOVES_BACKGROUND, 1);
    if (from->state.forgets < explorer->setup.forgets)
        add_moves(explorer, from, nobody, MOVES_FORGETS, 1);
}

/* Until now found[].state was the hash. */
static void give_numbers(struct explorer *explorer)
{
    assert(explorer->found_n <= explorer->found_room);
    for (uint32_t i = 0; i < explorer->found_n; i++)
        states_fetch_record(&explorer->states, explorer->found[i].state);
    for (uint32_t i = 0; i < explorer->found_n; i++) {
        explorer->found[i].state = number_of(explorer, &explorer->draft[i], explorer->found[i].state);
        memory_fetch(&explorer->node[explorer->found[i].state]);
    }
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
    explorer->found_last = is_last(explorer, &from);
    if (!explorer->found_last) {
        for (uint32_t place = 0; place < clients; place += count) {
            count = 1;
            while (explorer->setup.symmetry && place + count < clients
                   && from.client[place + count] == from.client[place])
                count++;
            add_moves(explorer, &from, place, MOVES_ACTS, count);
            if (from.state.crashes < explorer->setup.crashes)
                add_moves(explorer, &from, place, MOVES_CRASHES, count);
        }
        add_background_moves(explorer, &from);
        give_numbers(explorer);
    }
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
    struct explore_node *node = &explorer->node[state];

    assert(node->mark == MARK_NEW);
    node->mark = MARK_OPEN;
    node->first_edge = explorer->edges;
    node->edges = n;
    node->last = explorer->found_last;
    node->blocked = n == 0 && !node->last;
    explorer->blocked |= node->blocked;
    explorer->edge = memory_stretch(explorer->setup.small.memory, explorer->edge, &explorer->edge_room,
                                    explorer->edges + n, sizeof *explorer->edge);
    for (uint32_t i = 0; i < n; i++)
        explorer->edge[explorer->edges++] = (struct explore_edge){ found[i].state, found[i].count };
    explorer->plain_states += explorer->setup.symmetry ? arrangements(explorer, state) : 1;
}

static void close_state(struct explorer *explorer, uint32_t state)
{
    assert(explorer->node[state].mark == MARK_OPEN);
    explorer->node[state].mark = MARK_DONE;
    explorer->order = memory_stretch(explorer->setup.small.memory, explorer->order, &explorer->order_room,
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
    else if (setup->most_bytes > 0
             && explore_bytes(explorer) + explore_parts_bytes(explorer) >= setup->most_bytes)
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

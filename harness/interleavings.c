/* interleavings.c - see interleavings.h. */
#include "interleavings.h"
#include <stdlib.h>
#include "arena.h"

uint64_t told_requests(const struct told *told, uint32_t n)
{
    uint64_t requests = 0;

    for (uint32_t i = 0; i < n; i++)
        requests += told[i].count;
    return requests;
}

static mpz_t *new_numbers(size_t n)
{
    mpz_t *numbers = process_memory()->resize(process_memory(), NULL, n * sizeof *numbers);

    for (size_t i = 0; i < n; i++)
        mpz_init(numbers[i]);
    return numbers;
}

static mpz_t *free_numbers(mpz_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mpz_clear(numbers[i]);
    return memory_free(process_memory(), numbers);
}

static uint64_t ways_out(const struct explorer *explorer, uint32_t state)
{
    const struct explore_node *node = &explorer->node[state];
    uint64_t ways = 0;

    for (uint32_t i = 0; i < node->edges; i++)
        ways += explorer->edge[node->first_edge + i].count;
    return ways;
}

/* The longest path from each state, and the least common multiple of all numbers of ways out: its power of
 * the longest path can be divided at every step. */
static uint32_t longest_path(const struct explorer *explorer, mpz_t multiple)
{
    uint32_t *length = calloc(explorer->states.items + 1, sizeof *length), longest = 0;

    mpz_set_ui(multiple, 1);
    for (uint64_t i = 0; length && i < explorer->ordered; i++) {
        uint32_t state = explorer->order[i];
        const struct explore_node *node = &explorer->node[state];
        for (uint32_t k = 0; k < node->edges; k++) {
            uint32_t to = explorer->edge[node->first_edge + k].to;
            if (length[state] < length[to] + 1)
                length[state] = length[to] + 1;
        }
        if (node->edges > 0)
            mpz_lcm_ui(multiple, multiple, ways_out(explorer, state));
        longest = length[state] > longest ? length[state] : longest;
    }
    free(length);
    return longest;
}

static void reserve_counts(struct interleavings *out, uint64_t admitted)
{
    uint32_t counts = (uint32_t)(admitted < ADMITTED_MAX ? admitted : ADMITTED_MAX) + 1;

    if (counts <= out->counts)
        return;
    size_t bytes = counts * sizeof *out->weight;
    out->by_admitted = process_memory()->resize(process_memory(), out->by_admitted, bytes);
    out->weight = process_memory()->resize(process_memory(), out->weight, bytes);
    for (; out->counts < counts; out->counts++) {
        mpz_init(out->by_admitted[out->counts]);
        mpz_init(out->weight[out->counts]);
    }
}

/* What will not be used again: big numbers live only at the front of the walk over the graph. */
static void give_up(mpz_t number)
{
    mpz_clear(number);
    mpz_init(number);
}

/* An interleaving ends here. */
static void count_last(struct interleavings *out, const struct explorer *explorer, uint32_t state,
                       const struct judge *judge, const mpz_t paths, const mpz_t weight)
{
    uint32_t n;
    const struct told *told = explore_told(explorer, state, &n);
    uint64_t admitted = told_requests(told, n), at = admitted < ADMITTED_MAX ? admitted : ADMITTED_MAX;

    reserve_counts(out, admitted);
    out->most = admitted > out->most ? admitted : out->most;
    out->least = out->last_states == 0 || admitted < out->least ? admitted : out->least;
    out->last_states++;
    mpz_add(out->all, out->all, paths);
    if (judge->over(judge->context, told, n))
        mpz_add(out->over, out->over, paths);
    mpz_add(out->by_admitted[at], out->by_admitted[at], paths);
    mpz_add(out->weight[at], out->weight[at], weight);
}

/* What reaches a state goes on to those that follow it. */
static void pass_on(const struct explorer *explorer, uint32_t state, mpz_t *paths, mpz_t *weight, mpz_t part)
{
    const struct explore_node *node = &explorer->node[state];

    mpz_divexact_ui(part, weight[state], ways_out(explorer, state));
    for (uint32_t i = 0; i < node->edges; i++) {
        const struct explore_edge *edge = &explorer->edge[node->first_edge + i];
        mpz_addmul_ui(paths[edge->to], paths[state], edge->count);
        mpz_addmul_ui(weight[edge->to], part, edge->count);
    }
}

void interleavings_count(struct interleavings *out, const struct explorer *explorer,
                         const struct judge *judge)
{
    size_t states = explorer->states.items;
    mpz_t *paths = new_numbers(states), *weight = new_numbers(states), part;

    *out = (struct interleavings){ .most = 0 };
    mpz_inits(out->all, out->over, out->all_weight, part, NULL);
    uint32_t longest = longest_path(explorer, out->all_weight);
    mpz_pow_ui(out->all_weight, out->all_weight, longest);
    mpz_set_ui(paths[explorer->first], 1);
    mpz_set(weight[explorer->first], out->all_weight);
    for (uint64_t i = explorer->ordered; i-- > 0; ) {
        uint32_t state = explorer->order[i];
        if (explorer->node[state].edges > 0)
            pass_on(explorer, state, paths, weight, part);
        else
            count_last(out, explorer, state, judge, paths[state], weight[state]);
        give_up(paths[state]);
        give_up(weight[state]);
    }
    mpz_clear(part);
    free_numbers(paths, states);
    free_numbers(weight, states);
}

void interleavings_clear(struct interleavings *out)
{
    mpz_clears(out->all, out->over, out->all_weight, NULL);
    out->by_admitted = free_numbers(out->by_admitted, out->counts);
    out->weight = free_numbers(out->weight, out->counts);
    out->counts = 0;
}

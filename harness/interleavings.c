/* interleavings.c - see interleavings.h. */
#include "interleavings.h"
#include <assert.h>
#include <math.h>
#include "arena.h"

uint64_t told_requests(const struct told *told, uint32_t n)
{
    uint64_t requests = 0;

    for (uint32_t i = 0; i < n; i++)
        requests += told[i].count;
    return requests;
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

/* What must be known before anything is counted: how large the numbers will be. */
struct sizes {
    uint32_t longest;                   /* steps of the longest path */
    double paths;                       /* nearly how many there are */
    uint64_t most_ways;                 /* out of any state */
};

/* Chances are parts of the least common multiple of all numbers of ways out, to the power of the longest
 * path: it can be divided at every step. */
static struct sizes look_ahead(const struct explorer *explorer, mpz_t multiple)
{
    struct ahead { double paths; uint32_t steps; } *ahead =
        process_memory()->resize(process_memory(), NULL, (explorer->states.items + 1) * sizeof *ahead);
    struct sizes sizes = { .most_ways = 1 };

    mpz_set_ui(multiple, 1);
    for (uint64_t i = 0; i < explorer->ordered; i++) {
        uint32_t state = explorer->order[i];
        const struct explore_node *node = &explorer->node[state];
        struct ahead here = { .paths = node->edges == 0 };
        for (uint32_t k = 0; k < node->edges; k++) {
            const struct explore_edge *edge = &explorer->edge[node->first_edge + k];
            here.paths += ahead[edge->to].paths * edge->count;
            here.steps = here.steps < ahead[edge->to].steps + 1 ? ahead[edge->to].steps + 1 : here.steps;
        }
        uint64_t ways = ways_out(explorer, state);
        if (ways > 0 && mpz_divisible_ui_p(multiple, ways) == 0)
            mpz_lcm_ui(multiple, multiple, ways);
        sizes.most_ways = ways > sizes.most_ways ? ways : sizes.most_ways;
        ahead[state] = here;
    }
    sizes.longest = ahead[explorer->first].steps;
    sizes.paths = ahead[explorer->first].paths;
    memory_free(process_memory(), ahead);
    return sizes;
}

/* Bits that hold the number of paths.  Sums of positive numbers are right to one in a million here; beyond
 * what a double holds, each step adds at most as many bits as its ways have. */
static uint64_t path_bits(const struct sizes *sizes)
{
    int exponent;

    if (!isfinite(sizes->paths))
        return 1 + (uint64_t)sizes->longest * (64 - (uint64_t)__builtin_clzll(sizes->most_ways));
    frexp(sizes->paths, &exponent);
    return (uint64_t)exponent + 2;
}

/* Two numbers for each state, next to each other, as many limbs as the largest needs: the paths that lead to
 * it, and the chance of coming there.  They live in a pool from when the first step reaches the state until
 * they are passed on: only the front of the walk over the graph has any. */
struct numbers {
    mp_size_t path_limbs, weight_limbs;
    mp_limb_t *pool, *part;             /* part: of a weight */
    size_t used, room;                  /* places of the pool */
    uint32_t *place;                    /* of each state; 0: none */
    uint32_t *given_back;
    size_t given_back_n, given_back_room;
};

static size_t both(const struct numbers *numbers)
{
    return (size_t)(numbers->path_limbs + numbers->weight_limbs);
}

static struct numbers new_numbers(size_t states, uint64_t path_bits, uint64_t weight_bits)
{
    struct numbers numbers = { .path_limbs = (mp_size_t)(path_bits / GMP_NUMB_BITS + 1),
                               .weight_limbs = (mp_size_t)(weight_bits / GMP_NUMB_BITS + 1), .used = 1 };

    numbers.part = memory_grow(process_memory(), NULL, &(size_t){ 0 }, both(&numbers), sizeof *numbers.part);
    numbers.place = memory_grow(process_memory(), NULL, &(size_t){ 0 }, states, sizeof *numbers.place);
    return numbers;
}

static void free_pool(struct numbers *numbers)
{
    memory_free(process_memory(), numbers->pool);
    memory_free(process_memory(), numbers->part);
    memory_free(process_memory(), numbers->place);
    memory_free(process_memory(), numbers->given_back);
}

static mp_limb_t *path_of(const struct numbers *numbers, uint32_t state)
{
    return numbers->pool + numbers->place[state] * both(numbers);
}

static mp_limb_t *weight_of(const struct numbers *numbers, uint32_t state)
{
    return path_of(numbers, state) + numbers->path_limbs;
}

/* The state has numbers, zero at first.  Those of others may move. */
static void give_place(struct numbers *numbers, uint32_t state)
{
    if (numbers->place[state] != 0)
        return;
    if (numbers->given_back_n > 0) {
        numbers->place[state] = numbers->given_back[--numbers->given_back_n];
    } else {
        numbers->place[state] = (uint32_t)numbers->used++;
        numbers->pool = memory_stretch(process_memory(), numbers->pool, &numbers->room, numbers->used,
                                       both(numbers) * sizeof *numbers->pool);
    }
    mpn_zero(path_of(numbers, state), (mp_size_t)both(numbers));
}

static void give_back(struct numbers *numbers, uint32_t state)
{
    numbers->given_back = memory_grow(process_memory(), numbers->given_back, &numbers->given_back_room,
                                      numbers->given_back_n + 1, sizeof *numbers->given_back);
    numbers->given_back[numbers->given_back_n++] = numbers->place[state];
    numbers->place[state] = 0;
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

/* An interleaving ends here. */
static void count_last(struct interleavings *out, const struct explorer *explorer, uint32_t state,
                       const struct judge *judge, const struct numbers *numbers)
{
    mpz_t paths, weight;
    uint32_t n;
    const struct told *told = explore_told(explorer, state, &n);
    uint64_t admitted = told_requests(told, n), at = admitted < ADMITTED_MAX ? admitted : ADMITTED_MAX;

    mpz_roinit_n(paths, path_of(numbers, state), numbers->path_limbs);
    mpz_roinit_n(weight, weight_of(numbers, state), numbers->weight_limbs);
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

static void add_times(mp_limb_t *sum, const mp_limb_t *number, mp_size_t limbs, uint32_t times)
{
    mp_limb_t carry = times == 1 ? mpn_add_n(sum, sum, number, limbs)
                                 : mpn_addmul_1(sum, number, limbs, times);

    assert(carry == 0);
    (void)carry;
}

/* What reaches a state goes on to those that follow it. */
static void pass_on(const struct explorer *explorer, uint32_t state, struct numbers *numbers)
{
    const struct explore_node *node = &explorer->node[state];

    for (uint32_t i = 0; i < node->edges; i++)
        give_place(numbers, explorer->edge[node->first_edge + i].to);
    mpn_divexact_1(numbers->part, weight_of(numbers, state), numbers->weight_limbs,
                   ways_out(explorer, state));
    for (uint32_t i = 0; i < node->edges; i++) {
        const struct explore_edge *edge = &explorer->edge[node->first_edge + i];
        add_times(path_of(numbers, edge->to), path_of(numbers, state), numbers->path_limbs, edge->count);
        add_times(weight_of(numbers, edge->to), numbers->part, numbers->weight_limbs, edge->count);
    }
}

/* The places of numbers that some step from now will be added to. */
static void fetch_ahead(const struct explorer *explorer, uint64_t i, const struct numbers *numbers)
{
    enum { AHEAD = 6 };

    if (i < AHEAD)
        return;
    const struct explore_node *node = &explorer->node[explorer->order[i - AHEAD]];
    for (uint32_t k = 0; k < node->edges; k++)
        memory_fetch(&numbers->place[explorer->edge[node->first_edge + k].to]);
}

static void count_all(struct interleavings *out, const struct explorer *explorer, const struct judge *judge,
                      struct numbers *numbers)
{
    for (uint64_t i = explorer->ordered; i-- > 0; ) {
        uint32_t state = explorer->order[i];
        fetch_ahead(explorer, i, numbers);
        if (explorer->node[state].edges > 0)
            pass_on(explorer, state, numbers);
        else
            count_last(out, explorer, state, judge, numbers);
        give_back(numbers, state);
    }
}

void interleavings_count(struct interleavings *out, const struct explorer *explorer,
                         const struct judge *judge)
{
    *out = (struct interleavings){ .most = 0 };
    mpz_inits(out->all, out->over, out->all_weight, NULL);
    struct sizes sizes = look_ahead(explorer, out->all_weight);
    mpz_pow_ui(out->all_weight, out->all_weight, sizes.longest);
    struct numbers numbers = new_numbers(explorer->states.items, path_bits(&sizes),
                                         mpz_sizeinbase(out->all_weight, 2));
    give_place(&numbers, explorer->first);
    path_of(&numbers, explorer->first)[0] = 1;
    mpn_copyi(weight_of(&numbers, explorer->first), mpz_limbs_read(out->all_weight),
              (mp_size_t)mpz_size(out->all_weight));
    count_all(out, explorer, judge, &numbers);
    free_pool(&numbers);
}

void interleavings_clear(struct interleavings *out)
{
    mpz_clears(out->all, out->over, out->all_weight, NULL);
    out->by_admitted = free_numbers(out->by_admitted, out->counts);
    out->weight = free_numbers(out->weight, out->counts);
    out->counts = 0;
}

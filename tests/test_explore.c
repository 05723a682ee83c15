/* test_explore.c - every interleaving of small worlds: the known answers. */
#include <stdio.h>
#include "../engine/explore.h"
#include "../harness/design.h"
#include "../harness/interleavings.h"
#include "test.h"

static const struct known {
    const char *design;
    uint32_t clients, requests, limit;
    const char *interleavings, *over;
    uint64_t most, states, canonical;   /* 0: not known */
} known[] = {
    { "fixed-window@get-then-set", 2, 1, 1, "6", "4", 2, 0, 0 },
    { "fixed-window@get-then-set", 3, 1, 1, "66", "60", 3, 0, 0 },
    { "fixed-window@get-then-set", 2, 2, 2, "58", "52", 4, 0, 0 },
    { "fixed-window@get-then-set", 4, 1, 2, "2376", "2352", 4, 0, 0 },
    { "fixed-window@get-then-set", 3, 2, 3, "29850", "29760", 6, 0, 0 },
    { "fixed-window@get-then-set", 3, 3, 3, "4412028", "4410348", 9, 0, 0 },
    { "fixed-window@cas", 3, 1, 1, "150", "0", 1, 0, 0 },
    { "fixed-window@cas", 4, 1, 2, "310872", "0", 2, 0, 0 },
    { "fixed-window@cas", 4, 2, 3, "1177510452840", "0", 3, 0, 0 },
    { "fixed-window@incr", 3, 3, 3, "1680", "0", 3, 0, 0 },
    { "fixed-window@get-then-set", 5, 1, 1, "31320", NULL, 5, 813, 41 },
    { "fixed-window@get-then-set", 5, 1, 5, "113400", "0", 5, 0, 0 },
    { "fixed-window@get-then-set", 5, 2, 5, "296704169400", NULL, 10, 0, 0 },
    { "fixed-window@cas", 5, 2, 5, "691019809296973961132172600", "0", 5, 0, 0 },
};

static bool over_limit(void *context, const struct told *told, uint32_t n)
{
    return told_requests(told, n) > *(const uint32_t *)context;
}

static void explore_known(const struct known *row, bool symmetry)
{
    struct experiment experiment;
    struct design design;
    struct failure failure = { 0 };
    struct policy policy = { .limit = row->limit, .period_ns = 60000000000, .burst = row->limit };
    static const struct link none = { .delay = { .constant = true } };
    const struct link *links[] = { &none };
    struct network network = { .regions = 1, .links = links };
    uint32_t instances[] = { 1 };
    struct small_client client[SMALL_CLIENTS];
    int64_t instant[] = { 0 };

    experiment_init(&experiment);
    assert_null(policy_init(&policy));
    assert_true(design_parse(row->design, &experiment.topology, &policy, (struct origin){ 0 }, &design,
                             &failure));
    struct world_setup world = { .design = &design, .policy = &policy, .network = &network,
                                 .instances = instances, .timeout_ns = 1000000000 };
    for (uint32_t i = 0; i < row->clients; i++)
        client[i] = (struct small_client){ .requests = row->requests, .cost = 1 };
    struct explore_setup setup = {
        .small = { .memory = process_memory(), .world = &world, .clients = row->clients, .client = client,
                   .keys = 1, .instants = 1, .instant = instant },
        .symmetry = symmetry,
    };
    struct explorer explorer;
    assert_null(explorer_init(&explorer, &setup));
    explore(&explorer);
    assert_int_equal(explorer.end, EXPLORE_COMPLETE);
    assert_false(explorer.endless || explorer.blocked);
    struct interleavings counted;
    uint32_t limit = row->limit;
    interleavings_count(&counted, &explorer, &(struct judge){ over_limit, &limit });
    char *all = mpz_get_str(NULL, 10, counted.all), *over = mpz_get_str(NULL, 10, counted.over);
    printf("# %s C=%u K=%u L=%u: %s bad %s most %llu; %llu states, %zu canonical, %llu computed, %zu clients %zu shareds\n",
           row->design, row->clients, row->requests, row->limit, all, over,
           (unsigned long long)counted.most, (unsigned long long)explorer.plain_states,
           explorer.states.items, (unsigned long long)explorer.small.computed, explorer.small.clients.items,
           explorer.small.shareds.items);
    assert_string_equal(all, row->interleavings);
    if (row->over)
        assert_string_equal(over, row->over);
    assert_int_equal(counted.most, row->most);
    free(all);
    free(over);
    interleavings_clear(&counted);
    explorer_free(&explorer);
}

static void the_known_answers_come_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        explore_known(&known[i], true);
}

TEST_MAIN(TEST(the_known_answers_come_out))

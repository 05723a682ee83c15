/* Durable Objects in every interleaving of a small world: what the gate forbids never happens, and what it
 * lets in is as bad as it can be. */
#include "../engine/walk.h"
#include "../harness/design.h"
#include "../harness/interleavings.h"
#include "test.h"

enum { LIMIT = 2 };

static const struct link none = { .delay = { .constant = true } };
static const struct link *const links[] = { &none };
static const uint32_t instances[] = { 1 };
static const int64_t instant[] = { 0 };

static bool over_limit(void *context, const struct told *told, uint32_t n)
{
    (void)context;
    return told_requests(told, n) > LIMIT;
}

/* The most that any interleaving admits, of clients that send so many requests each. */
static uint64_t most_admitted(const char *text, uint32_t clients, uint32_t requests)
{
    struct policy policy = { .limit = LIMIT, .period_ns = INT64_C(86400000000000), .burst = LIMIT };
    struct network network = { .regions = 1, .links = links };
    struct small_client client[SMALL_CLIENTS];
    struct experiment experiment;
    struct failure failure = { 0 };
    struct design design;
    static struct explorer explorer;
    struct interleavings counted;

    experiment_init(&experiment);
    assert_null(policy_init(&policy));
    assert_true(design_parse(text, &experiment.topology, &policy, (struct origin){ 0 }, &design, &failure));
    struct world_setup world = { .design = &design, .policy = &policy, .network = &network,
                                 .instances = instances, .timeout_ns = 1000000000 };
    for (uint32_t i = 0; i < clients; i++)
        client[i] = (struct small_client){ .requests = requests, .cost = 1 };
    assert_null(explorer_init(&explorer, &(struct explore_setup){
        .small = { .memory = process_memory(), .world = &world, .clients = clients, .client = client,
                   .keys = 1, .instants = 1, .instant = instant },
        .symmetry = true }));
    explore(&explorer);
    assert_int_equal(explorer.end, EXPLORE_COMPLETE);
    assert_false(explorer.endless || explorer.blocked);
    interleavings_count(&counted, &explorer, &(struct judge){ over_limit, NULL });
    uint64_t most = counted.most;
    assert_int_equal(mpz_sgn(counted.over) > 0, most > LIMIT);
    interleavings_clear(&counted);
    explorer_free(&explorer);
    return most;
}

static void the_gate_and_the_cures_admit_the_limit_in_every_interleaving(void **state)
{
    static const char *const exact[] = {
        "token-bucket@durable-object", "token-bucket@durable-object:storage=1ms",
        "token-bucket@durable-object:await=get", "token-bucket@durable-object:await=hash",
        "token-bucket@durable-object:await=fetch:at=before",
        "token-bucket@durable-object:await=fetch:at=after",
        "token-bucket@durable-object:await=sync:at=before:cached=timer",
        "fixed-window-anchored@durable-object:storage=1ms",
    };

    (void)state;
    for (unsigned i = 0; i < sizeof exact / sizeof *exact; i++)
        for (uint32_t clients = 1; clients <= 4; clients++)
            assert_int_equal(most_admitted(exact[i], clients, 2), clients * 2 < LIMIT ? clients * 2 : LIMIT);
}

static void a_broken_await_can_admit_everybody(void **state)
{
    static const char *const broken[] = { "token-bucket@durable-object:await=fetch",
                                          "token-bucket@durable-object:await=call:storage=1ms",
                                          "sliding-window-log@durable-object:await=timer" };

    (void)state;
    for (unsigned i = 0; i < sizeof broken / sizeof *broken; i++) {
        assert_int_equal(most_admitted(broken[i], 1, 4), LIMIT);
        for (uint32_t clients = 2; clients <= 4; clients++)
            assert_int_equal(most_admitted(broken[i], clients, 2), clients * 2);
    }
}

static void a_cached_field_leaves_the_race_to_those_who_find_it_empty(void **state)
{
    (void)state;
    for (uint32_t clients = 1; clients <= 4; clients++)
        assert_int_equal(most_admitted("token-bucket@durable-object:await=fetch:cached=timer", clients, 1),
                         clients);
}

TEST_MAIN(TEST(the_gate_and_the_cures_admit_the_limit_in_every_interleaving),
          TEST(a_broken_await_can_admit_everybody),
          TEST(a_cached_field_leaves_the_race_to_those_who_find_it_empty))

/* Topologies as the engine wants them: who is linked to whom, how long it takes, whose clock is wrong. */
#include "test.h"
#include <string.h>
#include "../harness/lab.h"

#define MS INT64_C(1000000)

static struct arena arena;
static struct failure failure;

static int free_all(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct topology regions(uint32_t count)
{
    struct topology topology = { .regions = count };

    for (uint32_t i = 0; i < count; i++) {
        topology.region[i] = "somewhere";
        topology.instances[i] = i + 1;
    }
    return topology;
}

static struct lab build(const struct topology *topology)
{
    struct lab lab;

    if (!lab_build(&lab, topology, &arena, &failure))
        fail_msg("%s", failure.line);
    return lab;
}

static struct link_spec link_of(uint32_t from, uint32_t to, int64_t low_ns, int64_t high_ns)
{
    return (struct link_spec){
        .from = from, .to = to, .origin = { "s.yaml", 5 },
        .delay = { .kind = DIST_UNIFORM, .low_ns = low_ns, .high_ns = high_ns },
    };
}

/* ---- links ---- */

static void regions_without_links_are_at_one_place(void **state)
{
    struct topology topology = regions(3);
    struct lab lab = build(&topology);

    (void)state;
    assert_int_equal(lab.network.regions, 3);
    assert_int_equal(lab.shortest_ns, 0);
    for (uint32_t from = 0; from < 3; from++)
        for (uint32_t to = 0; to < 3; to++) {
            const struct link *link = network_link(&lab.network, from, to);
            assert_true(link->delay.constant);
            assert_int_equal(link->delay.most_ns, 0);
            assert_int_equal(link->loss_billionths + link->duplicate_billionths, 0);
        }
}

static void a_link_is_one_direction_and_the_last_word_counts(void **state)
{
    struct link_spec links[] = { link_of(0, 1, 20 * MS, 60 * MS), link_of(2, 1, 5 * MS, 7 * MS),
                                 link_of(0, 1, 30 * MS, 50 * MS) };
    struct topology topology = regions(3);

    (void)state;
    links[2].loss_billionths = 7;
    links[2].duplicate_billionths = 9;
    topology.links = 3;
    topology.link = links;
    struct lab lab = build(&topology);
    const struct link *there = network_link(&lab.network, 0, 1), *back = network_link(&lab.network, 1, 0);
    assert_int_equal(there->delay.least_ns, 30 * MS);
    assert_int_equal(there->delay.most_ns, 50 * MS);
    assert_int_equal(there->loss_billionths, 7);
    assert_int_equal(there->duplicate_billionths, 9);
    assert_int_equal(back->delay.most_ns, 0);
    assert_int_equal(network_link(&lab.network, 2, 1)->delay.most_ns, 7 * MS);
    assert_int_equal(network_link(&lab.network, 2, 1)->loss_billionths, 0);
}

static void the_shortest_delay_is_that_of_the_quickest_link_that_has_one(void **state)
{
    struct link_spec links[] = { link_of(0, 1, 20 * MS, 60 * MS), link_of(1, 0, 5 * MS, 7 * MS),
                                 link_of(1, 1, 0, 0) };
    struct topology topology = regions(2);

    (void)state;
    topology.link = links;
    for (uint32_t n = 0; n <= 3; n++) {
        static const int64_t shortest_ns[] = { 0, 20 * MS, 5 * MS, 5 * MS };
        topology.links = n;
        assert_int_equal(build(&topology).shortest_ns, shortest_ns[n]);
    }
    links[2] = link_of(1, 1, 0, 3);     /* may take no time, but need not */
    assert_int_equal(build(&topology).shortest_ns, 1);
}

static void a_link_that_cannot_be_is_named_by_its_line(void **state)
{
    struct link_spec links[] = { link_of(0, 1, 20 * MS, 10 * MS) };
    struct topology topology = regions(2);
    struct lab lab;

    (void)state;
    topology.links = 1;
    topology.link = links;
    assert_false(lab_build(&lab, &topology, &arena, &failure));
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_non_null(strstr(failure.line, "s.yaml:5: this link cannot be: "));
}

/* ---- clocks ---- */

static struct clock_spec ahead(int64_t region, int64_t instance, bool store, int64_t offset_ns)
{
    return (struct clock_spec){ .region = region, .instance = instance, .store_clock = store,
                                .clock = { .offset_ns = offset_ns }, .origin = { "s.yaml", 9 } };
}

/* How far the clocks of the nodes are ahead: "0 5 5" for three of them. */
static const char *offsets(const struct lab *lab, uint32_t nodes)
{
    const char *all = "";

    for (uint32_t i = 0; i < nodes; i++)
        all = arena_format(&arena, "%s%s%lld", all, i ? " " : "",
                           (long long)clock_read(&lab->node_clock[i], 1000) - 1000);
    return all;
}

static void clocks_are_perfect_unless_stated(void **state)
{
    struct topology topology = regions(3);
    struct lab lab = build(&topology);

    (void)state;
    assert_false(lab.clocks_differ);
    lab_clocks(&lab, &topology, topology.instances, &arena);
    assert_string_equal(offsets(&lab, 6), "0 0 0 0 0 0");
    for (uint32_t i = 0; i < 3; i++)
        assert_true(lab.store_clock[i].perfect);
}

static void later_rows_replace_earlier_ones_for_the_same_clock(void **state)
{
    struct clock_spec clocks[] = { ahead(-1, -1, false, 1), ahead(2, -1, false, 20), ahead(2, 1, false, 300),
                                   ahead(-1, 0, false, 4), ahead(1, -1, true, 50), ahead(-1, -1, false, 6) };
    static const char *const expected[] = { "0 0 0 0 0 0", "1 1 1 1 1 1", "1 1 1 20 20 20", "1 1 1 20 300 20",
                                            "4 4 1 4 300 20", "4 4 1 4 300 20", "6 6 6 6 6 6" };
    struct topology topology = regions(3);

    (void)state;
    topology.clock = clocks;
    for (uint32_t n = 0; n <= 6; n++) {
        topology.clocks = n;
        struct lab lab = build(&topology);
        lab_clocks(&lab, &topology, topology.instances, &arena);
        assert_string_equal(offsets(&lab, 6), expected[n]);
        assert_int_equal(lab.clocks_differ, n > 0);
        assert_int_equal(clock_read(&lab.store_clock[0], 7), 7);
        assert_int_equal(clock_read(&lab.store_clock[1], 7), n > 4 ? 57 : 7);
    }
}

static void a_store_clock_of_all_regions_is_in_all_regions(void **state)
{
    struct clock_spec clocks[] = { ahead(-1, -1, true, 5), ahead(2, -1, true, -5) };
    struct topology topology = regions(3);

    (void)state;
    topology.clocks = 2;
    topology.clock = clocks;
    struct lab lab = build(&topology);
    assert_int_equal(clock_read(&lab.store_clock[0], 100), 105);
    assert_int_equal(clock_read(&lab.store_clock[1], 100), 105);
    assert_int_equal(clock_read(&lab.store_clock[2], 100), 95);
    lab_clocks(&lab, &topology, topology.instances, &arena);
    assert_string_equal(offsets(&lab, 6), "0 0 0 0 0 0");
}

static void instances_that_a_design_adds_have_clocks_too(void **state)
{
    struct clock_spec clocks[] = { ahead(1, -1, false, 7), ahead(0, 3, false, 9) };
    struct topology topology = regions(2);
    uint32_t four[] = { 4, 4 };

    (void)state;
    topology.clocks = 2;
    topology.clock = clocks;
    struct lab lab = build(&topology);
    lab_clocks(&lab, &topology, four, &arena);
    assert_string_equal(offsets(&lab, 8), "0 0 0 9 7 7 7 7");
}

static void a_clock_that_cannot_be_is_named_by_its_line(void **state)
{
    struct clock_spec clocks[] = { ahead(-1, -1, false, 0) };
    struct topology topology = regions(2);
    struct lab lab;

    (void)state;
    clocks[0].clock.drift_ppb = -1000000000;
    topology.clocks = 1;
    topology.clock = clocks;
    assert_false(lab_build(&lab, &topology, &arena, &failure));
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_non_null(strstr(failure.line, "s.yaml:9: this clock cannot be: "));
}

#define LAB_TEST(name) cmocka_unit_test_teardown(name, free_all)

TEST_MAIN(LAB_TEST(regions_without_links_are_at_one_place),
          LAB_TEST(a_link_is_one_direction_and_the_last_word_counts),
          LAB_TEST(the_shortest_delay_is_that_of_the_quickest_link_that_has_one),
          LAB_TEST(a_link_that_cannot_be_is_named_by_its_line),
          LAB_TEST(clocks_are_perfect_unless_stated),
          LAB_TEST(later_rows_replace_earlier_ones_for_the_same_clock),
          LAB_TEST(a_store_clock_of_all_regions_is_in_all_regions),
          LAB_TEST(instances_that_a_design_adds_have_clocks_too),
          LAB_TEST(a_clock_that_cannot_be_is_named_by_its_line))

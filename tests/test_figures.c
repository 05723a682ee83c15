#include "test.h"
#include <string.h>
#include "../harness/figures.h"
#include "plausible.h"

static struct figure_value value_of(const char *name, const struct result *r)
{
    int found = figure_find(name);
    assert_true(found >= 0);
    return figures[found].get(r);
}

static const char *text_of(const char *name, const struct result *r)
{
    static char room[DECIMAL_TEXT];
    int found = figure_find(name);
    assert_true(found >= 0);
    return figure_text(figures[found].kind, figures[found].get(r), room);
}

/* The order that CONTRACT.md gives the fields of JSON; fields of ours come after. */
static void figures_stand_in_the_order_of_the_contract(void **state)
{
    static const char *const contract[] = {
        "design", "seed", "limit", "requests", "admitted", "denied", "failed", "admitted_cost", "denied_cost",
        "over_admitted", "over_admitted_cost", "excess", "effective_burst", "boundary_burst",
        "worst_window.cost", "worst_window.ratio", "worst_window.key", "worst_window.start",
        "worst_window.end", "ideal_admitted",
        "ideal_admitted_cost", "wrongly_admitted", "wrongly_denied", "lost_updates", "stale_reads", "retries",
        "first_denial", "store_reads", "store_writes", "latency_ns.p50", "latency_ns.p90", "latency_ns.p99",
        "latency_ns.p999", "latency_ns.max", "retry.honest", "retry.early", "retry.late", "fairness.keys",
        "fairness.regions", "keys", "keys_refused", "state_bytes", "digest",
    };
    (void)state;
    assert_true(figure_count > sizeof contract / sizeof contract[0]);
    for (unsigned i = 0; i < sizeof contract / sizeof contract[0]; i++)
        assert_string_equal(figures[i].path, contract[i]);
}

static void every_figure_is_found_by_its_path_and_says_what_it_means(void **state)
{
    (void)state;
    for (unsigned i = 0; i < figure_count; i++) {
        assert_int_equal(figure_find(figures[i].path), i);
        assert_true(strlen(figures[i].meaning) > 4);
        assert_null(strchr(figures[i].meaning, '\n'));
    }
    assert_int_equal(figure_find("no_such"), -1);
    assert_int_equal(figure_find(""), -1);
}

static void quantiles_go_by_their_last_part(void **state)
{
    (void)state;
    assert_string_equal(figures[figure_find("p99")].path, "latency_ns.p99");
    assert_string_equal(figures[figure_find("max")].path, "latency_ns.max");
    assert_int_equal(figure_find("honest"), -1);
}

static void an_unknown_name_suggests_the_nearest(void **state)
{
    (void)state;
    assert_string_equal(figure_nearest("boundry_burst"), "boundary_burst");
    assert_string_equal(figure_nearest("p9"), "p90");
    assert_null(figure_nearest("zzzzzzzzzzzzzzzz"));
}

static void each_figure_reads_its_own_member(void **state)
{
    struct result r = plausible_result(1, "k");
    (void)state;
    assert_string_equal(text_of("over_admitted", &r), "94");
    assert_string_equal(text_of("excess", &r), "86487.553");
    assert_string_equal(text_of("boundary_burst", &r), "1.432437765");
    assert_string_equal(text_of("worst_window.cost", &r), "399981");
    assert_string_equal(text_of("latency_ns.p99", &r), "168000000");
    assert_string_equal(text_of("fairness.regions", &r), "0.933333333");
    assert_string_equal(text_of("digest", &r), "0123456789abcdf0");
    assert_string_equal(text_of("promise_kept", &r), "true");
    r.worst_window.start_ns = -5;
    assert_string_equal(text_of("worst_window.start", &r), "-5");
}

static void what_is_undefined_is_null(void **state)
{
    struct result r = plausible_result(0, NULL);
    (void)state;
    r.first_denial = -1;
    r.latency_ns.p50 = -1;
    r.boundary_burst = DECIMAL_NULL;
    static const char *const nulls[] = { "worst_window.cost", "worst_window.ratio", "worst_window.key",
                                         "worst_window.start", "first_denial", "p50", "boundary_burst",
                                         "worst_burst_key" };
    for (unsigned i = 0; i < sizeof nulls / sizeof nulls[0]; i++) {
        assert_true(value_of(nulls[i], &r).null);
        assert_null(text_of(nulls[i], &r));
    }
}

static void the_largest_counts_and_digests_are_exact(void **state)
{
    struct result r = { .digest = UINT64_MAX, .requests = INT64_MAX, .admitted_cost = INT64_MAX };
    (void)state;
    assert_string_equal(text_of("digest", &r), "ffffffffffffffff");
    assert_string_equal(text_of("requests", &r), "9223372036854775807");
    assert_string_equal(text_of("admitted_cost", &r), "9223372036854775807");
}

TEST_MAIN(TEST(figures_stand_in_the_order_of_the_contract),
          TEST(every_figure_is_found_by_its_path_and_says_what_it_means),
          TEST(quantiles_go_by_their_last_part),
          TEST(an_unknown_name_suggests_the_nearest),
          TEST(each_figure_reads_its_own_member),
          TEST(what_is_undefined_is_null),
          TEST(the_largest_counts_and_digests_are_exact))

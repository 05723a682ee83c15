#include "test.h"
#include <string.h>
#include "../reports/contender.h"

static const struct tally ideal = { .requests = 10000, .admitted = 1000, .ideal_admitted = 1000,
                                    .keeps_target = true };

static struct contender contender(const char *design, struct tally tally, int64_t p99_ns)
{
    struct contender c = { .design = design, .label = "", .parameters = "", .limit = 100,
                           .requests = tally.requests, .failed = tally.failed,
                           .over_admitted = tally.over_admitted, .row = standing_from(&tally) };
    c.row.qualifies = tally.keeps_target && !tally.failed;
    c.row.p50_ns = c.row.p99_ns = p99_ns;
    return c;
}

static struct tally admitting(uint64_t admitted)
{
    struct tally tally = ideal;
    tally.admitted = admitted;
    return tally;
}

static void harm_is_what_is_over_the_target_and_what_the_ideal_admits_beyond(void **state)
{
    struct tally tally = { .requests = 10000, .admitted = 900, .over_admitted = 20, .ideal_admitted = 1000 };
    (void)state;
    assert_int_equal(standing_from(&tally).harm_share, 120000000);
    assert_int_equal(standing_from(&tally).ideal_share, 900000000);
    tally.admitted = 1250;
    assert_int_equal(standing_from(&tally).harm_share, 20000000);
    assert_int_equal(standing_from(&tally).ideal_share, 1250000000);
    tally.ideal_admitted = 0;
    assert_int_equal(standing_from(&tally).ideal_share, -1);
}

static void exact_is_a_target_kept_all_decided_and_at_most_a_thousandth_below_the_ideal(void **state)
{
    struct tally undecided = ideal, over = ideal;
    (void)state;
    undecided.failed = 1;
    over.keeps_target = false;
    assert_true(standing_from(&ideal).exact);
    assert_true(standing_from(&(struct tally){ .keeps_target = true }).exact);
    struct tally below = admitting(999), far_below = admitting(998);
    assert_true(standing_from(&below).exact);
    assert_false(standing_from(&far_below).exact);
    assert_false(standing_from(&undecided).exact);
    assert_false(standing_from(&over).exact);
}

static void refusing_is_no_way_to_the_top(void **state)
{
    struct contender list[] = { contender("refuses", admitting(800), 0), contender("slow", ideal, 5000),
                                contender("spares", admitting(990), 5000) };
    char words[CONTENDER_SENTENCE];
    (void)state;
    assert_int_equal(contenders_rank(list, 3), 3);
    assert_string_equal(list[0].design, "slow");
    assert_string_equal(list[1].design, "spares");
    assert_string_equal(list[2].design, "refuses");
    assert_non_null(strstr(contenders_pick(list, 3, words), "Faster, at a price: refuses (p99 0s, "));
    assert_non_null(strstr(words, "; admits 80% of the ideal)"));
}

static void more_admitted_comes_before_fewer_operations_but_not_above_the_ideal(void **state)
{
    struct tally more = admitting(1000), most = admitting(1050), less = admitting(995);
    (void)state;
    more.store_operations = 20000;
    most.store_operations = 30000;
    struct contender list[] = { contender("less", less, 5), contender("most", most, 5),
                                contender("more", more, 5) };
    contenders_rank(list, 3);
    assert_string_equal(list[0].design, "more");
    assert_string_equal(list[1].design, "most");
    assert_string_equal(list[2].design, "less");
}

static void the_fastest_exact_one_has_a_verdict(void **state)
{
    struct contender list[] = { contender("mute", ideal, -1), contender("quick", admitting(995), 1),
                                contender("exact", ideal, 9) };
    char words[CONTENDER_SENTENCE];
    (void)state;
    contenders_rank(list, 3);
    assert_non_null(strstr(contenders_pick(list, 3, words), "Pick: quick ("));
    assert_non_null(strstr(words, "\nFastest exact one: exact (p99 9ns"));
    assert_null(strstr(words, "mute"));
}

static void seeds_fold_into_the_worst_of_each(void **state)
{
    struct tally some = admitting(700), failing = ideal;
    (void)state;
    failing.failed = 3;
    failing.requests = 9000;
    struct contender list[] = { contender("a", some, 1), contender("a", failing, 2) };
    char words[CONTENDER_SENTENCE];
    assert_int_equal(contenders_rank(list, 2), 1);
    assert_int_equal(list->row.ideal_share, 700000000);
    assert_int_equal(list->row.harm_share, 300000000);
    assert_false(list->row.qualifies);
    assert_string_equal(contender_undecided(list, words), "a: 3 of 9000 requests got no decision");
}

static void who_decides_all_is_not_spoken_of(void **state)
{
    struct contender c = contender("a", ideal, 1);
    char words[CONTENDER_SENTENCE];
    (void)state;
    assert_string_equal(contender_undecided(&c, words), "");
}

static void parameters_are_named_once_or_for_each_limit(void **state)
{
    struct contender list[] = { contender("a", ideal, 1), contender("b", ideal, 1), contender("a", ideal, 1),
                                contender("b", ideal, 1), contender("b", ideal, 1) };
    static const char *const names[] = { "a", "b, limit 100", "", "b, limit 200", "" };
    char words[CONTENDER_SENTENCE];
    (void)state;
    list[3].parameters = list[4].parameters = "block=2";
    list[2].limit = list[3].limit = list[4].limit = 200;
    list[4].label = "spread";
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(contenders_parameters_of(list, 5, i, words), names[i]);
}

TEST_MAIN(TEST(harm_is_what_is_over_the_target_and_what_the_ideal_admits_beyond),
          TEST(exact_is_a_target_kept_all_decided_and_at_most_a_thousandth_below_the_ideal),
          TEST(refusing_is_no_way_to_the_top),
          TEST(more_admitted_comes_before_fewer_operations_but_not_above_the_ideal),
          TEST(the_fastest_exact_one_has_a_verdict),
          TEST(seeds_fold_into_the_worst_of_each),
          TEST(who_decides_all_is_not_spoken_of),
          TEST(parameters_are_named_once_or_for_each_limit))

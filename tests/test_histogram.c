#include "test.h"
#include <stdlib.h>
#include "../harness/histogram.h"
#include "dice.h"

enum { SPANS = 3000 };

static void nothing_measured_has_no_quantiles(void **state)
{
    struct histogram histogram = { 0 };

    (void)state;
    assert_int_equal(histogram_quantile(&histogram, 1, 2), -1);
    assert_int_equal(histogram_points(&histogram, NULL), 0);
}

static void spans_below_256_are_kept_exactly(void **state)
{
    struct histogram histogram = { 0 };

    (void)state;
    for (int64_t span = 0; span < 256; span++)
        histogram_add(&histogram, span);
    for (uint32_t rank = 1; rank <= 256; rank++)
        assert_int_equal(histogram_quantile(&histogram, rank, 256), rank - 1);
}

static void the_rank_is_rounded_up(void **state)
{
    struct histogram histogram = { 0 };

    (void)state;
    for (int64_t span = 1; span <= 10; span++)
        histogram_add(&histogram, span);
    assert_int_equal(histogram_quantile(&histogram, 50, 100), 5);
    assert_int_equal(histogram_quantile(&histogram, 51, 100), 6);
    assert_int_equal(histogram_quantile(&histogram, 99, 100), 10);
    assert_int_equal(histogram_quantile(&histogram, 1, 1000), 1);
}

static void a_quantile_is_the_upper_edge_of_its_bucket(void **state)
{
    struct histogram histogram = { 0 };

    (void)state;
    histogram_add(&histogram, 1000000);         /* 2^19 .. 2^20 in steps of 4096: 999,424 .. 1,003,519 */
    histogram_add(&histogram, 90000000);
    assert_int_equal(histogram_quantile(&histogram, 50, 100), 1003519);
}

static void no_quantile_is_above_the_largest_span(void **state)
{
    struct histogram histogram = { 0 };

    (void)state;
    histogram_add(&histogram, 1000000);
    assert_int_equal(histogram_quantile(&histogram, 50, 100), 1000000);
    histogram_add(&histogram, INT64_MAX);
    histogram_add(&histogram, INT64_MAX - 1);
    assert_int_equal(histogram_quantile(&histogram, 1, 1), INT64_MAX);
    histogram_add(&histogram, -5);
    assert_int_equal(histogram_quantile(&histogram, 1, 4), 0);
}

static int by_size(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

/* At or above the exact quantile, by at most a 128th of it. */
static void quantiles_of_any_spans_are_right_within_a_128th(void **state)
{
    static int64_t span[SPANS];
    struct dice dice = { .state = 3 };

    (void)state;
    for (int round = 0; round < 20; round++) {
        struct histogram histogram = { 0 };
        for (int i = 0; i < SPANS; i++)
            histogram_add(&histogram, span[i] = (int64_t)(dice_roll(&dice) >> dice_between(&dice, 1, 63)));
        qsort(span, SPANS, sizeof *span, by_size);
        for (uint32_t thousandth = 1; thousandth <= 1000; thousandth++) {
            int64_t exact = span[(SPANS * thousandth + 999) / 1000 - 1];
            int64_t got = histogram_quantile(&histogram, thousandth, 1000);
            assert_true(exact <= got && got <= span[SPANS - 1] && got - exact <= exact >> 7);
        }
    }
}

static void points_count_up_to_everything(void **state)
{
    struct latency_point point[4];
    struct histogram histogram = { 0 };

    (void)state;
    for (int i = 0; i < 5; i++)
        histogram_add(&histogram, 7);
    histogram_add(&histogram, 1000);            /* 1000 .. 1003 */
    histogram_add(&histogram, 2000);            /* 2000 .. 2007, cut at the largest */
    assert_int_equal(histogram_points(&histogram, point), 3);
    assert_true(point[0].upto_ns == 7 && point[0].count == 5);
    assert_true(point[1].upto_ns == 1003 && point[1].count == 6);
    assert_true(point[2].upto_ns == 2000 && point[2].count == 7);
}

TEST_MAIN(TEST(nothing_measured_has_no_quantiles), TEST(spans_below_256_are_kept_exactly),
          TEST(the_rank_is_rounded_up), TEST(a_quantile_is_the_upper_edge_of_its_bucket),
          TEST(no_quantile_is_above_the_largest_span), TEST(quantiles_of_any_spans_are_right_within_a_128th),
          TEST(points_count_up_to_everything))

/* test_stream.c - engine/stream.h: keyed values. */
#include "test.h"
#include "../engine/stream.h"

/* Random123's published known answers for philox2x64-10 (kat_vectors). */
static void philox_gives_its_published_known_answers(void **state)
{
    static const struct { uint64_t counter[2], key, first, second; } known[] = {
        { { 0, 0 }, 0, UINT64_C(0xca00a0459843d731), UINT64_C(0x66c24222c9a845b5) },
        { { UINT64_MAX, UINT64_MAX }, UINT64_MAX, UINT64_C(0x65b021d60cd8310f),
                UINT64_C(0x4d02f3222f86df20) },
        { { UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344) }, UINT64_C(0xa4093822299f31d0),
          UINT64_C(0x0a5e742c2997341c), UINT64_C(0xb0f883d38000de5d) },
    };
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct stream stream = { known[i].counter[0], (uint32_t)(known[i].counter[1] >> 32),
                                 (uint32_t)known[i].counter[1] };
        struct stream_pair pair = stream_pair(known[i].key, stream);
        assert_int_equal(pair.first, known[i].first);
        assert_int_equal(pair.second, known[i].second);
        assert_int_equal(stream_value(known[i].key, stream), known[i].first);
    }
}

static void every_part_of_a_stream_s_name_matters(void **state)
{
    const struct stream base = { 7, STREAM_DELAY, 3 };
    const uint64_t value = stream_value(1, base);
    (void)state;

    assert_int_equal(stream_value(1, base), value);
    assert_int_not_equal(stream_value(2, base), value);
    assert_int_not_equal(stream_value(1, (struct stream){ 8, STREAM_DELAY, 3 }), value);
    assert_int_not_equal(stream_value(1, (struct stream){ 7, STREAM_LOSS, 3 }), value);
    assert_int_not_equal(stream_value(1, (struct stream){ 7, STREAM_DELAY, 4 }), value);
}

/* 100,000 values over 10 cells: chi-square with 9 degrees of freedom is below 27.88 in 999 of 1,000 cases.
 * The seed is fixed, so this either always passes or never. */
static void values_below_n_are_spread_evenly(void **state)
{
    enum { CELLS = 10, DRAWS = 100000, EXPECTED = DRAWS / CELLS };
    int64_t seen[CELLS] = { 0 }, squares = 0;
    (void)state;

    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t cell = stream_below(42, (struct stream){ i, STREAM_TIE, 0 }, CELLS);
        assert_true(cell < CELLS);
        seen[cell]++;
    }
    for (int i = 0; i < CELLS; i++)
        squares += (seen[i] - EXPECTED) * (seen[i] - EXPECTED);
    assert_true(squares < EXPECTED * INT64_C(2788) / 100);
}

static void below_one_is_always_zero(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100; i++)
        assert_int_equal(stream_below(i, (struct stream){ i, STREAM_LOSS, 0 }, 1), 0);
}

TEST_MAIN(TEST(philox_gives_its_published_known_answers),
          TEST(every_part_of_a_stream_s_name_matters),
          TEST(values_below_n_are_spread_evenly),
          TEST(below_one_is_always_zero))

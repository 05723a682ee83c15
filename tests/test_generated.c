/* test_generated.c - what generated requests are made of (engine/generators.h), and what their keys are
 * called (harness/generated.h). */
#include "generating.h"

#include "../harness/generated.h"

static void zipf_keys_are_drawn_as_often_as_they_should(void **state)
{
    enum { KEYS = 10, REQUESTS = 200000 };
    struct generator *generator = START(0, 4, .kind = TRAFFIC_CONSTANT, .requests = REQUESTS,
            .rate_per_hour = per_second(1000), .keys = KEYS, .zipf_billionths = 1000000000);
    int seen[KEYS] = { 0 };
    struct arrival arrival;
    double harmonic = 0, chi_square = 0;
    (void)state;

    while (next(generator, &arrival)) {
        assert_true(arrival.key < KEYS);
        seen[arrival.key]++;
    }
    for (int i = 1; i <= KEYS; i++)
        harmonic += 1.0 / i;
    for (int i = 0; i < KEYS; i++) {
        double due = REQUESTS / harmonic / (i + 1);
        chi_square += (seen[i] - due) * (seen[i] - due) / due;
    }
    assert_true(chi_square < 27.88);    /* 9 degrees of freedom: 999 of 1,000 are below */
    generator_free(generator);
}

static void costs_and_regions_are_drawn_by_weight(void **state)
{
    static const struct cost_weight cost[] = { { 100, 90 }, { 4000, 10 } };
    static const uint32_t weight[] = { 3, 0, 1 };
    struct generator *generator = START(0, 6, .kind = TRAFFIC_POISSON, .requests = 100000,
            .rate_per_hour = per_second(10), .costs = 2, .cost = cost, .regions = 3, .region = -1,
            .region_weight = weight);
    int dear = 0, region[3] = { 0 }, dear_in_first = 0;
    struct arrival arrival;
    (void)state;

    while (next(generator, &arrival)) {
        assert_true(arrival.cost == 100 || arrival.cost == 4000);
        dear += arrival.cost == 4000;
        dear_in_first += arrival.cost == 4000 && arrival.region == 0;
        region[arrival.region]++;
    }
    assert_in_range(dear, 9700, 10300);                                 /* 3 standard deviations: 285 */
    assert_in_range(region[0], 74590, 75410);                           /* 411 */
    assert_int_equal(region[1], 0);
    assert_in_range(dear_in_first, 7250, 7750);                         /* cost and region are independent */
    generator_free(generator);
}

static void a_fixed_region_and_a_single_cost_are_just_that(void **state)
{
    static const struct cost_weight cost = { 5, 1 };
    struct generator *generator = START(0, 6, .kind = TRAFFIC_CONSTANT, .requests = 100, .costs = 1,
            .rate_per_hour = 1, .cost = &cost, .regions = 3, .region = 2);
    struct arrival arrival;
    (void)state;

    while (next(generator, &arrival))
        assert_true(arrival.cost == 5 && arrival.region == 2 && arrival.client == 0 && arrival.zero == 0);
    generator_free(generator);
}

/* --- determinism --- */

static const struct generator_spec mixed = {
    .kind = TRAFFIC_POISSON, .requests = 2000, .rate_per_hour = 3600 * 500, .keys = 300,
    .zipf_billionths = 900000000, .regions = 3, .region = -1,
};

static void assert_same_arrival(const struct arrival *a, const struct arrival *b)
{
    assert_memory_equal(a, b, sizeof *a);
}

static void the_same_seed_gives_the_same_bytes_again_and_again(void **state)
{
    struct generator *one = start(mixed, 7, 1), *other = start(mixed, 7, 2);
    struct arrival a, b;
    (void)state;

    for (int i = 0; i < 500; i++)
        assert_true(next(other, &b));
    generator_start(other, 1, &plain);                                  /* a restart forgets everything */
    for (int i = 0; i < 2000; i++) {
        assert_true(next(one, &a) && next(other, &b));
        assert_same_arrival(&a, &b);
        assert_int_equal(a.id, UINT64_C(7) << 40 | (uint64_t)i);
    }
    generator_free(one);
    generator_free(other);
}

static void more_requests_leave_the_earlier_ones_alone(void **state)
{
    struct generator_spec longer = mixed;
    longer.requests = 4000;
    struct generator *one = start(mixed, 7, 1), *other = start(longer, 7, 1);
    struct arrival a, b;
    (void)state;

    while (next(one, &a)) {
        assert_true(next(other, &b));
        assert_same_arrival(&a, &b);
    }
    assert_true(next(other, &b));
    generator_free(one);
    generator_free(other);
}

/* Other keys, costs or regions do not move the instants; another index or seed moves everything. */
static void each_draw_has_a_stream_of_its_own(void **state)
{
    static const struct cost_weight cost[] = { { 1, 1 }, { 2, 1 } };
    struct generator_spec dear = mixed;
    dear.costs = 2;
    dear.cost = cost;
    dear.keys = 1;
    struct generator *one = start(mixed, 7, 1), *other = start(dear, 7, 1), *elsewhere = start(mixed, 8, 1),
                     *again = start(mixed, 7, 2);
    struct arrival a, b, c, d;
    int same = 0;
    (void)state;

    for (int i = 0; i < 2000; i++) {
        assert_true(next(one, &a) && next(other, &b) && next(elsewhere, &c) && next(again, &d));
        assert_true(a.at_ns == b.at_ns && a.region == b.region);
        same += a.at_ns == c.at_ns || a.at_ns == d.at_ns;
    }
    assert_true(same < 5);
    generator_free(one);
    generator_free(other);
    generator_free(elsewhere);
    generator_free(again);
}

static void generated_traffic_is_the_same_bits_everywhere(void **state)
{
    static const struct { struct generator_spec spec; uint64_t checksum; } known[] = {
        { { .kind = TRAFFIC_POISSON, .requests = 5000, .rate_per_hour = 1440000, .keys = 1000,
            .regions = 3, .region = -1, .zipf_billionths = 1000000000 }, UINT64_C(0x6cce8eb276baeb56) },
        { { .kind = TRAFFIC_ON_OFF, .requests = 5000, .rate_per_hour = 1440000, .on_ns = 1000000,
            .off_ns = 333, .keys = 7, .regions = 1 }, UINT64_C(0x5647247b3f654e37) },
        { { .kind = TRAFFIC_RAMP, .rate_per_hour = 3600, .end_rate_per_hour = 7200000,
            .duration_ns = 5000000000, .keys = 5000, .regions = 1, .zipf_billionths = 1234567890 },
            UINT64_C(0xf1890007876cafc) },
    };
    struct arrival arrival;
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct generator *generator = start(known[i].spec, (uint32_t)i, 20260101);
        uint64_t checksum = 0;
        while (next(generator, &arrival)) {
            checksum = (checksum ^ (uint64_t)arrival.at_ns) * UINT64_C(0x100000001b3);
            checksum = (checksum ^ (arrival.key << 8 | arrival.region)) * UINT64_C(0x100000001b3);
        }
        assert_int_equal(checksum, known[i].checksum);
        generator_free(generator);
    }
}

/* --- names and refusals --- */

static void impossible_generators_are_refused(void **state)
{
    static const struct cost_weight negative = { -1, 1 }, nothing[] = { { 1, 0 }, { 2, 0 } };
    static const uint32_t nowhere[] = { 0, 0 };
    static const struct generator_spec good = { .kind = TRAFFIC_CONSTANT, .requests = 1,
            .rate_per_hour = 1, .keys = 1,
                                                .regions = 2 };
    struct generator_spec bad[30];
    struct generator generator;
    unsigned n = 0;
    (void)state;

#define BAD(member, value) bad[n] = good, bad[n++].member = value
    BAD(kind, TRAFFIC_TRACE);
    BAD(requests, 0);
    BAD(requests, GENERATOR_REQUESTS_MAX + 1);
    BAD(rate_per_hour, 0);
    BAD(rate_per_hour, -1);
    BAD(rate_per_hour, GENERATOR_RATE_MAX + 1);
    BAD(start_ns, -1);
    BAD(start_ns, INT64_MAX);
    BAD(duration_ns, -1);
    BAD(duration_ns, PERIOD_MAX + 1);
    BAD(keys, 0);
    BAD(keys, GENERATOR_KEYS_MAX + 1);
    BAD(zipf_billionths, -1);
    BAD(zipf_billionths, ZIPF_EXPONENT_MAX + 1);
    BAD(regions, 0);
    BAD(region, 2);
    BAD(region, -2);
    BAD(kind, TRAFFIC_ON_OFF);
    BAD(kind, TRAFFIC_RAMP);
    BAD(kind, TRAFFIC_BURST);
    BAD(kind, TRAFFIC_CLOSED_LOOP);
    BAD(costs, 1), bad[n - 1].cost = &negative;
    BAD(costs, 2), bad[n - 1].cost = nothing;
    BAD(region, -1), bad[n - 1].region_weight = nowhere;
    BAD(kind, TRAFFIC_CLOSED_LOOP), bad[n - 1].in_flight = 1 << 20, bad[n - 1].requests = (1 << 20) + 1;
#undef BAD
    assert_null(generator_init(&generator, &good, 0, process_memory()));
    generator_free(&generator);
    for (unsigned i = 0; i < n; i++)
        assert_non_null(generator_init(&generator, &bad[i], 0, process_memory()));
}

static void ten_million_keys_are_possible(void **state)
{
    struct generator *generator = START(0, 1, .kind = TRAFFIC_CONSTANT, .requests = 100, .rate_per_hour = 1,
            .keys = GENERATOR_KEYS_MAX, .zipf_billionths = 1000000000);
    struct arrival arrival;
    uint32_t rarest = 0;
    (void)state;

    while (next(generator, &arrival))
        rarest = arrival.key > rarest ? arrival.key : rarest;
    assert_true(rarest > 1000000 && rarest < GENERATOR_KEYS_MAX);
    generator_free(generator);
}

TEST_MAIN(TEST(zipf_keys_are_drawn_as_often_as_they_should),
          TEST(costs_and_regions_are_drawn_by_weight),
          TEST(a_fixed_region_and_a_single_cost_are_just_that),
          TEST(the_same_seed_gives_the_same_bytes_again_and_again),
          TEST(more_requests_leave_the_earlier_ones_alone),
          TEST(each_draw_has_a_stream_of_its_own),
          TEST(generated_traffic_is_the_same_bits_everywhere),
          TEST(impossible_generators_are_refused),
          TEST(ten_million_keys_are_possible))

/* test_generators.c - engine/generators.h: when requests come. */
#include "generating.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../engine/stream.h"

static const int64_t second = INT64_C(1000000000), hour = INT64_C(3600000000000);

static void a_constant_rate_has_exact_instants(void **state)
{
    static const int64_t rates[] = { 1, 7, 3600, 3601, 1234567, GENERATOR_RATE_MAX - 1, GENERATOR_RATE_MAX };
    struct arrival arrival;
    (void)state;

    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        struct generator *generator = START(0, 1, .kind = TRAFFIC_CONSTANT, .start_ns = 5, .requests = 20000,
                .rate_per_hour = rates[r]);
        for (int64_t i = 0; i < 20000; i++) {
            assert_true(next(generator, &arrival));
            assert_int_equal(arrival.at_ns, 5 + (int64_t)((i128)i * hour / rates[r]));
        }
        assert_false(next(generator, &arrival));
        assert_false(next(generator, &arrival));
        generator_free(generator);
    }
}

static void a_duration_is_half_open(void **state)
{
    struct generator *generator = START(0, 1, .kind = TRAFFIC_CONSTANT, .start_ns = second,
            .duration_ns = second, .rate_per_hour = per_second(10));
    struct arrival arrival;
    int sent = 0;
    (void)state;

    for (; next(generator, &arrival); sent++)
        assert_true(arrival.at_ns >= second && arrival.at_ns < 2 * second);
    assert_int_equal(sent, 10);
    generator_free(generator);
}

/* 100,000 gaps: the mean is within 1% (3 standard errors), variance over mean squared within 3% of 1, and of
 * counts a second, mean and variance agree: a Poisson process.  Seeds are fixed: this either always passes
 * or never. */
static void poisson_gaps_have_the_right_mean_and_dispersion(void **state)
{
    enum { REQUESTS = 100000 };
    struct generator *generator = START(3, 11, .kind = TRAFFIC_POISSON, .requests = REQUESTS,
            .rate_per_hour = per_second(400));
    static int counts[REQUESTS / 400 + 100];
    struct arrival arrival;
    int64_t last = 0;
    double sum = 0, squares = 0, count_squares = 0;
    const int seconds = REQUESTS / 400 - 10;
    (void)state;

    memset(counts, 0, sizeof counts);
    for (int i = 0; i < REQUESTS; i++) {
        assert_true(next(generator, &arrival));
        assert_true(arrival.at_ns >= last);
        double gap = (double)(arrival.at_ns - last);
        sum += gap;
        squares += gap * gap;
        last = arrival.at_ns;
        if (last / second < (int64_t)(sizeof counts / sizeof counts[0]))
            counts[last / second]++;
    }
    double mean = sum / REQUESTS, variance = squares / REQUESTS - mean * mean;
    assert_true(fabs(mean - 2500000) < 25000);
    assert_true(fabs(variance / (mean * mean) - 1) < 0.03);
    for (int i = 0; i < seconds; i++)
        count_squares += (counts[i] - 400.0) * (counts[i] - 400.0);
    assert_true(fabs(count_squares / seconds / 400 - 1) < 0.25);
    generator_free(generator);
}

/* The sum over all 2^32 draws divided by their number, exactly: what a very long run tends to. */
static void the_rate_of_a_poisson_process_is_exact(void **state)
{
    static const int64_t rates[] = { 1, 3600, 1440000, 360000000, GENERATOR_RATE_MAX };
    (void)state;

    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        struct generator *generator = START(0, 1, .kind = TRAFFIC_POISSON, .requests = 1,
                .rate_per_hour = rates[r]);
        long double factor = ldexpl((long double)generator->shape.poisson.factor,
                -(int)generator->shape.poisson.drop - 32);
        long double mean = factor * (long double)dist_mean_ns(&generator->shape.poisson.unit);
        assert_true(fabsl(mean * (long double)rates[r] / (long double)hour - 1) < 1e-12L);
        generator_free(generator);
    }
}

static void on_off_is_the_poisson_process_with_pauses_cut_in(void **state)
{
    struct generator_spec spec = { .kind = TRAFFIC_POISSON, .requests = 5000,
                                   .rate_per_hour = per_second(3) };
    struct generator *steady = start(spec, 0, 5);
    spec.kind = TRAFFIC_ON_OFF;
    spec.on_ns = 700000000;
    spec.off_ns = 4 * second + 1;
    struct generator *paused = start(spec, 0, 5);
    struct arrival a, b;
    (void)state;

    for (int i = 0; i < 5000; i++) {
        assert_true(next(steady, &a) && next(paused, &b));
        int64_t windows = a.at_ns / spec.on_ns;
        assert_int_equal(b.at_ns, a.at_ns + windows * spec.off_ns);
    }
    generator_free(steady);
    generator_free(paused);
}

/* Request i of a ramp, by bisection over the nanoseconds: the first at which the rate has added up to i. */
static int64_t slow_ramp(int64_t r0, int64_t r1, int64_t duration, uint64_t i)
{
    int64_t low = 0, high = duration;

    while (low < high) {
        int64_t t = low + (high - low) / 2;
        long double mean_rate = (long double)r0 + (long double)(r1 - r0) * (long double)t / (2.0L * duration);
        long double sum = mean_rate * (long double)t / (long double)hour;
        if (sum >= (long double)i)
            high = t;
        else
            low = t + 1;
    }
    return low;
}

static void ramps_follow_the_integral_of_their_rate(void **state)
{
    static const struct { int64_t r0, r1, duration; uint64_t requests; } ramps[] = {
        { 36000, 3600000, INT64_C(60000000000), 30300 },        /* 10/s to 1000/s over a minute */
        { 3600000, 36000, INT64_C(60000000000), 30300 },
        { 0, 720000, INT64_C(10000000000), 1000 },
        { 720000, 0, INT64_C(10000000000), 1000 },
        { 36000, 36000, INT64_C(10000000000), 100 },
        { 1, 2, 86400 * INT64_C(1000000000), 36 },
    };
    struct arrival arrival;
    (void)state;

    for (size_t k = 0; k < sizeof ramps / sizeof ramps[0]; k++) {
        struct generator *generator = START(0, 1, .kind = TRAFFIC_RAMP, .rate_per_hour = ramps[k].r0,
                .end_rate_per_hour = ramps[k].r1, .duration_ns = ramps[k].duration);
        uint64_t i = 0;
        for (int64_t last = 0; next(generator, &arrival); last = arrival.at_ns, i++) {
            int64_t wanted = slow_ramp(ramps[k].r0, ramps[k].r1, ramps[k].duration, i);
            assert_true(arrival.at_ns >= last);
            assert_true(llabs(arrival.at_ns - wanted) <= 2 + ramps[k].duration / 1000000000);
        }
        assert_int_equal(i, ramps[k].requests);
        generator_free(generator);
    }
}

static void ramps_of_any_size_end(void **state)
{
    static const int64_t rates[] = { 0, 1, 1000, GENERATOR_RATE_MAX };
    static const int64_t durations[] = { 1, 1000, INT64_C(3600000000000), PERIOD_MAX };
    struct arrival arrival;
    (void)state;

    for (int k = 0; k < 64; k++) {
        int64_t r0 = rates[k & 3], r1 = rates[k >> 2 & 3], duration = durations[k >> 4];
        if (r0 == 0 && r1 == 0)
            continue;
        struct generator *generator = START(0, 1, .kind = TRAFFIC_RAMP, .rate_per_hour = r0,
                .end_rate_per_hour = r1, .duration_ns = duration, .requests = 3000);
        for (int64_t last = 0; next(generator, &arrival); last = arrival.at_ns)
            assert_true(arrival.at_ns >= last && arrival.at_ns < duration);
        generator_free(generator);
    }
}

static void bursts_come_all_at_one_instant(void **state)
{
    struct generator_spec spec = { .kind = TRAFFIC_BURST, .start_ns = 59 * second, .size = 3,
                                   .every_ns = 60 * second, .requests = 8 };
    struct generator *generator = start(spec, 0, 1);
    struct arrival arrival;
    (void)state;

    for (int i = 0; i < 8; i++) {
        assert_true(next(generator, &arrival));
        assert_int_equal(arrival.at_ns, (59 + 60 * (i / 3)) * second);
    }
    assert_false(next(generator, &arrival));
    generator_free(generator);
    spec.every_ns = 0;
    generator = start(spec, 0, 1);
    for (int i = 0; i < 3; i++)
        assert_true(next(generator, &arrival) && arrival.at_ns == 59 * second);
    assert_false(next(generator, &arrival));                            /* once, whatever `requests` says */
    generator_free(generator);
}

/* --- closed loops --- */

/* A server that answers after a drawn time: what is outstanding, what was sent. */
struct served { uint64_t requests, most, by_client[64]; int64_t last_ns; };

static int64_t served_in(const struct arrival *arrival, uint64_t seed)
{
    return (int64_t)stream_below(seed, (struct stream){ arrival->id, STREAM_DELAY, 0 }, 1000);
}

static struct served serve(struct generator *generator, uint64_t seed)
{
    struct { struct arrival arrival; int64_t end_ns; } open[64];
    struct served served = { 0 };
    unsigned outstanding = 0;
    struct arrival arrival;
    struct verdict verdict = verdict_allow();

    for (;;) {
        while (next(generator, &arrival))
            open[outstanding++].arrival = arrival;
        for (unsigned i = 0; i < outstanding; i++)
            open[i].end_ns = open[i].arrival.at_ns + served_in(&open[i].arrival, seed);
        served.most = outstanding > served.most ? outstanding : served.most;
        if (outstanding == 0)
            return served;
        unsigned first = 0;
        for (unsigned i = 1; i < outstanding; i++)
            if (open[i].end_ns < open[first].end_ns)
                first = i;
        struct arrival ended = open[first].arrival;
        int64_t now_ns = open[first].end_ns;
        open[first] = open[--outstanding];
        assert_true(now_ns >= served.last_ns);
        served.last_ns = now_ns;
        served.requests++;
        served.by_client[ended.client - 1]++;
        if (generator->source.ended(&generator->source, &ended, now_ns, &verdict, &arrival)) {
            assert_int_equal(arrival.client, ended.client);
            assert_int_equal(arrival.at_ns, now_ns + generator->shape.loop.think_ns);
            open[outstanding++].arrival = arrival;
        }
    }
}

static void a_closed_loop_sends_all_and_never_more_than_its_clients_at_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct generator *generator = START(2, seed, .kind = TRAFFIC_CLOSED_LOOP, .in_flight = 20,
                .requests = 110, .think_ns = 7);
        struct served served = serve(generator, seed);
        assert_int_equal(served.requests, 110);
        assert_int_equal(served.most, 20);
        for (int i = 0; i < 20; i++)
            assert_true(served.by_client[i] >= 1);
        generator_free(generator);
    }
}

static void fewer_requests_than_clients_are_sent_once(void **state)
{
    struct generator *generator = START(0, 1, .kind = TRAFFIC_CLOSED_LOOP, .in_flight = 20, .requests = 5);
    struct served served = serve(generator, 1);
    (void)state;

    assert_int_equal(served.requests, 5);
    assert_int_equal(served.most, 5);
    generator_free(generator);
}

static void a_closed_loop_stops_when_its_time_is_over(void **state)
{
    struct generator *generator = START(0, 1, .kind = TRAFFIC_CLOSED_LOOP, .in_flight = 1, .think_ns = 10,
            .start_ns = 5, .duration_ns = 11);
    struct arrival first, second_one, third;
    struct verdict verdict = verdict_allow();
    (void)state;

    assert_true(next(generator, &first));
    assert_int_equal(first.at_ns, 5);
    assert_true(generator->source.ended(&generator->source, &first, 5, &verdict, &second_one));
    assert_int_equal(second_one.at_ns, 15);
    assert_false(generator->source.ended(&generator->source, &second_one, 15, &verdict, &third));
    generator_free(generator);
}

/* A client's k-th request is the same whatever becomes of the other clients. */
static void what_a_client_asks_for_does_not_depend_on_the_others(void **state)
{
    const struct generator_spec spec = { .kind = TRAFFIC_CLOSED_LOOP, .in_flight = 3, .requests = 1000,
            .keys = 50 };
    struct generator *one = start(spec, 0, 9), *other = start(spec, 0, 9);
    struct arrival a[3], b[3];
    struct verdict verdict = verdict_allow();
    (void)state;

    for (int i = 0; i < 3; i++)
        assert_true(next(one, &a[i]) && next(other, &b[i]));
    for (int k = 0; k < 5; k++)         /* only client 1 goes on in the one, all do in the other */
        for (int i = 2; i >= 0; i--) {
            struct arrival ended = b[i];
            assert_true(other->source.ended(&other->source, &ended, 1000 * k + i, &verdict, &b[i]));
            ended = a[1];
            if (i == 1)
                assert_true(one->source.ended(&one->source, &ended, 77 * k, &verdict, &a[1]));
            assert_true(i != 1 || (a[1].id == b[1].id && a[1].key == b[1].key));
        }
    generator_free(one);
    generator_free(other);
}

TEST_MAIN(TEST(a_constant_rate_has_exact_instants),
          TEST(a_duration_is_half_open),
          TEST(poisson_gaps_have_the_right_mean_and_dispersion),
          TEST(the_rate_of_a_poisson_process_is_exact),
          TEST(on_off_is_the_poisson_process_with_pauses_cut_in),
          TEST(ramps_follow_the_integral_of_their_rate),
          TEST(ramps_of_any_size_end),
          TEST(bursts_come_all_at_one_instant),
          TEST(a_closed_loop_sends_all_and_never_more_than_its_clients_at_once),
          TEST(fewer_requests_than_clients_are_sent_once),
          TEST(a_closed_loop_stops_when_its_time_is_over),
          TEST(what_a_client_asks_for_does_not_depend_on_the_others))

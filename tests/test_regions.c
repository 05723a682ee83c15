/* test_regions.c - harness/regions.h: the shipped table of round trips. */
#include "test.h"

#include <string.h>
#include "../harness/regions.h"

static const int64_t ms = 1000000;

/* Straight from the source, both directions: {to, back} in microseconds. */
static void figures_are_the_source_s(void **state)
{
    static const struct { const char *a, *b; int64_t there_us, back_us; } known[] = {
        { "us-east-1", "eu-west-1", 69558, 69644 },
        { "us-east-1", "ap-northeast-1", 149376, 149152 },
        { "eu-west-1", "ap-northeast-1", 200985, 201079 },
        { "us-east-1", "us-west-2", 64269, 63972 },
        { "sa-east-1", "ap-southeast-7", 353010, 358568 },
        { "ap-northeast-2", "ap-northeast-3", 24904, 25086 },
        { "il-central-1", "ap-south-1", 147014, 135236 },
        { "us-east-1", "us-east-2", 14668, 16128 },
        { "ap-southeast-4", "af-south-1", 422119, 419812 },
        { "me-central-1", "me-south-1", 16318, 14498 },
        { "eu-central-1", "eu-central-2", 9322, 8864 },
        { "ca-central-1", "ca-west-1", 47970, 50879 },
    };
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        int64_t ns, back;
        assert_true(region_round_trip(known[i].a, known[i].b, &ns));
        assert_true(region_round_trip(known[i].b, known[i].a, &back));
        int64_t mean_us = (known[i].there_us + known[i].back_us) / 2;
        assert_in_range(ns / 1000 - mean_us + 51, 0, 102);
        assert_int_equal(ns, back);
    }
}

static void every_region_has_a_name_a_place_and_a_way_to_every_other(void **state)
{
    (void)state;
    for (unsigned a = 0; a < CLOUD_REGIONS; a++) {
        assert_true(strlen(cloud_regions[a].name) > 0 && strlen(cloud_regions[a].place) > 0);
        assert_int_equal(region_find(cloud_regions[a].name), a);
        for (unsigned b = 0; b < CLOUD_REGIONS; b++) {
            int64_t ns = region_round_trip_ns(a, b);
            assert_int_equal(ns, region_round_trip_ns(b, a));
            assert_true(a == b ? ns == REGION_ITSELF_NS : ns > 5 * ms && ns < 500 * ms);
        }
        for (unsigned later = a; later < CLOUD_REGIONS; later++)
            /* a row says nothing of itself and what follows */
            assert_int_equal(cloud_regions[a].to_earlier[later], 0);
    }
}

/* A slipped figure would make a detour much shorter than the direct way, or much longer than it can be. */
static void no_detour_is_much_shorter_than_the_direct_way(void **state)
{
    (void)state;
    for (unsigned a = 0; a < CLOUD_REGIONS; a++)
        for (unsigned b = 0; b < CLOUD_REGIONS; b++)
            for (unsigned via = 0; via < CLOUD_REGIONS; via++)
                if (a != b && via != a && via != b)
                    assert_true(region_round_trip_ns(a, via) + region_round_trip_ns(via, b)
                                > region_round_trip_ns(a, b) * 8 / 10);
}

static void unknown_regions_are_unknown(void **state)
{
    int64_t ns = 42;
    (void)state;

    assert_int_equal(region_find("us-east-9"), -1);
    assert_int_equal(region_find(""), -1);
    assert_int_equal(region_find("us-east-1 "), -1);
    assert_false(region_round_trip("us-east-1", "atlantis", &ns));
    assert_false(region_round_trip("atlantis", "us-east-1", &ns));
    assert_int_equal(ns, 42);
}

TEST_MAIN(TEST(figures_are_the_source_s),
          TEST(every_region_has_a_name_a_place_and_a_way_to_every_other),
          TEST(no_detour_is_much_shorter_than_the_direct_way),
          TEST(unknown_regions_are_unknown))

/* test_upstash.c - the ephemeral cache in front of a script in Redis. */
#include "runner_rig.h"

#define AMS "topology: {regions: [fra, ams], store: ams, instances: %s, links: [{between: [fra, ams], " \
            "round_trip: 10ms%s}]}\nspread: off\n"
#define TEN "policy: {limit: 10, period: 60s}\n"
#define STEADY_HOME "traffic: [{generator: constant, rate: 1/s, duration: 59s, key: user}]\n"
#define STEADY "traffic: [{generator: constant, rate: 1/s, duration: 59s, region: fra, key: user}]\n"

static const struct result *run_one(const char *instances, const char *link, const char *design)
{
    run(arena_format(&arena, TEN AMS STEADY "designs: \"%s\"\n", instances, link, design));
    assert_int_equal(count, 1);
    return &results[0];
}

static void an_instance_that_was_denied_denies_by_itself_until_the_reset(void **state)
{
    const struct result *result = run_one("1", "", "upstash-fixed-window@upstash");

    (void)state;
    assert_int_equal(result->admitted, 10);
    assert_int_equal(result->denied, 49);
    assert_int_equal(result->store_reads, 11);
}

static void without_its_cache_every_request_asks(void **state)
{
    (void)state;
    assert_int_equal(run_one("1", "", "upstash-fixed-window@upstash:cache=off")->store_reads, 59);
}

static void each_instance_has_a_cache_of_its_own(void **state)
{
    const struct result *result = run_one("4", "", "upstash-fixed-window@upstash");

    (void)state;
    assert_int_equal(result->admitted, 10);
    assert_int_equal(result->store_reads, 14);
}

static void without_its_cache_it_is_a_script_to_the_byte(void **state)
{
    uint64_t digest[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        run(arena_format(&arena, TEN THREE BUSY("designs: upstash-sliding-window@%s\n"),
                         i ? "atomic" : "upstash:cache=off"));
        digest[i] = results[0].digest;
    }
    assert_int_equal(digest[0], digest[1]);
}

static void an_answer_that_was_lost_fails_and_is_not_remembered(void **state)
{
    const struct result *result = run_one("1", ", loss: 30%", "upstash-fixed-window@upstash");

    (void)state;
    assert_true(result->failed > 0);
    assert_int_equal(result->admitted + result->denied + result->failed, 59);
    assert_true(result->admitted <= 10 && result->denied > 0);
}

static void what_grows_cannot_stand_behind_it(void **state)
{
    (void)state;
    stops(TEN STEADY_HOME "designs: sliding-window-log@upstash\n", (struct runner_options){ 0 }, EXIT_USAGE,
          "test.yaml:3: sliding-window-log@upstash cannot be with a limit of 10; expected a limiter whose "
          "state does not grow");
}

static void only_a_counter_can_be_incremented(void **state)
{
    (void)state;
    stops(TEN STEADY_HOME "designs: user-limiter@incr\n", (struct runner_options){ 0 }, EXIT_USAGE,
          "test.yaml:3: user-limiter@incr cannot be with a limit of 10; expected a limiter that is a "
          "counter: fixed-window or fixed-window-anchored");
}

TEST_MAIN(RUN_TEST(an_instance_that_was_denied_denies_by_itself_until_the_reset),
          RUN_TEST(without_its_cache_every_request_asks), RUN_TEST(each_instance_has_a_cache_of_its_own),
          RUN_TEST(without_its_cache_it_is_a_script_to_the_byte),
          RUN_TEST(an_answer_that_was_lost_fails_and_is_not_remembered),
          RUN_TEST(what_grows_cannot_stand_behind_it), RUN_TEST(only_a_counter_can_be_incremented))

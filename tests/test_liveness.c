/* test_liveness.c - harness/liveness.h: who is still refused when all is over. */
#include "runner_rig.h"

/* One request is counted, and whoever gives the count an end is cut off meanwhile. */
#define CUT_BETWEEN(form) \
    "policy: {limit: 1, period: 60s}\n" \
    "topology: {regions: [fra, iad], store: iad, links: [{between: [fra, iad], one_way: 10ms}]}\n" \
    "traffic: {generator: burst, size: 1, region: fra, duration: 1s}\n" \
    "faults: [{partition: [fra, iad], from: 15ms, to: 1s}]\n" \
    "designs: 'fixed-window-anchored@incr:form=" form "'\n"

static void a_lost_expire_leaves_a_key_stuck(void **state)
{
    (void)state;
    run(CUT_BETWEEN("incr-expire"));
    assert_int_equal(results[0].admitted, 1);
    assert_int_equal(results[0].stuck_keys, 1);
    run(CUT_BETWEEN("one"));
    assert_int_equal(results[0].admitted, 1);
    assert_int_equal(results[0].stuck_keys, 0);
}

static void every_key_that_never_ends_is_counted(void **state)
{
    (void)state;
    run("policy: {limit: 1, period: 60s}\n"
        "traffic: {generator: constant, rate: 100/s, duration: 10s, keys: 7}\n"
        "faults: [{expiry: never}]\n"
        "designs: ['fixed-window-anchored@incr:form=incr-expire', fixed-window-anchored@incr,\n"
        "          token-bucket@atomic]\n");
    assert_int_equal(results[0].keys, 7);
    assert_int_equal(results[0].stuck_keys, 7);
    assert_int_equal(results[1].stuck_keys, 0);     /* each request sees that there is no end, and sets one */
    assert_int_equal(results[2].stuck_keys, 0);
}

static void keys_that_end_late_are_waited_for(void **state)
{
    (void)state;
    run("policy: {limit: 1, period: 60s}\n"
        "traffic: {generator: constant, rate: 1/s, duration: 10s}\n"
        "faults: [{expiry: late, by: 1h}]\n"
        "designs: fixed-window-anchored@incr\n");
    assert_int_equal(results[0].stuck_keys, 0);
}

/* Faults without an end have healed by then, and nothing is lost by chance. */
static void what_is_still_broken_at_the_end_has_healed(void **state)
{
    (void)state;
    run("policy: {limit: 5, period: 10s}\n"
        "topology: {regions: {fra: {instances: 3}, iad: {}}, store: iad,\n"
        "           links: [{between: [fra, iad], one_way: 10ms, loss: 50%}]}\n"
        "traffic: {generator: poisson, rate: 20/s, duration: 10s, keys: 5}\n"
        "faults: [{partition: fra, from: 2s}, {outage: all, from: 5s}, {crash: fra, from: 6s},\n"
        "         {slow: all, by: 1h}, {recycle: all, every: 1s}]\n"
        "designs: [token-bucket@atomic, token-bucket@local, token-bucket@owner, token-bucket@kv,\n"
        "          token-bucket@local-sync, sliding-window-log@cas, fixed-window@regional-counters]\n");
    assert_int_equal(count, 7);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(results[i].stuck_keys, 0);
}

/* A clock that was an hour ahead has written states from its future. */
static void clocks_that_were_wrong_are_waited_for(void **state)
{
    (void)state;
    run("policy: {limit: 5, period: 10s}\n"
        "topology: {regions: [fra, iad], store: iad,\n"
        "           clocks: [{region: fra, offset: 1h, steps: [{at: 5s, by: -2h}]}]}\n"
        "traffic: {generator: poisson, rate: 20/s, duration: 10s, keys: 5}\n"
        "designs: [token-bucket@atomic, fixed-window@atomic, sliding-window-log@get-then-set, gcra@local]\n");
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(results[i].stuck_keys, 0);
}

/* A rule that makes one key of many leaves numbers of keys that no bucket has. */
#define ONE_BUCKET(more) \
    "policy: {limit: 1, period: 60s}\n" more \
    "traffic: {generator: constant, rate: 100/s, duration: 10s, keys: 7, key: org/}\n" \
    "faults: [{expiry: never}]\n" \
    "designs: ['fixed-window-anchored@incr:form=incr-expire:key=none',\n" \
    "          'token-bucket@atomic:key=none',\n" \
    "          'token-bucket@atomic:key=before-slash:takes=then-ceiling']\n"

static void who_asks_at_last_is_led_to_the_bucket_that_was_used(void **state)
{
    (void)state;
    run(ONE_BUCKET("ceiling: {limit: 50}\n"));
    assert_int_equal(results[0].keys, 7);
    assert_int_equal(results[0].stuck_keys, 7);     /* all of them lead to the one that never ends */
    assert_int_equal(results[1].stuck_keys, 0);     /* one a minute for all, and they come one by one */
    assert_int_equal(results[2].stuck_keys, 0);
}

/* A sliding counter lets a little less through than its limit, and clocks that differ agree late. */
static void keys_under_one_ceiling_have_room_one_after_the_other(void **state)
{
    (void)state;
    run("policy: {limit: [1, 2, 3], period: 2s}\nceiling: {limit: 2}\n"
        "topology: {instances: 2, clocks: [{instance: 1, offset: 3s}]}\n"
        "traffic: {generator: constant, rate: 10/s, duration: 6s, keys: 30}\n"
        "designs: ['sliding-window-counter@atomic:clock=store:takes=then-ceiling',\n"
        "          'sliding-window-counter@atomic:clock=store:key=none',\n"
        "          'gcra@cas:takes=ceiling-first-refund', 'user-limiter@cas:key=none',\n"
        "          'token-bucket@local-sync:takes=then-ceiling']\n");
    assert_int_equal(count, 15);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(results[i].stuck_keys, 0);
}

static void too_many_keys_are_not_tried(void **state)
{
    char text[2000] = "policy: {limit: 5, period: 10s}\ntopology: {regions: [r0";

    (void)state;
    for (int i = 1; i < 64; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ", r%d", i);
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "]}\ntraffic: {generator: constant, rate: 10000/s, duration: 4s, keys: 1600}\n"
             "designs: token-bucket@local\n");
    run(text);
    assert_int_equal(results[0].keys, 1600);
    assert_int_equal(results[0].stuck_keys, -1);
}

static void a_run_is_the_same_whether_faults_follow_it_or_not(void **state)
{
    static const char *const faults[] = { "",
                                          "faults: [{outage: all, from: 1h}, {failover: all, at: 2h}]\n" };
    uint64_t digest[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        run(arena_format(&arena, "%s%s", BUSY(THREE "designs: gcra@cas\n"), faults[i]));
        digest[i] = results[0].digest;
    }
    assert_true(digest[0] == digest[1]);
}

static void a_fault_of_a_key_that_nobody_asks_for_is_refused(void **state)
{
    (void)state;
    run("traffic: {generator: burst, size: 5, duration: 1s, key: user, keys: 2}\n"
        "faults: [{forget: user1, at: 1s}]\ndesigns: gcra@cas\n");
    stops("traffic: {generator: burst, size: 5, duration: 1s, key: user, keys: 2}\n"
          "faults: [{forget: usr1, at: 1s}]\ndesigns: gcra@cas\n", (struct runner_options){ 0 }, EXIT_USAGE,
          "test.yaml:2: no request has the key 'usr1'; expected one that asks, or all");
}

TEST_MAIN(RUN_TEST(a_lost_expire_leaves_a_key_stuck),
          RUN_TEST(every_key_that_never_ends_is_counted),
          RUN_TEST(keys_that_end_late_are_waited_for),
          RUN_TEST(what_is_still_broken_at_the_end_has_healed),
          RUN_TEST(clocks_that_were_wrong_are_waited_for),
          RUN_TEST(who_asks_at_last_is_led_to_the_bucket_that_was_used),
          RUN_TEST(keys_under_one_ceiling_have_room_one_after_the_other),
          RUN_TEST(too_many_keys_are_not_tried),
          RUN_TEST(a_run_is_the_same_whether_faults_follow_it_or_not),
          RUN_TEST(a_fault_of_a_key_that_nobody_asks_for_is_refused))

/* Faults of instances on a time line, in exact numbers. */
#include "fault_rig.h"

/* A request of b sets out at 0 and is at the store at 45 ms; b crashes. */
static void a_crash_ends_what_is_in_flight_but_not_what_was_sent(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct trial *trial = apart("token-bucket@atomic", 1);
        trial_fault(trial, FAULT_CRASH, late ? 60 * MS : 20 * MS, 1 * S)->region = 1;
        ask(trial, 0, 1, 0, 1);
        ask(trial, 10 * S, 0, 0, 1);
        play(trial);
        assert_int_equal(trial->told[0].failed, !late);     /* at 60 ms the decision stood already */
        assert_int_equal(trial->told[0].finished_ns, late ? 60 * MS : 20 * MS);
        assert_false(admitted(trial, 1));
        trial_free(trial);
    }
}

static void a_crash_ends_a_read_before_it_can_write(void **state)
{
    struct trial *trial = apart("sliding-window-log@cas", 1);

    (void)state;
    trial_fault(trial, FAULT_CRASH, 100 * MS, 1 * S)->region = 1;
    ask(trial, 0, 1, 0, 1);                         /* its compare-and-set is there at 135 ms */
    ask(trial, 10 * S, 0, 0, 1);
    play(trial);
    assert_true(trial->told[0].failed);
    assert_true(trial->effect[1].ok);               /* it was written, and nobody hears of it */
    assert_false(admitted(trial, 1));
    trial_free(trial);
}

static void memory_is_lost_with_its_instance_and_nobody_answers_while_it_is_down(void **state)
{
    struct trial *trial = alone("token-bucket@local", 5, hour_ns);

    (void)state;
    trial_fault(trial, FAULT_CRASH, 10 * S, 20 * S);
    ask_times(trial, 6, 0, 0);
    ask_times(trial, 2, 15 * S, 0);
    ask_times(trial, 6, 30 * S, 0);
    play(trial);
    assert_int_equal(passed(trial, 0, 5), 5);
    assert_int_equal(undecided(trial, 6, 7), 2);
    assert_int_equal(latency_ns(trial, 6), 5 * S);
    assert_int_equal(passed(trial, 8, 13), 5);
    trial_free(trial);
}

static void requests_go_to_an_instance_that_is_up(void **state)
{
    struct trial *trial = alone("token-bucket@local", 5, hour_ns);

    (void)state;
    trial->topology.instances[0] = 2;
    trial_fault(trial, FAULT_CRASH, 0, NEVER_NS)->instance = 0;
    ask_times(trial, 8, 1 * S, 0);
    play(trial);
    assert_int_equal(trial->admitted, 5);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(trial->told[i].decision.node, 1);
    trial_free(trial);
}

static void a_sleeping_call_that_was_ended_is_not_woken(void **state)
{
    struct trial *trial = apart("token-bucket@owner:unreachable=open", 5);

    (void)state;
    trial_fault(trial, FAULT_PARTITION, 0, NEVER_NS)->from = 0;     /* answers are lost: the caller waits */
    trial_fault(trial, FAULT_CRASH, 2 * S, 3 * S)->region = 1;
    ask(trial, 0, 1, 0, 1);
    ask(trial, 4 * S, 1, 0, 1);
    play(trial);
    assert_true(trial->told[0].failed);
    assert_int_equal(trial->told[0].finished_ns, 2 * S);
    assert_true(admitted(trial, 1));
    assert_int_equal(latency_ns(trial, 1), 5 * S);
    trial_free(trial);
}

static void a_shaped_request_leaves_its_queue_though_its_instance_crashed(void **state)
{
    struct trial *trial = alone("leaky-bucket-queue@get-then-set", 10, 100 * S);

    (void)state;
    trial_link(trial, 0, 0, 10 * MS, 10 * MS);
    trial_fault(trial, FAULT_CRASH, 35 * MS, 1 * S);
    ask(trial, 0, 0, 0, 1);
    ask(trial, 1 * MS, 0, 0, 1);
    play(trial);
    assert_int_equal(trial->failed + trial->admitted, 2);
    trial_free(trial);
}

static void what_is_told_to_an_instance_that_is_down_is_lost(void **state)
{
    struct trial *trial = apart("token-bucket@local-sync", 10);

    (void)state;
    trial_fault(trial, FAULT_CRASH, 500 * MS, 5 * S)->region = 1;
    ask_times(trial, 4, 0, 0);
    ask_times(trial, 12, 10 * S, 1);
    play(trial);
    assert_int_equal(passed(trial, 4, 15), 10);
    trial_free(trial);
}

static void a_recycled_isolate_starts_full_each_time(void **state)
{
    struct trial *trial = alone("token-bucket@local", 10, hour_ns);
    struct fault *fault = trial_fault(trial, FAULT_RECYCLE, 60 * S, NEVER_NS);

    (void)state;
    fault->every_ns = 60 * S;
    fault->span_ns = 200 * MS;
    for (int minute = 0; minute < 3; minute++)
        ask_times(trial, 11, minute * 60 * S, 0);
    ask(trial, 120 * S + 50 * MS, 0, 0, 1);
    ask(trial, 130 * S, 0, 0, 1);
    play(trial);
    assert_int_equal(trial->admitted, 30);
    assert_int_equal(latency_ns(trial, 0), 0);
    assert_int_equal(latency_ns(trial, 11), 200 * MS);      /* a cold start, for all who come meanwhile */
    assert_int_equal(latency_ns(trial, 33), 150 * MS);
    assert_int_equal(latency_ns(trial, 34), 0);
    assert_int_equal(trial->world.fault_events, 1);         /* the next one is nobody's business */
    trial_free(trial);
}

static void a_recycled_isolate_keeps_its_calls(void **state)
{
    struct trial *trial = apart("token-bucket@atomic", 10);

    (void)state;
    trial_fault(trial, FAULT_RECYCLE, 20 * MS, NEVER_NS);
    ask(trial, 0, 1, 0, 1);
    play(trial);
    assert_true(admitted(trial, 0));
    assert_int_equal(latency_ns(trial, 0), 90 * MS);
    trial_free(trial);
}

TEST_MAIN(TEST(a_crash_ends_what_is_in_flight_but_not_what_was_sent),
          TEST(a_crash_ends_a_read_before_it_can_write),
          TEST(memory_is_lost_with_its_instance_and_nobody_answers_while_it_is_down),
          TEST(requests_go_to_an_instance_that_is_up),
          TEST(a_sleeping_call_that_was_ended_is_not_woken),
          TEST(a_shaped_request_leaves_its_queue_though_its_instance_crashed),
          TEST(what_is_told_to_an_instance_that_is_down_is_lost),
          TEST(a_recycled_isolate_starts_full_each_time),
          TEST(a_recycled_isolate_keeps_its_calls))

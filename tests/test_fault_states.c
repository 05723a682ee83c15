/* Faults on a time line that change what is stored, in exact numbers. */
#include "fault_rig.h"

/* Three ask at once: one is inside for 10 ms, two wait in the mailbox. */
static void an_owner_that_crashes_frees_its_gate_and_loses_its_mailbox(void **state)
{
    (void)state;
    for (int memory = 0; memory < 2; memory++) {
        struct trial *trial = alone("token-bucket@owner:service=10ms", 1, hour_ns);
        trial->volatile_memory = memory;
        trial_fault(trial, FAULT_OWNER_CRASH, 5 * MS, NEVER_NS);
        ask_times(trial, 3, 0, 0);
        ask(trial, 6 * MS, 0, 0, 1);
        play(trial);
        assert_true(admitted(trial, 0));            /* its decision stood */
        assert_int_equal(trial->told[0].finished_ns, 5 * MS);
        assert_int_equal(latency_ns(trial, 1), 5 * S);
        assert_int_equal(passed(trial, 1, 2), 0);
        assert_int_equal(admitted(trial, 3), memory);
        assert_int_equal(latency_ns(trial, 3), 10 * MS);
        trial_free(trial);
    }
}

/* One an hour: who asks again after `fault`, at 5 s, and how long that took. */
static bool passes_after(const char *design, enum fault_kind fault, int64_t *took_ns)
{
    struct trial *trial = alone(design, 1, hour_ns);

    trial_fault(trial, fault, 5 * S, NEVER_NS);
    ask(trial, 0, 0, 0, 1);
    ask(trial, 6 * S, 0, 0, 1);
    play(trial);
    bool passes = admitted(trial, 1);
    *took_ns = latency_ns(trial, 1);
    trial_free(trial);
    return passes;
}

static void an_object_that_crashes_starts_anew_with_what_it_had_stored(void **state)
{
    int64_t took_ns;

    (void)state;
    assert_false(passes_after("token-bucket@durable-object:cold=2ms", FAULT_OWNER_CRASH, &took_ns));
    assert_int_equal(took_ns, 2 * MS);
    assert_true(passes_after("token-bucket@durable-object:cold=2ms:state=memory", FAULT_OWNER_CRASH,
                             &took_ns));
    assert_int_equal(took_ns, 2 * MS);
}

static void an_objects_memory_is_not_that_of_its_callers(void **state)
{
    int64_t took_ns;

    (void)state;
    assert_false(passes_after("token-bucket@durable-object:cold=2ms:state=memory", FAULT_RECYCLE, &took_ns));
    assert_int_equal(took_ns, 0);
    assert_true(passes_after("token-bucket@local", FAULT_RECYCLE, &took_ns));
}

/* Ten an hour: 3 were replicated when 5 more came, which are lost: 8 + 7. */
static const char *const replicated[] = { "token-bucket@atomic", "sliding-window-log@atomic", "gcra@cas",
                                          "fixed-window@incr", "sliding-window-log@get-then-set",
                                          "token-bucket@owner" };

static void a_failover_loses_the_tail(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof replicated / sizeof *replicated; i++) {
        struct trial *trial = alone(replicated[i], 10, hour_ns);
        trial_fault(trial, FAULT_FAILOVER, 5 * S, NEVER_NS)->span_ns = 2 * S;
        ask_times(trial, 3, 1 * S, 0);
        ask_times(trial, 5, 4 * S, 0);
        ask_times(trial, 10, 6 * S, 0);
        play(trial);
        if (trial->admitted != 15)
            fail_msg("%s: %d admitted", replicated[i], (int)trial->admitted);
        trial_free(trial);
    }
}

static void a_key_that_was_not_replicated_at_all_is_gone(void **state)
{
    struct trial *trial = alone("sliding-window-log@cas", 10, hour_ns);

    (void)state;
    trial_fault(trial, FAULT_FAILOVER, 5 * S, NEVER_NS)->span_ns = 2 * S;
    ask_times(trial, 8, 4 * S, 0);
    ask_times(trial, 12, 6 * S, 0);
    play(trial);
    assert_int_equal(trial->admitted, 18);
    trial_free(trial);
}

/* Read before the failover, at version 2, and swapped after it, when the cell is at version 1 no more. */
static void versions_are_not_used_again_after_a_failover(void **state)
{
    struct trial *trial = apart("gcra@cas", 10);

    (void)state;
    trial_fault(trial, FAULT_FAILOVER, 5 * S, NEVER_NS)->span_ns = 2 * S;
    ask_times(trial, 1, 1 * S, 0);
    ask_times(trial, 1, 4 * S, 0);
    ask(trial, 4900 * MS, 1, 0, 1);
    play(trial);
    assert_int_equal(trial->admitted, 3);
    assert_int_equal(trial->world.retries, 1);
    trial_free(trial);
}

static void a_replica_may_have_another_clock(void **state)
{
    struct trial *trial = alone("fixed-window@atomic:clock=store", 10, 60 * S);
    struct fault *fault = trial_fault(trial, FAULT_FAILOVER, 5 * S, NEVER_NS);

    (void)state;
    fault->offset_ns = 57 * S;
    ask_times(trial, 10, 1 * S, 0);
    ask_times(trial, 10, 6 * S, 0);                 /* 63 s, it believes */
    play(trial);
    assert_int_equal(trial->admitted, 20);
    assert_int_equal(trial->told[10].decision.reading_ns, 63 * S);
    trial_free(trial);
}

static void what_is_forgotten_starts_full(void **state)
{
    static const char *const text[] = { "token-bucket@atomic", "token-bucket@kv:writes=none",
                                        "sliding-window-log@kv:writes=none", "token-bucket@owner" };
    (void)state;
    for (int one = 0; one < 2; one++)
        for (unsigned i = 0; i < sizeof text / sizeof *text; i++) {
            struct trial *trial = alone(text[i], 3, hour_ns);
            trial_fault(trial, FAULT_FORGET, 5 * S, NEVER_NS)->key = one ? 1 : -1;
            for (uint32_t n = 0; n < 16; n++)
                ask(trial, n < 8 ? 1 * S : 6 * S, 0, n % 2, 1);
            play(trial);
            assert_int_equal(passed(trial, 0, 7), 6);
            assert_int_equal(passed(trial, 8, 15), one ? 3 : 6);
            trial_free(trial);
        }
}

/* Two keys fit.  Key 0 is used up; whether it is still known depends on how many others came. */
/* Five keys are written one after another; then all are forgotten, or a failover undoes the last three, or
 * memory is not what a store holds. */
static void states_are_counted_as_they_come_and_go(void **state)
{
    static const struct { const char *design; enum fault_kind kind; unsigned peak, left; } row[] = {
        { "token-bucket@atomic", FAULT_FORGET, 5, 1 },
        { "token-bucket@atomic", FAULT_FAILOVER, 5, 3 },
        { "sliding-window-log@cas", FAULT_FAILOVER, 5, 3 },
        { "token-bucket@local", FAULT_FORGET, 0, 0 },
    };
    (void)state;
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        struct trial *trial = alone(row[i].design, 3, hour_ns);
        trial_fault(trial, row[i].kind, 10 * S, NEVER_NS)->span_ns = 7500 * MS;
        for (uint32_t key = 0; key < 5; key++)
            ask(trial, (key + 1) * S, 0, key, 1);
        ask(trial, 11 * S, 0, 4, 1);
        play(trial);
        assert_int_equal(trial->world.stored_peak, row[i].peak);
        assert_int_equal(trial->world.stored, row[i].left);
        trial_free(trial);
    }
}

static void a_full_store_evicts_whoever_was_not_used_for_longest(void **state)
{
    (void)state;
    for (uint32_t others = 0; others < 4; others++) {
        struct trial *trial = alone("token-bucket@atomic", 3, hour_ns);
        trial_fault(trial, FAULT_CAPACITY, 0, NEVER_NS)->most = 2;
        for (int i = 0; i < 3; i++)
            ask(trial, 1 * S, 0, 0, 1);
        for (uint32_t key = 1; key <= others; key++)
            ask(trial, 2 * S, 0, key, 1);
        ask(trial, 3 * S, 0, 0, 1);
        play(trial);
        assert_int_equal(admitted(trial, 3 + others), others >= 2);
        trial_free(trial);
    }
}

static void a_store_that_becomes_small_keeps_the_last_keys(void **state)
{
    struct trial *trial = alone("token-bucket@owner", 1, hour_ns);

    (void)state;
    trial_fault(trial, FAULT_CAPACITY, 5 * S, NEVER_NS)->most = 2;
    for (uint32_t key = 0; key < 4; key++)
        ask(trial, 1 * S, 0, key, 1);
    ask(trial, 6 * S, 0, 3, 1);
    ask(trial, 7 * S, 0, 2, 1);
    ask(trial, 8 * S, 0, 1, 1);
    play(trial);
    assert_false(admitted(trial, 4) || admitted(trial, 5));
    assert_true(admitted(trial, 6));
    trial_free(trial);
}

static const struct { int64_t span_ns; const char *text; int64_t ends_ns; } ends[] = {
    { 0, "fixed-window-anchored@incr", 60 * S },
    { -30 * S, "fixed-window-anchored@incr", 30 * S },
    { 15 * S, "fixed-window-anchored@incr", 75 * S },
    { 15 * S, "fixed-window-anchored@incr:form=incr-expire", 75 * S },
    { NEVER_NS, "fixed-window-anchored@incr", INT64_MAX },
    { NEVER_NS, "fixed-window-anchored@incr:form=incr-expire", INT64_MAX },
};

static void keys_end_early_late_or_never(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct trial *trial = alone(ends[i].text, 1, 60 * S);
        trial_fault(trial, FAULT_EXPIRY, 0, NEVER_NS)->span_ns = ends[i].span_ns;
        ask(trial, 0, 0, 0, 1);
        int64_t end_ns = i64_min(ends[i].ends_ns, 1000 * S);
        ask(trial, end_ns - 1, 0, 0, 1);
        ask(trial, end_ns, 0, 0, 1);
        play(trial);
        assert_true(admitted(trial, 0));
        assert_false(admitted(trial, 1));
        assert_int_equal(admitted(trial, 2), ends[i].ends_ns < INT64_MAX);
        trial_free(trial);
    }
}

static void an_expiry_fault_hits_as_often_as_it_says(void **state)
{
    struct trial *trial = alone("fixed-window-anchored@incr", 1, 60 * S);
    struct fault *fault = trial_fault(trial, FAULT_EXPIRY, 0, NEVER_NS);

    (void)state;
    fault->span_ns = NEVER_NS;
    fault->billionths = FAULT_CERTAIN / 4;
    for (uint32_t key = 0; key < 400; key++)
        ask(trial, 0, 0, key, 1);
    for (uint32_t key = 0; key < 400; key++)
        ask(trial, 100 * S, 0, key, 1);
    play(trial);
    assert_in_range(400 - passed(trial, 400, 799), 75, 125);
    trial_free(trial);
}

static void a_region_learns_another_policy_for_a_while(void **state)
{
    struct trial *trial = alone("fixed-window@atomic", 2, 10 * S);
    struct fault *fault = trial_fault(trial, FAULT_POLICY, 10 * S, 20 * S);

    (void)state;
    trial->variant = (struct policy){ .limit = 5, .period_ns = 10 * S, .burst = 5 };
    fault->variant = 1;
    for (int window = 0; window < 3; window++)
        ask_times(trial, 6, window * 10 * S + 1, 0);
    play(trial);
    assert_int_equal(passed(trial, 0, 5), 2);
    assert_int_equal(passed(trial, 6, 11), 5);
    assert_int_equal(passed(trial, 12, 17), 2);
    trial_free(trial);
}

TEST_MAIN(TEST(an_owner_that_crashes_frees_its_gate_and_loses_its_mailbox),
          TEST(an_object_that_crashes_starts_anew_with_what_it_had_stored),
          TEST(an_objects_memory_is_not_that_of_its_callers),
          TEST(a_failover_loses_the_tail),
          TEST(a_key_that_was_not_replicated_at_all_is_gone),
          TEST(versions_are_not_used_again_after_a_failover),
          TEST(a_replica_may_have_another_clock),
          TEST(what_is_forgotten_starts_full),
          TEST(states_are_counted_as_they_come_and_go),
          TEST(a_full_store_evicts_whoever_was_not_used_for_longest),
          TEST(a_store_that_becomes_small_keeps_the_last_keys),
          TEST(keys_end_early_late_or_never),
          TEST(an_expiry_fault_hits_as_often_as_it_says),
          TEST(a_region_learns_another_policy_for_a_while))

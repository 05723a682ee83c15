/* Durable Objects: what keeps the gate shut is exact, what opens it is a race; memory goes, storage stays. */
#include "world_rig.h"
#include "dice.h"
#include "../algos/limiters/limiters.h"

#define OBJECT "token-bucket@durable-object"
static const int64_t day_ns = 24 * 3600 * S;
static const char *const shut[] = { "get", "list", "hash", "promise" };
static const char *const opening[] = { "fetch", "timer", "call", "sync" };
enum { KINDS = 4, STATES = 1 };

static char text[256];
#define DESIGN(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

static uint32_t live_states(const struct trial *trial)
{
    const struct store *store = &trial->world.store[STATES];
    uint32_t live = 0;

    for (uint32_t i = 0; i < store->keys; i++)
        live += store->cell[i].present;
    return live;
}

/* ---- the gate ---------------------------------------------------------------------------------------- */

static void what_keeps_the_gate_shut_is_exact_and_makes_everybody_wait(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        struct trial *trial = trial_new(DESIGN(OBJECT ":await=%s", shut[k]), 1, 20, day_ns);
        ask_times(trial, 60, 0, 0);
        play(trial);
        for (uint32_t i = 0; i < 60; i++) {
            assert_int_equal(trial->told[i].decision.instant_ns, (i + 1) * 50 * MS);
            assert_int_equal(admitted(trial, i), i < 20);
        }
        assert_int_equal(trial->world.lost_updates, 0);
        trial_free(trial);
    }
}

static void what_opens_the_gate_lets_everybody_read_the_same_state(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        struct trial *trial = trial_new(DESIGN(OBJECT ":await=%s", opening[k]), 1, 20, day_ns);
        ask_times(trial, 60, 0, 0);
        ask(trial, 50 * MS + 1, 0, 0, 1);
        play(trial);
        for (uint32_t i = 0; i < 61; i++) {
            assert_true(admitted(trial, i));
            assert_int_equal(latency_ns(trial, i), 50 * MS);
        }
        assert_int_equal(trial->world.lost_updates, 59);    /* the one after them reads what they wrote */
        trial_free(trial);
    }
}

static uint64_t admitted_in_rounds(const char *design, int callers)
{
    struct trial *trial = trial_new(design, 1, 20, day_ns);

    for (int round = 0; round < 400 / callers; round++)
        ask_times(trial, callers, round * 51 * MS, 0);
    play(trial);
    uint64_t admitted = trial->admitted;
    assert_int_equal(trial->asks, 400);
    trial_free(trial);
    return admitted;
}

/* 400 requests on a limit of 20.  The real runtime: 40, about 143, 400, 400 (its eight callers are not in
 * step). */
static void a_broken_await_admits_callers_times_the_limit(void **state)
{
    (void)state;
    assert_int_equal(admitted_in_rounds(OBJECT ":await=fetch", 1), 20);
    assert_int_equal(admitted_in_rounds(OBJECT ":await=fetch", 2), 40);
    assert_int_equal(admitted_in_rounds(OBJECT ":await=fetch", 8), 160);
    assert_int_equal(admitted_in_rounds(OBJECT ":await=fetch", 50), 400);
    assert_int_equal(admitted_in_rounds(OBJECT ":await=fetch", 100), 400);
}

static void its_cures_are_exact(void **state)
{
    static const int callers[] = { 1, 2, 8, 50, 100 };
    static const char *const cure[] = { "at=before", "at=after", "at=before:cached=timer",
                                        "at=before:cached=expiry:refresh=1ms" };

    (void)state;
    for (int k = 0; k < KINDS; k++)
        for (int c = 0; c < 4; c++)
            for (int n = 0; n < 5; n++)
                assert_int_equal(admitted_in_rounds(DESIGN(OBJECT ":await=%s:%s", opening[k], cure[c]),
                                                    callers[n]), 20);
}

static void slow_work_first_decides_late_and_slow_work_after_at_once(void **state)
{
    struct trial *first = trial_new(OBJECT ":await=fetch:at=before", 1, 20, day_ns);
    struct trial *after = trial_new(OBJECT ":await=fetch:at=after", 1, 20, day_ns);

    (void)state;
    ask_times(first, 30, 0, 0);
    ask_times(after, 30, 0, 0);
    play(first);
    play(after);
    for (uint32_t i = 0; i < 30; i++) {         /* side by side, as the gate is open meanwhile */
        assert_int_equal(first->told[i].decision.instant_ns, 50 * MS);
        assert_int_equal(after->told[i].decision.instant_ns, 0);
        assert_int_equal(latency_ns(first, i), 50 * MS);
        assert_int_equal(latency_ns(after, i), 50 * MS);
    }
    trial_free(first);
    trial_free(after);
}

/* One reads 0..10 and is away 10..60; another reads 55..65: the first must wait to come in again. */
static void whoever_comes_back_waits_for_the_gate(void **state)
{
    struct trial *trial = trial_new(OBJECT ":await=fetch:storage=10ms", 1, 20, day_ns);

    (void)state;
    ask(trial, 0, 0, 0, 1);
    ask(trial, 55 * MS, 0, 0, 1);
    play(trial);
    assert_int_equal(trial->told[0].decision.instant_ns, 65 * MS);
    assert_int_equal(latency_ns(trial, 0), 75 * MS);            /* ... and writes 10 ms */
    assert_int_equal(trial->told[1].decision.instant_ns, 115 * MS);
    assert_int_equal(trial->world.lost_updates, 1);
    trial_free(trial);
}

static void a_storage_operation_keeps_the_gate_shut(void **state)
{
    struct trial *trial = trial_new(OBJECT ":storage=3ms:service=1ms", 1, 2, day_ns);

    (void)state;
    ask_times(trial, 3, 0, 0);
    play(trial);
    assert_int_equal(latency_ns(trial, 0), 7 * MS);             /* read, serve, write */
    assert_int_equal(latency_ns(trial, 1), 14 * MS);
    assert_int_equal(latency_ns(trial, 2), 18 * MS);            /* denied: nothing to write */
    trial_free(trial);
}

/* ---- where it is, and who cannot reach it ------------------------------------------------------------ */

static void an_object_lives_where_it_was_first_asked_for_or_where_it_is_told(void **state)
{
    struct trial *first = trial_new(OBJECT, 2, 9, day_ns), *told = trial_new(OBJECT ":place=home:home=a", 2,
                                                                             9, day_ns);

    (void)state;
    for (int t = 0; t < 2; t++) {
        struct trial *trial = t ? told : first;
        trial_link(trial, 0, 1, 45 * MS, 45 * MS);
        ask(trial, 0, 1, 0, 1);
        ask(trial, S, 0, 0, 1);
        play(trial);
        assert_int_equal(latency_ns(trial, 0), t ? 90 * MS : 0);
        assert_int_equal(latency_ns(trial, 1), t ? 0 : 90 * MS);
        trial_free(trial);
    }
}

static void the_catch_block_decides_for_whoever_gets_no_answer(void **state)
{
    static const char *const word[] = { "closed", "open", "local", "undecided" };
    static const unsigned passed[] = { 0, 30, 10, 0 }, failed[] = { 0, 0, 0, 30 };

    (void)state;
    for (int way = 0; way < 2; way++)           /* lost on its way there, or on its way back */
        for (int w = 0; w < 4; w++) {
            struct trial *trial = trial_new(DESIGN(OBJECT ":place=home:await=fetch:unreachable=%s", word[w]),
                                            2, 10, day_ns);
            trial_link(trial, 0, 1, 45 * MS, 45 * MS);
            trial_hurt(trial, way == 0, way == 1, 1000000000, 0);
            for (int i = 0; i < 30; i++)
                ask(trial, i * 200 * MS, 1, 0, 1);
            play(trial);
            assert_int_equal(trial->admitted, passed[w]);
            assert_int_equal(trial->failed, failed[w]);
            assert_int_equal(live_states(trial), way);      /* done, though nobody heard of it */
            trial_free(trial);
        }
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static uint64_t admitted_after_a_pause(const char *design, int64_t pause_ns)
{
    struct trial *trial = trial_new(design, 1, 5, day_ns);

    ask_times(trial, 5, 0, 0);
    ask_times(trial, 5, pause_ns, 0);
    play(trial);
    uint64_t admitted = trial->admitted;
    trial_free(trial);
    return admitted;
}

static void what_is_in_memory_is_gone_after_an_idle_spell_and_not_before(void **state)
{
    (void)state;
    assert_int_equal(admitted_after_a_pause(OBJECT ":state=memory:idle=10s", 10 * S - 1), 5);
    assert_int_equal(admitted_after_a_pause(OBJECT ":state=memory:idle=10s", 10 * S), 10);
    assert_int_equal(admitted_after_a_pause(OBJECT ":idle=10s", 10 * S), 5);
    assert_int_equal(admitted_after_a_pause(OBJECT ":state=memory", 3600 * S), 5);
    assert_int_equal(
        admitted_after_a_pause("sliding-window-log@durable-object:state=memory:idle=10s", 10 * S), 10);
}

static void nothing_is_evicted_in_the_middle_of_an_event(void **state)
{
    struct trial *trial = trial_new(OBJECT ":await=fetch:at=after:state=memory:idle=10ms", 1, 1, day_ns);

    (void)state;
    ask(trial, 0, 0, 0, 1);
    ask(trial, 40 * MS, 0, 0, 1);               /* the first one is still waiting */
    ask(trial, 99 * MS, 0, 0, 1);               /* the second ended 9 ms ago */
    ask(trial, 159 * MS, 0, 0, 1);              /* the third 10 ms ago */
    play(trial);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(admitted(trial, i), i == 0 || i == 3);
    trial_free(trial);
}

static void starting_takes_its_time_at_first_and_after_an_eviction(void **state)
{
    struct trial *trial = trial_new(OBJECT ":idle=10s:cold=2ms", 1, 20, day_ns);

    (void)state;
    ask_times(trial, 2, 0, 0);
    ask(trial, 9 * S, 0, 0, 1);
    ask(trial, 19 * S, 0, 0, 1);
    play(trial);
    assert_int_equal(latency_ns(trial, 0), 2 * MS);
    assert_int_equal(latency_ns(trial, 1), 2 * MS);             /* waits for the same start */
    assert_int_equal(latency_ns(trial, 2), 0);
    assert_int_equal(latency_ns(trial, 3), 2 * MS);
    trial_free(trial);
}

static void an_object_for_everybody_forgets_everybody(void **state)
{
    struct trial *trial = trial_new(OBJECT ":state=memory:idle=10s:scope=global", 1, 1, day_ns);

    (void)state;
    for (uint32_t key = 0; key < 3; key++)
        ask(trial, 0, 0, key, 1);
    ask(trial, 9 * S, 0, 2, 1);                 /* an event of one key keeps all of it in memory */
    ask(trial, 18 * S, 0, 1, 1);
    for (uint32_t key = 0; key < 3; key++)
        ask(trial, 28 * S, 0, key, 1);
    play(trial);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(admitted(trial, i), i < 3 || i > 4);
    trial_free(trial);
}

/* The documentation's login example: 5, and one more each 300 s. */
static void fifteen_logins_pass_in_22_seconds_across_evictions(void **state)
{
    struct trial *trial = trial_new("interval-bucket@durable-object:state=memory:idle=10s", 1, 1, 300 * S);

    (void)state;
    trial->policy.burst = 5;
    for (int i = 0; i < 3; i++)
        ask_times(trial, 6, i * 11 * S, 0);
    play(trial);
    assert_int_equal(trial->admitted, 15);
    assert_int_equal(trial->result.over_admitted, 10);
    assert_int_equal(trial->told[16].decision.instant_ns, 22 * S);
    trial_free(trial);
}

/* Filling takes `fill`, eviction `idle`: a pause that evicts has filled the bucket when fill <= idle. */
static void eviction_grants_extra_only_when_filling_takes_longer(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (int slow = 0; slow < 2; slow++) {
            struct trial *trial = trial_new("interval-bucket@durable-object:state=memory:idle=60s", 1, 10,
                                            slow ? 240 * S : 60 * S);
            struct dice dice = { seed };
            for (int64_t at_ns = 0; trial->asks < 1200; at_ns += dice_between(&dice, 1, 70 * S))
                ask_times(trial, 12, at_ns, 0);
            play(trial);
            assert_int_equal(trial->result.promise_kept, !slow);
            trial_free(trial);
        }
}

/* ---- a field that keeps what was fetched ------------------------------------------------------------- */

static void the_first_callers_of_a_life_pay_for_the_field(void **state)
{
    struct trial *trial = trial_new(OBJECT ":await=fetch:at=before:cached=timer:idle=10s", 1, 20, day_ns);

    (void)state;
    ask_times(trial, 3, 0, 0);
    ask(trial, 5 * S, 0, 0, 1);
    ask(trial, 14 * S, 0, 0, 1);
    ask(trial, 24 * S, 0, 0, 1);
    play(trial);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(latency_ns(trial, i), i < 3 || i == 5 ? 50 * MS : 0);
    trial_free(trial);
}

static void a_field_that_gets_old_is_fetched_again(void **state)
{
    struct trial *trial = trial_new(OBJECT ":await=fetch:at=before:cached=expiry:refresh=1s", 1, 20, day_ns);

    (void)state;
    ask(trial, 0, 0, 0, 1);
    ask(trial, S + 50 * MS - 1, 0, 0, 1);
    ask(trial, S + 50 * MS, 0, 0, 1);
    play(trial);
    assert_int_equal(latency_ns(trial, 0), 50 * MS);
    assert_int_equal(latency_ns(trial, 1), 0);
    assert_int_equal(latency_ns(trial, 2), 50 * MS);
    trial_free(trial);
}

static void a_field_leaves_the_race_to_the_first_callers(void **state)
{
    (void)state;
    assert_int_equal(admitted_in_rounds(OBJECT ":await=fetch:cached=timer", 8), 20 + 7);
    assert_int_equal(admitted_in_rounds(OBJECT ":await=fetch:cached=timer", 50), 20 + 49);
}

/* ---- storms ------------------------------------------------------------------------------------------ */

static struct trial *stormy(const char *design, uint64_t seed)
{
    struct trial *trial = trial_new(design, 3, 9, 5 * S);
    struct dice dice = { seed };
    int64_t at_ns = 0;

    trial->chooser.seed = seed;
    trial->timeout_ns = 700 * MS;
    trial_links(trial, 5 * MS, 80 * MS);
    for (uint32_t from = 0; from < 3; from++)
        for (uint32_t to = 0; to < 3; to++)
            if (from != to)
                trial_hurt(trial, from, to, 100000000, 200000000);
    for (int i = 0; i < 150; i++)
        ask(trial, at_ns += dice_between(&dice, 0, 40 * MS), (uint32_t)dice_between(&dice, 0, 2),
            (uint32_t)dice_between(&dice, 0, 2), dice_between(&dice, 0, 2));
    return trial;
}

/* play() checks that no gate is held, no message or state is left over, and every request ends once. */
static void no_storm_leaves_a_gate_shut_or_a_state_behind(void **state)
{
    static const char *const how[] = {
        "await=fetch", "await=fetch:storage=7ms:service=3ms:alarm=always:alarm_after=20ms",
        "await=call:at=before:cached=expiry:refresh=90ms:unreachable=local",
        "await=sync:at=after:state=memory:idle=60ms:cold=2ms:unreachable=undecided",
        "await=hash:await_time=9ms:state=memory:idle=30ms:scope=global:unreachable=open",
        "await=timer:await_time=0s:alarm=full:alarm_after=100ms:scope=global",
    };

    (void)state;
    for (unsigned l = 0; l < limiter_count; l++)
        for (unsigned h = 0; h < sizeof how / sizeof *how; h++)
            for (uint64_t seed = 1; seed <= 4; seed++) {
                snprintf(text, sizeof text, "%s@durable-object:%s", limiters[l]->name, how[h]);
                struct trial *first = stormy(text, seed), *again = stormy(text, seed);
                play(first);
                play(again);
                assert_true(first->digest == again->digest);
                trial_free(first);
                trial_free(again);
            }
}

TEST_MAIN(TEST(what_keeps_the_gate_shut_is_exact_and_makes_everybody_wait),
          TEST(what_opens_the_gate_lets_everybody_read_the_same_state),
          TEST(a_broken_await_admits_callers_times_the_limit),
          TEST(its_cures_are_exact),
          TEST(slow_work_first_decides_late_and_slow_work_after_at_once),
          TEST(whoever_comes_back_waits_for_the_gate),
          TEST(a_storage_operation_keeps_the_gate_shut),
          TEST(an_object_lives_where_it_was_first_asked_for_or_where_it_is_told),
          TEST(the_catch_block_decides_for_whoever_gets_no_answer),
          TEST(what_is_in_memory_is_gone_after_an_idle_spell_and_not_before),
          TEST(nothing_is_evicted_in_the_middle_of_an_event),
          TEST(starting_takes_its_time_at_first_and_after_an_eviction),
          TEST(an_object_for_everybody_forgets_everybody),
          TEST(fifteen_logins_pass_in_22_seconds_across_evictions),
          TEST(eviction_grants_extra_only_when_filling_takes_longer),
          TEST(the_first_callers_of_a_life_pay_for_the_field),
          TEST(a_field_that_gets_old_is_fetched_again),
          TEST(a_field_leaves_the_race_to_the_first_callers),
          TEST(no_storm_leaves_a_gate_shut_or_a_state_behind))

/* Requests as programs of takes: what each take asks and charges, when a caller is told, what the race
 * between two of them lets through, and that nobody hears of what is silent. */
#include "world_rig.h"
#include "../algos/programs.h"

static const int64_t hour_ns = 3600 * S;

static void ask_for(struct trial *trial, int64_t at_ns, uint32_t key, int64_t cost, int64_t used)
{
    ask(trial, at_ns, trial->topology.regions - 1, key, cost);
    trial->asked[trial->asks - 1].surplus = used - cost;
}

/* A store and the clients 45 ms from it; what flows in within the run is less than one. */
static struct trial *far(const char *design, int64_t limit)
{
    struct trial *trial = trial_new(design, 2, limit, 1000 * hour_ns);

    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    return trial;
}

static struct trial *near(const char *design, int64_t limit)
{
    return trial_new(design, 1, limit, 1000 * hour_ns);
}

static void cap(struct trial *trial, int64_t limit)
{
    trial->ceiling = (struct policy){ .limit = limit, .period_ns = 1000 * hour_ns, .burst = limit };
}

static const char *with(struct trial *trial, const char *design, const char *takes)
{
    return trial->text = arena_format(&trial->arena, "%s:takes=%s", design, takes);
}

/* ---- under every coordination that can run them -------------------------------------------------------- */

static const char *const runners[] = {
    "token-bucket@owner", "token-bucket@owner:scope=global", "token-bucket@home-region",
    "token-bucket@get-then-set", "token-bucket@get-then-set:denied=writes", "token-bucket@cas",
    "token-bucket@atomic", "token-bucket@atomic:clock=store",
    "token-bucket@kv:writes=none", "token-bucket@local", "token-bucket@sharded:shards=1",
    "fixed-window@owner", "gcra@cas", "sliding-window-counter@atomic",
};
enum { RUNNERS = sizeof runners / sizeof *runners };

/* With no network at all every program is its rule applied in order. */
static void expect_alone(const char *takes, int64_t cap_at, const int64_t cost_used[][3], const char *answers,
                         void (*also)(const struct trial *trial))
{
    for (unsigned i = 0; i < RUNNERS; i++) {
        struct trial *trial = near("", 10);
        with(trial, runners[i], takes);
        if (cap_at > 0)
            cap(trial, cap_at);
        for (unsigned n = 0; answers[n]; n++)
            ask_for(trial, (int64_t)n * S, (uint32_t)cost_used[n][0], cost_used[n][1], cost_used[n][2]);
        play(trial);
        for (uint32_t n = 0; answers[n]; n++)
            if (admitted(trial, n) != (answers[n] == 'A'))
                fail_msg("%s: request %u was %s", trial->text, n, admitted(trial, n) ? "admitted" : "denied");
        if (also)
            also(trial);
        trial_free(trial);
    }
}

static void nothing_wrong(const struct trial *trial)
{
    assert_int_equal(trial->result.wrongly_admitted, 0);
    assert_int_equal(trial->result.wrongly_denied, 0);
}

static void what_was_used_less_is_given_back(void **state)
{
    static const int64_t asks[][3] = { { 0, 8, 3 }, { 0, 7, 2 }, { 0, 6, 6 }, { 0, 1, 1 } };

    (void)state;
    expect_alone("estimate-then-settle", 0, asks, "AADA", nothing_wrong);
}

static void what_was_used_more_is_charged_even_into_debt(void **state)
{
    static const int64_t asks[][3] = { { 0, 2, 8 }, { 0, 2, 4 }, { 0, 1, 1 }, { 0, 0, 0 } };

    (void)state;
    expect_alone("estimate-then-settle", 0, asks, "AADA", nothing_wrong);
}

static void a_denied_request_settles_nothing(void **state)
{
    static const int64_t asks[][3] = { { 0, 9, 9 }, { 0, 2, 200 }, { 0, 1, 1 } };

    (void)state;
    expect_alone("estimate-then-settle", 0, asks, "ADA", nothing_wrong);
}

static void a_check_and_a_spend_are_a_take_when_nobody_is_between(void **state)
{
    static const int64_t asks[][3] = { { 0, 6, 6 }, { 0, 5, 5 }, { 0, 4, 4 }, { 0, 1, 1 } };

    (void)state;
    expect_alone("check-then-consume", 0, asks, "ADAD", nothing_wrong);
}

static void options_and_status_charge_nothing(void **state)
{
    static const int64_t asks[][3] = { { 0, 6, 6 }, { 0, 5, 5 }, { 0, 4, 4 }, { 0, 1, 1 } };

    (void)state;
    expect_alone("options-then-consume", 0, asks, "ADAD", nothing_wrong);
}

/* A limit of 10 for each key and a ceiling of 12, which denies the second request. */
static const int64_t two_keys[][3] = { { 0, 6, 6 }, { 1, 8, 8 }, { 1, 5, 5 }, { 0, 2, 2 } };

static void kept_together(const struct trial *trial)
{
    nothing_wrong(trial);
    assert_true(trial->result.ceiling.judged);
    assert_int_equal(trial->result.ceiling.over_admitted, 0);
}

static void a_refund_makes_both_or_neither(void **state)
{
    (void)state;
    expect_alone("then-ceiling-refund", 12, two_keys, "ADAD", kept_together);
    expect_alone("ceiling-first-refund", 12, two_keys, "ADAD", kept_together);
}

static void lost_to_a_ceiling(const struct trial *trial)
{
    assert_int_equal(trial->result.wrongly_admitted, 0);
    assert_int_equal(trial->result.wrongly_denied, 1);
    assert_int_equal(trial->result.ceiling.over_admitted, 0);
}

static void without_a_refund_a_denied_request_has_spent_the_other_limit(void **state)
{
    (void)state;
    /* 8 of key 1's 10 are gone though the ceiling denied it; so it is denied 5 that both had. */
    expect_alone("then-ceiling", 12, two_keys, "ADDA", lost_to_a_ceiling);
}

static void a_ceiling_that_is_asked_first_is_spent_by_those_whose_limit_denies(void **state)
{
    static const int64_t asks[][3] = { { 0, 10, 10 }, { 0, 1, 1 }, { 0, 1, 1 }, { 1, 1, 1 } };

    (void)state;
    expect_alone("ceiling-first", 12, asks, "ADDD", lost_to_a_ceiling);
    expect_alone("ceiling-first-refund", 12, asks, "ADDA", kept_together);
}

static void counters_count_what_they_deny_in_both_layers(void **state)
{
    struct trial *trial = near("fixed-window@incr:takes=then-ceiling", 10);

    (void)state;
    cap(trial, 12);
    for (int64_t i = 0; i < 4; i++)
        ask(trial, i * S, 0, (uint32_t)two_keys[i][0], two_keys[i][1]);
    play(trial);
    /* 6 of the ceiling's 12; 8 more are denied, and counted, so that 2 more are denied as well. */
    assert_int_equal(trial->admitted, 1);
    assert_int_equal(trial->result.ceiling.worst_window, 6);
    trial_free(trial);
}

/* ---- time ---------------------------------------------------------------------------------------------- */

/* Limit 1: the first is admitted, the second denied; the store is 90 ms away, there and back. */
static void expect_waits(const char *design, int64_t work_ns, int64_t admitted_ms, int64_t denied_ms)
{
    struct trial *trial = far(design, 1);

    trial->work_ns = work_ns;
    cap(trial, 100);
    for (int64_t i = 0; i < 2; i++)
        ask(trial, i * 10 * S, 1, 0, 1);
    play(trial);
    if (latency_ns(trial, 0) != admitted_ms * MS || latency_ns(trial, 1) != denied_ms * MS)
        fail_msg("%s: %lld and %lld ns", design, (long long)latency_ns(trial, 0),
                 (long long)latency_ns(trial, 1));
    assert_true(admitted(trial, 0));
    assert_false(admitted(trial, 1));
    trial_free(trial);
}

static void a_caller_waits_for_what_decides_and_for_nothing_else(void **state)
{
    (void)state;
    expect_waits("token-bucket@owner", 5 * S, 90, 90);
    expect_waits("token-bucket@owner:takes=check-then-consume", 5 * S, 90, 90);
    expect_waits("token-bucket@owner:takes=estimate-then-settle", 5 * S, 90, 90);
    expect_waits("token-bucket@atomic:takes=then-ceiling", 0, 180, 90);
    expect_waits("token-bucket@atomic:takes=ceiling-first", 0, 180, 180);
    expect_waits("token-bucket@get-then-set:takes=then-ceiling", 0, 360, 90);
    expect_waits("token-bucket@owner:takes=options-then-consume", 0, 180, 270);
}

static void the_work_is_done_before_what_comes_after_it(void **state)
{
    struct trial *trial = far("token-bucket@owner:takes=estimate-then-settle", 10);

    (void)state;
    trial->work_ns = 2 * S;
    ask_for(trial, 0, 0, 4, 9);                 /* settles 5 at 90 ms + 2 s + 45 ms */
    ask_for(trial, 2089 * MS, 0, 6, 6);         /* is there at 2134 ms: before */
    ask_for(trial, 2091 * MS, 0, 1, 1);
    play(trial);
    assert_true(admitted(trial, 0));
    assert_true(admitted(trial, 1));
    assert_false(admitted(trial, 2));
    assert_int_equal(trial->result.admitted_cost, 15);
    assert_int_equal(trial->result.wrongly_admitted, 1);
    trial_free(trial);
}

/* A login form: check the attempts left, verify the password, count the attempt. */
static void everybody_who_checks_before_the_first_spend_passes(void **state)
{
    struct trial *trial = near("token-bucket@owner:takes=check-then-consume", 5);

    (void)state;
    trial->work_ns = 100 * MS;
    ask_times(trial, 30, 0, 0);
    ask_times(trial, 3, 99 * MS, 0);
    ask_times(trial, 3, 101 * MS, 0);
    play(trial);
    assert_int_equal(trial->admitted, 33);
    assert_int_equal(trial->result.over_admitted, 28);
    assert_int_equal(trial->result.wrongly_admitted, 28);
    trial_free(trial);
}

static void a_take_that_asks_and_charges_at_once_has_no_such_race(void **state)
{
    struct trial *trial = near("token-bucket@owner", 5);

    (void)state;
    trial->work_ns = 100 * MS;
    ask_times(trial, 30, 0, 0);
    play(trial);
    assert_int_equal(trial->admitted, 5);
    trial_free(trial);
}

/* ---- what is lost -------------------------------------------------------------------------------------- */

/* Only ways back from the store are lost, so that each take is done and its caller knows nothing. */
static struct trial *deaf(const char *design)
{
    struct trial *trial = far(design, 1000);

    trial->timeout_ns = S;
    trial->work_ns = S;
    trial_hurt(trial, 0, 1, 400000000, 0);
    for (int64_t i = 0; i < 200; i++)
        ask_for(trial, i * 10 * MS, 0, 2, 3);
    return trial;
}

static void a_loss_in_a_silent_take_is_no_failure_and_answers_once(void **state)
{
    static const char *const designs[] = {
        "token-bucket@atomic:takes=estimate-then-settle", "token-bucket@atomic:takes=check-then-consume",
        "token-bucket@cas:takes=estimate-then-settle", "token-bucket@get-then-set:takes=check-then-consume",
        "token-bucket@owner:takes=estimate-then-settle:unreachable=local",
        "token-bucket@owner:takes=options-then-consume:unreachable=undecided",
    };

    (void)state;
    for (unsigned i = 0; i < sizeof designs / sizeof *designs; i++) {
        struct trial *trial = deaf(designs[i]);
        play(trial);                            /* checks that each ends once */
        assert_true(trial->admitted > 0);
        trial_free(trial);
    }
}

static void copies_of_a_silent_take_charge_again_and_tell_nobody(void **state)
{
    struct trial *trial = far("token-bucket@atomic:takes=estimate-then-settle", 100);

    (void)state;
    trial_hurt(trial, 1, 0, 0, 1000000000);     /* every message arrives twice */
    ask_for(trial, 0, 0, 10, 15);
    ask_for(trial, S, 0, 70, 70);               /* 100 - 2 * 10 - 2 * 5 = 70 */
    ask_for(trial, 2 * S, 0, 1, 1);
    play(trial);
    assert_true(admitted(trial, 0));
    assert_true(admitted(trial, 1));
    assert_false(admitted(trial, 2));
    assert_int_equal(trial->decisions, 3);
    trial_free(trial);
}

static void a_ceiling_that_cannot_be_asked_leaves_the_request_undecided(void **state)
{
    struct trial *trial = far("token-bucket@atomic:takes=then-ceiling", 100);

    (void)state;
    cap(trial, 100);
    trial_hurt(trial, 0, 1, 500000000, 0);
    for (int64_t i = 0; i < 60; i++)
        ask(trial, i * 10 * S, 1, 0, 1);
    play(trial);
    assert_int_equal(trial->admitted + trial->failed, 60);
    assert_true(trial->failed > 30);            /* either answer may be lost */
    trial_free(trial);
}

/* ---- variants and buckets ------------------------------------------------------------------------------ */

static void a_request_is_decided_by_the_variant_that_it_carries(void **state)
{
    for (unsigned i = 0; i < RUNNERS; i++) {
        struct trial *trial = near(runners[i], 2);
        (void)state;
        trial->variant = (struct policy){ .limit = 5, .period_ns = 1000 * hour_ns, .burst = 5 };
        for (uint32_t n = 0; n < 12; n++) {
            ask(trial, (int64_t)n * S, 0, n % 2, 1);
            trial->asked[n].variant = n % 2 ? 2 : 0;
        }
        play(trial);
        if (trial->admitted != 2 + 5)
            fail_msg("%s admits %llu", runners[i], (unsigned long long)trial->admitted);
        for (uint32_t n = 0; n < 12; n++)
            assert_int_equal(trial->told[n].decision.variant, n % 2);
        nothing_wrong(trial);
        assert_int_equal(trial->result.ideal_admitted, 7);
        trial_free(trial);
    }
}

static void people_in_one_bucket_share_it_and_one_with_two_has_twice(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RUNNERS; i++) {
        struct trial *shared = near(runners[i], 4), *split = near(runners[i], 4);
        for (uint32_t n = 0; n < 10; n++) {
            ask(shared, (int64_t)n * S, 0, n % 2, 1);
            shared->asked[n].bucket = 1 + 7;
            ask(split, (int64_t)n * S, 0, 0, 1);
            split->asked[n].bucket = 1 + n % 2;
        }
        play(shared);
        play(split);
        assert_int_equal(shared->admitted, 4);
        assert_int_equal(shared->result.wrongly_denied, 6);
        assert_int_equal(split->admitted, 8);
        assert_int_equal(split->result.over_admitted, 4);
        trial_free(shared);
        trial_free(split);
    }
}

/* ---- determinism --------------------------------------------------------------------------------------- */

static uint64_t digest_of(const char *design, uint64_t seed)
{
    struct trial *trial = trial_new(design, 3, 20, 10 * S);
    uint64_t digest;

    trial->chooser.seed = seed;
    trial->work_ns = 70 * MS;
    cap(trial, 45);
    trial_links(trial, 20 * MS, 60 * MS);
    for (int64_t i = 0; i < 300; i++) {
        ask(trial, i * 7 * MS, (uint32_t)(i % 3), (uint32_t)(i % 4), 1 + i % 3);
        trial->asked[i].surplus = i % 5 - i % 3;
    }
    play(trial);
    digest = trial->digest;
    trial_free(trial);
    return digest;
}

/* Every limiter under every coordination with every program that it can run, over a network that loses. */
static void whatever_can_be_runs_to_its_end(void **state)
{
    unsigned ran = 0;

    (void)state;
    for (unsigned n = 0; n < limiter_count * coordination_count * program_count; n++) {
        const struct limiter *limiter = limiters[n % limiter_count];
        const struct coordination *coordination = coordinations[n / limiter_count % coordination_count];
        struct trial *trial = trial_new("", 3, 20, 10 * S);
        trial->text = arena_format(&trial->arena, "%s@%s:takes=%s", limiter->name, coordination->name,
                                   programs[n / limiter_count / coordination_count].name);
        trial->work_ns = 70 * MS;
        cap(trial, 45);
        trial_links(trial, 20 * MS, 60 * MS);
        trial_hurt(trial, 0, 1, 100000000, 50000000);
        trial_hurt(trial, 1, 0, 100000000, 50000000);
        for (int64_t i = 0; i < 60; i++) {
            ask(trial, i * 7 * MS, (uint32_t)(i % 3), (uint32_t)(i % 4), 1 + i % 3);
            trial->asked[i].surplus = i % 5 - i % 3;
        }
        if (trial_possible(trial)) {
            play(trial);
            ran++;
        }
        trial_free(trial);
    }
    assert_true(ran > 300);
}

static void the_same_seed_gives_the_same_digest(void **state)
{
    static const char *const takes[] = { "check-then-consume", "estimate-then-settle", "then-ceiling",
                                         "then-ceiling-refund", "ceiling-first-refund",
                                         "options-then-consume" };

    (void)state;
    for (unsigned i = 0; i < RUNNERS; i++)
        for (unsigned t = 0; t < sizeof takes / sizeof *takes; t++) {
            char design[120];
            snprintf(design, sizeof design, "%s:takes=%s", runners[i], takes[t]);
            assert_int_equal(digest_of(design, 3), digest_of(design, 3));
        }
    assert_int_not_equal(digest_of("token-bucket@cas:takes=then-ceiling-refund", 3),
                         digest_of("token-bucket@cas:takes=then-ceiling-refund", 4));
}

TEST_MAIN(cmocka_unit_test(whatever_can_be_runs_to_its_end),
          cmocka_unit_test(what_was_used_less_is_given_back),
          cmocka_unit_test(what_was_used_more_is_charged_even_into_debt),
          cmocka_unit_test(a_denied_request_settles_nothing),
          cmocka_unit_test(a_check_and_a_spend_are_a_take_when_nobody_is_between),
          cmocka_unit_test(options_and_status_charge_nothing),
          cmocka_unit_test(a_refund_makes_both_or_neither),
          cmocka_unit_test(without_a_refund_a_denied_request_has_spent_the_other_limit),
          cmocka_unit_test(a_ceiling_that_is_asked_first_is_spent_by_those_whose_limit_denies),
          cmocka_unit_test(counters_count_what_they_deny_in_both_layers),
          cmocka_unit_test(a_caller_waits_for_what_decides_and_for_nothing_else),
          cmocka_unit_test(the_work_is_done_before_what_comes_after_it),
          cmocka_unit_test(everybody_who_checks_before_the_first_spend_passes),
          cmocka_unit_test(a_take_that_asks_and_charges_at_once_has_no_such_race),
          cmocka_unit_test(a_loss_in_a_silent_take_is_no_failure_and_answers_once),
          cmocka_unit_test(copies_of_a_silent_take_charge_again_and_tell_nobody),
          cmocka_unit_test(a_ceiling_that_cannot_be_asked_leaves_the_request_undecided),
          cmocka_unit_test(a_request_is_decided_by_the_variant_that_it_carries),
          cmocka_unit_test(people_in_one_bucket_share_it_and_one_with_two_has_twice),
          cmocka_unit_test(the_same_seed_gives_the_same_digest))

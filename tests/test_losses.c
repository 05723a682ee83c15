/* Links that lose and repeat: what each coordination makes of it. */
#include "world_rig.h"

enum { SEEDS = 30 };
static const uint32_t always = 1000000000;
static const int64_t hour_ns = 3600 * S;

/* Limit 1 an hour.  Region b asks twice, over a link that loses every request, or every answer; then region
 * a, where the store is, asks without any way. */
static struct trial *cut_off(const char *text, bool answers)
{
    struct trial *trial = trial_new(text, 2, 1, hour_ns);

    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    trial_hurt(trial, answers ? 0 : 1, answers ? 1 : 0, always, 0);
    ask(trial, 0, 1, 0, 1);
    ask(trial, 20 * S, 1, 0, 1);
    ask(trial, 40 * S, 0, 0, 1);
    play(trial);
    return trial;
}

/* ---- owners ------------------------------------------------------------------------------------------ */

enum fate { DENIED, ADMITTED, FAILED };

static enum fate fate(const struct trial *trial, uint32_t i)
{
    return trial->told[i].failed ? FAILED : admitted(trial, i) ? ADMITTED : DENIED;
}

static const struct { const char *text; enum fate first, second; } catches[] = {
    { "token-bucket@owner", DENIED, DENIED },
    { "token-bucket@owner:unreachable=closed", DENIED, DENIED },
    { "token-bucket@owner:unreachable=open", ADMITTED, ADMITTED },
    { "token-bucket@owner:unreachable=local", ADMITTED, DENIED },
    { "token-bucket@owner:unreachable=undecided", FAILED, FAILED },
    { "sliding-window-log@owner:unreachable=local:service=3ms", ADMITTED, DENIED },
};

static void an_unreachable_owner_is_caught_as_the_design_says(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof catches / sizeof *catches; i++) {
        struct trial *trial = cut_off(catches[i].text, false);
        assert_int_equal(fate(trial, 0), catches[i].first);
        assert_int_equal(fate(trial, 1), catches[i].second);
        assert_true(admitted(trial, 2));            /* the owner has heard of nobody */
        assert_int_equal(latency_ns(trial, 0), 5 * S);
        if (catches[i].first == DENIED)
            assert_int_equal(retry_ns(trial, 0), 5 * S);
        trial_free(trial);
    }
}

static void an_owner_whose_answer_is_lost_has_charged_all_the_same(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof catches / sizeof *catches; i++) {
        struct trial *trial = cut_off(catches[i].text, true);
        assert_int_equal(fate(trial, 0), catches[i].first);
        assert_int_equal(fate(trial, 1), catches[i].second);
        assert_false(admitted(trial, 2));
        assert_true(latency_ns(trial, 0) >= 5 * S && latency_ns(trial, 0) <= 5 * S + 90 * MS);
        trial_free(trial);
    }
}

/* ---- everybody else ---------------------------------------------------------------------------------- */

static const struct { const char *text; bool charges; } fails[] = {
    { "token-bucket@get-then-set", false },         /* the get is lost: nothing was written */
    { "token-bucket@cas", false },
    { "token-bucket@atomic", true },
    { "token-bucket@atomic:clock=store", true },
    { "sliding-window-log@atomic", true },
    { "fixed-window@incr", true },
    { "token-bucket@sharded:shards=1", true },
    { "fixed-window@sharded:mode=sum", true },
    { "token-bucket@kv", false },
    { "token-bucket@lease", true },
};

static void who_cannot_reach_the_store_fails_after_the_timeout(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof fails / sizeof *fails; i++) {
        struct trial *trial = cut_off(fails[i].text, false);
        assert_int_equal(trial->failed, 2);
        assert_int_equal(latency_ns(trial, 0), 5 * S);
        assert_true(admitted(trial, 2));
        trial_free(trial);
    }
}

static void an_admission_whose_answer_is_lost_was_none_but_may_have_cost(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof fails / sizeof *fails; i++) {
        struct trial *trial = cut_off(fails[i].text, true);
        assert_int_equal(trial->failed, 2);
        if (admitted(trial, 2) == fails[i].charges)
            fail_msg("%s: the third request is admitted: %d", fails[i].text, admitted(trial, 2));
        assert_int_equal(trial->admitted, !fails[i].charges);
        trial_free(trial);
    }
}

static void who_decides_alone_needs_no_link(void **state)
{
    static const char *const text[] = { "token-bucket@local", "token-bucket@local-sync",
                                        "fixed-window@regional-counters", "token-bucket@home-region" };
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct trial *trial = cut_off(text[i], false);
        assert_true(admitted(trial, 0));
        assert_false(admitted(trial, 1));
        assert_int_equal(latency_ns(trial, 0) + latency_ns(trial, 1), 0);
        trial_free(trial);
    }
}

static bool put_arrived(const struct trial *trial, uint32_t request)
{
    for (uint32_t i = 0; i < trial->effects; i++)
        if (trial->effect[i].operation == OP_PUT && trial->effect[i].request == request)
            return true;
    return false;
}

static void a_decision_stands_though_its_write_was_lost(void **state)
{
    unsigned stood = 0, failed = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct trial *trial = trial_new("token-bucket@get-then-set", 2, 100, hour_ns);
        trial_link(trial, 0, 1, 45 * MS, 45 * MS);
        trial_hurt(trial, 1, 0, 300000000, 0);
        trial->chooser.seed = seed;
        trial->watched = true;
        for (int i = 0; i < 10; i++)
            ask(trial, i * 20 * S, 1, 0, 1);
        play(trial);
        for (uint32_t i = 0; i < 10; i++) {
            stood += admitted(trial, i) && !put_arrived(trial, i);
            failed += trial->told[i].failed;
            assert_false(trial->told[i].failed && put_arrived(trial, i));
        }
        trial_free(trial);
    }
    assert_in_range(failed, 60, 120);               /* 90 of 300 gets, and 63 of the 210 puts that follow */
    assert_in_range(stood, 40, 90);
}

/* ---- copies ------------------------------------------------------------------------------------------ */

/* Limit 4 an hour; every message to the store arrives twice. */
static const struct { const char *text; unsigned admitted; uint64_t lost_updates; } twice[] = {
    { "token-bucket@owner", 4, 0 },                 /* a copy finds nothing to do behind the gate */
    { "token-bucket@owner:service=10ms", 4, 0 },
    { "token-bucket@cas", 4, 0 },                   /* its version has gone */
    { "token-bucket@get-then-set", 4, 4 },          /* the same is written again, blindly */
    { "sliding-window-log@get-then-set", 4, 4 },
    { "token-bucket@atomic", 2, 0 },                /* each is charged twice */
    { "sliding-window-log@atomic", 2, 0 },
    { "fixed-window@incr", 2, 0 },
    { "fixed-window-anchored@incr:form=incr-expire", 2, 0 },
    { "token-bucket@kv", 4, 0 },                    /* one write a second: the copy is refused */
    { "token-bucket@lease:block=2", 2, 0 },         /* both copies are granted a block, one is used */
};

static void a_message_that_comes_twice_acts_twice_where_it_can(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof twice / sizeof *twice; i++) {
        struct trial *trial = trial_new(twice[i].text, 2, 4, hour_ns);
        trial_link(trial, 0, 1, 45 * MS, 45 * MS);
        trial_hurt(trial, 1, 0, 0, always);
        for (int n = 0; n < 6; n++)
            ask(trial, n * 5 * S, 1, 0, 1);
        play(trial);
        if (trial->admitted != twice[i].admitted || trial->world.lost_updates != twice[i].lost_updates)
            fail_msg("%s: %d admitted, %d updates lost", twice[i].text, (int)trial->admitted,
                     (int)trial->world.lost_updates);
        assert_int_equal(trial->failed, 0);
        trial_free(trial);
    }
}

/* b's clock is 30 s behind: at 70 s it says 40 s, and there lies what is charged, the copy too. */
static void a_copy_believes_the_reading_that_it_carries(void **state)
{
    struct trial *trial = trial_new("fixed-window@atomic", 2, 4, 60 * S);

    (void)state;
    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    trial_hurt(trial, 1, 0, 0, always);
    trial_offset(trial, 1, false, -30 * S);
    ask(trial, 70 * S, 1, 0, 1);
    ask(trial, 71 * S, 0, 0, 4);
    play(trial);
    assert_int_equal(trial->told[0].decision.reading_ns, 40 * S);
    assert_true(admitted(trial, 1));
    trial_free(trial);
}

static void an_answer_that_is_lost_was_given_at_the_callers_reading(void **state)
{
    struct trial *trial = trial_new("fixed-window@atomic", 2, 4, 60 * S);

    (void)state;
    trial_link(trial, 0, 1, 45 * MS, 45 * MS);
    trial_hurt(trial, 0, 1, always, 0);
    ask(trial, 59990 * MS, 1, 0, 4);                /* there at 60.035 s */
    ask(trial, 61 * S, 0, 0, 4);
    play(trial);
    assert_true(trial->told[0].failed);
    assert_true(admitted(trial, 1));
    trial_free(trial);
}

static void of_two_copies_the_first_to_come_is_heard(void **state)
{
    unsigned apart = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct trial *trial = trial_new("token-bucket@atomic", 2, 1, hour_ns);
        trial_link(trial, 0, 1, 10 * MS, 90 * MS);
        trial_hurt(trial, 1, 0, 0, always);
        trial->chooser.seed = seed;
        trial->watched = true;
        ask(trial, 0, 1, 0, 1);
        play(trial);
        assert_int_equal(trial->effects, 2);
        assert_int_equal(trial->effect[0].request, 0);
        assert_true(trial->effect[1].request == NOBODY);
        apart += trial->effect[0].at_ns < trial->effect[1].at_ns;
        assert_true(admitted(trial, 0));
        trial_free(trial);
    }
    assert_true(apart > SEEDS / 2);
}

static void a_caller_that_decides_alone_believes_its_own_clock(void **state)
{
    (void)state;
    for (int answers = 0; answers < 2; answers++) {
        struct trial *trial = trial_new("fixed-window@owner:unreachable=local", 2, 1, 60 * S);
        trial_link(trial, 0, 1, 45 * MS, 45 * MS);
        trial_hurt(trial, answers ? 0 : 1, answers ? 1 : 0, always, 0);
        trial_offset(trial, 1, false, 30 * S);
        ask(trial, 0, 1, 0, 1);
        play(trial);
        assert_int_equal(trial->told[0].decision.reading_ns, trial->told[0].decision.instant_ns + 30 * S);
        trial_free(trial);
    }
}

TEST_MAIN(TEST(an_unreachable_owner_is_caught_as_the_design_says),
          TEST(an_owner_whose_answer_is_lost_has_charged_all_the_same),
          TEST(who_cannot_reach_the_store_fails_after_the_timeout),
          TEST(an_admission_whose_answer_is_lost_was_none_but_may_have_cost),
          TEST(who_decides_alone_needs_no_link),
          TEST(a_decision_stands_though_its_write_was_lost),
          TEST(a_message_that_comes_twice_acts_twice_where_it_can),
          TEST(a_copy_believes_the_reading_that_it_carries),
          TEST(an_answer_that_is_lost_was_given_at_the_callers_reading),
          TEST(of_two_copies_the_first_to_come_is_heard),
          TEST(a_caller_that_decides_alone_believes_its_own_clock))

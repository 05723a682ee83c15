/* Alarms of Durable Objects: deleting what is as good as missing changes nothing; deleting more is a gift. */
#include "world_rig.h"
#include "dice.h"
#include "../algos/limiters/limiters.h"

enum { STATES = 1 };
static const int64_t day_ns = 24 * 3600 * S;

static char text[256];
#define OBJECT "token-bucket@durable-object"
#define DESIGN(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

static uint32_t live_states(const struct trial *trial)
{
    const struct store *store = &trial->world.store[STATES];
    uint32_t live = 0;

    for (uint32_t i = 0; i < store->keys; i++)
        live += store->cell[i].present;
    assert_int_equal(live, trial->world.stored);
    return live;
}

static struct trial *visits(const char *design, uint64_t seed)
{
    struct trial *trial = trial_new(design, 1, 7, 60 * S);
    struct dice dice = { seed };
    int64_t at_ns = 0;

    trial->policy.epoch_ns = 12345678901;
    for (int i = 0; i < 400; i++)
        ask(trial, at_ns += dice_between(&dice, 0, 20) ? dice_between(&dice, 0, 2 * S) : 30 * S, 0,
            (uint32_t)dice_between(&dice, 0, 4), dice_between(&dice, 1, 3));
    return trial;
}

static void deleting_what_is_full_changes_no_decision(void **state)
{
    (void)state;
    for (unsigned l = 0; l < limiter_count; l++)
        for (uint64_t seed = 1; seed <= 5 && strcmp(limiters[l]->name, "interval-bucket") != 0; seed++) {
            char plain_text[128];
            snprintf(plain_text, sizeof plain_text, "%s@durable-object", limiters[l]->name);
            struct trial *plain = visits(plain_text, seed);
            struct trial *alarmed = visits(DESIGN("%s:alarm=full:alarm_after=7s", plain_text), seed);
            play(plain);
            play(alarmed);
            for (uint32_t i = 0; i < plain->asks; i++) {
                assert_int_equal(admitted(plain, i), admitted(alarmed, i));
                assert_int_equal(retry_ns(plain, i), retry_ns(alarmed, i));
            }
            assert_int_equal(live_states(plain), 5);
            assert_int_equal(live_states(alarmed), 0);
            trial_free(plain);
            trial_free(alarmed);
        }
}

/* Its ticks go on from the first request even while it is full: a fresh one begins them anew. */
static void an_interval_bucket_forgets_its_ticks_but_keeps_its_promise(void **state)
{
    bool differs = false;

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct trial *plain = visits("interval-bucket@durable-object", seed);
        struct trial *alarmed = visits("interval-bucket@durable-object:alarm=full:alarm_after=7s", seed);
        play(plain);
        play(alarmed);
        for (uint32_t i = 0; i < plain->asks; i++)
            differs |= admitted(plain, i) != admitted(alarmed, i);
        assert_true(alarmed->result.promise_kept);
        assert_int_equal(live_states(alarmed), 0);
        trial_free(plain);
        trial_free(alarmed);
    }
    assert_true(differs);
}

static void an_alarm_that_disagrees_with_the_limiter_grants_extra(void **state)
{
    static const struct { const char *alarm; uint64_t admitted; } row[] = {
        { "none", 17 }, { "full", 17 }, { "full:alarm_after=20s", 17 }, { "always", 17 },
        { "always:alarm_after=20s", 20 }, { "half", 17 }, { "half:alarm_after=20s", 20 },
        { "half:alarm_after=29s", 17 },
    };

    (void)state;
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        struct trial *trial = trial_new(DESIGN(OBJECT ":alarm=%s", row[i].alarm), 1, 10, 60 * S);
        ask_times(trial, 10, 0, 0);
        ask_times(trial, 10, 45 * S, 0);
        play(trial);
        assert_int_equal(trial->admitted, row[i].admitted);
        trial_free(trial);
    }
}

static uint32_t wakes(const struct trial *trial, int64_t *at_ns, uint32_t most)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < trial->effects; i++)
        if (trial->effect[i].operation == OP_WAKE && n < most)
            at_ns[n++] = trial->effect[i].at_ns;
    return n;
}

/* Set at 0 and again at 6 s: the wake-up of 10 s goes on to 16 s.  The bucket is full at 30 s. */
static void an_alarm_is_set_again_by_every_allowed_take(void **state)
{
    struct trial *trial = trial_new(OBJECT ":alarm=full:alarm_after=10s", 1, 4, 60 * S);
    int64_t at_ns[5];

    (void)state;
    trial->watched = true;
    ask(trial, 0, 0, 0, 1);
    ask(trial, 6 * S, 0, 0, 1);
    play(trial);
    assert_int_equal(wakes(trial, at_ns, 5), 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(at_ns[i], i == 0 ? 10 * S : (6 + i * 10) * S);
    assert_int_equal(live_states(trial), 0);
    trial_free(trial);
}

static void an_alarm_waits_for_the_gate(void **state)
{
    struct trial *trial = trial_new(OBJECT ":await=hash:alarm=always:alarm_after=30ms", 1, 4, 60 * S);
    int64_t at_ns[4];

    (void)state;
    trial->watched = true;
    ask(trial, 0, 0, 0, 1);                     /* decided at 50: due at 80 */
    ask(trial, 60 * MS, 0, 0, 1);               /* inside until 110, and sets it to 140 */
    play(trial);
    assert_int_equal(wakes(trial, at_ns, 4), 2);
    assert_int_equal(at_ns[0], 110 * MS);
    assert_int_equal(at_ns[1], 140 * MS);
    trial_free(trial);
}

static void a_denied_take_sets_no_alarm_even_where_it_counts(void **state)
{
    struct trial *trial = trial_new("fixed-window-anchored@durable-object:alarm=full:alarm_after=10s", 1, 1,
                                    12 * S);
    int64_t at_ns[4];

    (void)state;
    trial->watched = true;
    ask(trial, 0, 0, 0, 1);
    ask(trial, 5 * S, 0, 0, 1);
    play(trial);
    assert_false(admitted(trial, 1));
    assert_int_equal(wakes(trial, at_ns, 4), 2);
    assert_int_equal(at_ns[0], 10 * S);         /* the window ends at 12 s */
    assert_int_equal(at_ns[1], 20 * S);
    trial_free(trial);
}

static void every_allowed_take_gives_the_alarm_its_patience_again(void **state)
{
    struct trial *trial = trial_new(OBJECT ":alarm=full:alarm_after=1ns", 1, 2, day_ns);
    static int64_t at_ns[30000];

    (void)state;
    trial->watched = true;
    ask(trial, 0, 0, 0, 1);
    ask(trial, S, 0, 0, 1);
    play(trial);
    assert_int_equal(wakes(trial, at_ns, 30000), 2 * 10001);
    trial_free(trial);
}

/* Neither a run that goes on for ever, nor one that leaves the time that there is. */
static void an_alarm_that_never_finds_the_bucket_full_gives_up(void **state)
{
    static const char *const after[] = { "1ns", "10m", "3650d" };

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct trial *trial = trial_new(DESIGN(OBJECT ":alarm=full:alarm_after=%s", after[i]), 1, 1,
                                        3650 * day_ns);
        trial->policy.burst = 1000;
        ask(trial, 0, 0, 0, 1000);
        play(trial);
        assert_int_equal(live_states(trial), 1);
        trial_free(trial);
    }
}

TEST_MAIN(TEST(deleting_what_is_full_changes_no_decision),
          TEST(an_interval_bucket_forgets_its_ticks_but_keeps_its_promise),
          TEST(an_alarm_that_disagrees_with_the_limiter_grants_extra),
          TEST(an_alarm_is_set_again_by_every_allowed_take),
          TEST(an_alarm_waits_for_the_gate),
          TEST(a_denied_take_sets_no_alarm_even_where_it_counts),
          TEST(every_allowed_take_gives_the_alarm_its_patience_again),
          TEST(an_alarm_that_never_finds_the_bucket_full_gives_up))

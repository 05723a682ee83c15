/* One suite for every coordination with every limiter: what one copy of a state must do, whoever keeps it. */
#include "world_rig.h"
#include "limiter_rig.h"

enum { KEYS = 2 };

/* ---- one caller after another ------------------------------------------------------------------------ */

/* Coordinations with one copy of the state, and what stands in the way of being the limiter itself. */
static const struct one_copy {
    const char *text;
    uint32_t regions;
    bool counts;                        /* by increments: weights tell it from a limiter that forgets the
                                           denied, refunds from one whose windows open at requests */
    bool one_window;                    /* knows the latest window alone: its clock must not step back */
} one_copies[] = {
    { "owner", 3, false, false }, { "owner:scope=global", 3, false, false },
    { "home-region", 3, false, false },
    { "get-then-set", 3, false, false }, { "get-then-set:denied=writes", 3, false, false },
    { "cas", 3, false, false }, { "cas:attempts=1", 3, false, false },
    { "atomic", 3, false, false }, { "atomic:clock=store", 3, false, false },
    { "incr", 3, true, false }, { "sharded:shards=1", 3, false, false },
    { "sharded:shards=1:mode=sum", 3, true, false }, { "local", 1, false, false },
    { "local:share=split", 1, false, false }, { "local-sync", 1, false, false },
    { "regional-counters", 1, false, true },
    { "kv:propagation=0s:cache=0s:writes=none:ttl_floor=87600h", 3, false, false },
};

static const int64_t periods_ns[] = { 7, 1000, S, 60 * S, 365 * 86400 * S };

static int64_t some_cost(struct dice *dice, const struct limiter *limiter, const struct policy *policy,
                         bool counts)
{
    bool refunds = limiter->refunds && !counts, weighs = limiter->charges_denied || !counts;

    switch (dice_between(dice, 0, 9)) {
    case 0:  return 0;
    case 1:  return weighs ? i64_max(policy->limit, policy->burst) + 1 : 1;
    case 2:  return refunds ? -dice_between(dice, 1, 4) : 1;
    case 3:
    case 4:  return weighs ? dice_between(dice, 1, policy->limit) : 1;
    default: return 1;
    }
}

static void ask_in_turn(struct trial *trial, struct dice *dice, const struct limiter *limiter, bool counts)
{
    int64_t at_ns = 0, period_ns = trial->policy.period_ns;
    uint32_t region = 0;

    for (int i = 0; i < 80; i++) {
        int64_t step_ns = dice_between(dice, 0, 2) == 0 ? 0
                        : dice_between(dice, 0, 9) == 0 ? dice_between(dice, period_ns - 1, 2 * period_ns)
                        : dice_between(dice, 0, period_ns / trial->policy.limit);
        if (step_ns > 0)                /* what shares an instant comes from one region: its order is given */
            region = (uint32_t)dice_between(dice, 0, trial->topology.regions - 1);
        at_ns += step_ns;
        uint32_t key = (uint32_t)dice_between(dice, 0, KEYS - 1);
        ask(trial, at_ns, region, key, some_cost(dice, limiter, &trial->policy, counts));
    }
}

/* Every node and every store has a clock of its own, and it steps back. */
static void set_clocks(struct trial *trial, struct dice *dice, struct clock_step *back)
{
    int64_t period_ns = trial->policy.period_ns;

    *back = (struct clock_step){ 4 * period_ns, -dice_between(dice, 1, 2 * period_ns), 0 };
    for (uint32_t i = 0; i < 2 * trial->topology.regions; i++) {
        trial_offset(trial, i / 2, i % 2, dice_between(dice, -2 * period_ns, 2 * period_ns));
        trial->clock[i].clock.steps = 1;
        trial->clock[i].clock.step = back;
    }
}

/* Replays the readings through nothing but the limiter. */
static void compare_with_the_limiter_alone(struct trial *trial)
{
    struct rig alone[KEYS] = { { 0 } };

    for (uint32_t i = 0; i < trial->asks; i++) {
        const struct arrival *arrival = &trial->asked[i];
        struct rig *rig = &alone[arrival->key];
        int64_t now_ns = trial->told[i].decision.reading_ns;
        if (!rig->state)
            *rig = rig_open(trial->design.limiter, &trial->policy, now_ns);
        struct verdict verdict = rig_decide(rig, now_ns, arrival->cost);
        const struct verdict *found = &trial->told[i].decision.verdict;
        if (memcmp(&verdict, found, sizeof verdict) != 0)
            fail_msg("%s: request %u at %lld, cost %lld: allowed %d, retry %lld, delay %lld; expected %d, "
                     "%lld, %lld", trial->text, i, (long long)now_ns, (long long)arrival->cost,
                     found->allowed, (long long)found->retry_after_ns, (long long)found->delay_ns,
                     verdict.allowed, (long long)verdict.retry_after_ns, (long long)verdict.delay_ns);
    }
    for (int key = 0; key < KEYS; key++)
        rig_close(&alone[key]);
}

static bool in_turn(const struct one_copy *copy, const struct limiter *limiter, uint64_t seed)
{
    struct dice dice = { seed };
    struct clock_step back;
    char text[128];
    int64_t limit = dice_between(&dice, 1, 12);
    snprintf(text, sizeof text, "%s@%s", limiter->name, copy->text);
    struct trial *trial = trial_new(text, copy->regions, limit, periods_ns[seed % 5]);

    trial->policy.epoch_ns = dice_between(&dice, -1, 1) * dice_between(&dice, 0, 100 * S);
    if (dice_chance(&dice, 3) && !copy->counts)
        trial->policy.burst = dice_between(&dice, 1, 12);
    if (seed >= 10 && !copy->counts && !copy->one_window)
        set_clocks(trial, &dice, &back);
    bool possible = trial_possible(trial);
    if (possible) {
        ask_in_turn(trial, &dice, limiter, copy->counts);
        play(trial);
        compare_with_the_limiter_alone(trial);
        assert_int_equal(trial->failed + trial->world.retries + trial->world.stale_reads, 0);
    } else {
        assert_non_null(strstr(trial->failure.line, "cannot be with a limit"));
        assert_non_null(strstr(trial->failure.line, "expected "));
    }
    trial_free(trial);
    return possible;
}

static void one_caller_after_another_meets_the_limiter_itself(void **state)
{
    unsigned possible = 0, cells = sizeof one_copies / sizeof *one_copies * limiter_count;

    (void)state;
    for (unsigned c = 0; c < sizeof one_copies / sizeof *one_copies; c++)
        for (unsigned l = 0; l < limiter_count; l++) {
            bool ran = false;
            for (uint64_t seed = 0; seed < 20; seed++)
                ran |= in_turn(&one_copies[c], limiters[l], seed);
            possible += ran;
        }
    /* incr takes the two fixed windows, mode=sum and regional-counters the aligned one alone. */
    assert_int_equal(possible, cells - 6 - 7 - 7);
}

/* ---- three regions at once --------------------------------------------------------------------------- */

static struct trial *crowd(const char *text, uint64_t seed, int64_t limit)
{
    struct dice dice = { seed * 7919 };
    struct trial *trial = trial_new(text, 3, limit, S);
    int64_t at_ns = 0;

    trial_links(trial, 5 * MS, 80 * MS);
    trial->chooser.seed = seed;
    for (int i = 0; i < 120; i++) {
        at_ns += dice_between(&dice, 0, 3) == 0 ? 0 : dice_between(&dice, 0, 40 * MS);
        ask(trial, at_ns, (uint32_t)dice_between(&dice, 0, 2), (uint32_t)dice_between(&dice, 0, KEYS - 1),
            dice_between(&dice, 1, 2));
    }
    return trial;
}

static void an_exact_design_never_breaks_its_promise_nor_wrongs_anybody(void **state)
{
    static const char *const limiter[] = { "token-bucket", "gcra", "sliding-window-log", "fixed-window" };
    static const char *const exact[] = { "owner", "owner:service=3ms", "home-region", "cas",
                                         "atomic:clock=store" };
    char text[64];

    (void)state;
    for (int l = 0; l < 4; l++)
        for (int c = 0; c < 5; c++)
            for (uint64_t seed = 1; seed <= 40; seed++) {
                snprintf(text, sizeof text, "%s@%s", limiter[l], exact[c]);
                struct trial *trial = crowd(text, seed, 7);
                play(trial);
                const struct result *result = &trial->result;
                if (!result->promise_kept || result->wrongly_admitted || result->wrongly_denied)
                    fail_msg("%s, seed %llu: promise kept %d, wrongly admitted %llu, denied %llu", text,
                             (unsigned long long)seed, result->promise_kept,
                             (unsigned long long)result->wrongly_admitted,
                             (unsigned long long)result->wrongly_denied);
                assert_true(trial->admitted > 10 && trial->denied > 10);
                trial_free(trial);
            }
}

static void a_race_breaks_the_promise_that_one_owner_keeps(void **state)
{
    uint64_t broken = 0, wronged = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct trial *trial = crowd("fixed-window@get-then-set", seed, 7);
        play(trial);
        broken += !trial->result.promise_kept;
        wronged += trial->result.wrongly_admitted;
        trial_free(trial);
    }
    assert_true(broken >= 15 && wronged >= 50);
}

/* ---- race losses ------------------------------------------------------------------------------------- */

/* Counts again, from what reached the store: a cell's writes, and which of them a request has read. */
static uint64_t lost_updates_recounted(const struct trial *trial)
{
    uint64_t writes[KEYS] = { 0 }, *read = calloc(trial->asks, sizeof *read), lost = 0;

    assert_non_null(read);
    for (uint32_t i = 0; i < trial->effects; i++) {
        const struct effect *effect = &trial->effect[i];
        if (effect->operation == OP_GET)
            read[effect->request] = writes[effect->cell];
        if (effect->operation == OP_PUT)
            lost += writes[effect->cell]++ != read[effect->request];
    }
    free(read);
    return lost;
}

static void every_lost_update_is_counted_and_no_other(void **state)
{
    static const char *const text[] = { "token-bucket@get-then-set", "sliding-window-log@get-then-set",
                                        "gcra@get-then-set:denied=writes",
                                        "fixed-window-anchored@get-then-set" };
    (void)state;
    for (int t = 0; t < 4; t++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct trial *trial = crowd(text[t], seed, 20);
            trial->watched = true;
            play(trial);
            assert_int_equal(trial->world.lost_updates, lost_updates_recounted(trial));
            assert_true(trial->world.lost_updates > 5);
            trial_free(trial);
        }
}

static void stores_count_what_reaches_them(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct trial *trial = crowd("token-bucket@cas", seed, 7);
        uint64_t gets = 0, swaps = 0, swapped = 0;
        trial->watched = true;
        play(trial);
        for (uint32_t i = 0; i < trial->effects; i++) {
            gets += trial->effect[i].operation == OP_GET;
            swaps += trial->effect[i].operation == OP_CAS;
            swapped += trial->effect[i].operation == OP_CAS && trial->effect[i].ok;
        }
        assert_int_equal(swapped, trial->admitted);
        assert_int_equal(trial->world.retries, swaps - swapped);
        assert_int_equal(gets, trial->asks + trial->world.retries);
        assert_int_equal(trial->world.store_writes, swapped);
        assert_int_equal(trial->world.store_reads, gets + swaps - swapped);
        trial_free(trial);
    }
}

static void what_is_atomic_loses_nothing_and_reads_nothing_stale(void **state)
{
    static const char *const text[] = {
        "token-bucket@owner", "gcra@home-region", "token-bucket@cas", "sliding-window-log@cas",
        "fixed-window-anchored@cas", "token-bucket@atomic", "fixed-window@incr", "fixed-window-anchored@incr",
        "fixed-window@incr:form=incr-expire",
        "gcra@sharded", "fixed-window@sharded:mode=sum", "leaky-bucket-queue@cas" };

    (void)state;
    for (unsigned t = 0; t < sizeof text / sizeof *text; t++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            struct trial *trial = crowd(text[t], seed, 9);
            play(trial);
            assert_int_equal(trial->world.lost_updates, 0);
            assert_int_equal(trial->world.stale_reads, 0);
            assert_int_equal(trial->failed, 0);
            trial_free(trial);
        }
}

/* ---- every cell of the matrix ------------------------------------------------------------------------ */

static struct trial *stormy(const char *text, uint64_t seed)
{
    struct trial *trial = crowd(text, seed, 9);

    for (uint32_t from = 0; from < 3; from++)
        for (uint32_t to = 0; to < 3; to++)
            if (from != to)
                trial_hurt(trial, from, to, 100000000, 200000000);
    trial->topology.instances[1] = 2;
    trial->timeout_ns = 700 * MS;
    return trial;
}

static unsigned for_every_cell(void (*try)(const char *text, uint64_t seed), uint64_t seeds)
{
    unsigned possible = 0;
    char text[64];

    for (unsigned c = 0; c < coordination_count; c++)
        for (unsigned l = 0; l < limiter_count; l++) {
            snprintf(text, sizeof text, "%s@%s", limiters[l]->name, coordinations[c]->name);
            struct trial *trial = crowd(text, 1, 9);
            bool can = trial_possible(trial);
            if (!can && (!coordinations[c]->refuses || !strstr(trial->failure.line, "; expected ")))
                fail_msg("%s is refused without a reason: %s", text, trial->failure.line);
            trial_free(trial);
            possible += can;
            for (uint64_t seed = 1; can && seed <= seeds; seed++)
                try(text, seed);
        }
    return possible;
}

/* play() checks what every run must keep to. */
static void twice(const char *text, uint64_t seed)
{
    struct trial *first = stormy(text, seed), *again = stormy(text, seed), *other = stormy(text, seed);

    other->chooser.seed += 1000;
    play(first);
    play(again);
    play(other);
    assert_true(first->digest == again->digest);
    if (strstr(text, "@local") == NULL || strstr(text, "@local-sync"))
        assert_true(first->digest != other->digest);
    for (uint32_t i = 0; i < first->asks; i++) {
        assert_int_equal(first->told[i].order, again->told[i].order);
        assert_int_equal(first->told[i].finished_ns, again->told[i].finished_ns);
        assert_int_equal(admitted(first, i), admitted(again, i));
    }
    trial_free(first);
    trial_free(again);
    trial_free(other);
}

static void every_cell_survives_losses_and_duplicates_and_repeats_to_the_byte(void **state)
{
    (void)state;
    /* Twelve coordinations of eight limiters, less incr's 6, regional-counters' 7 and lease's 1. */
    assert_int_equal(for_every_cell(twice, 4), 12 * 8 - 6 - 7 - 1);
}

static struct schedule replayed_from_its_text(const struct schedule *schedule)
{
    char *text = malloc(schedule_text_bytes(schedule));
    struct schedule read;

    assert_non_null(text);
    schedule_write(schedule, text);
    schedule_init(&read, process_memory());
    assert_null(schedule_read(&read, text, schedule->n + 1));
    assert_int_equal(read.n, schedule->n);
    free(text);
    return read;
}

static void record_and_replay(const char *text, uint64_t seed)
{
    struct trial *first = stormy(text, seed), *again = stormy(text, seed);
    struct schedule recorded;

    schedule_init(&recorded, process_memory());
    first->chooser.record = &recorded;
    play(first);
    struct schedule read = replayed_from_its_text(&recorded);
    again->chooser = (struct chooser){ .mode = CHOOSE_REPLAY, .replay = &read };
    play(again);
    assert_int_equal(again->chooser.at, recorded.n);
    assert_false(again->chooser.strayed);
    assert_true(first->digest == again->digest);
    trial_free(first);
    trial_free(again);
    schedule_free(&recorded);
    schedule_free(&read);
}

static void a_recorded_schedule_brings_the_run_back(void **state)
{
    (void)state;
    for_every_cell(record_and_replay, 2);
}

/* Calm: no losses though links lose, the smallest delays, the oldest first. */
static void calmly(const char *text, uint64_t seed)
{
    struct trial *trial = stormy(text, seed);

    trial->chooser = (struct chooser){ .mode = CHOOSE_CALM };
    play(trial);
    assert_int_equal(trial->failed, 0);
    for (uint32_t i = 0; i < trial->asks; i++) {
        int64_t delay_ns = trial->told[i].decision.verdict.delay_ns;
        assert_int_equal(i64_max(0, latency_ns(trial, i) - delay_ns) % (5 * MS), 0);
    }
    trial_free(trial);
}

static void the_calm_run_knows_neither_loss_nor_long_ways(void **state)
{
    (void)state;
    for_every_cell(calmly, 1);
}

TEST_MAIN(TEST(one_caller_after_another_meets_the_limiter_itself),
          TEST(an_exact_design_never_breaks_its_promise_nor_wrongs_anybody),
          TEST(a_race_breaks_the_promise_that_one_owner_keeps),
          TEST(every_lost_update_is_counted_and_no_other),
          TEST(stores_count_what_reaches_them),
          TEST(what_is_atomic_loses_nothing_and_reads_nothing_stale),
          TEST(every_cell_survives_losses_and_duplicates_and_repeats_to_the_byte),
          TEST(a_recorded_schedule_brings_the_run_back),
          TEST(the_calm_run_knows_neither_loss_nor_long_ways))

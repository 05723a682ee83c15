/* test_systems.c - each row of the table of systems is a design with a scenario that holds it to something,
 * and the limiters that only systems use keep to what limiter.h says of every limiter. */
#include "test.h"
#include "../algos/systems/system_limiters.h"
#include "../algos/systems/systems.h"
#include "../harness/design.h"
#include "limiter_rig.h"
#include "scenario_rig.h"

enum { CASES = 200, STEPS = 30 };

#define MILLI INT64_C(1000000)
#define SECOND (1000 * MILLI)

/* ---- the table ---- */

static void each_row(void (*claim)(const struct system *row))
{
    unsigned rows = 0;

    for (unsigned family = 0; systems[family]; family++)
        for (const struct system *row = systems[family]; row->name; row++, rows++)
            claim(row);
    assert_true(rows >= 22);
    arena_free(&arena);
}

static void assert_can_be(const struct system *row)
{
    static const struct topology plain = { .regions = 1, .region = { "home" }, .instances = { 1 } };
    struct policy policy = make_policy(10, 60 * SECOND, 10, 0);
    struct design design;

    if (!design_parse(row->name, &plain, &policy, (struct origin){ 0 }, &design, &failure))
        fail_msg("%s: %s", row->name, failure.line);
    assert_ptr_equal(system_find(row->name), row);
    assert_non_null(design_limiter(row->name));
}

static void every_row_is_a_design_that_can_be(void **state)
{
    (void)state;
    each_row(assert_can_be);
}

static bool names(const char *design, const char *system)
{
    size_t length = strlen(system);

    return strncmp(design, system, length) == 0 && (design[length] == '\0' || design[length] == ':');
}

static void assert_has_scenario(const struct system *row)
{
    bool named = false;

    arena_free(&arena);
    if (!scenario_load(arena_format(&arena, "scenarios/systems/%s", row->scenario), NULL, &arena,
                       &experiment, &failure))
        fail_msg("%s: %s", row->name, failure.line);
    for (uint32_t i = 0; i < experiment.designs; i++)
        named |= names(experiment.design[i], row->name);
    if (!named || !experiment.claims || !*experiment.title || strlen(experiment.story) < 100)
        fail_msg("%s: scenarios/systems/%s lacks it, or a story or claims", row->name, row->scenario);
}

static void every_row_has_a_scenario_that_runs_it(void **state)
{
    (void)state;
    each_row(assert_has_scenario);
}

static void assert_says_where_from(const struct system *row)
{
    assert_true(strlen(row->summary) >= 30);
    assert_true(strlen(row->source) >= 5);
}

static void every_row_says_what_it_is_and_where_that_was_read(void **state)
{
    (void)state;
    each_row(assert_says_where_from);
}

/* ---- every limiter ---- */

static void each_limiter(void (*claim)(const struct limiter *limiter))
{
    for (unsigned i = 0; system_limiters[i]; i++)
        for (unsigned j = 0; system_limiters[i][j]; j++)
            claim(system_limiters[i][j]);
}

static void assert_documented(const struct limiter *limiter)
{
    bool textbook = limiter == &batch_bucket;

    assert_ptr_equal(limiter_find(limiter->name), limiter);
    assert_true(strlen(limiter->formula) > 10 && strlen(limiter->good_to_know) > 10);
    assert_true(limiter->state_bytes <= 32 && limiter->state_bytes % 8 == 0);
    assert_int_equal(limiter->entry_bytes, 0);
    assert_int_equal(limiter->source == NULL, textbook);
    assert_int_equal(limiter->rule == NULL, textbook);
    assert_ptr_equal(limiter_rule(limiter_rule(limiter)), limiter_rule(limiter));
}

static void every_limiter_names_its_source_and_the_rule_it_follows(void **state)
{
    (void)state;
    each_limiter(assert_documented);
}

/* Whole milliseconds, and for the binding one of its two periods. */
static struct policy dice_ms_policy(struct dice *dice, const struct limiter *limiter)
{
    int64_t most = dice_between(dice, 0, 1) ? 12 : COST_MAX, limit = dice_size(dice, most);
    int64_t period_ns = dice_size(dice, dice_between(dice, 0, 1) ? 100000 : PERIOD_MAX / MILLI) * MILLI;
    int64_t epoch_ns = dice_between(dice, -1, 1) * dice_size(dice, INSTANT_MAX);
    struct policy policy = make_policy(limit, period_ns, dice_size(dice, most), epoch_ns);

    return limiter->refuses(&policy) ? make_policy(limit, 10 * SECOND, limit, epoch_ns) : policy;
}

static void assert_answers_in_range(const struct rig *rig, int64_t now_ns)
{
    struct quota quota = rig_quote(rig, now_ns);

    assert_true(quota.remaining >= 0 && quota.reset_after_ns >= 0);
    if (rig->limiter->ttl_ns)
        assert_true(rig->limiter->ttl_ns(&rig->policy, now_ns, rig->state) >= 0);
}

/* The rig compares each call with its repetition, sees that looking changes nothing, that a denial and a wait
 * come together, and that no byte beyond the state is written. */
static void play(const struct limiter *limiter)
{
    for (unsigned i = 0; i < CASES; i++) {
        struct dice dice = { i };
        struct policy policy = dice_ms_policy(&dice, limiter);
        struct rig rig = rig_open(limiter, &policy, 0);
        int64_t now_ns = 0;
        for (unsigned j = 0; j < STEPS; j++) {
            int64_t cost = dice_cost(&dice, &rig);
            if (dice_chance(&dice, 10))
                rig_charge(&rig, now_ns, cost, true);
            else
                rig_decide(&rig, now_ns, cost);
            assert_answers_in_range(&rig, now_ns);
            now_ns += dice_step_ns(&dice, &policy);
            now_ns = i64_max(-INSTANT_MAX, i64_min(INSTANT_MAX, now_ns));
        }
        rig_close(&rig);
    }
}

static void every_limiter_is_a_function_of_its_bytes_and_answers_in_range(void **state)
{
    (void)state;
    each_limiter(play);
}

static void peek(const struct limiter *limiter)
{
    struct policy policy = make_policy(3, 10 * SECOND, 3, 0);
    struct rig rig = rig_open(limiter, &policy, 0), before;

    rig_decide(&rig, 0, 3);
    before = rig_copy(&rig);
    assert_true(rig_decide(&rig, SECOND, 0).allowed);
    rig_assert_same_state(&rig, &before);
    rig_close(&before);
    rig_close(&rig);
}

static void every_limiter_lets_a_peek_pass_unchanged(void **state)
{
    (void)state;
    each_limiter(peek);
}

static void assert_refused(const struct limiter *limiter, int64_t period_ns, int64_t burst,
                           const char *expected)
{
    struct policy policy = make_policy(1, period_ns, burst, 0);

    assert_string_equal(limiter->refuses(&policy), expected);
}

static void what_the_real_thing_cannot_be_told_is_refused(void **state)
{
    (void)state;
    assert_refused(&user_limiter, 1500000, 1, "its clock has whole milliseconds; expected a period of such");
    assert_refused(&bottleneck_reservoir, SECOND, 2,
                   "it has one number for both; expected a burst that is the limit");
    assert_refused(&workers_binding_window, 30 * SECOND, 1,
                   "the binding takes no other period; expected 10s or 60s");
    assert_refused(&nginx_limit_req, 1001 * SECOND, 1,
                   "its rate is cut to nothing; expected at least 1/1000 request a second");
}

TEST_MAIN(TEST(every_row_is_a_design_that_can_be), TEST(every_row_has_a_scenario_that_runs_it),
          TEST(every_row_says_what_it_is_and_where_that_was_read),
          TEST(every_limiter_names_its_source_and_the_rule_it_follows),
          TEST(every_limiter_is_a_function_of_its_bytes_and_answers_in_range),
          TEST(every_limiter_lets_a_peek_pass_unchanged),
          TEST(what_the_real_thing_cannot_be_told_is_refused))

/* Values against states that each lie in memory of their own: sharing must never show. */
#include "limiter_rig.h"
#include "../engine/value.h"
#include "counting_memory.h"

enum { VALUES = 8 };

/* A value, and what it should be. */
struct twin { struct value value; struct rig rig; bool present; };

struct store_of_twins {
    struct counting_memory counting;
    struct values values;
    struct policy policy;
    const struct limiter *limiter;
    struct twin twin[VALUES];
    int64_t now_ns;
};

static struct store_of_twins *twins_open(const struct limiter *limiter, const struct policy *policy)
{
    static struct store_of_twins all;

    all = (struct store_of_twins){ .counting = counting_memory(), .policy = *policy, .limiter = limiter };
    values_init(&all.values, &all.counting.memory, limiter);
    for (uint32_t i = 0; i < VALUES; i++)
        all.twin[i].value.version = i;
    return &all;
}

static void forget(struct twin *twin)
{
    if (twin->present)
        rig_close(&twin->rig);
    twin->present = false;
}

static void twins_close(struct store_of_twins *all)
{
    values_free(&all->values);
    assert_int_equal(all->counting.blocks, 0);
    assert_int_equal(all->counting.used, 0);
    for (int i = 0; i < VALUES; i++)
        forget(&all->twin[i]);
}

static size_t used_bytes(const struct rig *rig)
{
    if (rig->limiter->entry_bytes == 0)
        return rig->limiter->state_bytes;
    return ((const struct growing_state *)(const void *)rig->state)->used_bytes;
}

/* But for capacities, which may differ. */
static void assert_same_bytes(const struct rig *rig, const unsigned char *state)
{
    size_t from = rig->limiter->entry_bytes > 0 ? sizeof(uint32_t) : 0;

    assert_memory_equal(state + from, rig->state + from, used_bytes(rig) - from);
}

static void assert_twins(const struct store_of_twins *all)
{
    for (int i = 0; i < VALUES; i++) {
        const struct twin *twin = &all->twin[i];
        const unsigned char *state = value_state(&all->values, &twin->value);
        assert_int_equal(state != NULL, twin->present);
        assert_int_equal(value_state_bytes(&all->values, &twin->value),
                         twin->present ? used_bytes(&twin->rig) : 0);
        if (twin->present)
            assert_same_bytes(&twin->rig, state);
    }
}

/* ---- what can be done to a value, done to both ---- */

static void make(struct store_of_twins *all, struct twin *twin)
{
    if (!twin->present)
        twin->rig = rig_open(all->limiter, &all->policy, all->now_ns);
    twin->present = true;
}

static void decide(struct store_of_twins *all, struct twin *twin, int64_t cost)
{
    struct request request = { all->now_ns, cost };
    struct verdict verdict;
    uint32_t version = twin->value.version;

    make(all, twin);
    struct rig before = rig_copy(&twin->rig);
    struct verdict expected = rig_decide(&twin->rig, all->now_ns, cost);
    bool changed = value_decide(&all->values, &all->policy, request, &twin->value, &verdict);
    assert_memory_equal(&verdict, &expected, sizeof verdict);
    assert_int_equal(twin->value.version, version);
    if (!changed)                       /* then no store need be written */
        assert_same_bytes(&twin->rig, before.state);
    rig_close(&before);
}

static void check(struct store_of_twins *all, struct twin *twin, int64_t cost)
{
    struct request request = { all->now_ns, cost };

    make(all, twin);
    struct verdict expected = rig_check(&twin->rig, all->now_ns, cost);
    struct verdict verdict = value_check(&all->values, &all->policy, request, &twin->value);
    assert_memory_equal(&verdict, &expected, sizeof verdict);
}

static void charge(struct store_of_twins *all, struct twin *twin, int64_t cost, bool allowed)
{
    make(all, twin);
    rig_charge(&twin->rig, all->now_ns, cost, allowed);
    value_charge(&all->values, &all->policy, (struct request){ all->now_ns, cost }, allowed, &twin->value);
}

static void copy(struct store_of_twins *all, struct twin *to, const struct twin *from)
{
    value_copy(&all->values, &to->value, &from->value);
    assert_int_equal(to->value.version, from->value.version);
    if (to == from)
        return;
    forget(to);
    to->present = from->present;
    if (from->present)
        to->rig = rig_copy(&from->rig);
}

static void clear(struct store_of_twins *all, struct twin *twin)
{
    uint32_t version = twin->value.version;

    value_clear(&all->values, &twin->value);
    assert_int_equal(twin->value.version, version);
    forget(twin);
}

/* ---- the tests ---- */

static void step(struct store_of_twins *all, struct dice *dice)
{
    struct twin *twin = &all->twin[dice_between(dice, 0, VALUES - 1)];
    struct twin *other = &all->twin[dice_between(dice, 0, VALUES - 1)];

    all->now_ns += dice_chance(dice, 3) ? dice_step_ns(dice, &all->policy) : 0;
    all->now_ns = i64_max(0, i64_min(all->now_ns, INSTANT_MAX / 2));
    make(all, twin);                    /* dice_cost() looks at a rig */
    value_check(&all->values, &all->policy, (struct request){ all->now_ns, 0 }, &twin->value);
    int64_t cost = dice_cost(dice, &twin->rig);
    switch (dice_between(dice, 0, 9)) {
    case 0:
    case 1:
    case 2: copy(all, other, twin); break;
    case 3: clear(all, twin); break;
    case 4: check(all, twin, cost); break;
    case 5: charge(all, twin, dice_chance(dice, 2) ? 1 : 0, dice_chance(dice, 2)); break;
    default: decide(all, twin, cost);
    }
}

static void copies_never_feel_what_happens_to_the_others(void **state)
{
    struct dice dice = { 1 };

    (void)state;
    for (unsigned l = 0; l < limiter_count; l++)
        for (int round = 0; round < 20; round++) {
            struct policy policy = dice_policy(&dice, limiters[l]);
            struct store_of_twins *all = twins_open(limiters[l], &policy);
            for (int i = 0; i < 300; i++) {
                step(all, &dice);
                assert_twins(all);
            }
            twins_close(all);
        }
}

static struct store_of_twins *logs(int64_t limit)
{
    struct policy policy = make_policy(limit, 1000000, limit, 0);

    return twins_open(limiter_find("sliding-window-log"), &policy);
}

static void fill(struct store_of_twins *all, struct twin *twin, int n)
{
    for (int i = 0; i < n; i++, all->now_ns++)
        decide(all, twin, 1);
}

static void a_copy_costs_nothing_until_it_is_written(void **state)
{
    struct store_of_twins *all = logs(1000);

    (void)state;
    fill(all, &all->twin[0], 500);
    size_t used = all->counting.used, calls = all->counting.calls;
    for (int i = 1; i < VALUES; i++)
        copy(all, &all->twin[i], &all->twin[0]);
    for (int i = 0; i < VALUES; i++)
        check(all, &all->twin[i], 1);
    assert_int_equal(all->counting.used, used);
    assert_int_equal(all->counting.calls, calls);
    decide(all, &all->twin[3], 1);
    assert_true(all->counting.used > used);
    size_t after = all->counting.used;
    decide(all, &all->twin[3], 1);      /* it has a block of its own now */
    assert_int_equal(all->counting.used, after);
    assert_twins(all);
    twins_close(all);
}

static void the_last_owner_of_a_block_writes_in_place(void **state)
{
    struct store_of_twins *all = logs(1000);

    (void)state;
    fill(all, &all->twin[0], 9);
    copy(all, &all->twin[1], &all->twin[0]);
    clear(all, &all->twin[0]);
    size_t calls = all->counting.calls;
    uint32_t block = all->twin[1].value.state.block;
    decide(all, &all->twin[1], 1);
    assert_int_equal(all->twin[1].value.state.block, block);
    assert_int_equal(all->counting.calls, calls);
    assert_twins(all);
    twins_close(all);
}

static void a_value_copied_to_itself_is_itself(void **state)
{
    struct store_of_twins *all = logs(10);

    (void)state;
    fill(all, &all->twin[0], 5);
    copy(all, &all->twin[0], &all->twin[0]);
    copy(all, &all->twin[1], &all->twin[1]);    /* not present */
    decide(all, &all->twin[0], 1);
    assert_twins(all);
    twins_close(all);
}

static void blocks_are_used_again(void **state)
{
    struct store_of_twins *all = logs(200);
    size_t used = 0;

    (void)state;
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < VALUES; i++) {
            fill(all, &all->twin[i], 150);
            copy(all, &all->twin[(i + 1) % VALUES], &all->twin[i]);
        }
        for (int i = 0; i < VALUES; i++)
            clear(all, &all->twin[i]);
        if (round == 0)
            used = all->counting.used;
        assert_int_equal(all->counting.used, used);
    }
    twins_close(all);
}

/* Twice 150 entries of 16 bytes each, and what doubling leaves behind. */
static void a_log_holds_what_is_alive_and_no_more_than_doubling_wastes(void **state)
{
    struct store_of_twins *all = logs(1000);

    (void)state;
    fill(all, &all->twin[0], 150);
    size_t bytes = value_state_bytes(&all->values, &all->twin[0].value);
    assert_int_equal(bytes, all->limiter->state_bytes + 150 * all->limiter->entry_bytes);
    size_t tables = all->values.room * sizeof *all->values.block;
    assert_true(all->counting.used - tables <= 4 * bytes);
    all->now_ns += all->policy.period_ns;
    decide(all, &all->twin[0], 1);      /* all others have left the window */
    assert_int_equal(value_state_bytes(&all->values, &all->twin[0].value),
                     all->limiter->state_bytes + all->limiter->entry_bytes);
    twins_close(all);
}

static void a_missing_value_has_no_bytes_and_starts_full(void **state)
{
    struct store_of_twins *all = logs(3);

    (void)state;
    assert_null(value_state(&all->values, &all->twin[2].value));
    assert_int_equal(value_state_bytes(&all->values, &all->twin[2].value), 0);
    fill(all, &all->twin[2], 5);
    clear(all, &all->twin[2]);
    assert_null(value_state(&all->values, &all->twin[2].value));
    struct verdict verdict;
    for (int i = 0; i < 4; i++) {
        struct request request = { all->now_ns, 1 };
        value_decide(&all->values, &all->policy, request, &all->twin[2].value, &verdict);
        assert_int_equal(verdict.allowed, i < 3);
    }
    value_clear(&all->values, &all->twin[2].value);
    twins_close(all);
}

static void a_decision_says_whether_it_changed_anything(void **state)
{
    static const struct { const char *limiter; bool denied_changes; } cases[] = {
        { "token-bucket", false }, { "sliding-window-log", false }, { "fixed-window-anchored", true },
    };
    struct policy policy = make_policy(2, 1000, 2, 0);
    struct verdict verdict;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct store_of_twins *all = twins_open(limiter_find(cases[i].limiter), &policy);
        struct value *value = &all->twin[0].value;
        struct values *values = &all->values;
        assert_false(value_decide(values, &policy, (struct request){ 0, 0 }, value, &verdict));
        assert_true(verdict.allowed);
        assert_true(value_decide(values, &policy, (struct request){ 0, 2 }, value, &verdict));
        assert_int_equal(value_decide(values, &policy, (struct request){ 0, 1 }, value, &verdict),
                         cases[i].denied_changes);
        assert_false(verdict.allowed);
        assert_int_equal(value_decide(values, &policy, (struct request){ 0, 3 }, value, &verdict),
                         cases[i].denied_changes);
        assert_int_equal(verdict.retry_after_ns, NEVER_NS);
        value_clear(values, value);
        twins_close(all);
    }
}

TEST_MAIN(TEST(copies_never_feel_what_happens_to_the_others),
          TEST(a_copy_costs_nothing_until_it_is_written),
          TEST(the_last_owner_of_a_block_writes_in_place),
          TEST(a_value_copied_to_itself_is_itself),
          TEST(blocks_are_used_again),
          TEST(a_log_holds_what_is_alive_and_no_more_than_doubling_wastes),
          TEST(a_missing_value_has_no_bytes_and_starts_full),
          TEST(a_decision_says_whether_it_changed_anything))

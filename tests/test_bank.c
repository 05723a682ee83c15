#include "test.h"
#include "../algos/limiters/limiters.h"
#include "../engine/bank.h"
#include "counting_memory.h"
#include "limiter_rig.h"

enum { KEYS = 40 };

/* Each key's own state, apart, given the same calls. */
static void assert_like_states_apart(const struct limiter *limiter)
{
    struct policy policy = make_policy(5, 40, 5, 3);
    struct counting_memory counting = counting_memory();
    struct dice dice = { .state = 4 };
    struct rig rig[KEYS] = { 0 };
    struct bank bank;

    bank_init(&bank, &counting.memory, limiter);
    for (int64_t now = 0, i = 0; i < 4000; i++, now += dice_between(&dice, 0, 3)) {
        size_t key = (size_t)dice_between(&dice, 0, KEYS - 1);
        struct request request = { now, dice_between(&dice, 0, 3) };
        if (!rig[key].state)
            rig[key] = rig_open(limiter, &policy, now);
        struct verdict expected = rig_decide(&rig[key], request.now_ns, request.cost);
        struct verdict got = bank_check(&bank, &policy, key, request);
        bank_charge(&bank, &policy, key, request, got.allowed);
        assert_memory_equal(&got, &expected, sizeof got);
    }
    for (size_t key = 0; key < KEYS; key++)
        rig_close(&rig[key]);
    bank_free(&bank);
    assert_int_equal(counting.used, 0);
    assert_int_equal(counting.blocks, 0);
}

static void a_bank_decides_like_states_apart(void **state)
{
    (void)state;
    for (unsigned i = 0; i < limiter_count; i++)
        assert_like_states_apart(limiters[i]);
}

static void nothing_is_allocated_before_the_first_touch(void **state)
{
    struct counting_memory counting = counting_memory();
    struct bank bank;

    (void)state;
    bank_init(&bank, &counting.memory, &gcra);
    bank_free(&bank);
    assert_int_equal(counting.calls, 0);
}

/* Allocator calls grow with the logarithm of the number of states. */
static void no_request_pays_for_growth(void **state)
{
    struct policy policy = make_policy(100, 1000, 100, 0);
    struct counting_memory counting = counting_memory();
    struct bank bank;

    (void)state;
    bank_init(&bank, &counting.memory, &gcra);
    for (size_t key = 0; key < 100000; key++)
        bank_charge(&bank, &policy, key, (struct request){ .now_ns = 1, .cost = 1 }, true);
    assert_in_range(counting.calls, 1, 40);
    bank_free(&bank);
    assert_int_equal(counting.used, 0);
}

static void assert_rest_is_zero(const struct growing_state *state)
{
    for (uint32_t i = state->used_bytes; i < state->capacity_bytes; i++)
        assert_int_equal(((const char *)state)[i], 0);
}

static void a_log_gives_memory_back_when_its_entries_die(void **state)
{
    struct policy policy = make_policy(10000, 100000, 10000, 0);
    struct counting_memory counting = counting_memory();
    struct bank bank;

    (void)state;
    bank_init(&bank, &counting.memory, &sliding_window_log);
    for (int64_t now = 0; now < 10000; now++)
        bank_charge(&bank, &policy, 0, (struct request){ .now_ns = now, .cost = 1 }, true);
    size_t full = counting.used;
    assert_rest_is_zero(bank.grown[0]);
    for (int64_t now = 1000000; now < 1000020; now++)
        bank_charge(&bank, &policy, 0, (struct request){ .now_ns = now, .cost = 1 }, true);
    assert_true(counting.used < full / 50);
    bank_free(&bank);
    assert_int_equal(counting.used, 0);
}

TEST_MAIN(TEST(a_bank_decides_like_states_apart), TEST(nothing_is_allocated_before_the_first_touch),
          TEST(no_request_pays_for_growth),
          TEST(a_log_gives_memory_back_when_its_entries_die))

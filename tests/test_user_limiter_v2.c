/* A stored state whose meaning changes: a token bucket before that; then misread, or migrated. */
#include "limiter_rig.h"
#include "../algos/systems/systems.h"

#define S INT64_C(1000000000)

static const char *const name[] = { "user-limiter-v2", "user-limiter-v2-migrating" };

static struct policy ten_a_minute(int64_t format)
{
    struct policy policy = make_policy(10, 60 * S, 10, 0);

    policy.format = format;
    return policy;
}

static void assert_same(const struct rig *one, const struct rig *other, struct request request)
{
    struct verdict a = one->limiter->check(&one->policy, request, one->state);
    struct verdict b = other->limiter->check(&other->policy, request, other->state);
    struct quota p = one->limiter->quote(&one->policy, request.now_ns, one->state);
    struct quota q = other->limiter->quote(&other->policy, request.now_ns, other->state);

    assert_int_equal(a.allowed, b.allowed);
    assert_int_equal(a.retry_after_ns, b.retry_after_ns);
    assert_int_equal(p.remaining, q.remaining);
    assert_int_equal(p.reset_after_ns, q.reset_after_ns);
}

/* Both are the bucket until `changes`; what migrates, afterwards as well. */
static void follow(const char *limiter, uint64_t seed, int64_t before, int64_t after)
{
    struct dice dice = { seed };
    struct policy policy = ten_a_minute(before), plain = ten_a_minute(0);
    struct rig rig = rig_open(limiter_find(limiter), &policy, 0), bucket = rig_open(&token_bucket, &plain, 0);
    int64_t now_ns = 0;

    for (int i = 0; i < 200; i++) {
        struct request request = { now_ns += dice_between(&dice, 0, 9 * S), dice_between(&dice, -1, 4) };
        if (i == 100)
            rig.policy.format = after;
        assert_same(&rig, &bucket, request);
        limiter_decide(rig.limiter, &rig.policy, request, rig.state);
        limiter_decide(&token_bucket, &plain, request, bucket.state);
    }
    rig_close(&rig);
    rig_close(&bucket);
}

static void without_a_change_both_are_the_token_bucket(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++)
        for (int64_t format = 0; format < 2; format++)
            for (int l = 0; l < 2; l++)
                follow(name[l], seed, format, format);
}

static void what_migrates_goes_on_as_if_nothing_had_changed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++)
        follow(name[1], seed, 0, 1);
}

/* How many of ten pass after `spent` were taken at once and the code changed. */
static unsigned pass_after_the_change(const char *limiter, int64_t spent)
{
    struct policy policy = ten_a_minute(0);
    struct rig rig = rig_open(limiter_find(limiter), &policy, 0);
    unsigned passed = 0;

    limiter_decide(rig.limiter, &rig.policy, (struct request){ 0, spent }, rig.state);
    rig.policy.format = 1;
    for (int i = 0; i < 10; i++)
        passed += limiter_decide(rig.limiter, &rig.policy, (struct request){ 0, 1 }, rig.state).allowed;
    rig_close(&rig);
    return passed;
}

static void what_misreads_takes_the_empty_for_full_and_the_full_for_empty(void **state)
{
    (void)state;
    for (int64_t spent = 0; spent <= 10; spent++) {
        assert_int_equal(pass_after_the_change(name[0], spent), spent);
        assert_int_equal(pass_after_the_change(name[1], spent), 10 - spent);
    }
}

TEST_MAIN(TEST(without_a_change_both_are_the_token_bucket),
          TEST(what_migrates_goes_on_as_if_nothing_had_changed),
          TEST(what_misreads_takes_the_empty_for_full_and_the_full_for_empty))

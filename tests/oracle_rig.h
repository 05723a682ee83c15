/* oracle_rig.h - an oracle with what it needs around it, and short ways to tell it the news. */
#ifndef LIMITLAB_ORACLE_RIG_H
#define LIMITLAB_ORACLE_RIG_H
#include <stdio.h>
#include "../algos/limiters/limiters.h"
#include "../harness/oracle.h"
#include "counting_memory.h"
#include "dice.h"

struct bench {
    struct counting_memory counting;
    struct policy policy, target;
    struct keys keys;                   /* "k0", "k1" ... by number */
    struct arena arena;
    struct oracle oracle;
    struct result result;
};

static inline struct policy policy_of(int64_t limit, int64_t period_ns, int64_t burst)
{
    struct policy policy = { .limit = limit, .period_ns = period_ns, .burst = burst };

    assert_null(policy_init(&policy));
    return policy;
}

/* limiter may be NULL; `keys` names are made. */
static inline void bench_open(struct bench *bench, const struct limiter *limiter, struct policy policy,
                              enum target_kind kind, struct policy target, int keys)
{
    *bench = (struct bench){ .counting = counting_memory(), .policy = policy, .target = target };
    for (int i = 0; i < keys; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%d", i);
        key_intern_text(&bench->keys, name);
    }
    oracle_init(&bench->oracle, &bench->counting.memory, &(struct oracle_options){
        .limiter = limiter, .policy = limiter ? &bench->policy : NULL, .target = kind,
        .target_policy = &bench->target, .watched = keys ? 0 : NO_KEY });
}

/* The usual: policy and target are the same, and a curve. */
static inline void bench_open_alike(struct bench *bench, const struct limiter *limiter, struct policy policy)
{
    bench_open(bench, limiter, policy, TARGET_CURVE, policy, 3);
}

static inline void bench_close(struct bench *bench)
{
    oracle_free(&bench->oracle);
    assert_int_equal(bench->counting.used, 0);
    keys_free(&bench->keys);
    arena_free(&bench->arena);
}

static inline const struct result *bench_finish(struct bench *bench, int64_t now_ns)
{
    oracle_finish(&bench->oracle, now_ns);
    oracle_result(&bench->oracle, &bench->keys, &bench->arena, &bench->result);
    return &bench->result;
}

static inline void tell_arrived(struct bench *bench, uint32_t key, int64_t at_ns, int64_t cost)
{
    struct observer *observer = oracle_observer(&bench->oracle);

    observer->arrived(observer, &(struct arrival){ .at_ns = at_ns, .cost = cost, .key = key });
}

static inline uint32_t tell_opened(struct bench *bench, uint32_t key, int64_t at_ns)
{
    struct observer *observer = oracle_observer(&bench->oracle);

    return observer->opened(observer, key, at_ns);
}

static inline void tell_decided(struct bench *bench, uint32_t ticket, uint32_t key, int64_t at_ns,
                                int64_t cost, struct verdict verdict)
{
    struct observer *observer = oracle_observer(&bench->oracle);

    observer->decided(observer, &(struct decision){ .instant_ns = at_ns, .reading_ns = at_ns, .cost = cost,
                                                    .key = key, .ticket = ticket, .verdict = verdict });
}

static inline void tell_finished(struct bench *bench, uint32_t key, int64_t asked_ns, int64_t now_ns,
                                 bool failed)
{
    struct observer *observer = oracle_observer(&bench->oracle);

    observer->finished(observer, &(struct arrival){ .at_ns = asked_ns, .key = key }, now_ns, failed);
}

/* A request that is admitted or denied at once. */
static inline void tell(struct bench *bench, uint32_t key, int64_t at_ns, int64_t cost, bool allowed)
{
    tell_arrived(bench, key, at_ns, cost);
    tell_decided(bench, TICKET_NONE, key, at_ns, cost, allowed ? verdict_allow() : verdict_deny(1));
    tell_finished(bench, key, at_ns, at_ns, false);
}

static inline void tell_times(struct bench *bench, int times, uint32_t key, int64_t at_ns, bool allowed)
{
    for (int i = 0; i < times; i++)
        tell(bench, key, at_ns, 1, allowed);
}
#endif

/* judging.c - see judging.h. */
#include "judging.h"
#include "oracle.h"

struct judges {
    struct judging judging;
    struct oracle *oracle;
    struct certain certain;
    uint64_t mismatches;
    int64_t  last_ns;
};

struct judges *judges_call(const struct judging *judging, struct arena *arena, struct failure *failure)
{
    struct judges *judges = arena_alloc(arena, sizeof *judges);
    struct policy *policy = &judges->judging.policy;

    judges->judging = *judging;
    const char *wrong = policy_init(policy);
    if (!wrong && judging->as)
        wrong = judging->as->refuses(policy);
    if (wrong) {
        fail(failure, EXIT_USAGE, NULL, 0, "this limit cannot be: %s", wrong);
        return NULL;
    }
    struct oracle_options how = { .limiter = judging->as, .policy = judging->as ? policy : NULL,
                                  .target = judging->target, .target_policy = policy, .watched = NO_KEY };
    judges->oracle = arena_alloc(arena, sizeof *judges->oracle);
    oracle_init(judges->oracle, process_memory(), &how);
    certain_init(&judges->certain, judging->target, policy, judging->precision_ns);
    return judges;
}

void judges_hear(struct judges *judges, uint32_t key, int64_t at_ns, int64_t cost, bool allowed)
{
    struct observer *observer = oracle_observer(judges->oracle);
    struct arrival arrival = { .at_ns = at_ns, .cost = cost, .key = key,
                               .id = judges->oracle->requests };
    struct decision decision = { .instant_ns = at_ns, .reading_ns = at_ns, .cost = cost, .key = key,
                                 .id = arrival.id, .ticket = TICKET_NONE, .verdict = { .allowed = allowed } };

    observer->arrived(observer, &arrival);
    judges->mismatches += judges->judging.as && oracle_ideal_allowed(judges->oracle) != allowed;
    observer->decided(observer, &decision);
    observer->finished(observer, &arrival, at_ns, false);
    if (allowed && cost >= 0)
        certain_admit(&judges->certain, key, at_ns, cost);
    judges->last_ns = at_ns;
}

static uint64_t keys_over(const struct oracle *oracle)
{
    const struct policy *target = &oracle->target;
    uint64_t over = 0;

    for (size_t i = 0; i < oracle->room; i++)
        over += oracle->target_kind == TARGET_CURVE ? oracle->key[i].curve.worst > target->burst_credits
                                                    : oracle->key[i].window.worst > target->limit;
    return over;
}

static bool same(struct decimal a, struct decimal b)
{
    return a.null == b.null && a.billionths == b.billionths;
}

static bool same_bounds(const struct certain_bound *a, const struct certain_bound *b)
{
    return a->over_admitted == b->over_admitted && a->over_admitted_cost == b->over_admitted_cost &&
           same(a->excess, b->excess) && same(a->effective_burst, b->effective_burst) &&
           a->worst_window == b->worst_window && a->keys_over == b->keys_over;
}

void judges_conclude(struct judges *judges, const struct keys *keys, struct arena *arena,
                     struct judgement *out)
{
    *out = (struct judgement){ .result = { .design = "", .parameters = "", .label = "",
                                          .stuck_keys = -1 } };
    oracle_finish(judges->oracle, judges->last_ns);
    out->mismatches = judges->mismatches;
    out->keys_over = keys_over(judges->oracle);
    oracle_result(judges->oracle, keys, arena, &out->result);
    certain_finish(&judges->certain, &out->certain, &out->possible);
    out->coarse = judges->judging.precision_ns > 1 && !same_bounds(&out->certain, &out->possible);
    certain_free(&judges->certain);
    oracle_free(judges->oracle);
}

bool judged_over(const struct judgement *judgement)
{
    const struct result *result = &judgement->result;

    if (judgement->coarse)
        return judgement->certain.over_admitted > 0 || judgement->certain.excess.billionths > 0;
    return result->over_admitted > 0 || result->excess.billionths > 0;
}

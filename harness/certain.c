/* certain.c - see certain.h for the formulas; their letters are used here. */
#include "certain.h"
#include <assert.h>
#include "arena.h"

/* Admissions of one key at one rate, in credits.  A group is what has one logged time. */
struct levels {
    i128 level;                         /* X on logged times: max over i of C(i..now) - r (t - t_i) */
    i128 base;                          /* the group apart: max(0, X before the group - r dt + r (p - 1)) */
    i128 group;                         /* cost of the group */
};

struct certain_key {
    int64_t at_ns;                      /* of the group */
    struct levels all, strict;          /* of all admissions; of those that the strict policer keeps */
    i128    lax_level;                  /* of the lax policer */
    i128    worst_level, worst_possible;
    int64_t narrow, wide;               /* standing in the windows period - p + 1 and period + p - 1 */
    int64_t lax_narrow, strict_wide;    /* ... of what the policers keep */
    int64_t worst_narrow, worst_wide;
    int64_t least_cost, most_cost;      /* positive ones; most_cost 0: never admitted anything */
    uint64_t lax_refused, strict_refused;
    uint64_t group_rows, over_rows;     /* over: in groups that may be over the target */
    int64_t group_cost, over_cost;
};

void certain_init(struct certain *certain, enum target_kind target, const struct policy *policy,
                  int64_t precision_ns)
{
    assert(precision_ns >= 1);
    *certain = (struct certain){ .target = target, .policy = *policy, .precision_ns = precision_ns };
}

static i128 slack(const struct certain *certain)
{
    return (i128)certain->policy.credits_per_ns * (certain->precision_ns - 1);
}

/* The next group begins, dt later. */
static void levels_open(struct levels *levels, i128 earned, i128 slack_credits)
{
    levels->base = i128_max(0, levels->level - earned + slack_credits);
    levels->level = i128_max(0, levels->level - earned);
    levels->group = 0;
}

static void levels_add(struct levels *levels, i128 credits)
{
    levels->level += credits;
    levels->group += credits;
}

static bool group_may_be_over(const struct certain *certain, const struct certain_key *key)
{
    if (certain->target == TARGET_WINDOW)
        return key->wide > certain->policy.limit;
    return key->all.base + key->all.group > certain->policy.burst_credits;
}

/* Must come before anything leaves a window that the group stands in. */
static void close_group(const struct certain *certain, struct certain_key *key)
{
    if (group_may_be_over(certain, key)) {
        key->over_rows += key->group_rows;
        key->over_cost += key->group_cost;
    }
    key->group_rows = 0;
    key->group_cost = 0;
}

/* Whatever is a whole window older than now_ns leaves it.  A group that is left behind for ever is closed by
 * then: it stands in the wide window at its end. */
static void leave_windows(struct certain *certain, int64_t now_ns)
{
    int64_t narrow_ns = certain->policy.period_ns - certain->precision_ns + 1;
    int64_t wide_ns = certain->policy.period_ns + certain->precision_ns - 1;
    struct certain_admission *recent = certain->recent;

    for (; certain->narrow_first < certain->recent_count; certain->narrow_first++) {
        struct certain_admission *old = &recent[certain->narrow_first];
        if (old->at_ns > now_ns - narrow_ns)
            break;
        certain->key[old->key].narrow -= old->cost;
        certain->key[old->key].lax_narrow -= old->lax_kept ? old->cost : 0;
    }
    for (; certain->wide_first < certain->recent_count; certain->wide_first++) {
        struct certain_admission *old = &recent[certain->wide_first];
        struct certain_key *key = &certain->key[old->key];
        if (old->at_ns > now_ns - wide_ns)
            break;
        if (key->group_rows > 0 && key->at_ns < now_ns)
            close_group(certain, key);
        key->wide -= old->cost;
        key->strict_wide -= old->strict_kept ? old->cost : 0;
    }
}

/* Room for one more; what has left both windows goes when it is half of all. */
static void make_room(struct certain *certain)
{
    size_t gone = certain->narrow_first < certain->wide_first ? certain->narrow_first : certain->wide_first;

    if (gone > 64 && gone >= certain->recent_count / 2) {
        memmove(certain->recent, certain->recent + gone,
                (certain->recent_count - gone) * sizeof *certain->recent);
        certain->recent_count -= gone;
        certain->narrow_first -= gone;
        certain->wide_first -= gone;
    }
    certain->recent = memory_grow(process_memory(), certain->recent, &certain->recent_have,
                                  certain->recent_count + 1, sizeof *certain->recent);
}

static void open_group(const struct certain *certain, struct certain_key *key, int64_t at_ns)
{
    bool first = key->most_cost == 0;   /* then nothing stands, and any past will do */
    int64_t dt = first ? certain->precision_ns : at_ns - key->at_ns;
    i128 earned = (i128)certain->policy.credits_per_ns * dt;

    close_group(certain, key);
    levels_open(&key->all, earned, slack(certain));
    levels_open(&key->strict, earned, slack(certain));
    key->lax_level = i128_max(0, key->lax_level - earned);
    key->at_ns = at_ns;
}

/* Both policers judge the admission; it says what they kept. */
static void police(const struct certain *certain, struct certain_key *key, i128 credits,
                   struct certain_admission *row)
{
    i128 burst = certain->policy.burst_credits;

    if (certain->target == TARGET_WINDOW) {
        row->lax_kept = key->lax_narrow + row->cost <= certain->policy.limit;
        row->strict_kept = key->strict_wide + row->cost <= certain->policy.limit;
    } else {
        row->lax_kept = key->lax_level + credits <= burst + slack(certain);
        row->strict_kept = key->strict.base + key->strict.group + credits <= burst;
    }
    if (row->lax_kept)
        key->lax_level += credits;
    if (row->strict_kept)
        levels_add(&key->strict, credits);
    key->lax_narrow += row->lax_kept ? row->cost : 0;
    key->strict_wide += row->strict_kept ? row->cost : 0;
    key->lax_refused += !row->lax_kept;
    key->strict_refused += !row->strict_kept;
}

static void count_admission(struct certain_key *key, i128 credits, int64_t cost)
{
    levels_add(&key->all, credits);
    key->worst_level = i128_max(key->worst_level, key->all.level);
    key->worst_possible = i128_max(key->worst_possible, key->all.base + key->all.group);
    key->narrow += cost;
    key->wide += cost;
    key->worst_narrow = i64_max(key->worst_narrow, key->narrow);
    key->worst_wide = i64_max(key->worst_wide, key->wide);
    key->least_cost = key->most_cost ? i64_min(key->least_cost, cost) : cost;
    key->most_cost = i64_max(key->most_cost, cost);
    key->group_rows++;
    key->group_cost += cost;
}

void certain_admit(struct certain *certain, uint32_t key_index, int64_t at_ns, int64_t cost)
{
    i128 credits = (i128)cost * certain->policy.credits_per_unit;
    struct certain_admission row = { .at_ns = at_ns, .cost = cost, .key = key_index };

    assert(cost >= 0);
    if (cost == 0)
        return;
    certain->key = memory_grow(process_memory(), certain->key, &certain->keys, (size_t)key_index + 1,
                               sizeof *certain->key);
    leave_windows(certain, at_ns);
    struct certain_key *key = &certain->key[key_index];
    if (key->most_cost == 0 || key->at_ns != at_ns)
        open_group(certain, key, at_ns);
    police(certain, key, credits, &row);
    count_admission(key, credits, cost);
    make_room(certain);
    certain->recent[certain->recent_count++] = row;
}

/* Over-admission from what a key must have too much, when its costs differ. */
static void count_excess(const struct certain_key *key, int64_t excess, struct certain_bound *least)
{
    least->over_admitted_cost += excess;
    least->over_admitted += (uint64_t)div_ceil(excess, key->most_cost);
}

static void count_over_admitted(const struct certain_key *key, int64_t certain_excess,
                                struct certain_bound *least, struct certain_bound *most)
{
    if (key->least_cost == key->most_cost) {
        least->over_admitted += key->lax_refused;
        least->over_admitted_cost += (int64_t)key->lax_refused * key->most_cost;
        most->over_admitted += key->strict_refused;
        most->over_admitted_cost += (int64_t)key->strict_refused * key->most_cost;
        return;
    }
    count_excess(key, certain_excess, least);
    most->over_admitted += key->over_rows;
    most->over_admitted_cost += key->over_cost;
}

/* The worst key's burst in credits; the measures that follow from it and from the worst window. */
static void finish_bound(const struct certain *certain, struct certain_bound *bound, i128 burst)
{
    const struct policy *policy = &certain->policy;

    bound->effective_burst = decimal_ratio(burst, policy->credits_per_unit);
    if (certain->target == TARGET_WINDOW) {
        bound->excess = decimal_ratio(i64_max(0, bound->worst_window - policy->limit), 1);
        bound->boundary_burst = DECIMAL_NULL;
        return;
    }
    bound->excess = decimal_ratio(i128_max(0, burst - policy->burst_credits), policy->credits_per_unit);
    bound->boundary_burst = decimal_ratio(burst, policy->burst_credits);
}

/* How far above its target one end of a key's range lies, in whole cost, rounded up. */
static int64_t excess_of(const struct certain *certain, i128 burst, int64_t window)
{
    const struct policy *policy = &certain->policy;

    if (certain->target == TARGET_WINDOW)
        return i64_max(0, window - policy->limit);
    return (int64_t)div_ceil(i128_max(0, burst - policy->burst_credits), policy->credits_per_unit);
}

void certain_finish(struct certain *certain, struct certain_bound *least, struct certain_bound *most)
{
    i128 least_burst = 0, most_burst = 0;

    *least = *most = (struct certain_bound){ 0 };
    for (size_t i = 0; i < certain->keys; i++) {
        struct certain_key *key = &certain->key[i];
        if (key->most_cost == 0)
            continue;
        close_group(certain, key);
        i128 largest = (i128)key->most_cost * certain->policy.credits_per_unit;
        i128 burst = i128_max(largest, key->worst_level - slack(certain));
        int64_t excess = excess_of(certain, burst, key->worst_narrow);
        count_over_admitted(key, excess, least, most);
        least->keys_over += excess > 0;
        most->keys_over += excess_of(certain, key->worst_possible, key->worst_wide) > 0;
        least->worst_window = i64_max(least->worst_window, key->worst_narrow);
        most->worst_window = i64_max(most->worst_window, key->worst_wide);
        least_burst = i128_max(least_burst, burst);
        most_burst = i128_max(most_burst, key->worst_possible);
    }
    finish_bound(certain, least, least_burst);
    finish_bound(certain, most, most_burst);
}

void certain_free(struct certain *certain)
{
    memory_free(process_memory(), certain->key);
    memory_free(process_memory(), certain->recent);
    *certain = (struct certain){ 0 };
}

#include "fairness.h"
#include "oracle.h"
#include "units.h"

static const uint32_t NOBODY = UINT32_MAX;

/* The largest figure that a key reached, and when it first did. */
struct peak { i128 height; int64_t at_ns; };

static struct peak burst_peak(const struct oracle_key *key)
{
    return (struct peak){ key->curve.worst, key->curve.worst_at_ns };
}

static struct peak window_peak(const struct oracle_key *key)
{
    return (struct peak){ key->window.worst, key->window.worst_at_ns };
}

/* The key with the highest peak; then the earlier one, then the smaller name.  NOBODY when all are 0. */
static uint32_t worst_key(const struct oracle *oracle, const struct keys *keys,
                          struct peak (*peak_of)(const struct oracle_key *))
{
    struct peak worst = { 0 };
    uint32_t whose = NOBODY;

    for (uint32_t i = 0; i < oracle->room; i++) {
        struct peak peak = peak_of(&oracle->key[i]);
        if (peak.height < worst.height || peak.height == 0)
            continue;
        if (peak.height > worst.height || peak.at_ns < worst.at_ns
            || (peak.at_ns == worst.at_ns && key_compare(keys, i, whose) < 0)) {
            worst = peak;
            whose = i;
        }
    }
    return whose;
}

/* Names are copied, so that a result outlives the run's table of keys. */
static const char *name_of(const struct keys *keys, struct arena *arena, uint32_t key)
{
    return key == NOBODY ? NULL : arena_text(arena, key_name(keys, key, NULL));
}

static void fill_counts(const struct oracle *oracle, struct arena *arena, struct result *result)
{
    result->requests = oracle->requests;
    result->admitted = oracle->admitted;
    result->denied = oracle->denied;
    result->failed = oracle->failed;
    result->admitted_cost = oracle->admitted_cost;
    result->denied_cost = oracle->denied_cost;
    result->over_admitted = oracle->over_admitted;
    result->over_admitted_cost = oracle->over_admitted_cost;
    result->ideal_admitted = oracle->ideal_admitted;
    result->ideal_admitted_cost = oracle->ideal_admitted_cost;
    result->wrongly_admitted = oracle->wrongly_admitted;
    result->wrongly_denied = oracle->wrongly_denied;
    result->first_denial = oracle->first_denial;
    result->retry.honest = oracle->honesty[HONEST];
    result->retry.early = oracle->honesty[TOO_EARLY];
    result->retry.late = oracle->honesty[TOO_LATE];
    result->quota.right = oracle->quota_told[QUOTA_TRUE];
    result->quota.wrong = oracle->quota_told[QUOTA_UNTRUE];
    result->keys = oracle->keys;
    result->decisions = sequence_text(&oracle->sequence, arena);
}

struct decimal oracle_excess(const struct oracle *oracle)
{
    const struct policy *target = &oracle->target;
    bool window = oracle->target_kind == TARGET_WINDOW;
    i128 allowed = window ? target->limit : target->burst_credits, worst = allowed;

    for (size_t i = 0; i < oracle->room; i++)
        worst = i128_max(worst, window ? oracle->key[i].window.worst : oracle->key[i].curve.worst);
    return decimal_ratio(worst - allowed, window ? 1 : target->credits_per_unit);
}

static void fill_burst(const struct oracle *oracle, struct peak peak, struct result *result)
{
    const struct policy *target = &oracle->target;

    result->excess = oracle_excess(oracle);
    result->worst_burst_at_ns = peak.at_ns;
    result->effective_burst = decimal_ratio(peak.height, target->credits_per_unit);
    result->boundary_burst = oracle->target_kind == TARGET_WINDOW
                           ? DECIMAL_NULL : decimal_ratio(peak.height, target->burst_credits);
}

static struct window_at window_at(const struct oracle *oracle, struct peak peak, const char *name)
{
    return (struct window_at){
        .cost = (int64_t)peak.height,
        .ratio = name ? decimal_ratio(peak.height, oracle->target.limit) : DECIMAL_NULL,
        .key = name,
        .start_ns = name ? peak.at_ns - oracle->target.period_ns : 0,
        .end_ns = name ? peak.at_ns : 0,
    };
}

static void fill_worst(const struct oracle *oracle, const struct keys *keys, struct arena *arena,
                       struct result *result)
{
    uint32_t burst = worst_key(oracle, keys, burst_peak), window = worst_key(oracle, keys, window_peak);
    struct peak none = { 0 };

    result->worst_window = window_at(oracle, window == NOBODY ? none : window_peak(&oracle->key[window]),
                                     name_of(keys, arena, window));
    result->worst_burst_key = name_of(keys, arena, burst);
    fill_burst(oracle, burst == NOBODY ? none : burst_peak(&oracle->key[burst]), result);
}

static struct peak tallest(const struct oracle *oracle, struct peak (*peak_of)(const struct oracle_key *))
{
    struct peak tallest = { 0 };

    for (uint32_t i = 0; i < oracle->room; i++) {
        struct peak peak = peak_of(&oracle->key[i]);
        tallest = peak.height > tallest.height ? peak : tallest;
    }
    return tallest;
}

static void fill_ceiling(const struct oracle *above, struct result *result)
{
    struct result worst = { .worst_window.cost = (int64_t)tallest(above, window_peak).height };

    fill_burst(above, tallest(above, burst_peak), &worst);
    result->ceiling.judged = true;
    result->ceiling.over_admitted = above->over_admitted;
    result->ceiling.excess = worst.excess;
    result->ceiling.worst_window = worst.worst_window.cost;
}

static void fill_fairness(const struct oracle *oracle, struct result *result)
{
    struct fairness keys = { 0 }, regions = { 0 };

    for (size_t i = 0; i < oracle->room; i++)
        fairness_add(&keys, oracle->key[i].asked, oracle->key[i].admitted);
    for (size_t i = 0; i < REGIONS_MAX; i++)
        fairness_add(&regions, oracle->region[i].asked, oracle->region[i].admitted);
    result->fairness_keys = fairness_index(&keys);
    result->fairness_regions = fairness_index(&regions);
}

/* Puts key i among the first `count` of top[], which stay sorted: most denials first, then the smaller
 * name. */
static void rank_refused(const struct oracle *oracle, const struct keys *keys, uint32_t i, uint32_t *top,
                         uint32_t count)
{
    uint32_t place = count < REFUSED_TOP ? count : REFUSED_TOP;

    for (; place > 0; place--) {
        uint64_t above = oracle->key[top[place - 1]].denied, here = oracle->key[i].denied;
        if (here < above || (here == above && key_compare(keys, i, top[place - 1]) > 0))
            break;
        if (place < REFUSED_TOP)
            top[place] = top[place - 1];
    }
    if (place < REFUSED_TOP)
        top[place] = i;
}

static void fill_refused(const struct oracle *oracle, const struct keys *keys, struct arena *arena,
                         struct result *result)
{
    uint32_t top[REFUSED_TOP], refused = 0;

    for (uint32_t i = 0; i < oracle->room; i++)
        if (oracle->key[i].denied)
            rank_refused(oracle, keys, i, top, refused++);
    result->keys_refused = refused;
    for (uint32_t i = 0; i < REFUSED_TOP; i++)
        result->refused_top[i] = i < refused
            ? (struct refused){ name_of(keys, arena, top[i]), oracle->key[top[i]].denied }
            : (struct refused){ 0 };
}

static void fill_latency(const struct oracle *oracle, struct arena *arena, struct result *result)
{
    const struct histogram *latency = &oracle->latency;
    struct latency_point *point;

    result->latency_ns.p50 = histogram_quantile(latency, 50, 100);
    result->latency_ns.p90 = histogram_quantile(latency, 90, 100);
    result->latency_ns.p99 = histogram_quantile(latency, 99, 100);
    result->latency_ns.p999 = histogram_quantile(latency, 999, 1000);
    result->latency_ns.max = latency->total ? latency->most_ns : -1;
    result->latency_points = histogram_points(latency, NULL);
    point = arena_alloc(arena, (result->latency_points + 1) * sizeof *point);
    histogram_points(latency, point);
    result->latency = point;
}

/* A promise about the target's own rate or period: every key's worst is known already. */
static bool promise_kept_by_worst(const struct oracle *oracle)
{
    const struct promise *promise = &oracle->promise.promise;
    i128 most = curve_credits(&oracle->policy, promise->most);

    for (size_t i = 0; i < oracle->room; i++) {
        const struct oracle_key *key = &oracle->key[i];
        if (promise->kind == PROMISE_CURVE ? key->curve.worst > most : key->window.worst > promise->most)
            return false;
    }
    return true;
}

static const char *promise_text(const struct oracle *oracle, struct arena *arena)
{
    const struct promise *promise = &oracle->promise.promise;
    const struct policy *policy = &oracle->policy;
    char period[UNITS_TEXT];
    long long most = promise->most, limit = policy->limit;

    duration_text(policy->period_ns, period);
    switch (promise->kind) {
    case PROMISE_CURVE:
        return arena_format(arena, "at most %lld at once, then %lld per %s", most, limit, period);
    case PROMISE_WINDOW:
        return arena_format(arena, "at most %lld in any window of %s", most, period);
    default:
        return arena_format(arena, "at most %lld in each aligned window of %s", most, period);
    }
}

static void fill_promise(struct oracle *oracle, struct arena *arena, struct result *result)
{
    if (!oracle->limiter) {
        result->promise_kept = true;
        result->promise = "";
        return;
    }
    result->promise_kept = oracle->promise_apart ? promise_kept(&oracle->promise)
                                                 : promise_kept_by_worst(oracle);
    result->promise = promise_text(oracle, arena);
}

void oracle_result(struct oracle *oracle, const struct keys *keys, struct arena *arena, struct result *result)
{
    uint32_t watched = oracle->watched == NO_KEY ? NOBODY : (uint32_t)oracle->watched;

    fill_counts(oracle, arena, result);
    fill_worst(oracle, keys, arena, result);
    fill_fairness(oracle, result);
    fill_refused(oracle, keys, arena, result);
    fill_latency(oracle, arena, result);
    fill_promise(oracle, arena, result);
    if (oracle->above)
        fill_ceiling(oracle->above, result);
    result->watched_key = name_of(keys, arena, watched);
    result->series = oracle->series;
}

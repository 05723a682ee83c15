/* oracle.c - see oracle.h: what is heard of a run, and what is made of it. */
#include "oracle.h"
#include "series.h"

enum { CACHE_LINE = 64 };
_Static_assert(sizeof(struct oracle_key) == 2 * CACHE_LINE, "two lines a key");

static struct oracle *of(struct observer *observer)
{
    return (struct oracle *)observer;
}

/* Like memory_grow(), but keys stay on whole cache lines. */
static void make_room(struct oracle *oracle, size_t need)
{
    size_t had = oracle->room, room = had ? had : 16;

    while (room < need)
        room *= 2;
    void *block = oracle->memory->resize(oracle->memory, NULL, room * sizeof *oracle->key + CACHE_LINE);
    uintptr_t line = ((uintptr_t)block + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    struct oracle_key *key = (struct oracle_key *)line;
    if (had)
        memcpy(key, oracle->key, had * sizeof *key);
    memset(key + had, 0, (room - had) * sizeof *key);
    memory_free(oracle->memory, oracle->key_block);
    oracle->key_block = block;
    oracle->key = key;
    oracle->room = room;
}

static struct oracle_key *key_at(struct oracle *oracle, uint32_t index)
{
    if (index >= oracle->room)
        make_room(oracle, index + (size_t)1);
    return &oracle->key[index];
}

/* Begins to fetch what the measures over time keep of a key. */
static void fetch_key(const struct oracle *oracle, uint32_t index)
{
    if (index >= oracle->room)
        return;
    memory_fetch(&oracle->key[index].curve);
    memory_fetch(&oracle->key[index].window);
}

/* The same with its limiter's states: all at once rather than one by one when they are needed. */
static void fetch_all(const struct oracle *oracle, uint32_t index)
{
    fetch_key(oracle, index);
    if (oracle->limiter) {
        bank_fetch(&oracle->bank, 2 * (size_t)index);
        bank_fetch(&oracle->bank, 2 * (size_t)index + 1);
    }
}

/* ---- admissions in order of time, against the target ---- */

/* That cost enters, or leaves (negative), the window of a key. */
static void change_window(struct oracle *oracle, uint32_t index, int64_t at_ns, int64_t cost)
{
    struct window *window = &oracle->key[index].window;

    if (index == oracle->watched && !oracle->ended && window->cost > 0 && at_ns > window->changed_ns)
        series_stood(&oracle->series, window->changed_ns, at_ns - 1, window->cost);
    window_change(window, at_ns, cost);
}

/* Takes out of all windows what left them until then. */
static void let_leave(struct oracle *oracle, int64_t now_ns)
{
    struct admission left;

    while (history_leave(&oracle->history, now_ns, &left)) {
        change_window(oracle, left.key, left.at_ns + oracle->target.period_ns, -left.cost);
        if (oracle->target_kind == TARGET_WINDOW && left.kept)
            oracle->key[left.key].policer.standing -= left.cost;
    }
    if (oracle->history.has_oldest)
        memory_fetch(&oracle->key[oracle->history.oldest.key].window);
}

/* A sliding log that charges only what it keeps. */
static bool log_keeps(struct oracle *oracle, struct oracle_key *key, int64_t cost)
{
    bool keeps = cost <= 0 || cost <= oracle->target.limit - key->policer.standing;

    if (keeps)
        key->policer.standing += cost;
    return keeps;
}

/* What is admitted here in order of time, the judge of the ceiling hears in that order. */
static void tell_above(struct oracle *oracle, uint32_t index, int64_t at_ns, int64_t cost)
{
    struct observer *observer = oracle_observer(oracle->above);
    struct decision decision = { .instant_ns = at_ns, .reading_ns = at_ns, .cost = cost, .departs_ns = at_ns,
                                 .key = oracle->group[index], .ticket = TICKET_NONE,
                                 .verdict = verdict_allow() };

    observer->decided(observer, &decision);
}

static struct decimal beyond(const struct oracle *oracle, i128 credits)
{
    const struct policy *target = &oracle->target;

    if (oracle->target_kind == TARGET_WINDOW)
        return decimal_ratio(i128_max(0, credits - target->limit), 1);
    return decimal_ratio(i128_max(0, credits - target->burst_credits), target->credits_per_unit);
}

/* Before the admission is put on the key's account. */
static void tell_judged(const struct oracle *oracle, const struct reading *reading, i128 earned, bool kept)
{
    const struct oracle_key *key = &oracle->key[reading->key];
    bool window = oracle->target_kind == TARGET_WINDOW;
    i128 before = window ? key->window.cost : i128_max(0, key->curve.burst - earned);
    i128 more = window ? reading->cost : curve_credits(&oracle->target, reading->cost);
    struct judged judged = { reading->id, reading->key, reading->instant_ns, kept, beyond(oracle, before),
                             beyond(oracle, before + more) };

    oracle->judged(oracle->context, &judged);
}

static void admit(struct oracle *oracle, const struct reading *reading)
{
    uint32_t index = reading->key;
    int64_t at_ns = reading->instant_ns, cost = reading->cost;
    struct oracle_key *key = &oracle->key[index];
    i128 earned = curve_earned(&key->curve, &oracle->target, at_ns);
    i128 credits = curve_credits(&oracle->target, cost);
    bool kept = oracle->target_kind == TARGET_WINDOW
        ? log_keeps(oracle, key, cost)
        : bucket_keeps(&key->policer.level, oracle->target.burst_credits, earned, credits);

    if (oracle->judged)
        tell_judged(oracle, reading, earned, kept);
    oracle->over_admitted += !kept;
    oracle->over_admitted_cost += kept ? 0 : cost;
    curve_admit(&key->curve, earned, credits, at_ns);
    change_window(oracle, index, at_ns, cost);
    history_add(&oracle->history, (struct admission){ .at_ns = at_ns, .cost = cost, .key = index,
                                                      .kept = kept });
    if (oracle->above)
        tell_above(oracle, index, at_ns, cost);
    if (oracle->promise_apart)
        promise_admitted(&oracle->promise, index, at_ns, cost);
    if (index == oracle->watched)
        series_admitted(&oracle->series, at_ns, cost);
}

/* How much stood admitted when a key was denied for the first time; the least over all keys is kept.  later:
 * what was admitted before, by a later reading of its clock. */
static void note_denial(struct oracle *oracle, struct oracle_key *key, int64_t later)
{
    int64_t standing = i64_max(0, key->window.cost + later);

    key->denied_before = true;
    if (oracle->first_denial < 0 || standing < oracle->first_denial)
        oracle->first_denial = standing;
}

/* A reading whose turn has come is judged. */
static void weigh_in(struct oracle *oracle, const struct reading *reading)
{
    struct oracle_key *key = &oracle->key[reading->key];
    int64_t later;

    let_leave(oracle, reading->instant_ns);
    if (reading->state == READING_ADMITTED)
        admit(oracle, reading);
    else if (!key->denied_before && readings_before(&oracle->readings, reading, &later))
        note_denial(oracle, key, later);
}

/* Judges all readings whose turn has come. */
static void advance(struct oracle *oracle, bool ended)
{
    struct reading reading;

    while (readings_next(&oracle->readings, ended, &reading)) {
        fetch_key(oracle, readings_soon(&oracle->readings));
        weigh_in(oracle, &reading);
    }
}

/* ---- news ---- */

/* The reference of a key, and of the ceiling above it: which of their two states is meant. */
enum reference { ALONE, ATOMIC };

static const struct policy *policy_of(const struct oracle *oracle, uint32_t variant)
{
    return oracle->variant ? &oracle->variant[variant] : &oracle->policy;
}

static bool may_pass(struct oracle *oracle, enum reference reference, uint32_t key, uint32_t variant,
                     struct request request)
{
    size_t state = 2 * (size_t)key + reference;

    if (!bank_check(&oracle->bank, policy_of(oracle, variant), state, request).allowed)
        return false;
    state = oracle->keeps_ceiling ? 2 * (size_t)oracle->group[key] + reference : 0;
    return !oracle->keeps_ceiling
        || bank_check(&oracle->ceiling_bank, &oracle->above->target, state, request).allowed;
}

/* An admitted request is charged what it turns out to cost. */
static void charge(struct oracle *oracle, enum reference reference, uint32_t key, uint32_t variant,
                   struct request request, bool allowed)
{
    bank_charge(&oracle->bank, policy_of(oracle, variant), 2 * (size_t)key + reference, request, allowed);
    if (oracle->keeps_ceiling)
        bank_charge(&oracle->ceiling_bank, &oracle->above->target, 2 * (size_t)oracle->group[key] + reference,
                    request, allowed);
}

static void judge_alone(struct oracle *oracle, const struct arrival *arrival)
{
    struct request request = { .now_ns = arrival->at_ns, .cost = arrival->cost };
    uint32_t variant = arrival->variant > 0 ? arrival->variant - 1 : 0;
    bool allowed = may_pass(oracle, ALONE, arrival->key, variant, request);

    request.cost += allowed ? arrival->surplus : 0;
    charge(oracle, ALONE, arrival->key, variant, request, allowed);
    oracle->ideal_allowed = allowed;
    oracle->ideal_admitted += allowed;
    oracle->ideal_admitted_cost += allowed ? request.cost : 0;
}

static void soon(struct observer *self, uint32_t key)
{
    fetch_all(of(self), key);
}

static void arrived(struct observer *self, const struct arrival *arrival)
{
    struct oracle *oracle = of(self);
    struct oracle_key *key = key_at(oracle, arrival->key);

    sequence_asked(&oracle->sequence, arrival->id);
    if (oracle->requests++ == 0)
        series_start(&oracle->series, arrival->at_ns);
    oracle->keys += !key->seen;
    key->seen = true;
    int64_t asked = arrival->cost + arrival->surplus;
    key->asked += i64_max(0, asked);
    oracle->region[arrival->region].asked += i64_max(0, asked);
    if (oracle->limiter)
        judge_alone(oracle, arrival);
    if (arrival->key == oracle->watched)
        series_asked(&oracle->series, arrival->at_ns, asked);
}

static uint32_t opened(struct observer *self, uint32_t key, int64_t instant_ns)
{
    return readings_open(&of(self)->readings, key, instant_ns);
}

/* Against the same limiter with one atomic state, charged with what was really admitted. */
static void judge_decision(struct oracle *oracle, const struct decision *decision)
{
    struct request request = { .now_ns = decision->reading_ns, .cost = decision->cost };
    bool allowed = decision->verdict.allowed;
    bool right = may_pass(oracle, ATOMIC, decision->key, decision->variant, request);

    oracle->reference_allowed = right;
    oracle->wrongly_admitted += allowed && !right;
    oracle->wrongly_denied += !allowed && right;
    request.cost += allowed ? decision->surplus : 0;
    charge(oracle, ATOMIC, decision->key, decision->variant, request, allowed);
}

static void count_decision(struct oracle *oracle, struct oracle_key *key, const struct decision *decision)
{
    oracle->honesty[decision->honesty]++;
    oracle->quota_told[decision->quota_told]++;
    sequence_settled(&oracle->sequence, decision->id, decision->verdict.allowed ? 'A' : 'D');
    if (decision->verdict.allowed) {
        int64_t cost = decision->cost + decision->surplus;
        oracle->admitted++;
        oracle->admitted_cost += cost;
        key->admitted += i64_max(0, cost);
        oracle->region[decision->region].admitted += i64_max(0, cost);
    } else {
        oracle->denied++;
        oracle->denied_cost += decision->cost;
        key->denied++;
    }
}

/* What the measures over time are to know of a decision. */
static enum reading_state weigh(const struct oracle_key *key, const struct decision *decision)
{
    const struct verdict *verdict = &decision->verdict;

    if (verdict->allowed)
        return decision->cost + decision->surplus != 0 && verdict->delay_ns == 0 ? READING_ADMITTED
                                                                                 : READING_UNUSED;
    return verdict->retry_after_ns != NEVER_NS && !key->denied_before ? READING_DENIED : READING_UNUSED;
}

static void decided(struct observer *self, const struct decision *decision)
{
    struct oracle *oracle = of(self);
    struct oracle_key *key = key_at(oracle, decision->key);
    enum reading_state state = weigh(key, decision);
    uint32_t ticket = decision->ticket;
    int64_t cost = decision->cost + decision->surplus;

    count_decision(oracle, key, decision);
    if (oracle->limiter)
        judge_decision(oracle, decision);
    if (ticket == TICKET_NONE && state == READING_UNUSED)
        return;
    if (ticket == TICKET_NONE && readings_none(&oracle->readings)) {
        struct reading now = { .instant_ns = decision->instant_ns, .cost = cost,
                               .order = UINT64_MAX, .id = decision->id, .key = decision->key,
                               .state = state };
        weigh_in(oracle, &now);
        return;
    }
    if (ticket == TICKET_NONE)
        ticket = readings_open(&oracle->readings, decision->key, decision->instant_ns);
    readings_settle(&oracle->readings, ticket, state, cost, decision->id);
    advance(oracle, false);
}

static void dropped(struct observer *self, uint32_t ticket)
{
    struct oracle *oracle = of(self);

    readings_settle(&oracle->readings, ticket, READING_UNUSED, 0, 0);
    advance(oracle, false);
}

static void departed(struct observer *self, uint64_t id, uint32_t key, int64_t cost,
                     int64_t instant_ns)
{
    struct oracle *oracle = of(self);
    uint32_t ticket = readings_open(&oracle->readings, key, instant_ns);

    readings_settle(&oracle->readings, ticket, READING_ADMITTED, cost, id);
    advance(oracle, false);
}

static void finished(struct observer *self, const struct arrival *arrival, int64_t now_ns, bool failed)
{
    struct oracle *oracle = of(self);

    if (failed) {
        oracle->failed++;
        sequence_settled(&oracle->sequence, arrival->id, 'F');
    } else
        histogram_add(&oracle->latency, now_ns - arrival->at_ns);
}

/* ---- beginning and end ---- */

/* Most promises speak of the rate or period that the target has too; those need no work of their own. */
static bool is_apart(const struct promise *promise, const struct policy *policy, const struct policy *target)
{
    switch (promise->kind) {
    case PROMISE_CURVE:  return policy->credits_per_ns != target->credits_per_ns
                             || policy->credits_per_unit != target->credits_per_unit;
    case PROMISE_WINDOW: return policy->period_ns != target->period_ns;
    default:             return true;
    }
}

static void init_limiter(struct oracle *oracle, const struct limiter *limiter, const struct policy *policy)
{
    struct promise promise = limiter->promise(policy);

    oracle->limiter = limiter;
    oracle->policy = *policy;
    bank_init(&oracle->bank, oracle->memory, limiter);
    promise_init(&oracle->promise, oracle->memory, policy, promise);
    oracle->promise_apart = is_apart(&promise, policy, &oracle->target);
}

static void init_ceiling(struct oracle *oracle, const struct oracle_options *options)
{
    struct oracle_options above = { .target = options->target, .target_policy = options->ceiling,
                                    .watched = NO_KEY };

    oracle->above = oracle->memory->resize(oracle->memory, NULL, sizeof *oracle->above);
    oracle_init(oracle->above, oracle->memory, &above);
    oracle->keeps_ceiling = options->keeps_ceiling && options->limiter;
    if (oracle->keeps_ceiling)
        bank_init(&oracle->ceiling_bank, oracle->memory, options->limiter);
}

void oracle_init(struct oracle *oracle, struct memory *memory, const struct oracle_options *options)
{
    *oracle = (struct oracle){ .memory = memory, .target = *options->target_policy,
                               .target_kind = options->target, .watched = options->watched,
                               .judged = options->judged, .context = options->context,
                               .first_denial = -1 };
    oracle->observer = (struct observer){ .soon = soon, .arrived = arrived, .opened = opened,
                                          .decided = decided, .dropped = dropped, .departed = departed,
                                          .finished = finished };
    readings_init(&oracle->readings, memory);
    history_init(&oracle->history, memory, oracle->target.period_ns);
    oracle->group = options->group;
    if (options->limiter)
        init_limiter(oracle, options->limiter, options->policy);
    if (options->variants > 1)
        oracle->variant = options->policy;
    if (options->ceiling)
        init_ceiling(oracle, options);
}

void oracle_free(struct oracle *oracle)
{
    if (oracle->keeps_ceiling)
        bank_free(&oracle->ceiling_bank);
    if (oracle->above) {
        oracle_free(oracle->above);
        oracle->above = memory_free(oracle->memory, oracle->above);
    }
    if (oracle->limiter) {
        promise_free(&oracle->promise);
        bank_free(&oracle->bank);
    }
    history_free(&oracle->history);
    readings_free(&oracle->readings);
    oracle->key_block = memory_free(oracle->memory, oracle->key_block);
    oracle->key = NULL;
    oracle->room = 0;
}

void oracle_finish(struct oracle *oracle, int64_t now_ns)
{
    advance(oracle, true);
    let_leave(oracle, now_ns);
    if (oracle->watched != NO_KEY && oracle->requests) {
        const struct window *window = &key_at(oracle, (uint32_t)oracle->watched)->window;
        series_stood(&oracle->series, i64_max(window->changed_ns, oracle->series.start_ns), now_ns,
                     i64_max(0, window->cost));
    }
    oracle->ended = true;               /* of the series; windows may still grow, when a refund leaves */
    let_leave(oracle, INT64_MAX);
    if (oracle->above)
        oracle_finish(oracle->above, now_ns);
}

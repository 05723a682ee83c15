/* Random runs are judged twice: by the oracle, and from the whole log by the definitions of the measures,
 * slowly. */
#include "test.h"
#include <gmp.h>
#include "limiter_rig.h"
#include "oracle_story.h"

enum { STORIES = 6000 };

static int by_instant(const void *a, const void *b)
{
    const struct logged *left = a, *right = b;

    if (left->instant_ns != right->instant_ns)
        return left->instant_ns < right->instant_ns ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

/* The log in order of instants; what lies at one instant in order of decisions. */
static void sort_log(struct story *story)
{
    qsort(story->log, (size_t)story->logs, sizeof *story->log, by_instant);
}

struct worst { i128 height; int64_t at_ns; uint32_t key; };

/* Keys are named k0, k1, k2: their numbers are in the order of their names. */
static void keep_worst(struct worst *worst, i128 height, int64_t at_ns, uint32_t key)
{
    if (height < worst->height || height <= 0)
        return;
    if (height > worst->height || at_ns < worst->at_ns || (at_ns == worst->at_ns && key < worst->key))
        *worst = (struct worst){ height, at_ns, key };
}

/* Credits that the admissions i .. j of one key take beyond what the rate earns from the first to the
 * last. */
static i128 burst_of(const struct story *story, const struct policy *rate, int i, int j)
{
    const struct logged *log = story->log;
    i128 cost = 0, passed = log[j].instant_ns - log[i].instant_ns;

    for (int k = i; k <= j; k++)
        if (log[k].admission && log[k].key == log[j].key)
            cost += log[k].cost;
    return cost * rate->credits_per_unit - passed * rate->credits_per_ns;
}

static struct worst slow_burst(const struct story *story, const struct policy *rate)
{
    struct worst worst = { 0 };

    for (int j = 0; j < story->logs; j++)
        for (int i = 0; i <= j; i++)
            if (story->log[j].admission && story->log[i].admission && story->log[i].key == story->log[j].key)
                keep_worst(&worst, burst_of(story, rate, i, j), story->log[j].instant_ns, story->log[j].key);
    return worst;
}

/* Cost of a key in (end - period, end]. */
static int64_t window_of(const struct story *story, uint32_t key, int64_t period_ns, int64_t end_ns)
{
    int64_t cost = 0;

    for (int i = 0; i < story->logs; i++) {
        const struct logged *logged = &story->log[i];
        if (logged->admission && logged->key == key && logged->instant_ns > end_ns - period_ns
            && logged->instant_ns <= end_ns)
            cost += logged->cost;
    }
    return cost;
}

/* A window's sum changes only where an admission enters or leaves it. */
static struct worst slow_window(const struct story *story, int64_t period_ns)
{
    struct worst worst = { 0 };

    for (int i = 0; i < story->logs; i++)
        for (int leaving = 0; leaving <= 1; leaving++) {
            const struct logged *logged = &story->log[i];
            int64_t end = logged->instant_ns + (leaving ? period_ns : 0);
            keep_worst(&worst, window_of(story, logged->key, period_ns, end), end, logged->key);
        }
    return worst;
}

/* Would the admissions kept so far and this one have a burst or a window beyond the target? */
static bool slow_keeps(const struct story *story, const bool *kept, int j)
{
    const struct policy *target = &story->bench.target;
    const struct logged *log = story->log;
    i128 cost = log[j].cost, most = cost * target->credits_per_unit;
    int64_t standing = log[j].cost;

    for (int i = j - 1; i >= 0; i--) {
        if (!kept[i] || log[i].key != log[j].key)
            continue;
        int64_t passed = log[j].instant_ns - log[i].instant_ns;
        cost += log[i].cost;
        most = i128_max(most, cost * target->credits_per_unit - (i128)passed * target->credits_per_ns);
        standing += passed < target->period_ns ? log[i].cost : 0;
    }
    if (log[j].cost <= 0)
        return true;
    return story->bench.oracle.target_kind == TARGET_WINDOW ? standing <= target->limit
                                                            : most <= target->burst_credits;
}

static void assert_over_admitted(const struct story *story)
{
    bool kept[2 * EVENTS] = { 0 };
    uint64_t over = 0;
    int64_t over_cost = 0;

    for (int j = 0; j < story->logs; j++) {
        if (!story->log[j].admission)
            continue;
        kept[j] = slow_keeps(story, kept, j);
        over += !kept[j];
        over_cost += kept[j] ? 0 : story->log[j].cost;
    }
    assert_int_equal(story->bench.result.over_admitted, over);
    assert_int_equal(story->bench.result.over_admitted_cost, over_cost);
}

static void assert_same_decimal(struct decimal got, i128 n, i128 d)
{
    struct decimal expected = decimal_ratio(n, d);

    assert_true(got.null == expected.null && got.billionths == expected.billionths);
}

static void assert_burst(const struct story *story, const struct worst *burst, const struct worst *window)
{
    const struct result *result = &story->bench.result;
    const struct policy *target = &story->bench.target;

    assert_same_decimal(result->effective_burst, burst->height, target->credits_per_unit);
    if (story->bench.oracle.target_kind == TARGET_WINDOW) {
        assert_true(result->boundary_burst.null);
        assert_same_decimal(result->excess, i128_max(0, window->height - target->limit), 1);
    } else {
        assert_same_decimal(result->boundary_burst, burst->height, target->burst_credits);
        assert_same_decimal(result->excess, i128_max(0, burst->height - target->burst_credits),
                            target->credits_per_unit);
    }
    if (burst->height == 0) {
        assert_null(result->worst_burst_key);
    } else {
        assert_int_equal(result->worst_burst_key[1] - '0', burst->key);
        assert_int_equal(result->worst_burst_at_ns, burst->at_ns);
    }
}

static void assert_window(const struct story *story, const struct worst *window)
{
    const struct window_at *got = &story->bench.result.worst_window;

    assert_int_equal(got->cost, window->height);
    if (window->height == 0) {
        assert_null(got->key);
        return;
    }
    assert_int_equal(got->key[1] - '0', window->key);
    assert_int_equal(got->end_ns, window->at_ns);
    assert_int_equal(got->start_ns, window->at_ns - story->bench.target.period_ns);
    assert_same_decimal(got->ratio, window->height, story->bench.target.limit);
}

/* "Never" denials say nothing about what stood admitted. */
static bool is_denial(const struct logged *logged)
{
    return logged->decision && !logged->verdict.allowed && logged->verdict.retry_after_ns != NEVER_NS;
}

static bool is_read_before(const struct logged *a, const struct logged *b)
{
    return a->instant_ns != b->instant_ns ? a->instant_ns < b->instant_ns : a->order < b->order;
}

/* What stood admitted when key was first denied, read or decided before that; -1 when it never was. */
static int64_t slow_first_denial(const struct story *story, uint32_t key)
{
    const struct logged *log = story->log, *first = NULL;
    int64_t standing = 0;

    for (int i = 0; i < story->logs; i++)
        if (log[i].key == key && is_denial(&log[i]) && (!first || log[i].order < first->order))
            first = &log[i];
    if (!first)
        return -1;
    for (int i = 0; i < story->logs; i++)
        if (log[i].admission && log[i].key == key
            && log[i].instant_ns > first->instant_ns - story->bench.target.period_ns
            && (log[i].order < first->order || is_read_before(&log[i], first)))
            standing += log[i].cost;
    return i64_max(0, standing);
}

static void assert_first_denial(const struct story *story)
{
    int64_t least = -1;

    for (uint32_t key = 0; key < KEYS; key++) {
        int64_t standing = slow_first_denial(story, key);
        if (standing >= 0 && (least < 0 || standing < least))
            least = standing;
    }
    assert_int_equal(story->bench.result.first_denial, least);
}

/* The most admitted in any aligned window, counting admissions one after the other. */
static int64_t slow_aligned(const struct story *story)
{
    const struct logged *log = story->log;
    int64_t most = 0, period = story->bench.policy.period_ns;

    for (int j = 0; j < story->logs; j++) {
        int64_t cost = 0;
        for (int i = 0; i <= j; i++)
            if (log[i].admission && log[i].key == log[j].key
                && div_floor(log[i].instant_ns, period) == div_floor(log[j].instant_ns, period))
                cost += log[i].cost;
        most = i64_max(most, cost);
    }
    return most;
}

/* Every bin by its definition, at the only instants where a sum can be largest. */
static void assert_series(const struct story *story)
{
    const struct series *series = &story->bench.result.series;

    for (uint32_t bin = 0; bin < series->bins; bin++) {
        int64_t from = series->start_ns + bin * series->width_ns, period = story->bench.target.period_ns;
        int64_t to = i64_min(from + series->width_ns - 1, story->now_ns);
        int64_t most = i64_max(0, window_of(story, 0, period, from)), asked = 0, admitted = 0;
        for (int i = 0; i < story->logs; i++) {
            const struct logged *logged = &story->log[i];
            bool inside = from <= logged->instant_ns && logged->instant_ns <= to;
            bool leaves = from <= logged->instant_ns + period && logged->instant_ns + period <= to;
            admitted += inside && logged->admission && logged->key == 0 ? logged->cost : 0;
            most = i64_max(most, inside ? window_of(story, 0, period, logged->instant_ns) : 0);
            most = i64_max(most, leaves ? window_of(story, 0, period, logged->instant_ns + period) : 0);
        }
        for (int i = 0; i < story->arrivals; i++) {
            const struct arrival *arrival = &story->arrival[i];
            asked += arrival->key == 0 && from <= arrival->at_ns && arrival->at_ns <= to ? arrival->cost : 0;
        }
        assert_true(series->bin[bin].asked == asked && series->bin[bin].admitted == admitted
                    && series->bin[bin].window == most);
    }
}

static void assert_promise(const struct story *story)
{
    const struct policy *policy = &story->bench.policy;
    struct promise promise = story->bench.oracle.limiter->promise(policy);
    bool kept = true;

    switch (promise.kind) {
    case PROMISE_CURVE:
        kept = slow_burst(story, policy).height <= (i128)promise.most * policy->credits_per_unit;
        break;
    case PROMISE_WINDOW:
        kept = slow_window(story, policy->period_ns).height <= promise.most;
        break;
    case PROMISE_ALIGNED:
        kept = slow_aligned(story) <= promise.most;
        break;
    }
    assert_int_equal(story->bench.result.promise_kept, kept);
}

static void assert_alone(const struct story *story)
{
    const struct bench *bench = &story->bench;
    struct rig rig[KEYS] = { 0 };
    uint64_t admitted = 0;
    int64_t cost = 0;

    for (int i = 0; i < story->arrivals; i++) {
        const struct arrival *arrival = &story->arrival[i];
        struct rig *mine = &rig[arrival->key];
        if (!mine->state)
            *mine = rig_open(bench->oracle.limiter, &bench->policy, arrival->at_ns);
        bool allowed = rig_decide(mine, arrival->at_ns, arrival->cost).allowed;
        admitted += allowed;
        cost += allowed ? arrival->cost : 0;
    }
    for (int key = 0; key < KEYS; key++)
        rig_close(&rig[key]);
    assert_int_equal(bench->result.ideal_admitted, admitted);
    assert_int_equal(bench->result.ideal_admitted_cost, cost);
}

/* The log is still in order of decisions. */
static void assert_wrongly(const struct story *story)
{
    const struct bench *bench = &story->bench;
    struct rig rig[KEYS] = { 0 };
    uint64_t admitted = 0, denied = 0;

    for (int i = 0; i < story->logs; i++) {
        const struct logged *logged = &story->log[i];
        struct rig *mine = &rig[logged->key];
        if (!logged->decision)
            continue;
        if (!mine->state)
            *mine = rig_open(bench->oracle.limiter, &bench->policy, logged->reading_ns);
        bool right = rig_passes(mine, logged->reading_ns, logged->cost);
        admitted += logged->verdict.allowed && !right;
        denied += !logged->verdict.allowed && right;
        if (logged->verdict.allowed || bench->oracle.limiter->charges_denied)
            rig_charge(mine, logged->reading_ns, logged->cost, logged->verdict.allowed);
    }
    for (int key = 0; key < KEYS; key++)
        rig_close(&rig[key]);
    assert_int_equal(bench->result.wrongly_admitted, admitted);
    assert_int_equal(bench->result.wrongly_denied, denied);
}

static void assert_counts(const struct story *story)
{
    const struct result *result = &story->bench.result;
    uint64_t admitted = 0, denied = 0, early = 0;
    int64_t admitted_cost = 0, denied_cost = 0;

    for (int i = 0; i < story->logs; i++) {
        const struct logged *logged = &story->log[i];
        if (!logged->decision)
            continue;
        early += logged->honesty == TOO_EARLY;
        admitted += logged->verdict.allowed;
        denied += !logged->verdict.allowed;
        admitted_cost += logged->verdict.allowed ? logged->cost : 0;
        denied_cost += logged->verdict.allowed ? 0 : logged->cost;
    }
    assert_true(result->admitted == admitted && result->admitted_cost == admitted_cost);
    assert_true(result->denied == denied && result->denied_cost == denied_cost);
    assert_int_equal(result->requests, story->arrivals);
    assert_int_equal(result->retry.early, early);
}

static void assert_latency(const struct story *story)
{
    int64_t most = -1, total = 0;

    for (int i = 0; i < story->latencies; i++) {
        most = i64_max(most, story->latency[i]);
        total++;
    }
    assert_int_equal(story->bench.result.latency_ns.max, most);
    assert_int_equal(story->bench.oracle.latency.total, total);
}

/* Admitted over asked cost of who: a key, or a region. */
static void add_share(const struct story *story, int keys, uint32_t who, mpz_t sum, mpz_t squares,
                      unsigned long *n)
{
    unsigned long asked = 0, admitted = 0;
    mpz_t share;

    for (int i = 0; i < story->arrivals; i++)
        if ((keys ? story->arrival[i].key : story->arrival[i].region) == who && story->arrival[i].cost > 0)
            asked += (unsigned long)story->arrival[i].cost;
    for (int i = 0; i < story->logs; i++)
        if (story->log[i].decision && story->log[i].verdict.allowed && story->log[i].cost > 0
            && (keys ? story->log[i].key : story->log[i].region) == who)
            admitted += (unsigned long)story->log[i].cost;
    if (asked == 0)
        return;
    mpz_init_set_ui(share, admitted);
    mpz_mul_ui(share, share, 1000000000);
    mpz_fdiv_q_ui(share, share, asked);
    mpz_add(sum, sum, share);
    mpz_addmul(squares, share, share);
    mpz_clear(share);
    ++*n;
}

/* floor((2 * sum^2 * 1e9 + n * squares) / (2 * n * squares)), by GMP. */
static void assert_fairness(const struct story *story, int keys, struct decimal got)
{
    unsigned long n = 0;
    mpz_t sum, squares;

    mpz_inits(sum, squares, NULL);
    for (uint32_t who = 0; who < KEYS; who++)
        add_share(story, keys, who, sum, squares, &n);
    mpz_mul_ui(squares, squares, n);
    mpz_mul(sum, sum, sum);
    mpz_mul_ui(sum, sum, 2000000000);
    mpz_add(sum, sum, squares);
    mpz_mul_ui(squares, squares, 2);
    assert_int_equal(got.null, mpz_sgn(squares) == 0);
    if (!got.null) {
        mpz_fdiv_q(sum, sum, squares);
        assert_int_equal(mpz_cmp_ui(sum, (unsigned long)got.billionths), 0);
    }
    mpz_clears(sum, squares, NULL);
}

static void the_oracle_agrees_with_the_definitions(void **state)
{
    static struct story story;

    (void)state;
    for (uint64_t number = 1; number <= STORIES; number++) {
        tell_story(&story, number);
        assert_alone(&story);
        assert_wrongly(&story);
        assert_counts(&story);
        assert_latency(&story);
        sort_log(&story);
        struct worst burst = slow_burst(&story, &story.bench.target);
        struct worst window = slow_window(&story, story.bench.target.period_ns);
        assert_burst(&story, &burst, &window);
        assert_window(&story, &window);
        assert_over_admitted(&story);
        assert_first_denial(&story);
        assert_promise(&story);
        assert_series(&story);
        assert_fairness(&story, 1, story.bench.result.fairness_keys);
        assert_fairness(&story, 0, story.bench.result.fairness_regions);
        bench_close(&story.bench);
    }
}

TEST_MAIN(TEST(the_oracle_agrees_with_the_definitions))

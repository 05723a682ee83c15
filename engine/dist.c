/* dist.c - see dist.h. */
#include "dist.h"

#include <assert.h>
#include <stddef.h>
#include "fixed_point.h"

enum { P_BITS = 33 };                                           /* probabilities here are p / 2^33 */
static const uint64_t p_whole = UINT64_C(1) << P_BITS;
static const int64_t sigma_max = INT64_C(4000000000);

static bool is_span(int64_t ns) { return ns >= 0 && ns <= DIST_SPAN_MAX; }

/* --- quantiles --- */

/* From low to high evenly, both ends included. */
static int64_t uniform_quantile(const struct dist_spec *spec, uint64_t p)
{
    i128 width = spec->high_ns - spec->low_ns;

    return spec->low_ns + (int64_t)(width * (int64_t)(p - 1) / (int64_t)(p_whole - 2));
}

/* -ln(1 - p) * mean */
static int64_t exponential_quantile(const struct dist_spec *spec, uint64_t p)
{
    int64_t minus_ln = fixed_times_ln2(P_BITS * FIXED_ONE - fixed_log2(p_whole - p));
    i128 half = FIXED_ONE / 2;

    return i64_clamp(((i128)minus_ln * spec->scale_ns + half) >> FIXED_BITS);
}

/* median * e^(sigma z(p)) */
static int64_t log_normal_quantile(const struct dist_spec *spec, uint64_t p)
{
    i128 sigma_z = (i128)fixed_normal_quantile(p) * spec->sigma_billionths / 1000000000;

    return fixed_scale(spec->scale_ns, fixed_over_ln2((int64_t)sigma_z));
}

static int64_t quantile(const struct dist_spec *spec, uint64_t p)
{
    if (spec->kind == DIST_UNIFORM)
        return uniform_quantile(spec, p);
    bool exponential = spec->kind == DIST_EXPONENTIAL;
    int64_t above_low = exponential ? exponential_quantile(spec, p) : log_normal_quantile(spec, p);
    int64_t most = spec->high_ns ? spec->high_ns : DIST_SPAN_MAX;

    return above_low > most - spec->low_ns ? most : spec->low_ns + above_low;
}

/* --- the table --- */

/* How many draws lie between point i and the next, as a power of two. */
static unsigned point_shift(unsigned i)
{
    return i < 2 * DIST_STEPS ? 0 : i / DIST_STEPS - 1;
}

/* How many draws point i is from its end. */
static uint64_t point_distance(unsigned i)
{
    unsigned shift = point_shift(i);

    return (uint64_t)(i - shift * DIST_STEPS) << shift;
}

static void fill_table(struct dist *dist, const struct dist_spec *spec)
{
    const unsigned last = DIST_POINTS - 1;

    assert(point_distance(last) == DIST_DRAWS / 2);
    for (unsigned i = 0; i < last; i++) {
        uint64_t p = 2 * point_distance(i) + 1;
        dist->quantile_ns[0][i] = quantile(spec, p);
        dist->quantile_ns[1][i] = quantile(spec, p_whole - p);
    }
    dist->quantile_ns[0][last] = dist->quantile_ns[1][last] = quantile(spec, p_whole / 2);
    dist->least_ns = dist->quantile_ns[0][0];
    dist->most_ns = dist->quantile_ns[1][0];
}

static void use_uniform(struct dist *dist, const struct dist_spec *spec)
{
    uint64_t choices = (uint64_t)(spec->high_ns - spec->low_ns) + 1;

    dist->most_ns = spec->high_ns;
    if (choices <= DIST_DRAWS)
        dist->choices = choices;
    else
        fill_table(dist, spec);
}

/* --- samples --- */

static bool is_sorted(const int64_t *item, uint32_t items)
{
    for (uint32_t i = 1; i < items; i++)
        if (item[i] < item[i - 1])
            return false;
    return true;
}

/* Lets the item at `top` sink to its place in the heap of the first `items`. */
static void sink(int64_t *item, uint32_t top, uint32_t items)
{
    int64_t sinking = item[top];

    for (uint32_t child; (child = 2 * top + 1) < items; top = child) {
        if (child + 1 < items && item[child + 1] > item[child])
            child++;
        if (item[child] <= sinking)
            break;
        item[top] = item[child];
    }
    item[top] = sinking;
}

/* Heap sort: in place, and what is sorted already is not written to (specs may be shared). */
static void sort(int64_t *item, uint32_t items)
{
    if (is_sorted(item, items))
        return;
    for (uint32_t top = items / 2; top-- > 0; )
        sink(item, top, items);
    for (uint32_t end = items - 1; end > 0; end--) {
        int64_t largest = item[0];
        item[0] = item[end];
        item[end] = largest;
        sink(item, 0, end);
    }
    assert(is_sorted(item, items));
}

static void use_samples(struct dist *dist, const struct dist_spec *spec)
{
    int64_t most = spec->high_ns ? spec->high_ns : DIST_SPAN_MAX;

    sort(spec->samples_ns, spec->samples);
    dist->sample = spec->samples_ns;
    dist->choices = spec->samples;
    dist->least_ns = i64_min(spec->samples_ns[0], most);
    dist->most_ns = i64_min(spec->samples_ns[spec->samples - 1], most);
}

/* --- set-up --- */

static const char *refuse_samples(const struct dist_spec *spec)
{
    if (spec->low_ns != 0)
        return "measured spans take no floor";
    if (spec->samples < 1 || spec->samples > DIST_SAMPLES_MAX)
        return "an empirical distribution takes 1 to 65536 samples";
    for (uint32_t i = 0; i < spec->samples; i++)
        if (!is_span(spec->samples_ns[i]))
            return "samples must lie between 0 and ten years";
    return NULL;
}

static const char *refuse(const struct dist_spec *spec)
{
    bool table = spec->kind == DIST_EXPONENTIAL || spec->kind == DIST_LOG_NORMAL;

    if (!is_span(spec->low_ns) || !is_span(spec->high_ns) || (table && !is_span(spec->scale_ns)))
        return "spans must lie between 0 and ten years";
    if (spec->kind == DIST_UNIFORM && spec->high_ns < spec->low_ns)
        return "the largest span is below the smallest";
    if (table && spec->high_ns && spec->high_ns < spec->low_ns)
        return "spans are cut off below their floor";
    if (spec->kind == DIST_LOG_NORMAL && (spec->sigma_billionths < 0 || spec->sigma_billionths > sigma_max))
        return "sigma must lie between 0 and 4";
    return spec->kind == DIST_EMPIRICAL ? refuse_samples(spec) : NULL;
}

const char *dist_init(struct dist *dist, const struct dist_spec *spec)
{
    const char *refusal = refuse(spec);

    if (refusal)
        return refusal;
    *dist = (struct dist){ .least_ns = spec->low_ns, .most_ns = spec->low_ns };
    switch (spec->kind) {
    case DIST_CONSTANT:
        break;
    case DIST_UNIFORM:
        use_uniform(dist, spec);
        break;
    case DIST_EXPONENTIAL:
    case DIST_LOG_NORMAL:
        fill_table(dist, spec);
        break;
    case DIST_EMPIRICAL:
        use_samples(dist, spec);
        break;
    }
    dist->constant = dist->least_ns == dist->most_ns;
    assert(is_span(dist->least_ns) && dist->least_ns <= dist->most_ns);
    return NULL;
}

/* --- the mean --- */

/* The sum of floor(slope * i / count) for i = 0 .. count - 1, where count is a power of two. */
static i128 sum_of_line(int64_t slope, int64_t count)
{
    int64_t common = slope ? i64_min(slope & -slope, count) : count;

    return ((i128)slope * (count - 1) - count + common) / 2;
}

static i128 sum_of_table(const struct dist *dist)
{
    i128 sum = 0;

    for (unsigned half = 0; half < 2; half++)
        for (unsigned i = 0; i + 1 < DIST_POINTS; i++) {
            const int64_t *point = &dist->quantile_ns[half][i];
            int64_t count = INT64_C(1) << point_shift(i);
            sum += (i128)point[0] * count + sum_of_line(point[1] - point[0], count);
        }
    return sum;
}

/* Sample i is the answer to the draws from ceil(i * DIST_DRAWS / samples) to the next one's first. */
static i128 sum_of_samples(const struct dist *dist)
{
    i128 sum = 0;
    uint64_t first = 0;

    for (uint64_t i = 0; i < dist->choices; i++) {
        uint64_t next = ((i + 1) * DIST_DRAWS + dist->choices - 1) / dist->choices;
        sum += (i128)i64_min(dist->sample[i], dist->most_ns) * (int64_t)(next - first);
        first = next;
    }
    assert(first == DIST_DRAWS);
    return sum;
}

static i128 sum_of_draws(const struct dist *dist)
{
    const int64_t draws = (int64_t)DIST_DRAWS;

    if (dist->sample)
        return sum_of_samples(dist);
    if (dist->choices)
        return (i128)dist->least_ns * draws + sum_of_line((int64_t)dist->choices, draws);
    return sum_of_table(dist);
}

int64_t dist_mean_ns(const struct dist *dist)
{
    int64_t mean = dist->constant ? dist->least_ns : (int64_t)(sum_of_draws(dist) / (i128)DIST_DRAWS);

    assert(mean >= dist->least_ns && mean <= dist->most_ns);
    return mean;
}

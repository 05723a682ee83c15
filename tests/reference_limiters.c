/* reference_limiters.c - see the header.  Slow and plain on purpose. */
#include <assert.h>
#include <gmp.h>
#include <string.h>
#include "reference_limiters.h"

static bool is(const struct reference *reference, const char *name)
{
    return strcmp(reference->name, name) == 0;
}

static bool is_window(const struct reference *reference)
{
    return strstr(reference->name, "window") != NULL;
}

int64_t reference_capacity(const struct reference *reference)
{
    return is_window(reference) ? reference->limit : reference->burst;
}

int64_t reference_latest_ns(const struct reference *reference)
{
    int64_t latest_ns = reference->fresh_ns;

    for (unsigned i = 0; i < reference->events; i++)
        if (reference->event[i].at_ns > latest_ns)
            latest_ns = reference->event[i].at_ns;
    return latest_ns;
}

static int64_t standing_still(const struct reference *reference, int64_t now_ns)
{
    int64_t latest_ns = reference_latest_ns(reference);

    return now_ns > latest_ns ? now_ns : latest_ns;
}

static int64_t into_window_ns(const struct reference *reference, int64_t instant_ns);

/* A fixed window remembers the window before the latest one, and nothing older. */
static int64_t not_older(const struct reference *reference, int64_t now_ns)
{
    int64_t latest_ns = reference_latest_ns(reference);
    int64_t oldest_ns = latest_ns - into_window_ns(reference, latest_ns) - reference->period_ns;

    return now_ns > oldest_ns ? now_ns : oldest_ns;
}

void reference_charge(struct reference *reference, int64_t now_ns, int64_t cost, bool allowed)
{
    bool anchored = is(reference, "fixed-window-anchored");
    bool counts_denied = anchored;

    if (cost == 0 || (!allowed && !counts_denied))
        return;
    assert(reference->events < REFERENCE_EVENTS);
    int64_t at_ns = anchored ? now_ns
                  : is(reference, "fixed-window") ? not_older(reference, now_ns)
                  : standing_still(reference, now_ns);
    reference->event[reference->events++] = (struct reference_event){ at_ns, cost, allowed };
}

static void set_i64(mpz_t z, int64_t value)
{
    mpz_set_si(z, value);
    assert(sizeof(long) == sizeof value);
}

/* rate * (to - from), a rational number of units. */
static void refill(const struct reference *reference, int64_t from_ns, int64_t to_ns, mpq_t units)
{
    mpz_t from;

    mpz_init(from);
    set_i64(mpq_numref(units), to_ns);
    set_i64(from, from_ns);
    mpz_sub(mpq_numref(units), mpq_numref(units), from);
    mpz_mul_si(mpq_numref(units), mpq_numref(units), reference->limit);
    set_i64(mpq_denref(units), reference->period_ns);
    mpq_canonicalize(units);
    mpz_clear(from);
}

static int64_t first_request_ns(const struct reference *reference)
{
    unsigned i = 0;

    while (i + 1 < reference->events && reference->event[i].cost < 0)
        i++;
    return reference->event[i].at_ns;
}

/* What a bucket gets from its first request until an instant: everything, or whole tokens only. */
static void supply(const struct reference *reference, int64_t to_ns, mpq_t units)
{
    refill(reference, first_request_ns(reference), to_ns, units);
    if (is(reference, "interval-bucket")) {
        mpz_fdiv_q(mpq_numref(units), mpq_numref(units), mpq_denref(units));
        mpz_set_ui(mpq_denref(units), 1);
    }
}

/* What is lacking in a bucket at an instant: the largest, over all earlier instants, of what was taken
 * since then less what was supplied since then; never below nothing.  (Reich's formula of queueing
 * theory.) */
static void lacking(const struct reference *reference, int64_t now_ns, mpq_t worst)
{
    mpq_t taken, supplied_now, supplied_then, lack;

    mpq_inits(taken, supplied_now, supplied_then, lack, NULL);
    mpq_set_ui(worst, 0, 1);
    if (reference->events)
        supply(reference, now_ns, supplied_now);
    for (unsigned i = reference->events; i-- > 0;) {
        const struct reference_event *event = &reference->event[i];
        mpq_set_si(lack, event->cost, 1);
        mpq_add(taken, taken, lack);
        supply(reference, event->at_ns, supplied_then);
        mpq_sub(lack, supplied_now, supplied_then);
        mpq_sub(lack, taken, lack);
        if (mpq_cmp(lack, worst) > 0)
            mpq_set(worst, lack);
    }
    mpq_clears(taken, supplied_now, supplied_then, lack, NULL);
}

static bool bucket_passes(const struct reference *reference, int64_t now_ns, int64_t cost)
{
    mpq_t total, more;

    mpq_inits(total, more, NULL);
    lacking(reference, now_ns, total);
    mpq_set_si(more, cost, 1);
    mpq_add(total, total, more);
    mpq_set_si(more, reference->burst, 1);
    bool passes = mpq_cmp(total, more) <= 0;
    mpq_clears(total, more, NULL);
    return passes;
}

/* How far an instant is into its aligned window. */
static int64_t into_window_ns(const struct reference *reference, int64_t instant_ns)
{
    mpz_t unix_ns, other;

    mpz_inits(unix_ns, other, NULL);
    set_i64(unix_ns, instant_ns);
    set_i64(other, reference->epoch_ns);
    mpz_add(unix_ns, unix_ns, other);
    set_i64(other, reference->period_ns);
    mpz_fdiv_r(unix_ns, unix_ns, other);
    int64_t into_ns = mpz_get_si(unix_ns);
    mpz_clears(unix_ns, other, NULL);
    return into_ns;
}

/* What stands charged in the aligned window that begins at start_ns, and in the one before it. */
struct pair { int64_t previous, current; };

/* A refund comes out of the window in which it arrives; what is more than that, out of the one before. */
static struct pair charged_in(const struct reference *reference, int64_t start_ns)
{
    struct pair sum = { 0, 0 };

    for (unsigned i = 0; i < reference->events; i++) {
        const struct reference_event *event = &reference->event[i];
        int64_t its_start_ns = event->at_ns - into_window_ns(reference, event->at_ns);
        if (its_start_ns == start_ns)
            sum.current += event->cost;
        if (its_start_ns == start_ns - reference->period_ns)
            sum.previous += event->cost;
        if (sum.current < 0)
            sum.previous += sum.current;
        sum.current = sum.current < 0 ? 0 : sum.current;
        sum.previous = sum.previous < 0 ? 0 : sum.previous;
    }
    return sum;
}

static bool fixed_passes(const struct reference *reference, int64_t now_ns, int64_t cost)
{
    int64_t start_ns = now_ns - into_window_ns(reference, now_ns), used = 0;

    for (unsigned i = 0; i < reference->events; i++) {
        const struct reference_event *event = &reference->event[i];
        if (event->at_ns - into_window_ns(reference, event->at_ns) != start_ns)
            continue;
        used += event->cost;
        used = used < 0 ? 0 : used;
    }
    return used + cost <= reference->limit;
}

/* previous * (1 - into / period) + current + cost <= limit, in rationals. */
static bool counter_passes(const struct reference *reference, int64_t now_ns, int64_t cost)
{
    int64_t into_ns = into_window_ns(reference, now_ns);
    struct pair sum = charged_in(reference, now_ns - into_ns);
    mpq_t total, term;

    mpq_inits(total, term, NULL);
    mpq_set_si(total, into_ns, (unsigned long)reference->period_ns);
    mpq_canonicalize(total);
    mpq_set_ui(term, 1, 1);
    mpq_sub(total, term, total);
    mpq_set_si(term, sum.previous, 1);
    mpq_mul(total, total, term);
    mpq_set_si(term, sum.current + cost, 1);
    mpq_add(total, total, term);
    mpq_set_si(term, reference->limit, 1);
    bool passes = mpq_cmp(total, term) <= 0;
    mpq_clears(total, term, NULL);
    return passes;
}

static bool log_passes(const struct reference *reference, int64_t now_ns, int64_t cost)
{
    int64_t live = 0;

    for (unsigned i = 0; i < reference->events; i++)
        if (reference->event[i].at_ns > now_ns - reference->period_ns)
            live += reference->event[i].cost;
    return live + cost <= reference->limit;
}

/* Of the past, an anchored window knows only when it opened: that is where its clock stands still. */
static bool anchored_passes(const struct reference *reference, int64_t now_ns, int64_t cost)
{
    int64_t used = 0, opened_ns = reference->fresh_ns;

    for (unsigned i = 0; i < reference->events; i++) {
        const struct reference_event *event = &reference->event[i];
        if (used == 0 || event->at_ns >= opened_ns + reference->period_ns) {
            opened_ns = event->at_ns > opened_ns ? event->at_ns : opened_ns;
            used = 0;
        }
        used = used + event->cost > 0 ? used + event->cost : 0;
    }
    bool open = used > 0 && now_ns < opened_ns + reference->period_ns;
    return (open ? used : 0) + cost <= reference->limit;
}

bool reference_passes(const struct reference *reference, int64_t now_ns, int64_t cost)
{
    int64_t at_ns = standing_still(reference, now_ns);

    if (cost <= 0)
        return true;
    if (is(reference, "fixed-window"))
        return fixed_passes(reference, not_older(reference, now_ns), cost);
    if (is(reference, "fixed-window-anchored"))
        return anchored_passes(reference, at_ns, cost);
    if (is(reference, "sliding-window-log"))
        return log_passes(reference, at_ns, cost);
    if (is(reference, "sliding-window-counter"))
        return counter_passes(reference, at_ns, cost);
    return bucket_passes(reference, at_ns, cost);
}

int64_t reference_delay_ns(const struct reference *reference, int64_t now_ns)
{
    mpq_t lack, unit_ns;

    if (!is(reference, "leaky-bucket-queue"))
        return 0;
    mpq_inits(lack, unit_ns, NULL);
    lacking(reference, standing_still(reference, now_ns), lack);
    mpq_set_si(unit_ns, reference->period_ns, (unsigned long)reference->limit);
    mpq_canonicalize(unit_ns);
    mpq_mul(lack, lack, unit_ns);
    mpz_cdiv_q(mpq_numref(lack), mpq_numref(lack), mpq_denref(lack));
    int64_t delay_ns = mpz_get_si(mpq_numref(lack));
    mpq_clears(lack, unit_ns, NULL);
    return delay_ns;
}

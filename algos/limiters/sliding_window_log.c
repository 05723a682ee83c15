/* sliding_window_log.c - every admission of the last period, remembered.
 *
 *     live(t) = sum of the costs admitted in (t - P, t]        P = period
 *     allow c when live(t) + c <= L;       then log (t, c)
 *
 * An entry leaves when it is exactly one period old.  Entries hold running totals instead of costs, so
 * that any span's cost is one subtraction and every question is a search: a check that changes nothing
 * need not walk over what has left.  Entries that have left are dropped when they outnumber those that
 * live, which costs O(1) a charge. */
#include <assert.h>
#include <string.h>
#include "exact.h"
#include "limiters.h"

struct entry {
    int64_t t;
    int64_t total;                      /* of all costs ever logged, up to and with this entry */
};

struct log {
    struct growing_state grown;
    uint32_t first;                     /* entries before this one have left */
    uint32_t zero;
    int64_t  left;                      /* the total of those */
    int64_t  t0;                        /* of the latest charge */
    struct entry entry[];               /* t rises strictly, and so does total */
};
_Static_assert(sizeof(struct log) == 32 && sizeof(struct entry) == 16, "no padding");

static uint32_t count(const struct log *log)
{
    return (uint32_t)((log->grown.used_bytes - sizeof *log) / sizeof *log->entry);
}

/* All cost logged before entry i. */
static int64_t total_before(const struct log *log, uint32_t i)
{
    return i > log->first ? log->entry[i - 1].total : log->left;
}

/* The first entry in low .. high-1 that is at least `least` in both members; high when there is none. */
static uint32_t search(const struct log *log, uint32_t low, uint32_t high, struct entry least)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct entry *entry = &log->entry[middle];

        if (entry->t >= least.t && entry->total >= least.total)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The first entry alive at t.  Doubles its step from the oldest on: seldom have many left since the last
 * charge. */
static uint32_t first_alive(const struct policy *policy, const struct log *log, int64_t t)
{
    struct entry least = { .t = t - policy->period_ns + 1, .total = INT64_MIN };
    uint32_t low = log->first, high = count(log), step = 1;

    while (step <= high - low && log->entry[low + step - 1].t < least.t) {
        low += step;
        step *= 2;
    }
    return search(log, low, step <= high - low ? low + step - 1 : high, least);
}

static int64_t live_at(const struct policy *policy, const struct log *log, int64_t t)
{
    return total_before(log, count(log)) - total_before(log, first_alive(policy, log, t));
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct log *log = state;

    (void)policy;
    log->grown.used_bytes = sizeof *log;
    log->t0 = now_ns;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    const struct log *log = state;

    if (request.cost <= 0)
        return verdict_allow();
    if (request.cost > policy->limit)
        return verdict_deny(NEVER_NS);
    if (live_at(policy, log, i64_max(request.now_ns, log->t0)) + request.cost <= policy->limit)
        return verdict_allow();

    /* It passes once enough of the oldest has left: with the entry whose total reaches `leaving`. */
    uint32_t n = count(log);
    int64_t leaving = total_before(log, n) + request.cost - policy->limit;
    uint32_t last = search(log, log->first, n, (struct entry){ .t = INT64_MIN, .total = leaving });
    return verdict_deny(wait_until(request.now_ns, log->entry[last].t + policy->period_ns));
}

static void drop_dead(const struct policy *policy, struct log *log, int64_t t)
{
    uint32_t alive = first_alive(policy, log, t), kept = count(log) - alive;

    log->left = total_before(log, alive);
    log->first = alive;
    if (alive < kept)
        return;
    memmove(log->entry, log->entry + alive, kept * sizeof *log->entry);
    memset(log->entry + kept, 0, alive * sizeof *log->entry);
    log->first = 0;
    log->grown.used_bytes -= alive * (uint32_t)sizeof *log->entry;
}

/* At t0; what comes at one instant is one entry. */
static void append(struct log *log, int64_t cost)
{
    uint32_t n = count(log);
    int64_t total = total_before(log, n) + cost;

    if (n > 0 && log->entry[n - 1].t == log->t0) {
        log->entry[n - 1].total = total;
        return;
    }
    log->entry[n] = (struct entry){ log->t0, total };
    log->grown.used_bytes += sizeof *log->entry;
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct log *log = state;

    if (!allowed || request.cost <= 0)
        return;
    assert(log->grown.capacity_bytes - log->grown.used_bytes >= sizeof *log->entry);
    log->t0 = i64_max(request.now_ns, log->t0);
    drop_dead(policy, log, log->t0);
    append(log, request.cost);
}

static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)
{
    const struct log *log = state;
    int64_t t = i64_max(now_ns, log->t0);
    int64_t live = live_at(policy, log, t);
    int64_t full_ns = live > 0 ? log->entry[count(log) - 1].t + policy->period_ns : t;

    return (struct quota){ i64_max(0, policy->limit - live), wait_until(now_ns, full_ns) };
}

static struct promise promise(const struct policy *policy)
{
    return (struct promise){ PROMISE_WINDOW, policy->limit };
}

const struct limiter sliding_window_log = {
    .name = "sliding-window-log",
    .formula = "sum of costs admitted in (t - P, t] + c <= L",
    .good_to_know = "the only one that keeps every period to L; 16 bytes an admission; burst is ignored",
    .state_bytes = sizeof(struct log),
    .entry_bytes = sizeof(struct entry),
    .refuses = refuses_none,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote,
    .promise = promise,
};

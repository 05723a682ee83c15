#include "figures.h"

#include <stdio.h>
#include <string.h>
#include "failure.h"

static const i128 ONE = 1000000000;

static struct figure_value undefined(void)
{
    return (struct figure_value){ .null = true };
}

static struct figure_value whole(i128 n)
{
    return (struct figure_value){ .billionths = n * ONE };
}

/* Spans and costs that are -1 where there is none. */
static struct figure_value unless_negative(int64_t n)
{
    return n < 0 ? undefined() : whole(n);
}

static struct figure_value fraction(struct decimal value)
{
    return (struct figure_value){ .null = value.null, .billionths = value.billionths };
}

static struct figure_value text(const char *value)
{
    return (struct figure_value){ .null = !value, .text = value };
}

static struct figure_value when_admitted(const struct result *r, struct figure_value value)
{
    return r->worst_window.key ? value : undefined();
}

static struct figure_value caused(const struct result *r, enum cause cause)
{
    return r->causes.known ? fraction(r->causes.excess[cause]) : undefined();
}

static struct figure_value caused_over(const struct result *r, enum cause cause)
{
    return r->causes.known ? whole(r->causes.over_admitted[cause]) : undefined();
}

static struct figure_value when_known(const struct result *r, struct figure_value value)
{
    return r->causes.known ? value : undefined();
}

static struct figure_value when_capped(const struct result *r, struct figure_value value)
{
    return r->ceiling.judged ? value : undefined();
}

static struct figure_value when_judged(const struct result *r, uint64_t decisions)
{
    return r->quota.judged ? whole(decisions) : undefined();
}

/* The one list.  In order: what JSON calls it, its kind, where it is, what it means. */
#define FIGURES(X) \
    X(design, "design", TEXT, text(r->design), "limiter@coordination, as asked for") \
    X(seed, "seed", COUNT, whole(r->seed), "of the run's random streams") \
    X(limit, "limit", COST, whole(r->limit), "of the policy: cost admitted a period") \
    X(requests, "requests", COUNT, whole(r->requests), "that arrived") \
    X(admitted, "admitted", COUNT, whole(r->admitted), "requests let through") \
    X(denied, "denied", COUNT, whole(r->denied), "requests refused") \
    X(failed, "failed", COUNT, whole(r->failed), "requests that got no decision") \
    X(admitted_cost, "admitted_cost", COST, whole(r->admitted_cost), "cost let through") \
    X(denied_cost, "denied_cost", COST, whole(r->denied_cost), "cost refused") \
    X(over_admitted, "over_admitted", COUNT, whole(r->over_admitted), \
      "admitted requests that an exact policer for the target would refuse") \
    X(over_admitted_cost, "over_admitted_cost", COST, whole(r->over_admitted_cost), \
      "the cost of over_admitted") \
    X(excess, "excess", DECIMAL, fraction(r->excess), "effective_burst above the target's burst, else 0") \
    X(effective_burst, "effective_burst", DECIMAL, fraction(r->effective_burst), \
      "the smallest burst that explains the admissions") \
    X(boundary_burst, "boundary_burst", DECIMAL, fraction(r->boundary_burst), \
      "effective_burst over the target's burst: 1 keeps the curve, 2 is a window's double") \
    X(window_cost, "worst_window.cost", COST, when_admitted(r, whole(r->worst_window.cost)), \
      "the largest cost admitted in any window of one period") \
    X(window_ratio, "worst_window.ratio", DECIMAL, when_admitted(r, fraction(r->worst_window.ratio)), \
      "worst_window.cost over the target's limit") \
    X(window_key, "worst_window.key", TEXT, text(r->worst_window.key), "whose worst window it is") \
    X(window_start, "worst_window.start", INSTANT_NS, when_admitted(r, whole(r->worst_window.start_ns)), \
      "where that window starts (exclusive), ns since the start of the run") \
    X(window_end, "worst_window.end", INSTANT_NS, when_admitted(r, whole(r->worst_window.end_ns)), \
      "the instant of its last admission, ns since the start of the run") \
    X(ideal_admitted, "ideal_admitted", COUNT, whole(r->ideal_admitted), \
      "what the limiter alone would admit of the same arrivals") \
    X(ideal_admitted_cost, "ideal_admitted_cost", COST, whole(r->ideal_admitted_cost), \
      "the cost of ideal_admitted") \
    X(wrongly_admitted, "wrongly_admitted", COUNT, whole(r->wrongly_admitted), \
      "admitted, where one atomic state charged with the same admissions would deny") \
    X(wrongly_denied, "wrongly_denied", COUNT, whole(r->wrongly_denied), \
      "denied, where one atomic state charged with the same admissions would admit") \
    X(lost_updates, "lost_updates", COUNT, whole(r->lost_updates), \
      "writes that replaced a version their writer had not read") \
    X(stale_reads, "stale_reads", COUNT, whole(r->stale_reads), \
      "reads that returned an older version than the newest") \
    X(retries, "retries", COUNT, whole(r->retries), "attempts after a failed compare-and-set") \
    X(first_denial, "first_denial", COST, unless_negative(r->first_denial), \
      "the least cost that stood admitted when a key was first denied") \
    X(store_reads, "store_reads", COUNT, whole(r->store_reads), "read operations of the store") \
    X(store_writes, "store_writes", COUNT, whole(r->store_writes), "write operations of the store") \
    X(latency_p50, "latency_ns.p50", SPAN_NS, unless_negative(r->latency_ns.p50), \
      "median time to a verdict") \
    X(latency_p90, "latency_ns.p90", SPAN_NS, unless_negative(r->latency_ns.p90), \
      "9 of 10 verdicts within") \
    X(latency_p99, "latency_ns.p99", SPAN_NS, unless_negative(r->latency_ns.p99), \
      "99 of 100 verdicts within") \
    X(latency_p999, "latency_ns.p999", SPAN_NS, unless_negative(r->latency_ns.p999), \
      "999 of 1000 verdicts within") \
    X(latency_max, "latency_ns.max", SPAN_NS, unless_negative(r->latency_ns.max), "the slowest verdict") \
    X(retry_honest, "retry.honest", COUNT, whole(r->retry.honest), "denials whose retry_after was right") \
    X(retry_early, "retry.early", COUNT, whole(r->retry.early), \
      "... was too early: a lone client is denied again") \
    X(retry_late, "retry.late", COUNT, whole(r->retry.late), "... was late: coming back sooner would do") \
    X(fairness_keys, "fairness.keys", DECIMAL, fraction(r->fairness_keys), \
      "Jain's index over keys, 1 is even") \
    X(fairness_regions, "fairness.regions", DECIMAL, fraction(r->fairness_regions), \
      "Jain's index over regions") \
    X(keys, "keys", COUNT, whole(r->keys), "distinct keys that asked") \
    X(keys_refused, "keys_refused", COUNT, whole(r->keys_refused), "keys that were denied at least once") \
    X(state_bytes, "state_bytes", COUNT, whole(r->state_bytes), "stored for one key, all copies") \
    X(digest, "digest", DIGEST, whole(r->digest), \
      "of every decision and every write: equal digests, equal runs") \
    X(parameters, "parameters", TEXT, text(r->parameters), "of the design, all of them, resolved") \
    X(label, "label", TEXT, text(r->label), "what sets the row apart: as logged, spread") \
    X(promise_kept, "promise_kept", TRUTH, whole(r->promise_kept), \
      "the limiter's own promise, whatever the target") \
    X(worst_burst_key, "worst_burst_key", TEXT, text(r->worst_burst_key), "whose effective_burst it is") \
    X(live_keys, "live_keys", COUNT, whole(r->live_keys), "keys that the store holds at the end") \
    X(burst, "burst", COST, whole(r->burst), "of the policy: cost admitted at once after a pause") \
    X(decisions, "decisions", TEXT, text(r->decisions), \
      "of up to 64 requests in order of arrival: A admitted, D denied, F failed") \
    X(algorithm, "excess_by_cause.algorithm", DECIMAL, caused(r, CAUSE_ALGORITHM), \
      "the excess of the limiter alone, with one exact owner") \
    X(sharing, "excess_by_cause.sharing", DECIMAL, caused(r, CAUSE_SHARING), \
      "what split or stale copies add, while no two requests overlap") \
    X(race, "excess_by_cause.race", DECIMAL, caused(r, CAUSE_RACE), \
      "what requests that overlap add") \
    X(fault, "excess_by_cause.fault", DECIMAL, caused(r, CAUSE_FAULT), \
      "what faults of the time line, and messages that are lost or come twice, add") \
    X(clock, "excess_by_cause.clock", DECIMAL, caused(r, CAUSE_CLOCK), "what clocks that are off add") \
    X(all_causes, "excess_by_cause.total", DECIMAL, when_known(r, fraction(r->excess)), \
      "the sum of these: excess") \
    X(over_algorithm, "over_admitted_by_cause.algorithm", COUNT, caused_over(r, CAUSE_ALGORITHM), \
      "over_admitted of the limiter alone") \
    X(over_sharing, "over_admitted_by_cause.sharing", COUNT, caused_over(r, CAUSE_SHARING), \
      "... what split or stale copies add") \
    X(over_race, "over_admitted_by_cause.race", COUNT, caused_over(r, CAUSE_RACE), \
      "... what overlapping adds") \
    X(over_fault, "over_admitted_by_cause.fault", COUNT, caused_over(r, CAUSE_FAULT), \
      "... what faults and lost or doubled messages add") \
    X(over_clock, "over_admitted_by_cause.clock", COUNT, caused_over(r, CAUSE_CLOCK), \
      "... what clocks add") \
    X(over_all_causes, "over_admitted_by_cause.total", COUNT, when_known(r, whole(r->over_admitted)), \
      "the sum of these: over_admitted") \
    X(stuck_keys, "stuck_keys", COUNT, unless_negative(r->stuck_keys), \
      "keys that are refused when they ask once more, long after all is over and healed") \
    X(stored_peak, "stored_peak", COUNT, whole(r->stored_peak), \
      "the most states that stores held at once, copies counted (memories of instances and objects not)") \
    X(ceiling_over, "ceiling.over_admitted", COUNT, when_capped(r, whole(r->ceiling.over_admitted)), \
      "admitted requests that an exact policer for the ceiling would refuse") \
    X(ceiling_excess, "ceiling.excess", DECIMAL, when_capped(r, fraction(r->ceiling.excess)), \
      "as excess, of the ceiling: over all keys that share it") \
    X(ceiling_window, "ceiling.worst_window", COST, when_capped(r, whole(r->ceiling.worst_window)), \
      "the largest cost under one ceiling in any of its windows") \
    X(quota_true, "quota.true", COUNT, when_judged(r, r->quota.right), \
      "decisions that told truly what remains and when all of it is there again; null: not judged") \
    X(quota_false, "quota.false", COUNT, when_judged(r, r->quota.wrong), \
      "... that told one of them wrongly") \
    X(most_operations, "most_operations", COUNT, whole(r->most_operations), \
      "the most messages that one request sent to stores and owners")

#define GETTER(id, path_, kind_, value, meaning_)                               \
    static struct figure_value get_##id(const struct result *r) { return value; }
FIGURES(GETTER)

#define ROW(id, path_, kind_, value, meaning_)                                  \
    { .path = path_, .kind = FIGURE_##kind_, .meaning = meaning_, .get = get_##id },
const struct figure figures[] = { FIGURES(ROW) };
enum { FIGURES_LISTED = sizeof figures / sizeof figures[0] };
const unsigned figure_count = FIGURES_LISTED;

/* "p99" for "latency_ns.p99": quantiles go by their last part, too. */
static const char *short_name(const char *path)
{
    static const char group[] = "latency_ns.";
    bool quantile = !strncmp(path, group, sizeof group - 1);
    return quantile ? path + sizeof group - 1 : path;
}

int figure_find(const char *name)
{
    for (unsigned i = 0; i < figure_count; i++)
        if (!strcmp(name, figures[i].path) || !strcmp(name, short_name(figures[i].path)))
            return (int)i;
    return -1;
}

const char *figure_nearest(const char *name)
{
    const char *names[2 * FIGURES_LISTED + 1] = { NULL };
    for (unsigned i = 0; i < figure_count; i++) {
        names[2 * i] = figures[i].path;
        names[2 * i + 1] = short_name(figures[i].path);
    }
    return nearest_name(name, names);
}

const char *figure_text(enum figure_kind kind, struct figure_value value, char room[DECIMAL_TEXT])
{
    if (value.null)
        return NULL;
    int64_t whole_part = i64_clamp(value.billionths / ONE);
    switch (kind) {
    case FIGURE_TEXT:
        return value.text;
    case FIGURE_TRUTH:
        return whole_part ? "true" : "false";
    case FIGURE_DIGEST:
        snprintf(room, DECIMAL_TEXT, "%016llx", (unsigned long long)(value.billionths / ONE));
        return room;
    case FIGURE_DECIMAL:
        return decimal_text((struct decimal){ .billionths = value.billionths }, 9, room);
    case FIGURE_COUNT: case FIGURE_COST: case FIGURE_SPAN_NS: case FIGURE_INSTANT_NS:
        break;
    }
    snprintf(room, DECIMAL_TEXT, "%lld", (long long)whole_part);
    return room;
}

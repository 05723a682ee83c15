/* purge_underflow.c - a sweep that asks which keys are older than "now - 60 s", in unsigned numbers, on a
 * clock that starts at zero (sethvargo/go-limiter#57, #59).
 *
 * In the first minute that difference is about 2^64: every key is older, and is swept away however much of it
 * is used.  The sweep is taken to come just before each request.  The cure keeps what is young:
 * algos/limiters/fixed_window_anchored.c. */
#include "zoo.h"
#include "../limiters/limiters.h"

struct entry {
    int64_t window[2];                  /* the state of an anchored window */
    int64_t last_ns;
};
_Static_assert(sizeof(struct entry) == 24, "no padding");

static bool is_swept(const struct entry *entry, int64_t now_ns)
{
    uint64_t horizon = (uint64_t)now_ns - (uint64_t)(60 * ZOO_SECOND);

    return (uint64_t)entry->last_ns < horizon;
}

static void fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    struct entry *entry = state;

    fixed_window_anchored.fresh(policy, now_ns, entry->window);
    entry->last_ns = now_ns;
}

static struct entry entry_at(const struct policy *policy, const struct entry *kept, int64_t now_ns)
{
    struct entry entry = { .last_ns = now_ns };

    if (!is_swept(kept, now_ns))
        return *kept;
    fresh(policy, now_ns, &entry);
    return entry;
}

static struct verdict check(const struct policy *policy, struct request request, const void *state)
{
    struct entry entry = entry_at(policy, state, request.now_ns);

    return fixed_window_anchored.check(policy, request, entry.window);
}

static void charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct entry *entry = state;

    if (request.cost == 0)
        return;
    *entry = entry_at(policy, entry, request.now_ns);
    fixed_window_anchored.charge(policy, request, allowed, entry->window);
    entry->last_ns = request.now_ns;
}

ZOO_QUOTE(check)

const struct limiter zoo_purge_underflow = {
    .name = "zoo/purge-underflow",
    .formula = "fixed-window-anchored, of which a sweep takes all keys with last < (uint64) (t - 60 s)",
    .good_to_know = "in the first minute after a start every request finds a fresh window",
    .source = "sethvargo/go-limiter before #59",
    .rule = &fixed_window_anchored,
    .state_bytes = sizeof(struct entry),
    .charges_denied = true,
    .fresh = fresh,
    .check = check,
    .charge = charge,
    .quote = quote_check,
    ZOO_SHARED,
};

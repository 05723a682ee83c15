/* headers_judge.c - what a header says, held against the state that it speaks of.  See headers.h. */
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "headers_private.h"

const char *finding_text(enum finding finding)
{
    static const char *const text[] = {
        [FINDING_NONE] = "", [FINDING_TRUE] = "true", [FINDING_EARLY] = "too early",
        [FINDING_LATE] = "too late", [FINDING_TOO_MUCH] = "too much", [FINDING_TOO_LITTLE] = "too little",
        [FINDING_MISSING] = "missing", [FINDING_UNREADABLE] = "unreadable",
    };

    return text[finding];
}

static bool passes(const struct asked *asked, i128 at_ns, int64_t cost)
{
    struct request request = { (int64_t)at_ns, cost };

    return asked->limiter->check(asked->policy, request, asked->state).allowed;
}

/* What a key never seen lets through at once. */
static int64_t capacity_at(const struct asked *asked, int64_t now_ns)
{
    enum { FRESH_BYTES = 256 };
    _Alignas(max_align_t) unsigned char fresh[FRESH_BYTES] = { 0 };
    struct growing_state grown = { .capacity_bytes = FRESH_BYTES };

    assert(asked->limiter->state_bytes <= FRESH_BYTES);
    if (asked->limiter->entry_bytes > 0)
        memcpy(fresh, &grown, sizeof grown);
    asked->limiter->fresh(asked->policy, now_ns, fresh);
    return asked->limiter->quote(asked->policy, now_ns, fresh).remaining;
}

/* A client comes back at at_ns, or sooner by `less_ns`. */
static enum finding judge_wait(const struct asked *asked, bool full, i128 at_ns, int64_t less_ns)
{
    int64_t now_ns = asked->request.now_ns;
    i128 then_ns = i128_max(at_ns, now_ns);

    if (then_ns > INSTANT_MAX || now_ns < -INSTANT_MAX)
        return FINDING_NONE;
    int64_t cost = full ? capacity_at(asked, (int64_t)then_ns) : asked->request.cost;
    if (full && cost <= 0)
        return FINDING_NONE;
    if (!passes(asked, then_ns, cost))
        return FINDING_EARLY;
    return at_ns - less_ns >= now_ns && passes(asked, at_ns - less_ns, cost) ? FINDING_LATE : FINDING_TRUE;
}

enum finding remaining_judge(const struct asked *asked, int64_t remaining)
{
    int64_t now_ns = asked->request.now_ns;

    if (remaining < 0 || remaining > COST_MAX || !passes(asked, now_ns, remaining))
        return FINDING_TOO_MUCH;
    return remaining < COST_MAX && passes(asked, now_ns, remaining + 1) ? FINDING_TOO_LITTLE : FINDING_TRUE;
}

enum finding reset_judge(const struct asked *asked, int64_t reset_after_ns)
{
    if (reset_after_ns == NEVER_NS)
        return FINDING_NONE;
    return judge_wait(asked, true, (i128)asked->request.now_ns + reset_after_ns, 1);
}

/* A denied client that waits for the same request to pass must be told how long, if any wait will do. */
static bool owes_wait(const struct header *header, const struct asked *asked)
{
    if (asked->allowed || (header->wait != WAIT_PASSES && header->wait != WAIT_EITHER))
        return false;
    return asked->limiter->check(asked->policy, asked->request, asked->state).retry_after_ns != NEVER_NS;
}

static enum finding judge_told_wait(const struct header *header, const struct told *told,
                                    const struct asked *asked)
{
    bool full = header->wait == WAIT_FULL || (header->wait == WAIT_EITHER && asked->allowed);
    i128 from_ns = header->epoch ? -(i128)asked->policy->epoch_ns : asked->request.now_ns;

    if (!told->has_wait)
        return owes_wait(header, asked) ? FINDING_MISSING : FINDING_NONE;
    return judge_wait(asked, full, from_ns + (i128)told->wait_s * NS_PER_S, NS_PER_S);
}

static enum finding judge_told_remaining(const struct header *header, const struct told *told,
                                         const struct asked *asked)
{
    if (!told->has_remaining)
        return FINDING_NONE;
    enum finding finding = remaining_judge(asked, told->remaining);
    bool or_more = header->saturates && told->remaining == HEADER_INTEGER_MAX;
    return finding == FINDING_TOO_LITTLE && or_more ? FINDING_TRUE : finding;
}

enum finding header_judge(const struct header *header, const char *value, const struct asked *asked)
{
    struct told told = { 0 };

    if (*value && !header_read(header, value, &told))
        return FINDING_UNREADABLE;
    enum finding remaining = judge_told_remaining(header, &told, asked);
    if (remaining > FINDING_TRUE)
        return remaining;
    enum finding wait = judge_told_wait(header, &told, asked);
    return wait == FINDING_NONE ? remaining : wait;
}

unsigned reset_meanings(const struct policy *policy, int64_t now_ns, int64_t seconds)
{
    i128 refill_ns = div_ceil(policy->burst_credits, policy->credits_per_ns);
    i128 longest_ns = 2 * i128_max(policy->period_ns, refill_ns);
    i128 unix_ns = (i128)policy->epoch_ns + now_ns;
    bool delta = seconds >= 0 && seconds <= div_ceil(longest_ns, NS_PER_S);
    bool epoch = seconds >= div_floor(unix_ns, NS_PER_S)
              && seconds <= div_ceil(unix_ns + longest_ns, NS_PER_S);

    return (delta ? RESET_DELTA : 0u) | (epoch ? RESET_EPOCH : 0u);
}

#include <assert.h>
#include "retry.h"
#include "stream.h"

static struct retrying *of(struct source *source)
{
    return (struct retrying *)(void *)source;
}

/* Clients of open streams count their attempts; those of loops have a number already. */
static bool open_next(struct source *self, struct arrival *out)
{
    struct retrying *retrying = of(self);

    assert(retrying->inner->ended == NULL);
    if (!retrying->inner->next(retrying->inner, out))
        return false;
    out->client = 1;
    return true;
}

static bool loop_next(struct source *self, struct arrival *out)
{
    return of(self)->inner->next(of(self)->inner, out);
}

static int64_t jitter_ns(const struct retrying *retrying, const struct arrival *arrival)
{
    struct stream stream = { arrival->id, STREAM_RETRY, 0 };

    assert(retrying->rule.jitter_ns >= 0);
    if (retrying->rule.jitter_ns == 0)
        return 0;
    return (int64_t)stream_below(retrying->seed, stream, (uint64_t)retrying->rule.jitter_ns + 1);
}

/* How long a client waits; -1: it gives up. */
static int64_t wait_ns(const struct retrying *retrying, const struct arrival *arrival,
                       const struct verdict *verdict)
{
    const struct retry_rule *rule = &retrying->rule;
    i128 wait = rule->wait_ns;

    assert(!verdict || !verdict->allowed);
    if (verdict && rule->told) {
        if (verdict->retry_after_ns == NEVER_NS)
            return -1;
        wait = div_ceil(i64_max(verdict->retry_after_ns, 0), rule->rounded_ns) * rule->rounded_ns;
    }
    return i64_clamp(wait + jitter_ns(retrying, arrival));
}

static bool comes_in_time(int64_t now_ns, int64_t wait)
{
    assert(wait >= -1);
    return wait >= 0 && wait <= INSTANT_MAX && now_ns <= INSTANT_MAX - wait;
}

static bool open_ended(struct source *self, const struct arrival *arrival, int64_t now_ns,
                       const struct verdict *verdict, struct arrival *out)
{
    struct retrying *retrying = of(self);

    assert(arrival->client >= 1);
    if ((verdict && verdict->allowed) || arrival->client > retrying->rule.at_most)
        return false;
    int64_t wait = wait_ns(retrying, arrival, verdict);
    if (!comes_in_time(now_ns, wait))
        return false;
    *out = *arrival;
    out->at_ns = now_ns + wait;
    out->client++;
    out->id += UINT64_C(1) << RETRY_ID_SHIFT;
    return true;
}

static bool loop_ended(struct source *self, const struct arrival *arrival, int64_t now_ns,
                       const struct verdict *verdict, struct arrival *out)
{
    struct retrying *retrying = of(self);

    if (!retrying->inner->ended(retrying->inner, arrival, now_ns, verdict, out))
        return false;
    if (verdict && verdict->allowed)
        return true;
    int64_t wait = wait_ns(retrying, arrival, verdict);
    if (!comes_in_time(out->at_ns, wait))
        return false;
    out->at_ns += wait;
    return true;
}

void retrying_init(struct retrying *retrying, struct source *inner, const struct retry_rule *rule,
                   uint64_t seed)
{
    bool loop = inner->ended != NULL;

    assert(rule->at_most >= 1 && rule->at_most <= RETRIES_MAX && rule->rounded_ns >= 1);
    *retrying = (struct retrying){ .inner = inner, .rule = *rule, .seed = seed };
    retrying->source.next = loop ? loop_next : open_next;
    retrying->source.ended = loop ? loop_ended : open_ended;
}

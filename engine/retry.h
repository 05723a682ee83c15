/* retry.h - clients who come back when they are denied.
 *
 * Wraps a source.  A request that was denied (or that nobody decided) is sent again, by the same client with
 * the same key and cost, after
 *
 *     wait + jitter        wait: what the denial said, rounded up as its header was; or a span of the
 *                                client's own, whatever it was told
 *                          jitter: uniform in 0 .. jitter_ns, added: so nobody comes too early
 *
 * at most so many times.  Who is told to have come in the past (a flaw that some limiters have) comes at
 * once; who is told that no wait will do gives up; who got no answer at all waits what a client waits by
 * itself.  A closed loop's client waits before its next request instead of sending this one again: it is one
 * and the same to a limiter.
 *
 * Nothing is kept for a client: how often a request was sent again is in its arrival.  Its id says so too, so
 * that its other random values are its own. */
#ifndef LIMITLAB_RETRY_H
#define LIMITLAB_RETRY_H
#include "traffic.h"

enum { RETRIES_MAX = 200, RETRY_ID_SHIFT = 32 };

struct retry_rule {
    uint32_t at_most;                   /* 0: nobody comes back; up to RETRIES_MAX */
    bool     told;                      /* waits what the denial said; else wait_ns */
    int64_t  wait_ns;                   /* ... which is also for those who were told nothing */
    int64_t  rounded_ns;                /* 1: to the ns; 1e9: a header in whole seconds */
    int64_t  jitter_ns;
};

struct retrying {
    struct source source;               /* first: it is a source */
    struct source *inner;               /* borrowed */
    struct retry_rule rule;
    uint64_t seed;
};

/* Requests of the inner source have ids below 2^32 within their stream. */
void retrying_init(struct retrying *retrying, struct source *inner, const struct retry_rule *rule,
                   uint64_t seed);
#endif

/* stream.h - keyed random values: a pure function of (seed, what for, which entity, which occurrence).
 *
 * Nothing is drawn in order, so removing a request, adding a fault or swapping the limiter does not
 * reshuffle the rest.  Philox 2x64-10 (Salmon et al., SC'11; Random123), whose counter is the pair (entity,
 * what and occurrence). */
#ifndef LIMITLAB_STREAM_H
#define LIMITLAB_STREAM_H
#include <Random123/philox.h>
#include "wide.h"

/* What a random value is for.  Numbers are part of every recorded schedule: append, never reorder. */
enum stream_kind {
    STREAM_TIE = 1,                     /* which of several events at one instant goes first */
    STREAM_DELAY,                       /* how long a message takes */
    STREAM_LOSS,                        /* whether it is lost */
    STREAM_DUPLICATE,                   /* whether it arrives twice */
    STREAM_SHARD,                       /* which shard a request goes to */
    STREAM_ROUTE,                       /* which instance of its region a request goes to */
    STREAM_ARRIVAL,                     /* a pair: a generated request's gap and its key */
    STREAM_COST,                        /* a pair: its cost and its region */
    STREAM_SPREAD,                      /* where inside its clock's precision a logged arrival lies */
    STREAM_REGION,                      /* in which region a logged arrival lies, when its log does not say */
    STREAM_RETRY,                       /* how much later than it must a denied client comes back */
    STREAM_FAULT,                       /* what a fault hits, and by how much: see stream_of_fault() */
    STREAM_USED = 64,                   /* what a generated request turns out to cost */
    STREAM_SAMPLE                       /* what a scheduler of sampled walks does next */
};

struct stream {
    uint64_t entity;                    /* a request's id, a generator's number ... */
    uint32_t kind;                      /* enum stream_kind; of a fault: stream_of_fault() */
    uint32_t occurrence;                /* the how manieth of its kind for this entity */
};

/* The kind of the streams of one fault: the number-th of its kind. */
static inline uint32_t stream_of_fault(uint32_t kind, uint32_t number)
{
    return STREAM_FAULT | kind << 8 | number << 16;
}

/* Two values of 64 uniform random bits, for what always needs both. */
struct stream_pair { uint64_t first, second; };

static inline struct stream_pair stream_pair(uint64_t seed, struct stream stream)
{
    philox2x64_ctr_t counter = {{ stream.entity, (uint64_t)stream.kind << 32 | stream.occurrence }};
    philox2x64_key_t key = {{ seed }};
    philox2x64_ctr_t drawn = philox2x64(counter, key);

    return (struct stream_pair){ drawn.v[0], drawn.v[1] };
}

/* 64 uniform random bits: the first of the pair. */
static inline uint64_t stream_value(uint64_t seed, struct stream stream)
{
    return stream_pair(seed, stream).first;
}

/* Uniform in 0 .. n-1 (n >= 1) by multiplication; biased by less than n / 2^64. */
static inline uint64_t stream_below(uint64_t seed, struct stream stream, uint64_t n)
{
    return (uint64_t)(((u128)stream_value(seed, stream) * n) >> 64);
}
#endif

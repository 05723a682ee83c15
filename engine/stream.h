/* stream.h - keyed random values: a pure function of (seed, what for, which entity, which occurrence).
 *
 * Nothing is drawn in order, so removing a request, adding a fault or swapping the limiter does not reshuffle the
 * rest.  Philox 2x64-10 (Salmon et al., SC'11; Random123), whose counter is the pair (entity, what and occurrence). */
#ifndef LIMITLAB_STREAM_H
#define LIMITLAB_STREAM_H
#include <stdint.h>
#include <Random123/philox.h>

/* What a random value is for.  Numbers are part of every recorded schedule: append, never reorder. */
enum stream_kind {
    STREAM_TIE = 1,                     /* which of several events at one instant goes first */
    STREAM_DELAY,                       /* how long a message takes */
    STREAM_LOSS,                        /* whether it is lost */
    STREAM_DUPLICATE,                   /* whether it arrives twice */
    STREAM_SHARD,                       /* which shard a request goes to */
    STREAM_ROUTE,                       /* which instance of its region a request goes to */
    STREAM_ARRIVAL,                     /* a generator's next gap */
    STREAM_KEY,                         /* a generator's next key */
    STREAM_COST,                        /* a generator's next cost */
    STREAM_REGION,                      /* a generator's next region */
    STREAM_SPREAD                       /* where inside its clock's precision a logged arrival lies */
};

struct stream {
    uint64_t entity;                    /* a request's id, a generator's number ... */
    uint32_t kind;                      /* enum stream_kind */
    uint32_t occurrence;                /* the how manieth of its kind for this entity */
};

/* 64 uniform random bits. */
static inline uint64_t stream_value(uint64_t seed, struct stream stream)
{
    philox2x64_ctr_t counter = {{ stream.entity, (uint64_t)stream.kind << 32 | stream.occurrence }};
    philox2x64_key_t key = {{ seed }};

    return philox2x64(counter, key).v[0];
}

/* Uniform in 0 .. n-1 (n >= 1) by multiplication; biased by less than n / 2^64. */
static inline uint64_t stream_below(uint64_t seed, struct stream stream, uint64_t n)
{
    __extension__ typedef unsigned __int128 u128;
    return (uint64_t)(((u128)stream_value(seed, stream) * n) >> 64);
}
#endif

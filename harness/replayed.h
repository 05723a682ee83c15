/* replayed.h - one walk through a small world, step by step, with what each step did: for those who tell it.
 *
 * Steps and versions are numbered from 1; version 0 of a cell is what was there at first.  A step that reads
 * names the version that it was given; one that writes, which version that makes, and how many versions, by
 * others, it replaced without having read them. */
#ifndef LIMITLAB_REPLAYED_H
#define LIMITLAB_REPLAYED_H
#include "explored.h"
#include "small_target.h"

enum { REPLAY_STEPS_MAX = 1 << 16 };

struct replayed_step {
    struct walk_option option;          /* what was done; option.client NOBODY: no client did it */
    uint32_t chosen;                    /* its place among all options ... */
    uint32_t options;                   /* ... which were so many */
    uint32_t request;                   /* of the client, counted from 0 */
    const char *before, *after;         /* the gaps (coordination.phase) in which the call was and is; after:
                                           NULL once it has ended; both NULL in the background */
    enum operation operation;           /* OP_NONE: none at a store */
    uint32_t store, cell;               /* of that operation */
    const char *store_name;
    uint32_t region, key;
    int64_t now_ns;
    bool reads, writes;                 /* a cell whose versions are known */
    uint32_t version;                   /* read, or made */
    uint32_t age;                       /* of what the client read there: steps since then; 0: it has not */
    uint32_t overwritten;               /* versions that it replaced without having read them */
    uint32_t victim;                    /* who had written the last of these; NOBODY: none, or the
                                           background */
    bool has_left;                      /* ... and the limiter's state in that cell is known: */
    int64_t left;                       /* what it would still have admitted: as read, or as written */
    const struct small_news *news;      /* what took effect (on the arena) */
    uint32_t news_n;
    uint64_t admitted;                  /* requests, up to and with this step */
    i128 excess;                        /* over the target then, in credits */
};

struct replayed {
    uint32_t steps;
    struct replayed_step *step;
    uint32_t preemptions, crashes, forgets;
    uint64_t digest;                    /* of the world's design and of all that the steps did */
    bool over;                          /* what was admitted is over the target */
    struct small_target target;
};

/* Walks as chosen, judged against that target (the digest is the same whatever is judged); everything hangs
 * on the arena.  False: a choice is none of the options there. */
bool replay(struct explored_world *world, enum target_kind target, const uint64_t *choice, size_t choices,
            struct arena *arena, struct replayed *out);
#endif

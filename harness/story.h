/* story.h - what happens in one interleaving (engine/walk.h), step by step, as data.
 *
 * A story is told of a walk: who moved, which operation took effect, what a limiter saw in what was read, how
 * old that was when somebody acted on it, and who wrote over whom.  It is what `--explain` prints and what a
 * page shows.
 *
 * Ages.  A client that writes acts on what it last read: `age_steps` steps ago, since when others wrote the
 * same key `age_writes` times.  A blind write with age_writes > 0 replaces the latest of them: that client's
 * write is lost.
 *
 * Room.  `room` is the largest cost that would have passed, by the state that was read; `true_room` the same
 * by a state charged with every admission so far.  Where room is larger, the reader was misled.
 *
 * The critical step is the last one before which it could still be avoided that too much is admitted: some
 * other option led to an end without. */
#ifndef LIMITLAB_STORY_H
#define LIMITLAB_STORY_H
#include "../engine/walk.h"
#include "interleavings.h"

#define STORY_NONE UINT32_MAX
enum { STORY_TEXT = 192 };

struct story_step {
    struct walk_option option;
    uint32_t number, options;           /* its place among the options that there were, and how many */
    uint32_t request, key;              /* of the client */
    const char *phase;                  /* the gap in which the client was: coordination.phase[]; NULL:
                                           nobody's step */
    enum operation operation;           /* that takes effect; OP_NONE: a start, a wake, a tick ... */
    bool in_memory;                     /* it is one of an instance's own memory, no store's */
    bool starts, ends;                  /* the client's request begins, is over */
    struct small_check check;
    int64_t true_room;                  /* where check.known */
    bool writes, refused;               /* a store was changed; a write was meant to, and did not */
    uint32_t read_at;                   /* the step whose reading it acts on; STORY_NONE: there is none */
    uint32_t age_steps, age_writes;
    uint32_t replaced;                  /* the client whose write is lost; or NOBODY */
    uint32_t admitted, denied, failed;  /* requests, as the observer heard */
    int64_t cost;                       /* of the admitted */
    int64_t now_ns;                     /* after it */
    uint32_t under_way;                 /* clients with a call that goes on after it, by bits */
    bool over;                          /* too much is admitted after it */
};

struct story {
    struct explorer *explorer;          /* borrowed */
    uint32_t steps, given;              /* all; those that were given */
    struct story_step *step;
    uint32_t clients;
    bool finished;                      /* all clients are done */
    uint32_t admitted, denied, failed;  /* requests */
    int64_t cost;                       /* of the admitted */
    uint32_t first_over;                /* the first step after which too much is admitted; or STORY_NONE */
    uint32_t critical;                  /* see above; or STORY_NONE: it could not be avoided, or need not */
    struct story_step instead;          /* that avoids it, at the critical step (option, operation) */
    uint32_t preemptions;
    uint32_t round_trips, retries;      /* operations of stores that clients sent; refused swaps */
};

/* Tells a walk of n options, and on from there the calm way to its end (at most 4096 steps in all).  The
 * explorer is initialised, explored or not; judge says what is too much.
 * False: an option is none of those that the walk has there (then the story is of the steps before it).
 * story_free() in either case. */
bool story_tell(struct story *story, struct explorer *explorer, const struct judge *judge,
                const struct walk_option *option, uint32_t n);
/* The same of options by their numbers (0: the calm one), as they stand in a witness. */
bool story_tell_numbers(struct story *story, struct explorer *explorer, const struct judge *judge,
                        const uint32_t *number, uint32_t n);
void story_free(struct story *story);

/* Can too much still be avoided from here?  *instead (may be NULL): the first option of a way.  Searches at
 * most 200,000 places; true where that did not suffice. */
bool story_avoidable(const struct walk *walk, const struct judge *judge, struct walk_option *instead);

/* A client's name: A, B, C ... */
char story_name(uint32_t client);

/* The operation in a word for a column: "get", "put", "swap", "script" ... */
const char *story_word(const struct story_step *step);

/* One step in a sentence without its end: "C reads room for 1, in truth none: passes". */
const char *story_line(const struct story *story, uint32_t step, char text[STORY_TEXT]);

/* What the limiter's rule would let pass at now_ns of a key, had it been charged with all that was told. */
int64_t story_true_room(const struct explorer *explorer, const struct told *told, uint32_t n, uint32_t key,
                        int64_t now_ns);
#endif

/* shown.h - arrivals as their limiter is to see them: what a person shows instead of their name, what the
 * request turns out to cost, which variant of the policy it carries, and which bucket its key leads to.
 *
 * A source around another one; it adds and never moves an arrival. */
#ifndef LIMITLAB_SHOWN_H
#define LIMITLAB_SHOWN_H
#include "../engine/alias.h"
#include "../engine/traffic.h"
#include "buckets.h"
#include "experiment.h"

/* What is drawn for the requests of one stream. */
struct shown_used { struct alias alias; const struct cost_weight *used; };

struct shown_source {
    struct source source;               /* first: it is a source */
    struct source *inner;               /* borrowed, as is all below */
    const struct experiment *experiment;
    const struct shown_used *used;      /* by stream */
    struct keys *keys;                  /* all that can be shown is in there */
    uint64_t seed;
    const uint32_t *bucket;             /* of buckets_make(); NULL: every key is its own */
};

/* Does any stream show, use or carry something of its own? */
bool shown_differs(const struct experiment *experiment);

/* Fills in the draws of every stream; they hang on the arena (and on memory, until shown_free()). */
struct shown_used *shown_prepare(const struct experiment *experiment, struct arena *arena,
                                 struct memory *memory);
void shown_free(struct shown_used *used, const struct experiment *experiment, struct memory *memory);

/* Numbers every key that the people of a stream can show. */
void shown_intern(const struct traffic *traffic, const char *person, struct keys *keys);

void shown_start(struct shown_source *shown);
#endif

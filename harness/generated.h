/* generated.h - an experiment's generators (engine/generators.h) and the names of the keys that they make
 * up. */
#ifndef LIMITLAB_GENERATED_H
#define LIMITLAB_GENERATED_H
#include "experiment.h"
#include "keys.h"

/* What the engine needs to know of a stream that is no trace; borrows its costs and weights. */
struct generator_spec generated_spec(const struct traffic *traffic, uint32_t regions);

/* Numbers generated keys by their names, together with those of traces: key i of stream g is
 * traffic[g].key_prefix followed by i, or just the prefix when the stream has one key.  Streams that share a
 * prefix share keys. */
struct generated_names {
    struct key_numbers numbers;         /* first: what generator_start() takes */
    const struct traffic *traffic;      /* by generator index; borrowed */
    struct keys *keys;                  /* borrowed */
};

struct generated_names generated_names(const struct traffic *traffic, struct keys *keys);
#endif

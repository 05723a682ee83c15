/* generated.h - an experiment's streams that are no traces, as the engine wants them
 * (engine/generators.h). */
#ifndef LIMITLAB_GENERATED_H
#define LIMITLAB_GENERATED_H
#include "experiment.h"

/* What the engine needs to know of a stream that is no trace; borrows its costs and weights. */
struct generator_spec generated_spec(const struct traffic *traffic, uint32_t regions);
#endif

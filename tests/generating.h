/* generating.h - what the tests of generators share: generators that are ready to send. */
#ifndef LIMITLAB_TESTS_GENERATING_H
#define LIMITLAB_TESTS_GENERATING_H
#include "test.h"
#include "../engine/generators.h"
#include "../harness/arena.h"

/* Keys by their own numbers: what a generator asks for shows. */
static inline uint32_t same_number(struct key_numbers *self, uint32_t generator, uint32_t key)
{
    (void)self;
    return generator * 1000000 + key;
}

static struct key_numbers plain = { same_number };

static inline struct generator *start(struct generator_spec spec, uint32_t index, uint64_t seed)
{
    static struct generator pool[8];
    static unsigned used;
    struct generator *generator = &pool[used++ % 8];

    spec.regions = spec.regions ? spec.regions : 1;
    spec.keys = spec.keys ? spec.keys : 1;
    assert_null(generator_init(generator, &spec, index, process_memory()));
    generator_start(generator, seed, &plain);
    return generator;
}

#define START(index, seed, ...) start((struct generator_spec){ __VA_ARGS__ }, index, seed)

static inline bool next(struct generator *generator, struct arrival *arrival)
{
    return generator->source.next(&generator->source, arrival);
}

static inline int64_t per_second(int64_t rate) { return rate * 3600; }
#endif

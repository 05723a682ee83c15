/* Any bytes as a witness: refused, or written again no longer than it was, and where there is such a world
 * walked as far as its choices lead. */
#include <stdlib.h>
#include <string.h>
#include "../../harness/replayed.h"
#include "../../harness/witness.h"

#define DEMAND(condition)                                                       \
    do {                                                                        \
        if (!(condition))                                                       \
            abort();                                                            \
    } while (0)

enum { STEPS_MAX = 200 };

static void walk_it(const struct witness *witness, struct arena *arena)
{
    static const struct explored_bounds unbounded = { .no_symmetry = true };
    size_t choices = witness->choices < STEPS_MAX ? witness->choices : STEPS_MAX;
    struct explored_world world;
    struct failure failure;
    struct replayed replayed;

    if (!explored_open(&world, &witness->explored, &unbounded, &failure))
        DEMAND(*failure.line);
    else if (replay(&world, witness->explored.target, witness->choice, choices, arena, &replayed))
        DEMAND(replayed.steps == choices);
    explored_close(&world);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct arena arena = { 0 };
    struct witness witness;
    char *text = arena_alloc(&arena, length + 1);

    if (length > 0)
        memcpy(text, bytes, length);
    const char *why = witness_parse(&witness, text, &arena);
    if (why)
        DEMAND(*why);
    else if (!witness.explored.arrivals_digest)
        walk_it(&witness, &arena);
    if (!why)
        DEMAND(strlen(witness_text(&witness, &arena)) <= strlen(text));
    arena_free(&arena);
    return 0;
}

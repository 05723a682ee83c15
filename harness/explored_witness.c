/* explored_witness.c - see explored_claims.h: a claim that a witness is what it is said to be. */
#include <stdio.h>
#include <string.h>
#include "explored_claims.h"
#include "replayed.h"

static bool refuse_witness(char why[CLAIM_WHY], const char *what)
{
    snprintf(why, CLAIM_WHY, "the witness %s", what);
    return false;
}

/* As large as the smallest there is? */
static bool is_smallest(const struct explored *explored, const struct replayed *replayed,
                        const struct witness_found *found, char why[CLAIM_WHY])
{
    uint32_t requests = explored_requests(explored), faults = replayed->crashes + replayed->forgets;

    if (found->text && requests == found->requests && faults == found->faults
        && replayed->preemptions == found->preemptions && replayed->steps == found->steps)
        return true;
    snprintf(why, CLAIM_WHY, "the witness has %u requests, %u faults, %u preemptions and %u steps; expected "
             "%u, %u, %u and %u", requests, faults, replayed->preemptions, replayed->steps, found->requests,
             found->faults, found->preemptions, found->steps);
    return false;
}

static bool replays(struct explored_world *world, const struct witness *witness,
                    const struct witness_found *found, struct arena *arena, char why[CLAIM_WHY])
{
    struct replayed replayed;

    if (!replay(world, witness->explored.target, witness->choice, witness->choices, arena, &replayed)
        || replayed.digest != witness->digest)
        return refuse_witness(why, "is of another version; expected a new one, as explore prints it");
    return replayed.over ? is_smallest(&witness->explored, &replayed, found, why)
                         : refuse_witness(why, "breaks nothing; expected it to break the target");
}

static bool opens(struct witness *witness, const struct exploration *exploration, struct arena *arena,
                  char why[CLAIM_WHY])
{
    static const struct explored_bounds unbounded = { .no_symmetry = true };
    const struct explored *explored = exploration->explored;
    struct explored_world world;
    struct failure failure;

    if (strcmp(witness->explored.design, explored->design) != 0)
        return refuse_witness(why, "is of another design; expected one of the claim's");
    witness->explored.arrivals = explored->arrivals;
    if (witness->explored.arrivals_digest != explored->arrivals_digest)
        return refuse_witness(why, "is of other arrivals; expected one of this scenario's");
    bool good = explored_open(&world, &witness->explored, &unbounded, &failure);
    if (good)
        good = replays(&world, witness, &exploration->witness, arena, why);
    else
        refuse_witness(why, "is of a world that cannot be; expected one that explore prints");
    explored_close(&world);
    return good;
}

bool explored_witness_holds(const char *text, const struct exploration *exploration, char why[CLAIM_WHY])
{
    struct arena arena = { 0 };
    struct witness witness;
    const char *wrong = witness_parse(&witness, text, &arena);
    bool good = wrong ? refuse_witness(why, wrong) : opens(&witness, exploration, &arena, why);

    arena_free(&arena);
    return good;
}

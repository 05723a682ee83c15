/* explored_witness.c - see explored_claims.h and witness_claim.h. */
#include <stdio.h>
#include <string.h>
#include "explored_claims.h"
#include "replayed.h"
#include "witness_claim.h"

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

/* found NULL: however large it is. */
static bool replays(struct explored_world *world, const struct witness *witness,
                    const struct witness_found *found, struct arena *arena, char why[CLAIM_WHY])
{
    struct replayed replayed;

    if (!replay(world, witness->explored.target, witness->choice, witness->choices, arena, &replayed)
        || replayed.digest != witness->digest)
        return refuse_witness(why, "is of another version; expected a new one, as explore prints it");
    if (!replayed.over)
        return refuse_witness(why, "breaks nothing; expected it to break the target");
    return !found || is_smallest(&witness->explored, &replayed, found, why);
}

static bool opens(const struct witness *witness, const struct witness_found *found, struct arena *arena,
                  char why[CLAIM_WHY])
{
    static const struct explored_bounds unbounded = { .no_symmetry = true };
    struct explored_world world;
    struct failure failure;
    bool good = explored_open(&world, &witness->explored, &unbounded, &failure);

    if (good)
        good = replays(&world, witness, found, arena, why);
    else
        refuse_witness(why, "is of a world that cannot be; expected one that explore prints");
    explored_close(&world);
    return good;
}

static bool is_of(struct witness *witness, const char *text, const char *design, uint64_t arrivals,
                  struct arena *arena, char why[CLAIM_WHY])
{
    const char *wrong = witness_parse(witness, text, arena);

    if (wrong)
        return refuse_witness(why, wrong);
    if (strcmp(witness->explored.design, design) != 0)
        return refuse_witness(why, "is of another design; expected one of the claim's");
    return witness->explored.arrivals_digest == arrivals
        || refuse_witness(why, "is of other arrivals; expected one of this scenario's small world");
}

bool explored_witness_holds(const char *text, const struct exploration *exploration, char why[CLAIM_WHY])
{
    const struct explored *explored = exploration->explored;
    struct arena arena = { 0 };
    struct witness witness;
    bool good = is_of(&witness, text, explored->design, explored->arrivals_digest, &arena, why);

    witness.explored.arrivals = explored->arrivals;
    good = good && opens(&witness, &exploration->witness, &arena, why);
    arena_free(&arena);
    return good;
}

bool witness_breaks(const char *text, const char *design, char why[CLAIM_WHY])
{
    struct arena arena = { 0 };
    struct witness witness;
    bool good = is_of(&witness, text, design, 0, &arena, why) && opens(&witness, NULL, &arena, why);

    arena_free(&arena);
    return good;
}

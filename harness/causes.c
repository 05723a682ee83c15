#include "cell.h"

/* What a run let through beyond the target. */
struct overrun {
    i128 excess;                        /* in billionths */
    int64_t over_admitted;
};

/* The same limiter alone answers the same traffic in the same way, whatever design it is a part of.  Variants
 * and ceiling need not be in the key: a matrix is one experiment. */
struct lone_run {
    const struct limiter *limiter;
    const struct program *program;
    int64_t limit;
    uint64_t seed;
    bool spread;
    struct overrun overrun;
    struct lone_run *next;
};

static bool plays_for(const struct lone_run *lone, const struct cell *cell)
{
    return lone->limiter == cell->design.limiter && lone->program == cell->design.program
        && lone->limit == cell->policy.limit && lone->seed == cell->seed && lone->spread == cell->spread;
}

static const struct lone_run *lone_run_of(const struct cell *cell)
{
    const struct lone_run *lone = cell->matrix->lone;

    while (lone && !plays_for(lone, cell))
        lone = lone->next;
    return lone;
}

static void remember(struct cell *cell, const struct overrun *overrun)
{
    struct lone_run *lone = arena_alloc(&cell->matrix->arena, sizeof *lone);

    *lone = (struct lone_run){ cell->design.limiter, cell->design.program, cell->policy.limit, cell->seed,
                               cell->spread, *overrun, cell->matrix->lone };
    cell->matrix->lone = lone;
}

/* Nothing but the target is judged in a run that is there for comparison. */
static bool play(struct cell *cell, enum reality reality, struct overrun *out, struct failure *failure)
{
    struct oracle_options options = { .target = cell->matrix->experiment->target.kind,
                                      .target_policy = &cell->target, .watched = NO_KEY };
    struct oracle *oracle = arena_alloc(&cell->arena, sizeof *oracle);

    cell_clear(cell);
    oracle_init(oracle, process_memory(), &options);
    bool good = cell_play(cell, reality, oracle_observer(oracle), failure)
             && !cell_interrupted(cell, failure);
    oracle_finish(oracle, cell->world.now_ns);
    *out = (struct overrun){ oracle_excess(oracle).billionths, (int64_t)oracle->over_admitted };
    oracle_free(oracle);
    return good;
}

/* Is this reality the one after it, by what the world of that one has and the run in it met? */
static bool is_next(const struct cell *cell, enum reality reality)
{
    if (cell->matrix->options->every_reality)
        return false;
    switch (reality) {
    case REALITY_FAULTY:  return !cell->matrix->lab.clocks_differ;
    case REALITY_DELAYED: return !cell->world.faulted;
    case REALITY_INSTANT: return !cell->world.delayed;
    default:              return false;
    }
}

static bool play_alone(struct cell *cell, struct overrun *out, struct failure *failure)
{
    const struct lone_run *known = lone_run_of(cell);

    if (known)
        *out = known->overrun;
    else if (play(cell, REALITY_ALONE, out, failure))
        remember(cell, out);
    else
        return false;
    return true;
}

static bool play_realities(struct cell *cell, struct overrun overrun[REALITIES], struct failure *failure)
{
    for (int reality = REALITY_WHOLE - 1; reality > REALITY_ALONE; reality--)
        if (is_next(cell, (enum reality)reality))
            overrun[reality] = overrun[reality + 1];
        else if (!play(cell, (enum reality)reality, &overrun[reality], failure))
            return false;
    return play_alone(cell, &overrun[REALITY_ALONE], failure);
}

bool causes_find(struct cell *cell, struct result *result, struct failure *failure)
{
    struct overrun overrun[REALITIES] = {
        [REALITY_WHOLE] = { result->excess.billionths, (int64_t)result->over_admitted },
    };

    if (cell->matrix->experiment->causes == CAUSES_OFF)
        return true;
    if (!play_realities(cell, overrun, failure))
        return false;
    result->causes.known = true;
    for (int cause = 0; cause < CAUSES; cause++) {
        struct overrun before = cause > 0 ? overrun[cause - 1] : (struct overrun){ 0 };
        result->causes.excess[cause] = (struct decimal){
            .billionths = overrun[cause].excess - before.excess };
        result->causes.over_admitted[cause] = overrun[cause].over_admitted - before.over_admitted;
    }
    return true;
}

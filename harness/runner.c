#include "cell.h"
#include "design.h"

/* ---- contenders ---------------------------------------------------------------------------------------- */

/* The first of each list keeps a window, and is there for those whose target is one. */
static const char *const contenders_of_one_region[] = {
    "sliding-window-log@atomic", "token-bucket@owner", "token-bucket@atomic", "gcra@cas",
    "token-bucket@get-then-set", "fixed-window@incr",
    "sliding-window-counter@atomic", "token-bucket@sharded", "token-bucket@lease",
    "token-bucket@local-sync:instances=4", "token-bucket@local:instances=4:share=split",
    "token-bucket@local:instances=4", "token-bucket@kv", NULL
};

static const char *const contenders_of_regions[] = {
    "sliding-window-log@atomic", "token-bucket@owner", "token-bucket@home-region", "token-bucket@atomic",
    "gcra@cas",
    "token-bucket@get-then-set", "fixed-window@incr", "sliding-window-counter@atomic", "token-bucket@sharded",
    "token-bucket@lease", "token-bucket@local-sync", "fixed-window@regional-counters",
    "token-bucket@local:share=split", "token-bucket@local", "token-bucket@local:instances=4",
    "token-bucket@kv", NULL
};

const char *const *experiment_contenders(const struct experiment *experiment)
{
    bool one = experiment->topology.regions == 1;
    const char *const *list = one ? contenders_of_one_region : contenders_of_regions;

    return experiment->target.kind == TARGET_WINDOW ? list : list + 1;
}

/* ---- the matrix ---------------------------------------------------------------------------------------- */

/* Designs are read once against each limit before anything runs: what cannot be is found at once. */
static bool resolve(struct cell *cell, uint32_t i, bool *possible, struct failure *failure)
{
    struct matrix *matrix = cell->matrix;
    const struct experiment *experiment = matrix->experiment;
    struct origin origin = { 0 };

    if (matrix->stated && experiment->design_origin)
        origin = experiment->design_origin[i];
    cell->text = matrix->designs[i];
    *possible = design_parse(cell->text, &experiment->topology, &cell->policy, origin, &cell->design, failure)
             && cell_suits(cell, origin, failure);
    return *possible || !matrix->stated;
}

static bool run_seeds(struct cell *cell, struct failure *failure)
{
    struct matrix *matrix = cell->matrix;
    const struct experiment *experiment = matrix->experiment;

    for (uint64_t seed = experiment->first_seed; ; seed++) {
        cell->seed = seed;
        cell->watched = matrix->options->series ? arrivals_top_key(&matrix->arrivals, seed, cell->spread)
                                                : NO_KEY;
        bool good = cell_run(cell, failure);
        arena_free(&cell->arena);
        cell->arena = (struct arena){ 0 };
        matrix->done++;
        if (!good)
            return false;
        if (seed == experiment->last_seed)
            return true;
    }
}

/* Where arrivals were logged by a clock that is coarser than the network is quick, concurrency is invented by
 * the rounding: both readings are run, side by side. */
static bool spreads(const struct matrix *matrix)
{
    return matrix->experiment->spread == SPREAD_AUTO && matrix->lab.shortest_ns > 0
        && matrix->arrivals.precision_ns > matrix->lab.shortest_ns;
}

static bool run_design(struct cell *cell, struct failure *failure)
{
    if (!spreads(cell->matrix)) {
        cell->label = "";
        return run_seeds(cell, failure);
    }
    cell->label = "as logged";
    cell->spread = false;
    if (!run_seeds(cell, failure))
        return false;
    cell->label = "spread";
    cell->spread = true;
    bool good = run_seeds(cell, failure);
    cell->spread = false;
    return good;
}

/* run false: only find out whether all of it could be. */
static bool for_each_design(struct matrix *matrix, bool run, struct failure *failure)
{
    struct cell *cell = arena_alloc(&matrix->arena, sizeof *cell);
    bool possible;

    cell->matrix = matrix;
    for (uint32_t l = 0; l < matrix->experiment->limits; l++) {
        if (!cell_policies(cell, matrix->experiment->limit[l], failure))
            return false;
        for (uint32_t i = 0; i < matrix->design_count; i++) {
            if (!resolve(cell, i, &possible, failure))
                return false;
            if (!run)
                matrix->cells += possible;
            else if (possible && !run_design(cell, failure))
                return false;
        }
    }
    return true;
}

/* Negative costs are bad input unless every limiter takes refunds. */
static bool all_refund(const struct matrix *matrix)
{
    for (uint32_t i = 0; i < matrix->design_count; i++) {
        const struct limiter *limiter = design_limiter(matrix->designs[i]);
        if (limiter && !limiter->refunds)
            return false;
    }
    return true;
}

static bool run_matrix(struct matrix *matrix, struct failure *failure)
{
    const struct experiment *experiment = matrix->experiment;
    uint64_t seeds = experiment->last_seed - experiment->first_seed + 1;

    if (!lab_build(&matrix->lab, &experiment->topology, &matrix->arena, failure)
        || !lab_faults(&matrix->lab, experiment, &matrix->arrivals.keys, &matrix->arena, failure)
        || !for_each_design(matrix, false, failure))
        return false;
    matrix->cells *= seeds * (spreads(matrix) ? 2 : 1);
    if ((matrix->options->decisions || matrix->options->ledger) && matrix->cells != 1)
        return fail(failure, EXIT_USAGE, NULL, 0, "%s written of one run, and this is %llu; "
                    "expected one design, limit and seed%s",
                    matrix->options->decisions ? "decisions are" : "a ledger is",
                    (unsigned long long)matrix->cells,
                    spreads(matrix) ? ", and --set spread=off, since the trace's times are coarse" : "");
    if (matrix->options->watch)
        matrix->interrupted = matrix->options->watch();
    return for_each_design(matrix, true, failure);
}

bool experiment_run(const struct experiment *experiment, const struct runner_options *options,
                    struct failure *failure)
{
    struct matrix matrix = { .experiment = experiment, .options = options, .stated = experiment->designs > 0,
                             .designs = experiment->designs > 0 ? experiment->design
                                                                : experiment_contenders(experiment),
                             .design_count = experiment->designs };

    while (!matrix.stated && matrix.designs[matrix.design_count])
        matrix.design_count++;
    if (!arrivals_open(&matrix.arrivals, experiment, all_refund(&matrix), failure))
        return false;
    if (options->note)
        arrivals_notes(&matrix.arrivals, options->note, options->context);
    bool good = run_matrix(&matrix, failure);
    arrivals_close(&matrix.arrivals);
    arena_free(&matrix.arena);
    return good;
}

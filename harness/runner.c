#include <stdio.h>
#include <string.h>
#include "../engine/simulate.h"
#include "arrivals.h"
#include "decisions.h"
#include "design.h"
#include "lab.h"
#include "oracle.h"
#include "runner.h"
#include "units.h"

#define TIMEOUT_NS INT64_C(5000000000)      /* when a caller gives up on a lost answer */

/* Everything that the cells of one experiment share. */
struct matrix {
    const struct experiment *experiment;
    const struct runner_options *options;
    const char *const *designs;
    uint32_t design_count;
    bool stated;                        /* the designs were asked for: one that cannot be is an error */
    struct arrivals arrivals;
    struct arena arena;
    struct lab lab;
    uint64_t cells, done;
    const volatile int *interrupted;    /* NULL: nobody watches */
};

/* One cell: a design, a limit, a seed, and how the arrivals are read. */
struct cell {
    struct matrix *matrix;
    const char *text;                   /* the design, as written */
    const char *label;
    bool spread;
    uint64_t seed;
    int64_t watched;
    struct policy policy, target;
    struct design design;
    struct arena arena;
    struct oracle *oracle;
    struct world world;
    struct chooser chooser;
    uint32_t instances[REGIONS_MAX];
};

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

/* ---- one cell ------------------------------------------------------------------------------------------ */

static bool make_policy(struct policy *policy, int64_t limit, int64_t period_ns, int64_t burst,
                        int64_t epoch_ns, const struct experiment *experiment, struct failure *failure)
{
    *policy = (struct policy){ .limit = limit, .period_ns = period_ns, .burst = burst > 0 ? burst : limit,
                               .epoch_ns = epoch_ns };
    const char *why = policy_init(policy);

    return !why || fail(failure, EXIT_USAGE, experiment->file, 0, "%s", why);
}

static bool make_policies(struct cell *cell, int64_t limit, struct failure *failure)
{
    const struct experiment *experiment = cell->matrix->experiment;
    const struct target *target = &experiment->target;
    int64_t epoch_ns = cell->matrix->arrivals.epoch_ns;
    int64_t target_limit = target->limit > 0 ? target->limit : limit;
    int64_t target_burst = target->burst > 0 ? target->burst
                         : target->limit > 0 ? target->limit : experiment->burst;

    return make_policy(&cell->policy, limit, experiment->period_ns, experiment->burst, epoch_ns, experiment,
                       failure)
        && make_policy(&cell->target, target_limit,
                       target->period_ns > 0 ? target->period_ns : experiment->period_ns, target_burst,
                       epoch_ns, experiment, failure);
}

static bool interrupted(const struct matrix *matrix)
{
    return matrix->interrupted && *matrix->interrupted;
}

static bool keep_on(void *context)
{
    const struct cell *cell = context;
    const struct matrix *matrix = cell->matrix;
    int64_t last_ns = matrix->arrivals.last_ns;
    unsigned part = last_ns <= 0
                  ? 500 : (unsigned)i64_min(999, (int64_t)((i128)cell->world.now_ns * 1000 / last_ns));

    if (matrix->options->progress)
        matrix->options->progress(matrix->options->context,
                                  (unsigned)((matrix->done * 1000 + part) / matrix->cells), cell->text);
    return !interrupted(matrix);
}

/* Keys that have a state, and how many bytes of state a key has on average, all copies together, rounded
 * up. */
static void count_states(const struct world *world, struct result *result)
{
    uint64_t bytes = 0;

    for (uint32_t key = 0; key < world->store[0].keys; key++) {
        bool live = false;
        for (uint32_t s = 0; s < world->stores; s++) {
            const struct store *store = &world->store[s];
            for (uint32_t i = 0; key < store->keys && i < store->cells_per_key; i++) {
                const struct value *value = &store->cell[(size_t)key * store->cells_per_key + i];
                bytes += value_state_bytes(&world->values, value);
                live |= value->present != 0;
            }
        }
        result->live_keys += live;
    }
    result->state_bytes = result->live_keys == 0 ? 0 : (bytes + result->live_keys - 1) / result->live_keys;
}

static void fill_result(struct cell *cell, struct result *result)
{
    struct world *world = &cell->world;

    *result = (struct result){
        .design = cell->text, .label = cell->label, .seed = cell->seed, .limit = cell->policy.limit,
        .period_ns = cell->policy.period_ns, .burst = cell->policy.burst,
        .parameters = design_parameters(&cell->design, &cell->matrix->experiment->topology, &cell->arena),
        .lost_updates = world->lost_updates, .stale_reads = world->stale_reads, .retries = world->retries,
        .store_reads = world->store_reads, .store_writes = world->store_writes,
        .digest = digest_value(&world->digest),
    };
    count_states(world, result);
    oracle_finish(cell->oracle, world->now_ns);
    oracle_result(cell->oracle, &cell->matrix->arrivals.keys, &cell->arena, result);
}

static void set_up_world(struct cell *cell, struct world_setup *setup, struct observer *observer)
{
    struct matrix *matrix = cell->matrix;
    const struct topology *topology = &matrix->experiment->topology;

    design_instances(&cell->design, topology, cell->instances);
    lab_clocks(&matrix->lab, topology, cell->instances, &cell->arena);
    cell->chooser = (struct chooser){ .mode = CHOOSE_KEYED, .seed = cell->seed };
    *setup = (struct world_setup){
        .memory = process_memory(), .observer = observer, .chooser = &cell->chooser, .design = &cell->design,
        .policy = &cell->policy, .network = &matrix->lab.network, .instances = cell->instances,
        .store_region = topology->store, .timeout_ns = TIMEOUT_NS,
        .node_clock = matrix->lab.clocks_differ ? matrix->lab.node_clock : NULL,
        .store_clock = matrix->lab.clocks_differ ? matrix->lab.store_clock : NULL,
    };
    world_init(&cell->world, setup);
}

/* Plays the traffic through the design.  False when it could not be played to its end. */
static bool play(struct cell *cell, struct failure *failure)
{
    struct matrix *matrix = cell->matrix;
    struct observer *observer = oracle_observer(cell->oracle);
    struct decisions decisions;
    struct world_setup setup;
    struct playing playing;
    bool written = true;

    if (matrix->options->decisions
        && !decisions_open(&decisions, matrix->options->decisions, observer, &matrix->arrivals.keys,
                           &matrix->experiment->topology, matrix->arrivals.epoch_ns,
                           matrix->options->headers, failure))
        return false;
    set_up_world(cell, &setup, matrix->options->decisions ? &decisions.observer : observer);
    playing_start(&playing, &matrix->arrivals, cell->seed, cell->spread);
    simulate(&cell->world, &playing.merged.source, keep_on, cell);
    if (matrix->options->decisions)
        written = decisions_close(&decisions, !interrupted(matrix), failure);
    return playing_end(&playing, failure) && written;
}

static bool run_cell(struct cell *cell, struct failure *failure)
{
    struct matrix *matrix = cell->matrix;
    struct oracle_options options = { limiter_rule(cell->design.limiter), &cell->policy,
                                      matrix->experiment->target.kind, &cell->target, cell->watched };
    struct result *result = arena_alloc(&cell->arena, sizeof *result);

    cell->oracle = arena_alloc(&cell->arena, sizeof *cell->oracle);
    oracle_init(cell->oracle, process_memory(), &options);
    cell->world.setup = NULL;
    bool good = play(cell, failure);
    if (good && interrupted(matrix))
        good = fail(failure, EXIT_INTERRUPTED, NULL, 0, "interrupted; what was finished is kept");
    if (good) {
        fill_result(cell, result);
        good = matrix->options->finished(matrix->options->context, result, failure);
    }
    if (cell->world.setup)
        world_free(&cell->world);
    oracle_free(cell->oracle);
    return good;
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
    *possible = design_parse(cell->text, &experiment->topology, &cell->policy, origin, &cell->design,
                             failure);
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
        bool good = run_cell(cell, failure);
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
        if (!make_policies(cell, matrix->experiment->limit[l], failure))
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
        || !for_each_design(matrix, false, failure))
        return false;
    matrix->cells *= seeds * (spreads(matrix) ? 2 : 1);
    if (matrix->options->decisions && matrix->cells != 1)
        return fail(failure, EXIT_USAGE, NULL, 0, "decisions are written of one run, and this is %llu; "
                    "expected one design, limit and seed%s", (unsigned long long)matrix->cells,
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

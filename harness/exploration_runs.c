/* exploration_runs.c - see exploration_runs.h. */
#include "exploration_runs.h"

/* What every run is held against. */
struct judging {
    struct exploration *out;
    struct explorer *explorer;
    const struct explored_bounds *bounds;
    uint64_t run;                       /* the present one, for sampling */
};

/* The most that a run admits of is not always the worst of them: what is over is told apart by its excess. */
static uint64_t judge_run(void *context, const struct told *told, uint32_t n)
{
    struct exploration *out = ((struct judging *)context)->out;
    uint64_t admitted = told_requests(told, n);
    i128 excess = small_target_excess(&out->target, told, n);

    out->most = admitted > out->most ? admitted : out->most;
    out->least = out->least_known && out->least < admitted ? out->least : admitted;
    out->least_known = true;
    out->excess = i128_max(out->excess, excess);
    return excess > UINT64_MAX ? UINT64_MAX : (uint64_t)excess;
}

/* A run needs nothing of those before it. */
static void forget_runs(struct judging *judging)
{
    struct explore_setup setup = judging->explorer->setup;

    judging->out->overrun |= judging->explorer->small.overrun;
    explorer_free(judging->explorer);
    explorer_init(judging->explorer, &setup);
}

static bool ask(void *context, uint64_t runs)
{
    struct judging *judging = context;
    const struct explored_bounds *bounds = judging->bounds;

    judging->run = runs;
    if (bounds->most_bytes > 0 && explore_parts_bytes(judging->explorer) > bounds->most_bytes)
        forget_runs(judging);
    return !bounds->keep_on || bounds->keep_on(bounds->context, runs, 0);
}

/* Where it over-admits: the smallest violation, as far as the bounds let it be found. */
static bool has_small_witness(struct exploration *out, struct explored_world *world,
                              const struct explored_bounds *bounds, struct arena *arena)
{
    witness_find(world->explored, bounds, arena, &out->witness);
    return out->witness.text;
}

/* ---- sampling ------------------------------------------------------------------------------------------ */

static uint64_t judge_sample(void *context, const struct told *told, uint32_t n)
{
    struct judging *judging = context;
    uint64_t *most = &judging->out->samples.most[sample_of_portfolio(judging->run).rule];
    uint64_t admitted = told_requests(told, n);

    *most = admitted > *most ? admitted : *most;
    return judge_run(context, told, n);
}

/* Some runs with as few preemptions as may be: people can follow those.  False: none of them over-admits. */
static bool has_calm_witness(struct exploration *out, struct explored_world *world,
                             const struct sample_world *samples, struct arena *arena)
{
    enum { DEPTHS = 3, RUNS = 32 };

    for (uint32_t i = 0; i < DEPTHS * RUNS && !out->witness.text; i++) {
        struct sampler calm = { SAMPLE_PREEMPTIONS, 1 + i / RUNS };
        struct sample_trace trace = { NULL, 0, 0 };
        struct walk walk;
        uint32_t n;
        sample_walk(samples, calm, out->samples.seed, i % RUNS, &walk, &trace);
        const struct told *told = walk_told(&walk, &n);
        if (small_target_over(&out->target, told, n))
            witness_of_walk(world, trace.option, trace.n, arena, &out->witness);
        memory_free(process_memory(), trace.option);
    }
    return out->witness.text;
}

static void note_yields(struct exploration *out, const struct sampled *sampled)
{
    out->samples.runs = sampled->runs;
    for (unsigned i = 0; i < SAMPLE_RULES; i++) {
        out->samples.yield[i] = sampled->yield[i];
        out->samples.yield[i].most = out->samples.most[i];
        out->samples.found += sampled->yield[i].found;
    }
    for (size_t i = 0; i < sampled->trace.n; i++)
        out->background |= sampled->trace.option[i].action.kind == SMALL_BACKGROUND;
}

void exploration_sample(struct exploration *out, struct explored_world *world,
                        const struct explored_bounds *bounds, uint64_t seed, uint64_t runs,
                        struct arena *arena)
{
    struct judging judging = { .out = out, .explorer = &world->explorer, .bounds = bounds };
    struct sample_world samples;
    struct sampled sampled;

    exploration_init(out, world);
    out->way = EXPLORATION_SAMPLED;
    out->samples.asked = runs;
    out->samples.seed = seed;
    sample_open(&samples, &world->explorer);
    sample_portfolio(&samples, &(struct sample_setup){
        .seed = seed, .runs = runs, .worth = { judge_sample, &judging }, .least = 1, .all_runs = true,
        .keep_on = ask, .context = &judging }, &sampled);
    out->overrun |= world->explorer.small.overrun;
    note_yields(out, &sampled);
    if (out->excess > 0 && !has_small_witness(out, world, bounds, arena) &&
        !has_calm_witness(out, world, &samples, arena))
        witness_of_walk(world, sampled.trace.option, sampled.trace.n, arena, &out->witness);
    memory_free(process_memory(), sampled.trace.option);
}

double chance_at_most(uint64_t n)
{
    double low = 0, high = 1;

    for (int i = 0; i < 80; i++) {
        double middle = (low + high) / 2, base = 1 - middle, unseen = 1;
        for (uint64_t power = n; power > 0; power >>= 1, base *= base)
            unseen *= power & 1 ? base : 1;
        if (unseen > 0.05)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* ---- stateless ----------------------------------------------------------------------------------------- */

const char *exploration_refused(struct explored_world *world)
{
    struct dpor_result result;
    struct worth worth = { small_target_admitted, NULL };

    dpor_run(&(struct dpor_setup){ .explorer = &world->explorer, .worth = worth, .most_runs = 1 }, &result);
    memory_free(process_memory(), result.client);
    return result.refused;
}

void exploration_stateless(struct exploration *out, struct explored_world *world,
                           const struct explored_bounds *bounds, uint64_t estimate, struct arena *arena)
{
    struct judging judging = { .out = out, .explorer = &world->explorer, .bounds = bounds };
    struct dpor_result result;

    exploration_init(out, world);
    out->way = EXPLORATION_STATELESS;
    dpor_run(&(struct dpor_setup){
        .explorer = &world->explorer, .worth = { judge_run, &judging }, .most_runs = bounds->most_states,
        .keep_on = ask, .context = &judging }, &result);
    out->overrun |= world->explorer.small.overrun;
    out->stateless.end = result.end;
    out->stateless.estimate = estimate;
    out->stateless.executions = result.executions;
    out->stateless.repeated = result.blocked;
    out->stateless.refused = result.refused;
    struct walk_option *step = arena_alloc(arena, result.steps * sizeof *step);
    for (uint32_t i = 0; i < result.steps; i++)
        step[i] = (struct walk_option){ .client = result.client[i], .action = { SMALL_ACT, 0 } };
    memory_free(process_memory(), result.client);
    if (out->excess > 0 && !has_small_witness(out, world, bounds, arena))
        witness_of_walk(world, step, result.steps, arena, &out->witness);
}

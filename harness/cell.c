#include "cell.h"
#include <stdio.h>
#include <string.h>
#include "../algos/protocols/protocols.h"
#include "../engine/simulate.h"
#include "claims.h"
#include "decisions.h"
#include "design.h"
#include "frozen.h"
#include "ledger.h"
#include "liveness.h"
#include "units.h"

/* ---- its policies -------------------------------------------------------------------------------------- */

static bool make_policy(struct policy *policy, int64_t limit, int64_t period_ns, int64_t burst,
                        int64_t epoch_ns, const struct experiment *experiment, struct failure *failure)
{
    *policy = (struct policy){ .limit = limit, .period_ns = period_ns, .burst = burst > 0 ? burst : limit,
                               .epoch_ns = epoch_ns };
    const char *why = policy_init(policy);

    return !why || fail(failure, EXIT_USAGE, experiment->file, 0, "%s", why);
}

/* ---- variants and ceiling ------------------------------------------------------------------------------ */

static uint32_t variants_of(const struct experiment *experiment) { return 1 + experiment->variants; }

static bool make_variant(struct policy *policy, const struct cell *cell, const struct variant *variant,
                         struct failure *failure)
{
    const struct experiment *experiment = cell->matrix->experiment;
    int64_t burst = variant->burst > 0 ? variant->burst
                  : variant->limit > 0 ? variant->limit : cell->policy.burst;

    if (!make_policy(policy, variant->limit > 0 ? variant->limit : cell->policy.limit,
                     variant->period_ns > 0 ? variant->period_ns : experiment->period_ns, burst,
                     cell->policy.epoch_ns, experiment, failure))
        return false;
    policy->format = variant->format;
    return true;
}

/* The policies of both layers; they hang on the matrix's arena. */
static bool make_layers(struct cell *cell, struct failure *failure)
{
    const struct experiment *experiment = cell->matrix->experiment;
    const struct ceiling *ceiling = &experiment->ceiling;
    uint32_t variants = variants_of(experiment);
    struct policy *policies = arena_alloc(&cell->matrix->arena, LAYERS * variants * sizeof *policies);

    policies[0] = cell->policy;
    for (uint32_t i = 1; i < variants; i++)
        if (!make_variant(&policies[i], cell, &experiment->variant[i - 1], failure))
            return false;
    if (ceiling->limit > 0
        && !make_policy(&cell->ceiling, ceiling->limit,
                        ceiling->period_ns > 0 ? ceiling->period_ns : experiment->period_ns, ceiling->burst,
                        cell->policy.epoch_ns, experiment, failure))
        return false;
    for (uint32_t i = 0; i < variants; i++)
        policies[variants + i] = cell->ceiling;
    cell->policies = policies;
    return true;
}

bool cell_policies(struct cell *cell, int64_t limit, struct failure *failure)
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
                       epoch_ns, experiment, failure)
        && make_layers(cell, failure);
}

bool cell_suits(struct cell *cell, struct origin origin, struct failure *failure)
{
    const struct experiment *experiment = cell->matrix->experiment;
    bool keeps_ceiling = program_has_ceiling(cell->design.program);
    uint32_t policies = variants_of(experiment) + keeps_ceiling;

    if (keeps_ceiling && experiment->ceiling.limit == 0)
        return fail(failure, EXIT_USAGE, origin.file, origin.line,
                    "%s asks for a ceiling, and there is none; expected the key ceiling, as in {limit: 1000}",
                    cell->text);
    for (uint32_t i = 1; i < policies; i++)
        if (!design_takes(cell->text, &cell->design, &experiment->topology, &cell->policies[i], origin,
                          failure))
            return false;
    return true;
}

/* ---- playing ------------------------------------------------------------------------------------------- */

static bool interrupted(const struct matrix *matrix)
{
    return matrix->interrupted && *matrix->interrupted;
}

bool cell_interrupted(const struct cell *cell, struct failure *failure)
{
    return interrupted(cell->matrix)
        && !fail(failure, EXIT_INTERRUPTED, NULL, 0, "interrupted; what was finished is kept");
}

/* One cell is a thousandth or more of the whole; the runs that find causes are a part that takes no space. */
static void show_progress(const struct cell *cell)
{
    const struct matrix *matrix = cell->matrix;
    int64_t last_ns = matrix->arrivals.last_ns;
    unsigned part = last_ns <= 0
                  ? 500 : (unsigned)i64_min(999, (int64_t)((i128)cell->world.now_ns * 1000 / last_ns));

    if (matrix->options->progress)
        matrix->options->progress(matrix->options->context,
                                  (unsigned)((matrix->done * 1000 + part) / matrix->cells), cell->text);
}

static bool keep_on(void *context)
{
    show_progress(context);
    return !interrupted(((const struct cell *)context)->matrix);
}

static bool keep_on_quietly(void *context)
{
    return !interrupted(((const struct cell *)context)->matrix);
}

static const struct network *network_of(const struct lab *lab, enum reality reality)
{
    return reality <= REALITY_INSTANT ? &lab->instant : reality < REALITY_FAULTY ? &lab->calm : &lab->network;
}

static void set_up_world(struct cell *cell, enum reality reality, struct world_setup *setup,
                         struct observer *observer)
{
    struct matrix *matrix = cell->matrix;
    const struct topology *topology = &matrix->experiment->topology;
    bool skewed = reality == REALITY_WHOLE && matrix->lab.clocks_differ;

    design_instances(&cell->design, topology, cell->instances);
    lab_clocks(&matrix->lab, topology, cell->instances, &cell->arena);
    cell->chooser = (struct chooser){ .mode = CHOOSE_KEYED, .seed = cell->seed };
    *setup = (struct world_setup){
        .memory = process_memory(), .observer = observer, .chooser = &cell->chooser, .design = &cell->design,
        .policy = cell->policies, .layers = program_has_ceiling(cell->design.program) ? LAYERS : 1,
        .variants = variants_of(matrix->experiment), .ceiling_from = cell->buckets.count,
        .ceiling_key = cell->buckets.ceiling, .work_ns = matrix->experiment->work_ns,
        .network = network_of(&matrix->lab, reality), .instances = cell->instances,
        .store_region = topology->store, .timeout_ns = matrix->experiment->timeout_ns,
        .judges_quota = reality == REALITY_WHOLE && claims_need_quotas(matrix->experiment),
        .node_clock = skewed ? matrix->lab.node_clock : NULL,
        .store_clock = skewed ? matrix->lab.store_clock : NULL,
        .instant = reality <= REALITY_INSTANT,
        .fault = matrix->lab.fault, .faults = reality >= REALITY_FAULTY ? matrix->experiment->faults : 0,
    };
}

static void intervene(struct cell *cell, enum reality reality, struct world_setup *setup)
{
    const struct intervention *intervention = cell->intervention;

    if (!intervention)
        return;
    cell->chooser.record = intervention->record;
    cell->chooser.replay = intervention->replay;
    if (intervention->replay)
        cell->chooser.mode = CHOOSE_REPLAY;
    setup->fault = intervention->fault;
    setup->faults = reality >= REALITY_FAULTY ? intervention->faults : 0;
}

/* Where the requests of a playing come from. */
static struct source *source_of(const struct cell *cell, const struct playing *playing)
{
    struct intervention *intervention = cell->intervention;

    return intervention && intervention->source ? intervention->source(intervention, playing->source)
                                                : playing->source;
}

/* The same limiter and program, and nothing else of the design. */
static void leave_alone(struct cell *cell, struct design *owner, struct world_setup *setup)
{
    *owner = (struct design){ .limiter = cell->design.limiter, .coordination = coordination_find("owner"),
                              .program = cell->design.program };
    setup->design = owner;
    for (uint32_t region = 0; region < REGIONS_MAX; region++)
        cell->instances[region] = 1;
}

/* A source whose requests all go by the key of who asks. */
struct by_subject { struct source source, *inner; };

static bool next_by_subject(struct source *self, struct arrival *out)
{
    struct source *inner = ((struct by_subject *)self)->inner;
    bool any = inner->next(inner, out);

    out->bucket = 0;
    return any;
}

static bool ended_by_subject(struct source *self, const struct arrival *arrival, int64_t now_ns,
                             const struct verdict *verdict, struct arrival *out)
{
    struct source *inner = ((struct by_subject *)self)->inner;
    bool again = inner->ended(inner, arrival, now_ns, verdict, out);

    out->bucket = 0;
    return again;
}

bool cell_play(struct cell *cell, enum reality reality, struct observer *observer, struct failure *failure)
{
    struct by_subject by_subject = { { next_by_subject, NULL }, NULL };
    struct source *source;
    struct design owner;
    struct playing playing;

    buckets_make(&cell->buckets, &cell->matrix->arrivals.keys,
                 reality == REALITY_ALONE ? NULL : cell->design.key_rule, &cell->matrix->experiment->ceiling,
                 &cell->arena);
    set_up_world(cell, reality, &cell->setup, observer);
    intervene(cell, reality, &cell->setup);
    if (reality == REALITY_ALONE)
        leave_alone(cell, &owner, &cell->setup);
    world_init(&cell->world, &cell->setup);
    playing_start(&playing, &cell->matrix->arrivals, cell->seed, cell->spread);
    playing_by_rule(&playing, cell->buckets.bucket);
    by_subject.inner = source = source_of(cell, &playing);
    by_subject.source.ended = source->ended ? ended_by_subject : NULL;
    simulate(&cell->world, reality == REALITY_ALONE ? &by_subject.source : source,
             reality == REALITY_WHOLE ? keep_on : keep_on_quietly, cell);
    return playing_end(&playing, failure);
}

void cell_clear(struct cell *cell)
{
    if (cell->world.setup)
        world_free(&cell->world);
    cell->world.setup = NULL;
}

/* ---- what it measured ---------------------------------------------------------------------------------- */

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

static void fill_result(struct cell *cell, struct oracle *oracle, struct result *result)
{
    struct world *world = &cell->world;

    *result = (struct result){
        .design = cell->text, .label = cell->label, .seed = cell->seed, .limit = cell->policy.limit,
        .period_ns = cell->policy.period_ns, .burst = cell->policy.burst,
        .parameters = design_parameters(&cell->design, &cell->matrix->experiment->topology, &cell->arena),
        .lost_updates = world->lost_updates, .stale_reads = world->stale_reads, .retries = world->retries,
        .store_reads = world->store_reads, .store_writes = world->store_writes,
        .most_operations = world->most_operations, .stored_peak = world->stored_peak,
        .quota.judged = claims_need_quotas(cell->matrix->experiment),
        .digest = digest_value(&world->digest),
    };
    count_states(world, result);
    oracle_result(oracle, &cell->matrix->arrivals.keys, &cell->arena, result);
    result->stuck_keys = liveness_stuck_keys(world, oracle, cell->buckets.bucket, &cell->arena);
}

/* ---- recording ----------------------------------------------------------------------------------------- */

/* Who hears of the run itself: the oracle, and before it whoever writes files. */
struct recording {
    struct observer *observer;
    bool decides, explains;             /* into a file of decisions; a ledger */
    struct decisions decisions;
    struct ledger ledger;
};

static bool record_decisions(const struct matrix *matrix, struct recording *recording,
                             struct failure *failure)
{
    const struct runner_options *options = matrix->options;

    recording->decides = options->decisions
        && decisions_open(&recording->decisions, options->decisions, recording->observer,
                          &matrix->arrivals.keys, &matrix->experiment->topology, matrix->arrivals.epoch_ns,
                          options->headers, failure);
    if (recording->decides)
        recording->observer = &recording->decisions.observer;
    return recording->decides || !options->decisions;
}

static bool record_ledger(const struct cell *cell, struct recording *recording, const struct oracle *oracle,
                          struct failure *failure)
{
    const struct matrix *matrix = cell->matrix;
    struct ledger_setting setting = {
        .path = matrix->options->ledger, .keys = &matrix->arrivals.keys,
        .topology = &matrix->experiment->topology, .epoch_ns = matrix->arrivals.epoch_ns,
        .period_ns = cell->target.period_ns, .faulty = matrix->experiment->faults > 0,
    };

    recording->explains = setting.path
        && ledger_open(&recording->ledger, &setting, recording->observer, oracle, failure);
    if (recording->explains)
        recording->observer = &recording->ledger.observer;
    return recording->explains || !setting.path;
}

static bool end_recording(struct recording *recording, bool whole, struct failure *failure)
{
    bool good = true;

    if (recording->explains)
        good = ledger_close(&recording->ledger, whole, failure);
    if (recording->decides)
        good = decisions_close(&recording->decisions, whole && good, failure) && good;
    return good;
}

/* ---- running ------------------------------------------------------------------------------------------- */

static bool run_whole(struct cell *cell, struct oracle *oracle, struct recording *recording,
                      struct failure *failure)
{
    const struct matrix *matrix = cell->matrix;

    recording->observer = oracle_observer(oracle);
    if (!record_decisions(matrix, recording, failure))
        return false;
    bool good = record_ledger(cell, recording, oracle, failure)
        && cell_play(cell, REALITY_WHOLE, recording->observer, failure)
        && !cell_interrupted(cell, failure);
    if (good)
        oracle_finish(oracle, cell->world.now_ns);
    return end_recording(recording, good, failure) && good;
}

/* Makes the choices that were asked for, and writes down of which requests. */
static void follow_schedule(struct cell *cell, struct frozen *frozen)
{
    const struct matrix *matrix = cell->matrix;

    frozen_record(frozen);
    frozen->intervention.replay = matrix->options->schedule;
    frozen->intervention.fault = matrix->lab.fault;
    frozen->intervention.faults = matrix->experiment->faults;
    cell->intervention = &frozen->intervention;
}

static bool followed_schedule(struct cell *cell, struct frozen *frozen, struct failure *failure)
{
    frozen_sort(frozen);
    bool same = !cell->chooser.strayed && cell->matrix->options->schedule->subject
                                          == frozen_subject(cell, frozen->arrival, frozen->arrivals);

    frozen_free(frozen);
    cell->intervention = NULL;
    return same || fail(failure, EXIT_USAGE, NULL, 0, "these choices are of another run; expected the "
                        "design, limit and requests that they were found with");
}

static bool run_as_told(struct cell *cell, struct oracle *oracle, struct recording *recording,
                        struct failure *failure)
{
    struct frozen frozen;

    if (!cell->matrix->options->schedule)
        return run_whole(cell, oracle, recording, failure);
    follow_schedule(cell, &frozen);
    bool good = run_whole(cell, oracle, recording, failure);
    return followed_schedule(cell, &frozen, failure) && good;
}

static struct oracle_options judging(struct cell *cell)
{
    const struct matrix *matrix = cell->matrix;

    buckets_make(&cell->buckets, &matrix->arrivals.keys, cell->design.key_rule, &matrix->experiment->ceiling,
                 &cell->arena);
    return (struct oracle_options){
        .variants = variants_of(matrix->experiment), .ceiling = cell->buckets.group ? &cell->ceiling : NULL,
        .group = cell->buckets.group, .keeps_ceiling = program_has_ceiling(cell->design.program),
        .limiter = limiter_rule(cell->design.limiter), .policy = cell->policies, .watched = cell->watched,
        .target = matrix->experiment->target.kind, .target_policy = &cell->target,
    };
}

bool cell_measure(struct cell *cell, struct result *result, struct failure *failure)
{
    struct oracle *oracle = arena_alloc(&cell->arena, sizeof *oracle);
    struct oracle_options options = judging(cell);

    oracle_init(oracle, process_memory(), &options);
    bool good = cell_play(cell, REALITY_WHOLE, oracle_observer(oracle), failure)
        && !cell_interrupted(cell, failure);
    if (good) {
        oracle_finish(oracle, cell->world.now_ns);
        fill_result(cell, oracle, result);
    }
    oracle_free(oracle);
    cell_clear(cell);
    return good;
}

bool cell_run(struct cell *cell, struct failure *failure)
{
    struct matrix *matrix = cell->matrix;
    struct result *result = arena_alloc(&cell->arena, sizeof *result);
    struct oracle *oracle = arena_alloc(&cell->arena, sizeof *oracle);
    struct recording *recording = arena_alloc(&cell->arena, sizeof *recording);
    struct oracle_options options = judging(cell);

    options.judged = matrix->options->ledger ? ledger_judged : NULL;
    options.context = &recording->ledger;
    oracle_init(oracle, process_memory(), &options);
    cell->world.setup = NULL;
    bool good = run_as_told(cell, oracle, recording, failure);
    if (good)
        fill_result(cell, oracle, result);
    oracle_free(oracle);
    good = good && causes_find(cell, result, failure)
        && matrix->options->finished(matrix->options->context, result, failure);
    cell_clear(cell);
    return good && (!matrix->options->probe
                    || matrix->options->probe(matrix->options->context, cell, result, failure));
}

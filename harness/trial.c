/* trial.c - see trial.h. */
#include "trial.h"
#include <string.h>
#include "../engine/digest.h"
#include "figures.h"

void trials_open(struct trials *trials, struct cell *cell, uint64_t most_runs, struct arena *arena)
{
    *trials = (struct trials){ .cell = cell, .most_runs = most_runs };
    trials->probe = arena_alloc(arena, sizeof *trials->probe);
    intern_init(&trials->tried, process_memory());
}

void trials_close(struct trials *trials)
{
    intern_free(&trials->tried);
}

/* A cell like the one that failed, for one playing. */
static struct cell *fresh_probe(struct trials *trials, struct frozen *frozen,
                                const struct candidate *candidate)
{
    struct cell *probe = trials->probe;

    *probe = *trials->cell;
    probe->arena = (struct arena){ 0 };
    probe->world.setup = NULL;
    probe->watched = NO_KEY;
    probe->intervention = &frozen->intervention;
    *frozen = (struct frozen){ .intervention = { .fault = candidate->fault, .faults = candidate->faults,
                                                 .replay = candidate->replay } };
    frozen_play(frozen, candidate->arrival, candidate->requests);
    trials->runs++;
    return probe;
}

/* ---- the target ---------------------------------------------------------------------------------------- */

struct telling { const struct candidate *candidate; uint32_t key, near; struct played *out; };

/* They are judged nearly in the order of the list. */
static void tell_fate(struct telling *telling, const struct judged *judged)
{
    uint32_t requests = telling->candidate->requests;

    for (uint32_t tried = 0; tried < requests; tried++) {
        uint32_t i = (telling->near + tried) % requests;
        if (telling->candidate->arrival[i].id != judged->id)
            continue;
        telling->out->fate[i] = judged->kept ? FATE_ADMITTED : FATE_OVER;
        telling->near = i + 1;
        return;
    }
}

static void tell(void *context, const struct judged *judged)
{
    struct telling *telling = context;
    struct played *out = telling->out;

    out->over += !judged->kept && judged->key == telling->key;
    if (out->over_by_key)
        out->over_by_key[judged->key] += !judged->kept;
    if (out->fate)
        tell_fate(telling, judged);
}

bool trial_play(struct trials *trials, const struct candidate *candidate, enum reality reality,
                struct played *out)
{
    struct frozen frozen;
    struct cell *probe = fresh_probe(trials, &frozen, candidate);
    struct telling telling = { candidate, trials->symptom.key, 0, out };
    struct oracle_options options = { .target = probe->matrix->experiment->target.kind,
                                      .target_policy = &probe->target, .watched = NO_KEY,
                                      .judged = tell, .context = &telling };
    struct oracle *oracle = arena_alloc(&probe->arena, sizeof *oracle);

    out->over = 0;
    frozen.intervention.record = out->record;
    oracle_init(oracle, process_memory(), &options);
    bool good = cell_play(probe, reality, oracle_observer(oracle), &trials->failure)
        && !cell_interrupted(probe, &trials->failure);
    if (good) {
        oracle_finish(oracle, probe->world.now_ns);
        out->digest = digest_value(&probe->world.digest);
        out->strayed = probe->chooser.strayed;
    }
    oracle_free(oracle);
    cell_clear(probe);
    arena_free(&probe->arena);
    return good;
}

/* What the candidate over-admits in the reality that lacks the cause.  Choices were made for one reality: in
 * another they fit where both ask for the same ones. */
static bool play_before(struct trials *trials, const struct candidate *candidate, uint64_t *over)
{
    struct candidate keyed = *candidate;
    struct played before = { 0 };

    *over = 0;
    if (trials->symptom.cause == CAUSE_ALGORITHM)
        return true;
    if (trials->symptom.cause != CAUSE_CLOCK)
        keyed.replay = NULL;
    bool good = trial_play(trials, &keyed, (enum reality)(trials->symptom.cause - 1), &before);
    *over = before.over;
    return good;
}

static bool breaks_target(struct trials *trials, const struct candidate *candidate)
{
    const struct symptom *symptom = &trials->symptom;
    struct played whole = { 0 }, again = { 0 }, alone = { 0 };
    uint64_t before;

    if (!trial_play(trials, candidate, symptom->reality, &whole) || whole.over == 0 || whole.strayed
        || !play_before(trials, candidate, &before) || whole.over <= before)
        return false;
    if (symptom->cause == CAUSE_ALGORITHM
        && (!trial_play(trials, candidate, REALITY_ALONE, &alone) || alone.over == 0))
        return false;
    return trial_play(trials, candidate, symptom->reality, &again) && again.over == whole.over
        && again.digest == whole.digest;
}

/* ---- a promise, a condition ---------------------------------------------------------------------------- */

/* A figure that is null says nothing. */
static bool breaks_condition(const struct condition *condition, const struct result *result)
{
    return !figures[condition->figure].get(result).null && !condition_holds(condition, result);
}

static bool measure(struct trials *trials, const struct candidate *candidate, uint64_t *digest)
{
    struct frozen frozen;
    struct cell *probe = fresh_probe(trials, &frozen, candidate);
    struct result result;
    bool good = cell_measure(probe, &result, &trials->failure) && !probe->chooser.strayed
        && (trials->symptom.kind == SYMPTOM_PROMISE ? !result.promise_kept
                                                    : breaks_condition(trials->symptom.condition, &result));

    *digest = good ? result.digest : 0;
    arena_free(&probe->arena);
    return good;
}

/* ---- any ----------------------------------------------------------------------------------------------- */

static bool is_new(struct trials *trials, const struct candidate *candidate)
{
    struct digest digest;
    size_t known = trials->tried.items;

    digest_init(&digest, process_memory());
    for (uint32_t i = 0; i < candidate->requests; i++) {
        const struct arrival *arrival = &candidate->arrival[i];
        int64_t fields[] = { (int64_t)arrival->id, arrival->at_ns, arrival->cost, arrival->surplus };
        digest_add(&digest, fields, sizeof fields);
    }
    for (uint32_t i = 0; i < candidate->faults; i++) {
        const struct fault *fault = &candidate->fault[i];
        int64_t fields[] = { fault->kind, fault->from_ns, fault->to_ns, fault->span_ns, fault->key,
                             fault->region, fault->instance, fault->from, fault->to, fault->billionths };
        digest_add(&digest, fields, sizeof fields);
    }
    digest_add(&digest, &candidate->faults, sizeof candidate->faults);
    for (size_t i = 0; candidate->replay && i < candidate->replay->n; i++)
        digest_add(&digest, &candidate->replay->choice[i], sizeof candidate->replay->choice[i]);
    digest_add(&digest, candidate->replay ? "r" : "k", 1);
    uint64_t name = digest_value(&digest);
    digest_free(&digest);
    return intern(&trials->tried, &name, sizeof name) == known;
}

bool trial(struct trials *trials, const struct candidate *candidate)
{
    uint64_t first, second;

    trials->cut |= trials->runs >= trials->most_runs || trials->failure.code != EXIT_HOLDS
                || (trials->cell->matrix->interrupted && *trials->cell->matrix->interrupted);
    if (trials->cut || candidate->requests == 0 || !is_new(trials, candidate))
        return false;
    if (trials->symptom.kind == SYMPTOM_TARGET)
        return breaks_target(trials, candidate);
    return measure(trials, candidate, &first) && measure(trials, candidate, &second) && first == second;
}

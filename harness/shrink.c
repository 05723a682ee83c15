/* shrink.c - see shrink.h. */
#include "shrink.h"
#include <string.h>
#include "figures.h"
#include "shrink_values.h"

/* ---- which failure ------------------------------------------------------------------------------------- */

static bool is_about_target(const struct condition *condition)
{
    static const char *const paths[] = { "over_admitted", "over_admitted_cost", "excess" };

    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strcmp(figures[condition->figure].path, paths[i]) == 0)
            return true;
    return false;
}

bool shrink_finds(const struct result *result, const struct condition *require, uint32_t requires,
                  struct symptom *out)
{
    *out = (struct symptom){ .kind = SYMPTOM_TARGET, .reality = REALITY_WHOLE };
    for (uint32_t i = 0; i < requires; i++) {
        if (figures[require[i].figure].get(result).null || condition_holds(&require[i], result))
            continue;
        if (!is_about_target(&require[i]) || result->over_admitted == 0)
            out->kind = SYMPTOM_CONDITION;
        out->condition = &require[i];
        return true;
    }
    if (requires > 0)
        return false;
    if (result->over_admitted > 0)
        return true;
    out->kind = SYMPTOM_PROMISE;
    return !result->promise_kept;
}

/* ---- whose, and by what -------------------------------------------------------------------------------- */

/* What every reality lets through of the frozen requests, by key. */
static bool play_realities(struct trials *trials, const struct candidate *whole,
                           uint64_t *over_by_key[REALITIES], struct arena *arena)
{
    for (int reality = 0; reality < REALITIES; reality++) {
        struct played played = { 0 };
        played.over_by_key = over_by_key[reality] =
            arena_alloc(arena, (trials->cell->matrix->arrivals.keys.count + (size_t)1) * sizeof(uint64_t));
        if (!trial_play(trials, whole, (enum reality)reality, &played))
            return false;
    }
    return true;
}

static int64_t share_of(uint64_t *const over_by_key[REALITIES], int cause, uint32_t key)
{
    return (int64_t)over_by_key[cause][key] - (cause > 0 ? (int64_t)over_by_key[cause - 1][key] : 0);
}

/* The cause of most, and the key to which it does most. */
static bool find_cause(struct trials *trials, uint64_t *const over_by_key[REALITIES])
{
    struct symptom *symptom = &trials->symptom;
    uint32_t keys = trials->cell->matrix->arrivals.keys.count;
    int64_t most = 0, worst = 0;

    for (int cause = 0; cause < CAUSES; cause++) {
        int64_t total = 0;
        for (uint32_t key = 0; key < keys; key++)
            total += share_of(over_by_key, cause, key);
        if (total > most)
            symptom->cause = (enum cause)cause;
        most = i64_max(most, total);
    }
    for (uint32_t key = 0; key < keys && most > 0; key++)
        if (share_of(over_by_key, (int)symptom->cause, key) > worst) {
            worst = share_of(over_by_key, (int)symptom->cause, key);
            symptom->key = key;
        }
    symptom->reality = symptom->cause == CAUSE_ALGORITHM ? REALITY_INSTANT : (enum reality)symptom->cause;
    while (worst > 0 && over_by_key[symptom->reality][symptom->key] == 0 && symptom->reality < REALITY_WHOLE)
        symptom->reality++;
    return worst > 0 && over_by_key[symptom->reality][symptom->key] > 0;
}

static bool find_symptom(struct trials *trials, const struct candidate *whole, struct arena *arena)
{
    uint64_t *over_by_key[REALITIES];

    return trials->symptom.kind != SYMPTOM_TARGET
        || (play_realities(trials, whole, over_by_key, arena) && find_cause(trials, over_by_key));
}

/* ---- entities ------------------------------------------------------------------------------------------ */

struct shrinker {
    struct trials *trials;
    struct candidate *left;             /* the smallest so far; its lists may be written to */
    struct arrival *arrival, *scratch;
    struct fault *fault, *fault_scratch;
};

/* Takes the candidate in scratch where it fails too. */
static bool take(struct shrinker *shrinker, uint32_t requests)
{
    struct candidate smaller = *shrinker->left;

    smaller.arrival = shrinker->scratch;
    smaller.requests = requests;
    if (requests == shrinker->left->requests || !trial(shrinker->trials, &smaller))
        return false;
    memcpy(shrinker->arrival, shrinker->scratch, requests * sizeof *shrinker->arrival);
    shrinker->left->requests = requests;
    return true;
}

/* Only those that belong, or all but those. */
static bool take_where(struct shrinker *shrinker, uint64_t (*group)(const struct arrival *arrival),
                       uint64_t which, bool belongs)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < shrinker->left->requests; i++)
        if ((group(&shrinker->arrival[i]) == which) == belongs)
            shrinker->scratch[n++] = shrinker->arrival[i];
    return take(shrinker, n);
}

static uint64_t key_of(const struct arrival *arrival) { return arrival->key; }
static uint64_t stream_of(const struct arrival *arrival) { return arrival->id >> GENERATOR_ID_BITS; }
static uint64_t region_of(const struct arrival *arrival) { return arrival->region; }

static bool drop_groups(struct shrinker *shrinker)
{
    const struct experiment *experiment = shrinker->trials->cell->matrix->experiment;
    bool any = false;

    if (shrinker->trials->symptom.kind == SYMPTOM_TARGET)
        any = take_where(shrinker, key_of, shrinker->trials->symptom.key, true);
    for (uint32_t i = 0; i < experiment->traffics; i++)
        any |= take_where(shrinker, stream_of, i, false);
    for (uint32_t i = 0; i < experiment->topology.regions; i++)
        any |= take_where(shrinker, region_of, i, false);
    return any;
}

static bool drop_faults(struct shrinker *shrinker)
{
    struct candidate *left = shrinker->left;
    bool any = false;

    for (uint32_t i = left->faults; i-- > 0; ) {
        struct candidate smaller = *left;
        memcpy(shrinker->fault_scratch, shrinker->fault, left->faults * sizeof *shrinker->fault);
        memmove(&shrinker->fault_scratch[i], &shrinker->fault_scratch[i + 1],
                (left->faults - i - 1) * sizeof *shrinker->fault);
        smaller.fault = shrinker->fault_scratch;
        smaller.faults--;
        if (!trial(shrinker->trials, &smaller))
            continue;
        memcpy(shrinker->fault, shrinker->fault_scratch, smaller.faults * sizeof *shrinker->fault);
        left->faults--;
        any = true;
    }
    return any;
}

/* Without those from `from` on, so many. */
static bool drop_requests(struct shrinker *shrinker, uint32_t from, uint32_t many)
{
    uint32_t requests = shrinker->left->requests, after = from + many < requests ? from + many : requests;

    memcpy(shrinker->scratch, shrinker->arrival, from * sizeof *shrinker->scratch);
    memcpy(&shrinker->scratch[from], &shrinker->arrival[after],
           (requests - after) * sizeof *shrinker->scratch);
    return take(shrinker, requests - (after - from));
}

/* Ever smaller pieces, from the end on: what comes after the failure goes first. */
static bool drop_pieces(struct shrinker *shrinker)
{
    bool any = false;

    for (uint32_t piece = (shrinker->left->requests + 1) / 2; piece > 0; ) {
        bool some = false;
        for (uint32_t pieces = (shrinker->left->requests + piece - 1) / piece; pieces-- > 0; )
            if (pieces * piece < shrinker->left->requests)
                some |= drop_requests(shrinker, pieces * piece, piece);
        any |= some;
        if (!some || piece > shrinker->left->requests)
            piece /= 2;
    }
    return any;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static void shrink_all(struct shrinker *shrinker)
{
    bool fewer;

    do {
        fewer = drop_faults(shrinker);
        fewer |= drop_groups(shrinker);
        fewer |= drop_pieces(shrinker);
        fewer |= shrink_values(shrinker->trials, shrinker->left, shrinker->arrival, shrinker->scratch);
    } while (fewer && !shrinker->trials->cut);
}

static bool freeze(struct cell *cell, struct frozen *frozen, struct failure *failure)
{
    struct intervention *before = cell->intervention;
    struct oracle_options nothing = { .target = cell->matrix->experiment->target.kind,
                                      .target_policy = &cell->target, .watched = NO_KEY };
    struct oracle *oracle = arena_alloc(&cell->arena, sizeof *oracle);

    frozen_record(frozen);
    frozen->intervention.fault = cell->matrix->lab.fault;
    frozen->intervention.faults = cell->matrix->experiment->faults;
    cell->intervention = &frozen->intervention;
    oracle_init(oracle, process_memory(), &nothing);
    bool good = cell_play(cell, REALITY_WHOLE, oracle_observer(oracle), failure)
        && !cell_interrupted(cell, failure);
    oracle_free(oracle);
    cell_clear(cell);
    cell->intervention = before;
    frozen_sort(frozen);
    return good;
}

static void copy_lists(struct shrinker *shrinker, struct candidate *left, struct arena *arena)
{
    size_t requests = left->requests * sizeof *shrinker->arrival;
    size_t faults = left->faults * sizeof *shrinker->fault;

    shrinker->arrival = arena_alloc(arena, requests + 1);
    shrinker->scratch = arena_alloc(arena, requests + 1);
    shrinker->fault = arena_alloc(arena, faults + 1);
    shrinker->fault_scratch = arena_alloc(arena, faults + 1);
    memcpy(shrinker->arrival, left->arrival, requests);
    if (faults > 0)
        memcpy(shrinker->fault, left->fault, faults);
    left->arrival = shrinker->arrival;
    left->fault = shrinker->fault;
}

/* The choices come last and have so many runs to themselves. */
enum { RUNS_WHEN_STOPPED = 3, RUNS_FOR_CHOICES = 1000 };

/* Of what no longer fails nothing is known. */
static void shrink_frozen(struct trials *trials, const struct frozen *frozen, struct arena *arena,
                          struct shrunk *out)
{
    const struct matrix *matrix = trials->cell->matrix;
    struct shrinker shrinker = { .trials = trials, .left = &out->left };

    out->before = frozen->arrivals;
    out->reacted = frozen->reacted;
    out->left = (struct candidate){ .arrival = frozen->arrival, .requests = (uint32_t)frozen->arrivals,
                                    .fault = matrix->lab.fault, .faults = matrix->experiment->faults };
    copy_lists(&shrinker, &out->left, arena);
    out->reproduced = find_symptom(trials, &out->left, arena) && trial(trials, &out->left);
    out->symptom = trials->symptom;
    if (!out->reproduced)
        return;
    if (trials->symptom.reality < REALITY_FAULTY)
        out->left.faults = 0;
    shrink_all(&shrinker);
    out->cut = trials->cut;
    /* Who stopped the search wants to see what it has found. */
    const volatile int *interrupted = trials->cell->matrix->interrupted;
    trials->cell->matrix->interrupted = NULL;
    trials->most_runs = trials->runs + (interrupted && *interrupted ? RUNS_WHEN_STOPPED : RUNS_FOR_CHOICES);
    trials->cut = false;
    shrink_choices(trials, arena, out);
    trials->cell->matrix->interrupted = interrupted;
    out->runs = trials->runs;
}

bool shrink(struct cell *cell, const struct symptom *symptom, uint64_t most_runs, struct arena *arena,
            struct shrunk *out, struct failure *failure)
{
    struct frozen frozen;
    struct trials trials;

    *out = (struct shrunk){ .symptom = *symptom };
    trials_open(&trials, cell, most_runs, arena);
    trials.symptom = *symptom;
    bool good = freeze(cell, &frozen, failure);
    if (good)
        shrink_frozen(&trials, &frozen, arena, out);
    if (trials.failure.code != EXIT_HOLDS && trials.failure.code != EXIT_INTERRUPTED) {
        *failure = trials.failure;
        good = false;
    }
    frozen_free(&frozen);
    trials_close(&trials);
    return good;
}

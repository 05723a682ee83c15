/* shrunk_files.c - see shrunk.h: a trace and a scenario. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "outfile.h"
#include "scenario.h"
#include "sections.h"
#include "shrunk.h"
#include "shrunk_trace.h"
#include "units.h"

/* The world that the requests are left in: the smallest delays of its links; nearly all that they can be; or
 * as the scenario says, faults, clocks and all. */
enum world_kind { WORLD_CALM, WORLD_SPREAD, WORLD_ORIGINAL, WORLDS };

struct writing {
    const struct cell *cell;
    const struct shrunk *shrunk;
    const char *trace, *scenario;
    struct arena *arena;
    struct failure *failure;
};

/* ---- the scenario -------------------------------------------------------------------------------------- */

static void write_policy(FILE *to, const char *name, const char *kind, const struct policy *policy)
{
    char period[UNITS_TEXT];

    fprintf(to, "%s: {%slimit: %lld, period: %s, burst: %lld}\n", name, kind, (long long)policy->limit,
            duration_text(policy->period_ns, period), (long long)policy->burst);
}

/* The smallest delay of a link, or where that is not enough nearly all that it can be. */
static void write_link(FILE *to, const struct topology *topology, const struct link *link, uint32_t from,
                       uint32_t into, bool spread)
{
    char least[UNITS_TEXT], most[UNITS_TEXT];

    if (link->delay.most_ns == 0)
        return;
    duration_text(link->delay.least_ns, least);
    fprintf(to, "    - {from: %s, to: %s, one_way: ", topology->region[from], topology->region[into]);
    if (spread && !link->delay.constant)
        fprintf(to, "{uniform: [%s, %s]}}\n", least,
                duration_text(dist_span_ns(&link->delay, DIST_DRAWS - DIST_DRAWS / 100), most));
    else
        fprintf(to, "%s}\n", least);
}

/* What a scenario that is written here says anew. */
static const char *const said_anew[] = {
    "title", "story", "zoo", "policy", "target", "ceiling", "timeout", "work", "traffic", "spread", "seeds",
    "designs", "claims", "require", NULL
};

static void write_topology(FILE *to, const struct writing *writing, bool spread)
{
    const struct matrix *matrix = writing->cell->matrix;
    const struct topology *topology = &matrix->experiment->topology;
    bool instant = writing->shrunk->symptom.kind == SYMPTOM_TARGET
                && writing->shrunk->symptom.reality <= REALITY_INSTANT;

    fputs("topology:\n  regions: {", to);
    for (uint32_t i = 0; i < topology->regions; i++)
        fprintf(to, "%s%s: {instances: %u}", i ? ", " : "", topology->region[i], topology->instances[i]);
    fprintf(to, "}\n  store: %s\n", topology->region[topology->store]);
    if (instant || matrix->lab.shortest_ns == 0)
        return;
    fputs("  links:\n", to);
    for (uint32_t from = 0; from < topology->regions; from++)
        for (uint32_t into = 0; into < topology->regions; into++)
            write_link(to, topology, network_link(&matrix->lab.calm, from, into), from, into, spread);
}

/* That the condition does not come true, where one range says that. */
static void write_unmet(FILE *to, const struct condition *condition)
{
    static const char *const opposite[][2] = { { "<=", ">" }, { ">=", "<" }, { "<", ">=" }, { ">", "<=" } };
    const char *sign = condition->text + strcspn(condition->text, "<>=");

    for (unsigned i = 0; i < sizeof opposite / sizeof *opposite; i++)
        if (strncmp(sign, opposite[i][0], strlen(opposite[i][0])) == 0) {
            fprintf(to, "claims: [{%.*s: '%s%s'}]\n", (int)(sign - condition->text), condition->text,
                    opposite[i][1], sign + strlen(opposite[i][0]));
            return;
        }
}

static void write_claim(FILE *to, const struct symptom *symptom)
{
    if (symptom->kind == SYMPTOM_CONDITION)
        write_unmet(to, symptom->condition);
    else
        fprintf(to, "claims: [{%s: breaks}]\n", symptom->kind == SYMPTOM_TARGET ? "target" : "promise");
}

static void write_rest(FILE *to, const struct writing *writing, uint64_t seed)
{
    const struct experiment *experiment = writing->cell->matrix->experiment;
    char span[UNITS_TEXT];

    fprintf(to, "timeout: %s\n", duration_text(experiment->timeout_ns, span));
    if (experiment->work_ns > 0)
        fprintf(to, "work: %s\n", duration_text(experiment->work_ns, span));
    fprintf(to, "traffic: [{trace: shrunk.csv}]\nspread: off\nseeds: %llu\ndesigns: [\"%s\"]\n",
            (unsigned long long)seed, writing->cell->text);
    write_claim(to, &writing->shrunk->symptom);
}

static bool write_scenario(const struct writing *writing, enum world_kind world, uint64_t seed)
{
    const struct cell *cell = writing->cell;
    struct outfile out;

    if (!outfile_open(&out, writing->scenario, writing->failure))
        return false;
    fprintf(out.stream, "title: What is left of a failure\nstory: >-\n  %u of the %llu requests of seed %llu "
            "of %s, and the same failure.\n", writing->shrunk->left.requests,
            (unsigned long long)writing->shrunk->before, (unsigned long long)cell->seed,
            cell->matrix->experiment->name);
    write_policy(out.stream, "policy", "", &cell->policy);
    write_policy(out.stream, "target",
                 cell->matrix->experiment->target.kind == TARGET_WINDOW ? "kind: window, " : "",
                 &cell->target);
    if (cell->ceiling.limit > 0)
        write_policy(out.stream, "ceiling", "", &cell->ceiling);
    if (world == WORLD_ORIGINAL)
        sections_copy(cell->matrix->experiment->file, said_anew, out.stream);
    else
        write_topology(out.stream, writing, world == WORLD_SPREAD);
    write_rest(out.stream, writing, seed);
    return outfile_commit(&out, writing->failure);
}

/* ---- does it fail? ------------------------------------------------------------------------------------- */

struct again { const struct symptom *symptom; bool fails; uint64_t seed; };

static bool take_result(void *context, const struct result *result, struct failure *failure)
{
    struct again *again = context;
    const struct symptom *symptom = again->symptom;

    (void)failure;
    switch (symptom->kind) {
    case SYMPTOM_TARGET:
        again->fails = result->over_admitted > 0 && result->causes.over_admitted[symptom->cause] > 0;
        break;
    case SYMPTOM_PROMISE:   again->fails = !result->promise_kept; break;
    case SYMPTOM_CONDITION: again->fails = !condition_holds(symptom->condition, result); break;
    }
    again->seed = result->seed;
    return !again->fails;
}

/* The first seed with which the scenario fails in the same way. */
static bool fails_again(const struct writing *writing, uint64_t *seed)
{
    struct again again = { .symptom = &writing->shrunk->symptom };
    struct runner_options options = { .finished = take_result, .context = &again };
    struct experiment experiment;
    struct failure unheard;

    if (!scenario_load(writing->scenario, NULL, writing->arena, &experiment, &unheard))
        return false;
    experiment.last_seed = experiment.first_seed + 199;
    experiment_run(&experiment, &options, &unheard);
    *seed = again.seed;
    return again.fails;
}

/* Nothing goes wrong in it but delays. */
static bool is_plain(const struct writing *writing)
{
    const struct matrix *matrix = writing->cell->matrix;
    const struct symptom *symptom = &writing->shrunk->symptom;
    uint32_t regions = matrix->experiment->topology.regions;
    bool plain = writing->shrunk->left.faults == 0 && !matrix->lab.clocks_differ;

    for (uint32_t i = 0; i < regions * regions; i++)
        plain &= matrix->lab.network.links[i]->loss_billionths == 0
              && matrix->lab.network.links[i]->duplicate_billionths == 0;
    return plain || (symptom->kind == SYMPTOM_TARGET && symptom->reality < REALITY_FAULTY);
}

static bool can_be(const struct writing *writing, enum world_kind world)
{
    const struct experiment *experiment = writing->cell->matrix->experiment;

    return experiment->variants == 0
        && (world == WORLD_ORIGINAL ? experiment->file != NULL : is_plain(writing));
}

static bool find_scenario(const struct writing *writing, struct shrunk_files *out)
{
    uint64_t seed = 1;

    for (enum world_kind world = 0; world < WORLDS; world++) {
        if (!can_be(writing, world))
            continue;
        if (!write_scenario(writing, world, 1))
            return false;
        if (fails_again(writing, &seed)) {
            out->scenario = writing->scenario;
            return write_scenario(writing, world, seed);
        }
    }
    unlink(writing->scenario);
    return true;
}

static bool write_schedule(const struct writing *writing, const char *folder, struct shrunk_files *files)
{
    struct outfile out;

    if (!writing->shrunk->schedule)
        return true;
    files->schedule = arena_format(writing->arena, "%s/shrunk.schedule", folder);
    if (!outfile_open(&out, files->schedule, writing->failure))
        return false;
    fprintf(out.stream, "%s\n", writing->shrunk->schedule);
    return outfile_commit(&out, writing->failure);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static bool make_folder(const char *folder, struct failure *failure)
{
    struct stat status;

    return mkdir(folder, 0777) == 0 || (stat(folder, &status) == 0 && S_ISDIR(status.st_mode))
        || fail(failure, EXIT_TROUBLE, folder, 0, "%s; expected a folder that can be written to",
                strerror(errno));
}

bool shrunk_write(const struct cell *cell, const struct shrunk *shrunk, const char *folder,
                  struct arena *arena, struct shrunk_files *out, struct failure *failure)
{
    struct writing writing = { cell, shrunk, arena_format(arena, "%s/shrunk.csv", folder),
                               arena_format(arena, "%s/shrunk.yaml", folder), arena, failure };

    const struct matrix *matrix = cell->matrix;
    struct listed listed = {
        .arrival = shrunk->left.arrival, .requests = shrunk->left.requests, .keys = &matrix->arrivals.keys,
        .topology = &matrix->experiment->topology,
        .later_ns = cell->policy.epoch_ns % cell->policy.period_ns      /* its windows began so long before */
    };

    *out = (struct shrunk_files){ .trace = writing.trace };
    return make_folder(folder, failure) && shrunk_write_trace(writing.trace, &listed, failure)
        && write_schedule(&writing, folder, out) && find_scenario(&writing, out);
}

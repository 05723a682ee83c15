/* command_check.c - `limitlab check`: every claim of every scenario, as TAP. */
#include <stdio.h>
#include <string.h>
#include "asked.h"
#include "baseline.h"
#include "claims.h"
#include "database.h"
#include "experiment_explored.h"
#include "interrupt.h"
#include "outcomes.h"
#include "progress.h"
#include "runner.h"
#include "scenario.h"
#include "scenario_files.h"
#include "setting.h"
#include "zoo.h"

/* The command, while it lasts. */
struct check {
    struct invocation *invocation;
    const struct override *overrides;
    struct scenario_files files;
    struct baseline baseline;
    struct database *database;          /* NULL: nothing is stored */
    struct outcomes outcomes;
    struct progress progress;
    unsigned file;                      /* which one is at work */
    struct experiment experiment;
    struct claim_verdicts verdicts;
    struct zoo_verdicts zoo;
    struct zoo_tally tally;
    struct change {
        const char *design, *what;
    } * change;                         /* by design of the experiment: what is not as in the baseline */
    enum exit_code code;                /* the worst so far */
};

/* Trouble and bad input say more than a failed claim. */
static void note_code(struct check *check, enum exit_code code)
{
    if (code > check->code)
        check->code = code;
}

static void add_outcome(struct check *check, struct outcome outcome)
{
    progress_clear(&check->progress);
    outcomes_add(&check->outcomes, stdout, &outcome);
    if (!outcome.good)
        note_code(check, EXIT_BROKEN);
}

/* ---- one scenario ---- */

static bool take_result(void *context, const struct result *result, struct failure *failure)
{
    struct check *check = context;
    struct arena *arena = &check->invocation->arena;

    claims_judge(&check->verdicts, result, arena);
    zoo_judge(&check->zoo, result, arena);
    if (check->database && !database_add_result(check->database, result, failure))
        return false;
    if (!check->baseline.path)
        return true;
    const char *what = baseline_change(&check->baseline, check->experiment.name, result);
    for (uint32_t i = 0; what && i < check->experiment.designs; i++)
        if (strcmp(check->experiment.design[i], result->design) == 0 && !check->change[i].what)
            check->change[i].what = arena_format(arena, "limit %lld, seed %llu: %s", (long long)result->limit,
                                                 (unsigned long long)result->seed, what);
    return true;
}

static void show_progress(void *context, unsigned permille, const char *what)
{
    struct check *check = context;

    (void)what;
    progress_show(&check->progress, (check->file * 1000 + permille) / check->files.count,
                  check->experiment.name);
}

static void report_claims(struct check *check)
{
    struct arena *arena = &check->invocation->arena;

    for (unsigned i = 0; i < check->verdicts.count; i++) {
        const struct claim_verdict *v = &check->verdicts.verdict[i];
        const struct origin *origin = &v->claim->origin;
        bool good = claim_came_true(v);
        add_outcome(check, (struct outcome){
            .scenario = check->experiment.name, .good = good,
            .what = arena_format(arena, "%s: %s", v->claim->name, v->design),
            .why = v->broken ? v->why : "nothing came of this design; expected a result",
            .where = origin->line ? arena_format(arena, "%s:%u", origin->file, origin->line) : "",
        });
    }
}

static void report_zoo(struct check *check)
{
    const struct zoo_case *zoo = &check->experiment.zoo;
    struct arena *arena = &check->invocation->arena;

    for (unsigned i = 0; i < check->zoo.count; i++) {
        const struct zoo_verdict *v = &check->zoo.verdict[i];
        add_outcome(check, (struct outcome){
            .scenario = check->experiment.name, .good = zoo_came_true(v),
            .what = arena_format(arena, "%s: %s", v->cure ? "the cure is not flagged" : "the flaw is caught",
                                 v->design),
            .why = v->seen ? v->seen : "nothing came of this design; expected a result",
            .where = arena_format(arena, "%s:%u", zoo->origin.file, zoo->origin.line),
        });
    }
    if (check->zoo.count)
        zoo_count(&check->tally, zoo, &check->zoo);
}

static void report_baseline(struct check *check)
{
    unsigned missing = baseline_missing(&check->baseline, check->experiment.name);
    struct arena *arena = &check->invocation->arena;

    if (!check->baseline.there)
        return;
    for (uint32_t i = 0; i < check->experiment.designs; i++)
        add_outcome(check, (struct outcome){
            .scenario = check->experiment.name, .good = !check->change[i].what, .where = "",
            .what = arena_format(arena, "as in the baseline: %s", check->experiment.design[i]),
            .why = check->change[i].what,
        });
    if (missing)
        add_outcome(check, (struct outcome){
            .scenario = check->experiment.name, .what = "all of the baseline is still there", .where = "",
            .why = arena_format(arena, "runs in the baseline only: %u; expected the same designs, limits and "
                                "seeds", missing),
        });
}

/* The scenario could not be loaded or run: the other ones still are. */
static void report_failure(struct check *check, const char *path)
{
    struct failure *failure = &check->invocation->failure;

    add_outcome(check, (struct outcome){
                           .scenario = arena_text(&check->invocation->arena, path),
                           .what = "can be run",
                           .error = true,
                           .where = "",
                           .why = arena_text(&check->invocation->arena, failure->line),
                       });
    note_code(check, failure->code);
}

/* Claims speak of the traffic as it was logged. */
static bool load(struct check *check, const char *path)
{
    struct invocation *invocation = check->invocation;
    struct experiment *experiment = &check->experiment;

    if (!scenario_load(path, check->overrides, &invocation->arena, experiment, &invocation->failure))
        return false;
    experiment->spread = SPREAD_OFF;
    check->verdicts = claims_prepare(experiment, experiment_contenders(experiment), &invocation->arena);
    check->zoo = zoo_prepare(experiment, &invocation->arena);
    check->change = arena_alloc(&invocation->arena, experiment->designs * sizeof *check->change);
    return true;
}

/* ---- storing it ---- */

static bool begin_storing(struct check *check)
{
    struct invocation *invocation = check->invocation;
    struct database_run run = { invocation->command->name, invocation->typed, LIMITLAB_VERSION,
                                setting_text(&check->experiment, &invocation->arena) };

    return !check->database ||
           database_begin_run(check->database, &check->experiment, &run, &invocation->failure);
}

static bool end_storing(struct check *check)
{
    struct failure *failure = &check->invocation->failure;

    if (!check->database)
        return true;
    for (unsigned i = 0; i < check->verdicts.count; i++) {
        const struct claim_verdict *v = &check->verdicts.verdict[i];
        struct database_claim claim = { v->claim->name, v->design, claim_came_true(v),
                                        v->broken ? v->why : "" };
        if (!database_add_claim(check->database, &claim, failure))
            return false;
    }
    return database_end_run(check->database, failure);
}

/* A scenario with a small world: its claims are about what exploring finds. */
static bool check_explored(struct check *check)
{
    struct invocation *invocation = check->invocation;

    if (!explore_experiment(&check->experiment, &check->verdicts, interrupt_watch(), &invocation->arena,
                            &invocation->failure))
        return false;
    report_claims(check);
    return true;
}

/* The question of a lesson that is checked alone. */
static void ask_question(struct check *check)
{
    const struct lesson *lesson = &check->experiment.lesson;

    if (lesson->question && check->files.count == 1)
        remark(check->invocation, "question: %s", lesson->question);
}

static bool check_file(struct check *check, const char *path)
{
    struct invocation *invocation = check->invocation;
    struct runner_options how = { .watch = interrupt_watch, .finished = take_result,
                                  .progress = show_progress, .context = check };

    if (!load(check, path))
        return false;
    ask_question(check);
    if (check->verdicts.count == 0 && check->zoo.count == 0) {
        remark(invocation, "%s claims nothing", path);
        return true;
    }
    if (check->experiment.mode == MODE_EXPLORE)
        return check_explored(check);
    if (!begin_storing(check) || !experiment_run(&check->experiment, &how, &invocation->failure))
        return false;
    report_claims(check);
    report_zoo(check);
    report_baseline(check);
    return end_storing(check);
}

/* ---- all of them ---- */

static bool find_files(struct check *check)
{
    struct invocation *invocation = check->invocation;
    const struct arguments *arguments = &invocation->arguments;

    for (unsigned i = 0; i < arguments->operands; i++)
        if (!scenario_files_add(&check->files, arguments->operand[i], &invocation->arena,
                                &invocation->failure))
            return false;
    return arguments->operands ||
           scenario_files_add(&check->files, "scenarios", &invocation->arena, &invocation->failure);
}

static bool prepare(struct check *check)
{
    struct invocation *invocation = check->invocation;
    const char *baseline = argument(&invocation->arguments, OPTION_BASELINE);
    const char *database = argument(&invocation->arguments, OPTION_DB);

    check->overrides = asked_overrides(invocation);
    if (!check->overrides || !find_files(check) ||
        (baseline && !baseline_open(&check->baseline, baseline, &invocation->failure)))
        return false;
    check->database = database ? database_open(database, &invocation->failure) : NULL;
    return !database || check->database;
}

/* A gate that asks nothing must not look like one that holds. */
static void refuse_silence(struct check *check)
{
    unsigned files = check->files.count;

    refuse(check->invocation, "not one claim in %u scenario%s; expected `claims:` in one of them at least",
           files, files == 1 ? "" : "s");
    note_code(check, EXIT_USAGE);
}

static void check_all(struct check *check)
{
    progress_begin(&check->progress, is_quiet(check->invocation));
    for (check->file = 0; check->file < check->files.count && check->code != EXIT_INTERRUPTED;
         check->file++) {
        const char *path = check->files.path[check->file];
        if (check_file(check, path))
            continue;
        if (check->invocation->failure.code == EXIT_INTERRUPTED)
            note_code(check, EXIT_INTERRUPTED);
        else
            report_failure(check, path);
    }
    progress_clear(&check->progress);
    zoo_print(&check->tally, stdout);
    outcomes_end(&check->outcomes, stdout);
    if (check->outcomes.count == 0 && check->code == EXIT_HOLDS)
        refuse_silence(check);
}

/* The files beside standard output, and the last line. */
static void finish(struct check *check)
{
    struct invocation *invocation = check->invocation;
    const struct outcomes *outcomes = &check->outcomes;
    const char *junit = argument(&invocation->arguments, OPTION_JUNIT);
    bool fresh = check->baseline.path && !check->baseline.there && check->code == EXIT_HOLDS;
    const char *path = check->baseline.path;

    if (junit && !outcomes_write_junit(outcomes, junit, &invocation->failure))
        note_code(check, EXIT_TROUBLE);
    if (!baseline_close(&check->baseline, fresh, &invocation->failure))
        note_code(check, EXIT_TROUBLE);
    else if (fresh)
        remark(invocation, "%s was not there and has been written: later checks compare with it", path);
    remark(invocation, "%u of %u hold in %u scenario%s", outcomes->count - outcomes->bad, outcomes->count,
           check->files.count, check->files.count == 1 ? "" : "s");
}

static enum exit_code check(struct invocation *invocation)
{
    struct check check = { .invocation = invocation };
    bool good = prepare(&check);

    if (good) {
        check_all(&check);
        finish(&check);
    }
    database_close(check.database);
    outcomes_free(&check.outcomes);
    scenario_files_free(&check.files);
    return good ? check.code : invocation->failure.code;
}

static const unsigned char option_list[] = {
    OPTION_BASELINE, OPTION_JUNIT, OPTION_DB, OPTION_SEED, OPTION_SEEDS, OPTION_SET, OPTIONS_END
};

const struct command command_check = {
    "check", "[PATH ...]", "every claim of every scenario: the gate for CI",
    "PATH is a scenario or a folder of them (scenarios/).  Prints TAP, one line a claim and design, and\n"
    "a table of the known bugs among them (scenarios/zoo): by class, how many are caught, and how many\n"
    "cures flagged.  Exits with 0 when every claim comes true, 1 when one does not, 2 when a scenario\n"
    "cannot be read or when there is no claim at all.\n\n"
    "  limitlab check scenarios/\n"
    "  limitlab check my-limits.yaml --junit results.xml --baseline my-limits.baseline\n",
    option_list, check
};

/* command_shrink.c - see command_shrink.h. */
#include "command_shrink.h"
#include <stdio.h>
#include <string.h>
#include "asked.h"
#include "interrupt.h"
#include "progress.h"
#include "runner.h"
#include "shrunk.h"

enum { CHOICES_SHOWN = 300 };           /* longer ones go into a file alone */

/* The command, while it lasts. */
struct shrinking {
    struct invocation *invocation;
    struct experiment experiment;
    struct progress progress;
    uint64_t runs;                      /* that did not fail */
    bool found, interrupted;
};

/* ---- the failure as it is ------------------------------------------------------------------------------ */

/* What was typed, without --shrink. */
static const char *typed_without(const char *typed, struct arena *arena)
{
    static const char option[] = " --shrink";
    const char *at = strstr(typed, option);

    return at ? arena_format(arena, "%.*s%s", (int)(at - typed), typed, at + sizeof option - 1) : typed;
}

static void show_failure(const struct shrinking *shrinking, const struct cell *cell,
                         const struct result *result, const struct symptom *symptom)
{
    struct arena *arena = &shrinking->invocation->arena;
    const char *limit = shrinking->experiment.limits > 1
                      ? arena_format(arena, " --limit %lld", (long long)result->limit) : "";

    printf("seed %llu, limit %lld: ", (unsigned long long)result->seed, (long long)result->limit);
    if (symptom->kind == SYMPTOM_TARGET)
        printf("%s over-admits %llu of %llu requests\n", cell->text,
               (unsigned long long)result->over_admitted, (unsigned long long)result->requests);
    else if (symptom->kind == SYMPTOM_PROMISE)
        printf("%s does not keep its promise, %s\n", cell->text, result->promise);
    else
        printf("%s does not meet %s\n", cell->text, symptom->condition->text);
    printf("  %s%s --seed %llu\n", typed_without(shrinking->invocation->typed, arena), limit,
           (unsigned long long)result->seed);
    fflush(stdout);
}

/* ---- what is left -------------------------------------------------------------------------------------- */

static void show_effort(const struct shrunk *shrunk)
{
    printf("\n%llu requests, %u left after %llu runs%s%s%s:\n\n", (unsigned long long)shrunk->before,
           shrunk->left.requests, (unsigned long long)shrunk->runs,
           shrunk->symptom.kind == SYMPTOM_TARGET ? ": " : "",
           shrunk->symptom.kind == SYMPTOM_TARGET ? cause_word(shrunk->symptom.cause) : "",
           shrunk->cut ? " (stopped: it may not be the smallest)" : "");
}

/* The scenario as it stands plays the choices only where nothing of it was left out. */
static void show_files(const struct cell *cell, const struct shrunk *shrunk, const struct shrunk_files *files)
{
    const char *file = cell->matrix->experiment->file;

    if (files->scenario)
        printf("  limitlab check %s\n", files->scenario);
    else
        printf("  %s has the requests; as a scenario of its own it does not fail so\n", files->trace);
    if (shrunk->schedule && shrunk->whole && file && cell->policy.epoch_ns == 0)
        printf("  limitlab run %s %s --trace %s --set spread=off --limit %lld --schedule \"$(cat %s)\"\n",
               file, cell->text, files->trace, (long long)cell->policy.limit, files->schedule);
}

static bool show_shrunk(const struct shrinking *shrinking, const struct cell *cell,
                        const struct shrunk *shrunk, struct failure *failure)
{
    struct arena *arena = &shrinking->invocation->arena;
    const char *folder = argument(&shrinking->invocation->arguments, OPTION_OUT);
    struct shrunk_files files;

    if (shrunk->reacted)
        puts("Clients who react to answers are frozen: what they sent is sent again, at the same instants.");
    if (!shrunk->reproduced && *cell->matrix->interrupted) {
        puts("Stopped before anything was left out.");
        return true;
    }
    if (!shrunk->reproduced) {
        puts("The same requests, played again from a list, do not fail so: there is nothing to shrink.");
        return true;
    }
    show_effort(shrunk);
    shrunk_show(cell, shrunk, stdout);
    shrunk_explore(cell, shrunk, stdout, arena);
    if (shrunk->schedule && strlen(shrunk->schedule) <= CHOICES_SHOWN)
        printf("choices: %s\n", shrunk->schedule);
    if (!folder)
        return true;
    if (!shrunk_write(cell, shrunk, folder, arena, &files, failure))
        return false;
    show_files(cell, shrunk, &files);
    return true;
}

/* ---- the runs ------------------------------------------------------------------------------------------ */

static bool take_result(void *context, const struct result *result, struct failure *failure)
{
    struct shrinking *shrinking = context;

    (void)result, (void)failure;
    shrinking->runs++;
    return true;
}

/* The first run that fails is the last: what comes after it is not run. */
static bool probe(void *context, struct cell *cell, const struct result *result, struct failure *failure)
{
    struct shrinking *shrinking = context;
    const struct experiment *experiment = &shrinking->experiment;
    struct symptom symptom;
    struct shrunk shrunk;

    /* What a scenario requires says which designs qualify, not what is a failure. */
    bool asked = argument(&shrinking->invocation->arguments, OPTION_REQUIRE) != NULL;

    if (!shrink_finds(result, experiment->require, asked ? experiment->requires : 0, &symptom))
        return true;
    progress_clear(&shrinking->progress);
    show_failure(shrinking, cell, result, &symptom);
    shrinking->found = shrink(cell, &symptom, SHRINK_RUNS_MAX, &shrinking->invocation->arena, &shrunk,
                              failure)
                    && show_shrunk(shrinking, cell, &shrunk, failure);
    shrinking->interrupted = *cell->matrix->interrupted;
    return false;
}

static void show_progress(void *context, unsigned permille, const char *what)
{
    progress_show(&((struct shrinking *)context)->progress, permille, what);
}

static void note_on_input(void *context, const char *line)
{
    struct shrinking *shrinking = context;

    progress_clear(&shrinking->progress);
    remark(shrinking->invocation, "%s", line);
}

static bool refuse_other_outputs(struct invocation *invocation)
{
    static const enum option_id others[] = { OPTION_DECISIONS, OPTION_HEADERS, OPTION_DB, OPTION_FORMAT,
                                             OPTION_JSON, OPTION_LEDGER, OPTION_SCHEDULE };

    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        if (argument(&invocation->arguments, others[i]))
            return refuse(invocation, "--shrink beside --%s; expected one of them",
                          option_table[others[i]].name);
    return true;
}

enum exit_code run_and_shrink(struct invocation *invocation)
{
    struct shrinking shrinking = { .invocation = invocation };
    struct runner_options how = { .watch = interrupt_watch, .finished = take_result, .probe = probe,
                                  .progress = show_progress, .note = note_on_input, .context = &shrinking };

    if (!refuse_other_outputs(invocation) || !asked_experiment(invocation, &shrinking.experiment))
        return invocation->failure.code;
    shrinking.experiment.causes = CAUSES_OFF;
    progress_begin(&shrinking.progress, is_quiet(invocation));
    bool good = experiment_run(&shrinking.experiment, &how, &invocation->failure);
    progress_clear(&shrinking.progress);
    if (shrinking.interrupted)
        fail(&invocation->failure, EXIT_INTERRUPTED, NULL, 0, "interrupted; the smallest so far is shown");
    if (shrinking.found)
        return shrinking.interrupted ? EXIT_INTERRUPTED : EXIT_BROKEN;
    if (!good)
        return invocation->failure.code;
    printf("%llu run%s, and not one fails: there is nothing to shrink\n", (unsigned long long)shrinking.runs,
           shrinking.runs == 1 ? "" : "s");
    return EXIT_HOLDS;
}

/* command_compare.c - `limitlab compare` and `limitlab run`: an experiment's matrix, run, shown and stored.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../engine/schedule.h"
#include "asked.h"
#include "command_shrink.h"
#include "database.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"
#include "reporting.h"
#include "runner.h"
#include "setting.h"

/* One run of the command, while it lasts. */
struct session {
    struct invocation *invocation;
    struct experiment experiment;
    const struct header_style *headers; /* NULL: none */
    struct output_options show;
    struct output *output; /* begun with the first result, so that bad input prints nothing else */
    const char *database_path;          /* NULL: nothing is stored */
    bool temporary;                     /* the database is only there for the report */
    struct database *database;
    struct progress progress;
    struct schedule schedule;           /* --schedule; empty without it */
    bool empty;                         /* no result has seen a request */
};

/* ---- what is asked for ---- */

static bool read_format(struct session *session)
{
    const struct arguments *arguments = &session->invocation->arguments;
    const char *format = argument(arguments, OPTION_FORMAT);
    char why[CONDITION_WHY];

    session->show.format = argument(arguments, OPTION_JSON) ? OUTPUT_JSON : OUTPUT_TABLE;
    session->show.colour = output_wants_colour(stdout, argument(arguments, OPTION_NO_COLOR) != NULL);
    if (!format)
        return true;
    if (!output_format_parse(format, &session->show.format, why))
        return refuse(session->invocation, "--format: %s", why);
    return session->show.format == OUTPUT_JSON || !argument(arguments, OPTION_JSON) ||
           refuse(session->invocation, "--json and --format %s; expected one of them", format);
}

static bool refuse_style(struct session *session, const char *name)
{
    const char **names = arena_alloc(&session->invocation->arena, (header_style_count + 1) * sizeof *names);

    for (unsigned i = 0; i < header_style_count; i++)
        names[i] = header_styles[i].name;
    names[header_style_count] = NULL;
    const char *nearest = nearest_name(name, names);
    return refuse(session->invocation, "--headers: '%.60s' is no style of headers; %s%s%s", name,
                  nearest ? "did you mean '" : "expected one of those that `limitlab list headers` lists",
                  nearest ? nearest : "", nearest ? "'?" : "");
}

static bool read_headers(struct session *session)
{
    const struct arguments *arguments = &session->invocation->arguments;
    const char *name = argument(arguments, OPTION_HEADERS);

    if (!name)
        return true;
    if (!argument(arguments, OPTION_DECISIONS))
        return refuse(session->invocation, "--headers without a file for them; expected --decisions FILE");
    session->headers = header_style_find(name);
    return session->headers || refuse_style(session, name);
}

/* Causes are found by runs that make other choices, so there are none. */
static bool read_schedule(struct session *session)
{
    enum { CHOICES_MAX = 1 << 24 };
    const char *text = argument(&session->invocation->arguments, OPTION_SCHEDULE);

    if (!text)
        return true;
    schedule_init(&session->schedule, process_memory());
    session->experiment.causes = CAUSES_OFF;
    const char *why = schedule_read(&session->schedule, text, CHOICES_MAX);
    return !why || refuse(session->invocation, "--schedule: '%.60s' %s", text, why);
}

/* Where results are stored: in the file that was named, or in a temporary one when only a report is asked
 * for. */
static bool choose_database(struct session *session)
{
    const struct arguments *arguments = &session->invocation->arguments;
    const char *folder = getenv("TMPDIR");

    session->database_path = argument(arguments, OPTION_DB);
    if (session->database_path || !argument(arguments, OPTION_OUT))
        return true;
    char *path = arena_format(&session->invocation->arena, "%s/limitlab.XXXXXX",
                              folder && *folder ? folder : P_tmpdir);
    int file = mkstemp(path);
    if (file < 0)
        return fail(&session->invocation->failure, EXIT_TROUBLE, path, 0,
                    "cannot be made; expected a place for temporary "
                    "files, in TMPDIR or " P_tmpdir);
    close(file);
    session->database_path = path;
    session->temporary = true;
    return true;
}

/* ---- results, as they come ---- */

static bool begin_storing(struct session *session, struct failure *failure)
{
    struct database_run run = { session->invocation->command->name, session->invocation->typed,
                                LIMITLAB_VERSION, session->show.setting };

    session->database = database_open(session->database_path, failure);
    return session->database && database_begin_run(session->database, &session->experiment, &run, failure);
}

static bool take_result(void *context, const struct result *result, struct failure *failure)
{
    struct session *session = context;

    progress_clear(&session->progress);
    session->empty &= result->requests == 0;
    if (session->database_path && !session->database && !begin_storing(session, failure))
        return false;
    if (!session->output)
        session->output = output_begin(stdout, &session->experiment, &session->show);
    output_row(session->output, result);
    return !session->database || database_add_result(session->database, result, failure);
}

static void show_progress(void *context, unsigned permille, const char *what)
{
    progress_show(&((struct session *)context)->progress, permille, what);
}

static void note_on_input(void *context, const char *line)
{
    struct session *session = context;

    progress_clear(&session->progress);
    remark(session->invocation, "%s", line);
}

static bool run_all(struct session *session)
{
    struct runner_options how = {
        .decisions = argument(&session->invocation->arguments, OPTION_DECISIONS),
        .ledger = argument(&session->invocation->arguments, OPTION_LEDGER),
        .headers = session->headers,
        .schedule = session->schedule.memory ? &session->schedule : NULL,
        .series = session->database_path != NULL,
        .watch = interrupt_watch,
        .finished = take_result, .progress = show_progress, .note = note_on_input, .context = session,
    };

    progress_begin(&session->progress, is_quiet(session->invocation));
    bool good = experiment_run(&session->experiment, &how, &session->invocation->failure);
    progress_clear(&session->progress);
    if (good && session->empty)
        remark(session->invocation, "no requests in the traffic: nothing was measured");
    return good;
}

/* What was finished before a failure or an interruption is shown and kept, too. */
static bool finish(struct session *session, bool good)
{
    struct failure *failure = &session->invocation->failure, second;

    if (session->output && !output_end(session->output, good ? failure : &second))
        good = false;
    if (good && session->database)
        good = database_end_run(session->database, failure);
    return good;
}

/* ---- the report ---- */

/* The report's name is the last line: beside the table, or apart from data. */
static bool report_results(struct session *session, struct failure *failure)
{
    bool table = session->show.format == OUTPUT_TABLE;
    const char *folder = argument(&session->invocation->arguments, OPTION_OUT);

    if (table && folder)
        putchar('\n');
    return !folder || write_report(session->database_path, folder, table ? stdout : stderr, failure);
}

static enum exit_code run_session(struct session *session)
{
    struct failure *failure = &session->invocation->failure, second;
    bool good = choose_database(session) && run_all(session);

    good = finish(session, good);
    bool stored = session->database != NULL;
    database_close(session->database);
    if (stored && (good || failure->code == EXIT_INTERRUPTED))
        good = report_results(session, good ? failure : &second) && good;
    if (session->temporary)
        unlink(session->database_path);
    return good ? EXIT_HOLDS : failure->code;
}

static bool prepare(struct session *session)
{
    struct invocation *invocation = session->invocation;

    if (!read_format(session) || !read_headers(session) ||
        !asked_experiment(invocation, &session->experiment) || !read_schedule(session))
        return false;
    session->show.setting = setting_text(&session->experiment, &invocation->arena);
    return true;
}

static enum exit_code perform(struct session *session)
{
    enum exit_code code = prepare(session) ? run_session(session) : session->invocation->failure.code;

    if (session->schedule.memory)
        schedule_free(&session->schedule);
    return code;
}

static enum exit_code compare(struct invocation *invocation)
{
    struct session session = { .invocation = invocation, .empty = true };

    return perform(&session);
}

static enum exit_code run_one(struct invocation *invocation)
{
    struct session session = { .invocation = invocation, .show.in_depth = true, .empty = true };
    unsigned designs = 0;

    for (unsigned i = 0; i < invocation->arguments.operands; i++)
        designs += !is_path(invocation->arguments.operand[i]);
    if (designs == 1 && argument(&invocation->arguments, OPTION_SHRINK))
        return run_and_shrink(invocation);
    if (designs == 1)
        return perform(&session);
    refuse(invocation, "%u designs; expected one, as in gcra@cas (`limitlab compare` takes many)", designs);
    return EXIT_USAGE;
}

/* ---- the commands ---- */

#define OPTIONS_OF_RESULTS \
    OPTION_REQUIRE, OPTION_DECISIONS, OPTION_HEADERS, OPTION_DB, OPTION_OUT, OPTION_FORMAT, OPTION_JSON

static const unsigned char option_list[] = { OPTIONS_OF_EXPERIMENTS, OPTIONS_OF_RESULTS, OPTIONS_END };
static const unsigned char option_list_of_one[] = { OPTIONS_OF_EXPERIMENTS, OPTIONS_OF_RESULTS, OPTION_LEDGER,
                                                    OPTION_SHRINK, OPTION_SCHEDULE, OPTIONS_END };

const struct command command_compare = {
    "compare", "[SCENARIO | --trace FILE ...] [DESIGN ...]",
    "the same traffic through many designs: the main job",
    "SCENARIO ends in .yaml or .yml; DESIGN is LIMITER@COORDINATION[:PARAM=VALUE]..., and without any the\n"
    "usual contenders are compared.  `limitlab list` says what there is.\n\n"
    "  limitlab compare scenarios/three-regions.yaml --db results.db --out report\n"
    "  limitlab compare --trace t.csv --regions us-east-1,eu-west-1,ap-northeast-1 \\\n"
    "      --limit 50,100,200 --period 60s --require 'p99<=20ms'\n",
    option_list, compare
};

const struct command command_run = {
    "run", "[SCENARIO | --trace FILE ...] DESIGN",
    "one design in depth: every figure and what it means",
    "  limitlab run scenarios/both-read-nine.yaml fixed-window@get-then-set\n"
    "  limitlab run --trace t.csv --limit 100 --period 60s gcra@owner --decisions decisions.csv\n"
    "  limitlab run scenarios/three-regions.yaml token-bucket@get-then-set --ledger ledger.csv\n"
    "  limitlab run scenarios/three-regions.yaml token-bucket@get-then-set --shrink --out small\n",
    option_list_of_one, run_one
};

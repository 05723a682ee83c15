/* command_replay.c - `limitlab replay`: a witness, step by step. */
#include <stdio.h>
#include <string.h>
#include "asked_explored.h"
#include "lines.h"
#include "replayed.h"
#include "replay_show.h"
#include "retold.h"
#include "witness.h"

/* ---- the witness ---- */

/* The first line of a file. */
static const char *read_line(const char *path, struct arena *arena, struct failure *failure)
{
    struct lines lines;
    const char *text = NULL;

    if (!lines_open(&lines, path, failure))
        return NULL;
    enum reading reading = lines_next(&lines, failure);
    if (reading == READ_ITEM)
        text = arena_text(arena, lines.text);
    else if (reading == READ_END)
        fail(failure, EXIT_USAGE, path, 0, "is empty; expected a witness in its first line");
    lines_close(&lines);
    return text;
}

/* The text itself; @FILE; or a path, which no witness looks like. */
static bool read_witness(struct invocation *invocation, struct witness *witness)
{
    const struct arguments *arguments = &invocation->arguments;
    const char *text = arguments->operands == 1 ? arguments->operand[0] : NULL;

    if (!text)
        return refuse(invocation, "%u witnesses; expected one, as `limitlab explore` prints it, or a file "
                      "with one", arguments->operands);
    if (strncmp(text, "llw", 3) != 0)
        text = read_line(text + (*text == '@'), &invocation->arena, &invocation->failure);
    if (!text)
        return false;
    const char *why = witness_parse(witness, text, &invocation->arena);
    return !why || refuse(invocation, "'%.40s...' %s", text, why);
}

static bool add_arrivals(struct invocation *invocation, struct explored *explored)
{
    bool given = argument(&invocation->arguments, OPTION_ARRIVALS) != NULL;

    if (!explored->arrivals_digest)
        return !given || refuse(invocation, "--arrivals beside a witness that needs none; expected it alone");
    if (!given)
        return refuse(invocation, "the witness is of a file of arrivals; expected --arrivals FILE");
    explored->arrivals = asked_arrivals(invocation, explored->regions > 1 ? explored->region_name : NULL);
    if (!explored->arrivals)
        return false;
    return explored->arrivals->digest == explored->arrivals_digest ||
           refuse(invocation, "%.200s is not the file of arrivals that the witness is of; expected that one",
                  argument(&invocation->arguments, OPTION_ARRIVALS));
}

/* ---- the command ---- */

static bool run(struct invocation *invocation, const struct witness *witness, enum target_kind target,
                struct explored_world *world, struct replayed *replayed)
{
    static const struct explored_bounds unbounded = { .no_symmetry = true };
    static const char other[] = "the witness is of another version of limitlab, or its text was changed; "
                                "expected one of this version (`limitlab explore` finds a new one)";

    if (!explored_open(world, &witness->explored, &unbounded, &invocation->failure))
        return false;
    if (!replay(world, target, witness->choice, witness->choices, &invocation->arena, replayed) ||
        replayed->digest != witness->digest)
        return refuse(invocation, "%s", other);
    return true;
}

/* What is printed, and the page that was asked for. */
static bool show(struct invocation *invocation, const struct explored_world *world,
                 const struct replayed *replayed, const struct retold *retold, bool json)
{
    const char *page = argument(&invocation->arguments, OPTION_PAGE);

    if (json)
        replay_print_json(replayed, world, stdout);
    else if (!argument(&invocation->arguments, OPTION_EXPLAIN))
        replay_show(replayed, world, stdout, &invocation->arena);
    else if (!retold_explain(retold, stdout, &invocation->failure))
        return false;
    return !page || retold_page(retold, page, &invocation->failure);
}

static enum exit_code replay_witness(struct invocation *invocation)
{
    struct witness witness;
    struct explored_world world;
    struct replayed replayed;
    enum target_kind target;
    bool json;

    if (!read_json(invocation, &json) || !read_witness(invocation, &witness) ||
        !add_arrivals(invocation, &witness.explored))
        return invocation->failure.code;
    target = witness.explored.target;
    if (!asked_target(invocation, &target))
        return invocation->failure.code;
    struct retold retold = { .explored = &witness.explored, .target = target, .choice = witness.choice,
                             .choices = witness.choices, .command = invocation->typed };
    bool good = run(invocation, &witness, target, &world, &replayed)
             && show(invocation, &world, &replayed, &retold, json);
    explored_close(&world);
    if (!good)
        return invocation->failure.code;
    return replayed.over ? EXIT_BROKEN : EXIT_HOLDS;
}

static const unsigned char option_list[] = {
    OPTION_ARRIVALS, OPTION_TARGET, OPTION_EXPLAIN, OPTION_PAGE, OPTION_FORMAT, OPTION_JSON, OPTIONS_END
};

const struct command command_replay = {
    "replay", "WITNESS", "a witness that explore found, step by step",
    "WITNESS is the line that `limitlab explore` prints, or a file with it.  Exits with 1 when the target\n"
    "is broken again, 0 when it is not, 2 when the witness is of another version.\n\n"
    "  limitlab replay llw1:clients=2,...\n"
    "  limitlab replay @witness.txt --target window\n"
    "  limitlab replay @witness.txt --explain --page lesson.html\n",
    option_list, replay_witness
};

/* story_text.c - one step of a story in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include "story.h"
#include "units.h"

char story_name(uint32_t client) { return (char)('A' + client % 26); }

const char *story_word(const struct story_step *step)
{
    static const char *const words[OPERATIONS] = {
        [OP_GET] = "get", [OP_PUT] = "put", [OP_CAS] = "swap", [OP_TAKE] = "script", [OP_ADD] = "add",
        [OP_COUNT] = "count", [OP_EXPIRE] = "expire", [OP_ENTER] = "enter", [OP_RETURN] = "return",
        [OP_WAKE] = "wake", [OP_BLOCK] = "block", [OP_SPREAD] = "spread", [OP_SYNC] = "sync",
    };

    switch (step->option.action.kind) {
    case SMALL_CRASH: case SMALL_UNHEARD: return "dies";
    case SMALL_TICK:   return "time";
    case SMALL_FORGET: return "forget";
    default:           break;
    }
    if (step->operation != OP_NONE)
        return words[step->operation];
    return step->option.client == NOBODY ? "timer" : step->starts ? "ask" : "wake";
}

/* What is written to a text of a fixed size, and cut there. */
struct line { char *text; size_t used; };

__attribute__((format(printf, 2, 3)))
static void say(struct line *line, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int n = vsnprintf(line->text + line->used, STORY_TEXT - line->used, format, arguments);
    va_end(arguments);
    if (n > 0)
        line->used = line->used + (size_t)n < STORY_TEXT ? line->used + (size_t)n : STORY_TEXT - 1;
}

static void say_room(struct line *line, const struct story_step *step)
{
    if (!step->check.known)
        return;
    if (step->check.room > 0)
        say(line, " room for %" PRId64, step->check.room);
    else
        say(line, " no room");
    if (step->check.room > step->true_room && step->true_room > 0)
        say(line, ", in truth for %" PRId64, step->true_room);
    else if (step->check.room > step->true_room)
        say(line, ", in truth none");
}

static void say_verdict(struct line *line, const struct story_step *step)
{
    if (step->admitted > 0)
        say(line, ": passes");
    else if (step->denied > 0)
        say(line, ": denied");
    else if (step->failed > 0)
        say(line, ": nobody decides");
    else if (step->check.known)
        say(line, step->check.passes ? ": may pass" : ": denied");
}

static void say_age(struct line *line, const struct story_step *step)
{
    if (step->read_at == STORY_NONE || step->age_writes == 0)
        return;
    say(line, " what it read %" PRIu32 " step%s ago", step->age_steps, step->age_steps == 1 ? "" : "s");
    if (step->replaced != NOBODY)
        say(line, ", over %c's write: that is lost", story_name(step->replaced));
    else
        say(line, ", %" PRIu32 " write%s since", step->age_writes, step->age_writes == 1 ? "" : "s");
}

static void say_write(struct line *line, const struct story_step *step, char name)
{
    if (step->operation == OP_CAS && step->refused)
        say(line, "%c's swap is refused: others wrote since it read", name);
    else if (step->operation == OP_CAS)
        say(line, "%c swaps: nobody wrote since it read", name);
    else if (step->refused)
        say(line, "%c's write is refused", name);
    else {
        say(line, "%c writes", name);
        say_age(line, step);
    }
}

static void say_operation(struct line *line, const struct story_step *step, char name)
{
    static const char *const does[OPERATIONS] = {
        [OP_GET] = "reads", [OP_TAKE] = "sends its script, which reads", [OP_ADD] = "adds",
        [OP_COUNT] = "counts", [OP_EXPIRE] = "sets the end", [OP_ENTER] = "enters and reads",
        [OP_RETURN] = "comes back", [OP_WAKE] = "wakes", [OP_BLOCK] = "takes a block",
        [OP_SPREAD] = "spreads", [OP_SYNC] = "tells others",
    };

    if (step->operation == OP_PUT || step->operation == OP_CAS)
        say_write(line, step, name);
    else if (step->operation != OP_NONE)
        say(line, "%c %s", name, does[step->operation]);
    else if (step->check.known)
        say(line, "%c sees", name);
    else
        say(line, "%c %s", name, step->starts ? "asks" : "wakes");
    if (step->operation == OP_RETURN && step->age_steps > 0)
        say(line, " with what it read %" PRIu32 " step%s ago:", step->age_steps,
            step->age_steps == 1 ? "" : "s");
    say_room(line, step);
    say_verdict(line, step);
}

static void say_nobody(struct line *line, const struct story_step *step)
{
    char now[UNITS_TEXT];

    switch (step->option.action.kind) {
    case SMALL_TICK:   say(line, "time goes on to %s", duration_text(step->now_ns, now)); break;
    case SMALL_FORGET: say(line, "the store forgets everything"); break;
    default:           say(line, "in the background the stores go on"); break;
    }
}

const char *story_line(const struct story *story, uint32_t i, char text[STORY_TEXT])
{
    const struct story_step *step = &story->step[i];
    struct line line = { text, 0 };
    char name = story_name(step->option.client);

    text[0] = '\0';
    if (step->option.client == NOBODY)
        say_nobody(&line, step);
    else if (step->option.action.kind == SMALL_CRASH)
        say(&line, "%c dies; what it had sent is lost", name);
    else {
        say_operation(&line, step, name);
        if (step->option.action.kind == SMALL_UNHEARD)
            say(&line, "; then %c dies, and nobody hears the answer", name);
    }
    return text;
}

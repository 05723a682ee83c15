/* explain.c - see explain.h. */
#include "explain.h"
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include "units.h"

enum { LINE = 96 };                     /* prose is folded there */

static const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }

/* ---- the diagram --------------------------------------------------------------------------------------- */

/* Columns of one client: a word, and room for a line to the store. */
static uint32_t width_of(const struct story *story) { return story->clients <= 6 ? 7 : 4; }

static bool is_sent(const struct story_step *step)
{
    return step->operation != OP_NONE && !step->in_memory && step->option.action.kind != SMALL_CRASH;
}

/* One client's cell: its word where it moves, its life where a call of it goes on, the arrow that passes. */
static void print_cell(FILE *out, const struct story *story, uint32_t i, uint32_t client)
{
    const struct story_step *step = &story->step[i];
    uint32_t width = width_of(story), before = i > 0 ? story->step[i - 1].under_way : 0;
    bool passes = is_sent(step) && client > step->option.client;
    char fill = passes ? '-' : ' ';
    int used;

    if (client == step->option.client)
        used = fprintf(out, "%.*s", (int)width - 1, story_word(step));
    else if (before >> client & step->under_way >> client & 1)
        used = fprintf(out, passes ? "+" : "|");
    else
        used = fprintf(out, "%c", fill);
    if (client == step->option.client && is_sent(step))
        fill = '-';
    for (; used < (int)width; used++)
        putc(fill, out);
}

static void print_step(FILE *out, const struct story *story, uint32_t i)
{
    const struct story_step *step = &story->step[i];
    char text[STORY_TEXT];

    fprintf(out, "%4" PRIu32 "%c  ", i + 1, i == story->critical ? '!' : ' ');
    for (uint32_t client = 0; client < story->clients; client++)
        print_cell(out, story, i, client);
    fprintf(out, "%c|  %s\n", !is_sent(step) || step->option.client == NOBODY ? ' ' : '>',
            story_line(story, i, text));
}

static void print_diagram(FILE *out, const struct story *story)
{
    fprintf(out, "step   ");
    for (uint32_t client = 0; client < story->clients; client++)
        fprintf(out, "%-*c", (int)width_of(story), story_name(client));
    fprintf(out, "store\n");
    for (uint32_t i = 0; i < story->steps; i++)
        print_step(out, story, i);
}

/* ---- prose --------------------------------------------------------------------------------------------- */

struct prose { char *text; size_t used; };

__attribute__((format(printf, 2, 3)))
static void say(struct prose *prose, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int n = vsnprintf(prose->text + prose->used, EXPLAIN_TEXT - prose->used, format, arguments);
    va_end(arguments);
    prose->used += n > 0 ? (size_t)n : 0;
    prose->used = prose->used < EXPLAIN_TEXT ? prose->used : EXPLAIN_TEXT - 1;
}

/* The step whose reading decided a step. */
static uint32_t reading_of(const struct story *story, uint32_t i)
{
    return story->step[i].read_at == STORY_NONE ? i : story->step[i].read_at;
}

/* The latest step between two in which another client was admitted for the same key. */
static uint32_t admitted_between(const struct story *story, uint32_t from, uint32_t end)
{
    for (uint32_t i = end; i-- > from + 1; )
        if (story->step[i].admitted > 0 && story->step[i].key == story->step[end].key
            && story->step[i].option.client != story->step[end].option.client)
            return i;
    return STORY_NONE;
}

/* An admission that was not in what was read at a step: the latest of another client for the same key whose
 * write was not in by then.  The step that admitted it; STORY_NONE: there is none. */
static uint32_t unseen_at(const struct story *story, uint32_t at)
{
    for (uint32_t i = at; i-- > 0; ) {
        const struct story_step *step = &story->step[i];
        bool written = step->writes;
        for (uint32_t k = i + 1; k < at; k++)
            written |= story->step[k].option.client == step->option.client && story->step[k].writes;
        if (step->admitted > 0 && !written && step->option.client != story->step[at].option.client
            && step->key == story->step[at].key)
            return i;
    }
    return STORY_NONE;
}

/* Whether a client's write was refused between two steps. */
static bool refused_between(const struct story *story, uint32_t client, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        if (story->step[i].option.client == client && story->step[i].refused)
            return true;
    return false;
}

/* The latest step before `end`, from `from` on, that replaced somebody's write. */
static uint32_t replacing(const struct story *story, uint32_t from, uint32_t end)
{
    for (uint32_t i = end; i-- > from; )
        if (story->step[i].replaced != NOBODY)
            return i;
    return STORY_NONE;
}

static void say_unseen(struct prose *prose, const struct story *story, uint32_t unseen, uint32_t read)
{
    uint32_t client = story->step[unseen].option.client;

    say(prose, ", but %c had taken %s already: its write %s.", story_name(client),
        story->step[read].check.room > story->step[unseen].cost ? "some of that" : "that",
        refused_between(story, client, unseen, read) ? "had been refused" : "was still on the way");
}

static void say_why(struct prose *prose, const struct story *story)
{
    uint32_t over = story->first_over, read = reading_of(story, over);
    const struct story_step *step = &story->step[over], *seen = &story->step[read];
    uint32_t unseen = unseen_at(story, read), lost = replacing(story, 0, read);
    uint32_t since = admitted_between(story, read, over);

    if (step->option.client == NOBODY || !(seen->check.known || step->check.known)) {
        say(prose, "At step %" PRIu32 " more was admitted than may be.", over + 1);
        return;
    }
    say(prose, "%c passed because it read room for %" PRId64, story_name(step->option.client),
        (seen->check.known ? seen : step)->check.room);
    if (since != STORY_NONE)
        say(prose, " at step %" PRIu32 ", but had to wait then, and %c passed meanwhile (step %" PRIu32 ").",
            read + 1, story_name(story->step[since].option.client), since + 1);
    else if (unseen != STORY_NONE)
        say_unseen(prose, story, unseen, read);
    else if (lost != STORY_NONE)
        say(prose, ", but %c's admission was no longer in what it read: %c had written over it (step %" PRIu32
            ").", story_name(story->step[lost].replaced), story_name(story->step[lost].option.client),
            lost + 1);
    else
        say(prose, ", but what it read knew nothing of what others had been given.");
}

const char *explain_sentence(const struct story *story, char text[EXPLAIN_TEXT])
{
    struct prose prose = { text, 0 };

    text[0] = '\0';
    if (story->first_over == STORY_NONE) {
        say(&prose, "Nothing went wrong here: no more was admitted than may be.");
        return text;
    }
    say_why(&prose, story);
    uint32_t lost = replacing(story, story->first_over, story->steps);
    if (lost != STORY_NONE)
        say(&prose, " At step %" PRIu32 " %c writes over what %c wrote, so the store counts one admission"
            " where two were.", lost + 1, story_name(story->step[lost].option.client),
            story_name(story->step[lost].replaced));
    return text;
}

const char *explain_critical(const struct story *story, char text[EXPLAIN_TEXT])
{
    struct prose prose = { text, 0 };
    const struct story_step *instead = &story->instead;

    text[0] = '\0';
    if (story->critical == STORY_NONE && story->first_over != STORY_NONE)
        say(&prose, "No order of steps avoids it.");
    if (story->critical == STORY_NONE)
        return text;
    say(&prose, "Step %" PRIu32 " is the last at which it could be avoided", story->critical + 1);
    if (instead->option.client != NOBODY)
        say(&prose, ": by letting %c go first (%s)", story_name(instead->option.client), story_word(instead));
    else if (instead->option.action.kind == SMALL_TICK)
        say(&prose, ": by waiting for the next instant");
    else
        say(&prose, ": by letting the stores go on first");
    say(&prose, ".");
    return text;
}

/* Folded at blanks, with what follows the first line set in. */
static void print_folded(FILE *out, const char *mark, const char *text)
{
    size_t column = (size_t)fprintf(out, "%s", mark);

    for (const char *word = text; *word; ) {
        size_t length = strcspn(word, " ");
        if (word != text && column + 1 + length > LINE) {
            fprintf(out, "\n  ");
            column = 2;
        } else if (word != text) {
            column += (size_t)fprintf(out, " ");
        }
        column += (size_t)fprintf(out, "%.*s", (int)length, word);
        word += length + (word[length] == ' ');
    }
    fprintf(out, "\n");
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static void print_counts(FILE *out, const char *name, const struct cure *cure)
{
    fprintf(out, "  %-8s%5" PRId64 " admitted, %" PRIu32 " denied", name, cure->cost, cure->denied);
    if (cure->failed > 0)
        fprintf(out, ", %" PRIu32 " undecided", cure->failed);
    if (cure->retries > 0)
        fprintf(out, ", %" PRIu32 " %s", cure->retries, cure->retries == 1 ? "retry" : "retries");
    fprintf(out, ", %" PRIu32 " round trip%s%s\n", cure->round_trips, plural(cure->round_trips),
            cure->over ? ": too much" : "");
}

static void print_cures(FILE *out, const struct explain *explain)
{
    const struct story *story = explain->story;
    struct cure now = { .cost = story->cost, .denied = story->denied, .failed = story->failed,
                        .retries = story->retries, .round_trips = story->round_trips,
                        .over = story->first_over != STORY_NONE };

    fprintf(out, "The clients in the same order, under a cure:\n");
    print_counts(out, "as it is", &now);
    for (uint32_t i = 0; i < CURES; i++)
        if (explain->cure[i].possible)
            print_counts(out, explain->cure[i].name, &explain->cure[i]);
}

void explain_print(FILE *out, const struct explain *explain)
{
    const struct story *story = explain->story;
    const struct policy *policy = story->explorer->setup.small.world->policy;
    char text[EXPLAIN_TEXT], period[UNITS_TEXT];

    fprintf(out, "%s, at most %" PRId64 " in %s: %" PRIu32 " client%s, %" PRId64 " admitted\n",
            explain->design, policy->limit, duration_text(policy->period_ns, period), story->clients,
            plural(story->clients), story->cost);
    print_diagram(out, story);
    print_folded(out, "", explain_sentence(story, text));
    if (*explain_critical(story, text))
        print_folded(out, "! ", text);
    if (explain->cure)
        print_cures(out, explain);
}

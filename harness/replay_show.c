/* replay_show.c - see replay_show.h. */
#include "replay_show.h"
#include <inttypes.h>
#include <jansson.h>
#include "listing.h"
#include "units.h"

/* ---- one step in words ---- */

static const char *action_text(const struct replayed_step *step, struct arena *arena)
{
    switch (step->option.action.kind) {
    case SMALL_CRASH:   return "dies; what it has under way is lost";
    case SMALL_UNHEARD: return "dies; what it has sent still arrives";
    case SMALL_TICK:    return "time goes on";
    case SMALL_FORGET:
        return arena_format(arena, "store %u loses all that it holds", step->option.action.which + 1);
    case SMALL_BACKGROUND: return "a background step";
    default: break;
    }
    if (step->operation != OP_NONE)
        return operation_name[step->operation];
    return step->before ? "goes on" : "begins";
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* "reads version 1, which leaves 3". */
static const char *versions_text(const struct replayed_step *step, struct arena *arena)
{
    const char *text = "";

    if (step->reads && step->version == 0)
        text = "reads what is there at first";
    else if (step->reads)
        text = arena_format(arena, "reads version %u", step->version);
    if (step->writes)
        text = arena_format(arena, "%s%swrites version %u", text, *text ? ", " : "", step->version);
    if (step->writes && step->age > 0)
        text = arena_format(arena, "%s from what it read %u step%s ago", text, step->age, plural(step->age));
    if (step->overwritten > 0)
        text = arena_format(arena, "%s, over %u it had not read", text, step->overwritten);
    if (step->overwritten > 0 && step->victim != NOBODY)
        text = arena_format(arena, "%s (client %u's)", text, step->victim + 1);
    if (step->has_left && *text)
        text = arena_format(arena, "%s: leaves %" PRId64, text, step->left);
    return text;
}

static const char *news_text(const struct replayed_step *step, struct arena *arena)
{
    static const char *const words[] = { [NEWS_ADMITTED] = "ADMITTED", [NEWS_DENIED] = "denied",
                                         [NEWS_FAILED] = "failed" };
    const char *text = "";

    for (uint32_t i = 0; i < step->news_n; i++) {
        text = arena_format(arena, "%s; %s", text, words[step->news[i].kind]);
        if (step->news[i].cost != 1)
            text = arena_format(arena, "%s (cost %" PRId64 ")", text, step->news[i].cost);
    }
    return step->news_n ? arena_format(arena, "%s, %" PRIu64 " in all", text, step->admitted) : text;
}

/* ---- all of them ---- */

static const char *who(const struct replayed_step *step, struct arena *arena)
{
    if (step->option.client == NOBODY)
        return "-";
    return arena_format(arena, "client %u, request %u", step->option.client + 1, step->request + 1);
}

static const char *gap(const struct replayed_step *step, struct arena *arena)
{
    if (step->option.client == NOBODY)
        return "-";
    return arena_format(arena, "%s > %s", step->before ? step->before : "waiting",
                        step->after ? step->after : "over");
}

static void show_step(const struct replayed *replayed, uint32_t i, bool timed, FILE *out, struct arena *arena)
{
    const struct replayed_step *step = &replayed->step[i];
    const char *versions = versions_text(step, arena);
    char at[UNITS_TEXT];

    fprintf(out, "%4u  ", i + 1);
    if (timed)
        fprintf(out, "%-8s ", duration_text(step->now_ns, at));
    fprintf(out, "%-21s  %-15s  %s", who(step, arena), gap(step, arena), action_text(step, arena));
    if (*versions)
        fprintf(out, ": %s", versions);
    fprintf(out, "%s\n", news_text(step, arena));
}

void replay_show(const struct replayed *replayed, const struct explored_world *world, FILE *out,
                 struct arena *arena)
{
    i128 excess = replayed->steps ? replayed->step[replayed->steps - 1].excess : 0;
    const char *target = replayed->target.kind == TARGET_WINDOW ? "window" : "curve";
    char text[DECIMAL_TEXT];

    fprintf(out, "%s\n\n", explored_text(world->explored, arena));
    for (uint32_t i = 0; i < replayed->steps; i++)
        show_step(replayed, i, world->explorer.setup.small.instants > 1, out, arena);
    if (replayed->over)
        fprintf(out, "\nover the target (%s) by %s: the violation shows again\n", target,
                decimal_text(small_target_cost(&replayed->target, excess), 9, text));
    else
        fprintf(out, "\nthe target (%s) is kept: the violation does not show\n", target);
}

/* ---- JSON ---- */

static json_t *news_rows(const struct replayed_step *step)
{
    static const char *const words[] = { [NEWS_ADMITTED] = "admitted", [NEWS_DENIED] = "denied",
                                         [NEWS_FAILED] = "failed" };
    json_t *rows = json_array();

    for (uint32_t i = 0; i < step->news_n; i++)
        json_array_append_new(rows, json_pack("{s:s, s:i, s:I, s:I}", "what", words[step->news[i].kind],
                                              "key", (int)step->news[i].key,
                                              "at_ns", (json_int_t)step->news[i].instant_ns,
                                              "cost", (json_int_t)step->news[i].cost));
    return rows;
}

static json_t *text_or_null(const char *text)
{
    return text ? listing_text(text) : json_null();
}

static json_t *step_row(const struct replayed_step *step)
{
    static const char *const kinds[] = { [SMALL_ACT] = "act", [SMALL_CRASH] = "crash",
                                         [SMALL_UNHEARD] = "crash, heard", [SMALL_BACKGROUND] = "background",
                                         [SMALL_TICK] = "tick", [SMALL_FORGET] = "forget" };
    bool acts = step->option.client != NOBODY;
    json_t *row = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:I}", "kind", kinds[step->option.action.kind],
        "client", acts ? json_integer(step->option.client + 1) : json_null(),
        "request", acts ? json_integer(step->request + 1) : json_null(),
        "before", text_or_null(step->before), "after", text_or_null(step->after),
        "operation", step->operation == OP_NONE ? json_null() : json_string(operation_name[step->operation]),
        "at_ns", (json_int_t)step->now_ns);

    if (step->reads || step->writes)
        json_object_set_new(row, step->writes ? "writes" : "reads", json_integer(step->version));
    if (step->has_left)
        json_object_set_new(row, "left", json_integer(step->left));
    json_object_set_new(row, "overwritten", json_integer(step->overwritten));
    json_object_set_new(row, "news", news_rows(step));
    json_object_set_new(row, "admitted", json_integer((json_int_t)step->admitted));
    return row;
}

void replay_print_json(const struct replayed *replayed, const struct explored_world *world, FILE *out)
{
    json_t *steps = json_array();

    for (uint32_t i = 0; i < replayed->steps; i++)
        json_array_append_new(steps, step_row(&replayed->step[i]));
    json_t *object = json_pack("{s:o, s:b, s:i, s:o}", "design", listing_text(world->explored->design),
                               "over", replayed->over, "preemptions", (int)replayed->preemptions,
                               "steps", steps);
    json_dumpf(object, out, JSON_INDENT(2));
    putc('\n', out);
    json_decref(object);
}

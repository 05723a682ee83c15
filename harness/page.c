/* page.c - see page.h. */
#include "page.h"
#include <string.h>
#include "../reports/html.h"
#include "../reports/show.h"
#include "arena.h"
#include "embedded.h"
#include "explain.h"
#include "page_data.h"
#include "units.h"

enum { STEPS_MAX = 20000, ROOMS_MAX = 200000 };

const char *witness_page_refuses(const struct explorer *explorer)
{
    const struct small_setup *setup = &explorer->setup.small;

    if (explorer->end != EXPLORE_COMPLETE || explorer->ordered == 0)
        return "a page needs every state, and the exploration did not come to its end";
    if (explorer->small.steps.items > STEPS_MAX)
        return "the world has too many different steps for a page; take fewer clients or requests";
    if ((uint64_t)explorer->tolds.items * setup->keys * setup->instants > ROOMS_MAX)
        return "the world has too many different outcomes for a page; take fewer clients or requests";
    return NULL;
}

static void write_lines(FILE *out, const char *const *line)
{
    for (; *line; line++)
        fprintf(out, "%s\n", *line);
}

/* A user's text, made well-formed. */
static const char *shown(struct arena *arena, const char *text)
{
    size_t room = 4 * strlen(text) + 1;

    return show_text(text, SHOW_KEEP_CONTROLS, arena_alloc(arena, room), room);
}

static void write_head(FILE *out, const struct witness_page *page, struct arena *arena)
{
    const struct policy *policy = page->explorer->setup.small.world->policy;
    const char *title = shown(arena, page->title);
    char period[UNITS_TEXT];

    html_print(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<title>%s</title>\n<style>\n", title);
    write_lines(out, page_style);
    html_print(out, "</style>\n</head>\n<body>\n<main style=\"--clients:%u\">\n"
                    "<p class=\"brand\">limitlab</p>\n<h1 id=\"title\">%s</h1>\n<p id=\"story\">%s</p>\n",
               page->explorer->setup.small.clients, title, shown(arena, page->story_text));
    html_print(out, "<p class=\"facts\"><b>%s</b>, at most %lld in %s", shown(arena, page->design),
               (long long)policy->limit, duration_text(policy->period_ns, period));
    if (*page->command)
        html_print(out, ". Made by <code>%s</code>", shown(arena, page->command));
    if (page->orders && page->bad_orders)
        html_print(out, ". Of the %s orders that its steps can take, %s let too much through", page->orders,
                   page->bad_orders);
    fputs(".</p>\n", out);
}

static void write_stage(FILE *out, const struct witness_page *page)
{
    char why[EXPLAIN_TEXT], critical[EXPLAIN_TEXT];

    fputs("<div class=\"stage\">\n<section class=\"panel\" aria-label=\"What happens\">\n"
          "<ol id=\"diagram\"></ol>\n", out);
    html_print(out, "<div id=\"why\"><p>%s</p><p>%s</p></div>\n", explain_sentence(page->witness, why),
               explain_critical(page->witness, critical));
    fputs("</section>\n<section class=\"panel\" aria-label=\"You are the scheduler\">\n"
          "<h2>You are the scheduler</h2>\n<p id=\"status\" role=\"status\" aria-live=\"polite\"></p>\n"
          "<p id=\"par\"></p>\n<p id=\"now\"></p>\n"
          "<ol id=\"moves\"></ol>\n<p id=\"no-moves\" hidden>Nobody can move any more.</p>\n"
          "<p class=\"tools\"><button id=\"back\" title=\"left\">&larr;</button>"
          "<button id=\"on\" title=\"right\">&rarr;</button>"
          "<button id=\"undo\">undo</button><button id=\"new\">new game</button>"
          "<button id=\"witness\">the witness</button></p>\n"
          "<p><a id=\"link\" href=\"#\">a link to this game</a></p>\n"
          "<p class=\"keys\">Choose who moves next, and try to let more pass than may. Keys: "
          "<kbd>1</kbd> to <kbd>9</kbd> move, <kbd>u</kbd> undo, <kbd>&larr;</kbd> <kbd>&rarr;</kbd> "
          "look back and forth, <kbd>n</kbd> new game, <kbd>w</kbd> the witness.</p>\n"
          "</section>\n</div>\n", out);
}

static void write_listings(FILE *out, const struct witness_page *page)
{
    const struct design *design = page->explorer->small.world_setup.design;

    fputs("<div class=\"listings\">\n", out);
    html_print(out, "<section class=\"panel\"><h2>%s, as it is written; who waits where</h2>"
                    "<ol id=\"code\" class=\"listing\"></ol></section>\n", design->coordination->name);
    fputs("<section class=\"panel\"><h2>A cure</h2><p id=\"cures\" class=\"tools\"></p>"
          "<p id=\"cure-result\"></p><ol id=\"cure-code\" class=\"listing\"></ol></section>\n"
          "</div>\n</main>\n", out);
}

void witness_page_write(FILE *out, const struct witness_page *page)
{
    struct arena arena = { 0 };

    write_head(out, page, &arena);
    write_stage(out, page);
    write_listings(out, page);
    fputs("<script id=\"data\" type=\"application/json\">\n", out);
    page_data_write(out, page);
    fputs("</script>\n<script>\n", out);
    write_lines(out, page_script);
    fputs("</script>\n</body>\n</html>\n", out);
    arena_free(&arena);
}

#include "blame.h"

#include <string.h>
#include "contender.h"
#include "html.h"

enum { ONE = 1000000000 };

const struct blame_cause blame_causes[BLAME_CAUSES] = {
    { "algorithm", "algo", "the rule itself, alone with one exact owner" },
    { "sharing", "share", "copies that are split or stale, while no two requests overlap" },
    { "race", "race", "requests that overlap" },
    { "fault", "fault", "what goes wrong on the time line, and messages lost or doubled" },
    { "clock", "clock", "clocks that are off" },
};

const char blame_legend[] =
    "why: the largest cause of the excess, with its share: algorithm (the rule itself), sharing (split or "
    "stale copies), race (requests that overlap), fault (what goes wrong on the time line, messages lost or "
    "doubled), clock.";

int64_t blame_total(const struct blame *blame)
{
    int64_t total = 0;
    for (unsigned i = 0; i < BLAME_CAUSES; i++)
        total += blame->part[i];
    return total;
}

int64_t blame_sum(const struct blame *blame)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < BLAME_CAUSES; i++)
        sum += blame->part[i] > 0 ? blame->part[i] : 0;
    return sum;
}

static unsigned largest(const struct blame *blame)
{
    unsigned most = 0;
    for (unsigned i = 1; i < BLAME_CAUSES; i++)
        if (blame->part[i] > blame->part[most])
            most = i;
    return most;
}

static bool is_due(const struct blame *blame)
{
    return blame->known && blame_total(blame) > 0;
}

/* Whole hundredths of what all causes add, rounded. */
static unsigned percent(const struct blame *blame, unsigned cause)
{
    uint64_t share = share_billionths((uint64_t)blame->part[cause], (uint64_t)blame_sum(blame));
    return (unsigned)((share + ONE / 200) / (ONE / 100));
}

const char *blame_text(const struct blame *blame, char out[SHOW_NUMBER])
{
    if (!is_due(blame))
        return "-";
    unsigned most = largest(blame), share = percent(blame, most);
    if (share == 100)
        return blame_causes[most].name;
    snprintf(out, SHOW_NUMBER, "%s %u%%", blame_causes[most].brief, share);
    return out;
}

bool blame_any(const struct contender *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_due(&list[i].blame))
            return true;
    return false;
}

/* ---- bars ---- */

/* In the units of the drawing. */
enum { WIDE = 820, NAME = 290, BAR = 420, ROW = 24, THICK = 16, ROOM_FOR_SHARE = 40 };

/* How far along the bar so much of the sum reaches. */
static int reach(const struct blame *blame, int64_t upto)
{
    return (int)(share_billionths((uint64_t)upto, (uint64_t)blame_sum(blame)) * BAR / ONE);
}

static void draw_part(FILE *page, const struct blame *blame, unsigned cause, int64_t *before, unsigned y)
{
    int from = reach(blame, *before);
    if (blame->part[cause] <= 0)
        return;
    *before += blame->part[cause];
    int wide = reach(blame, *before) - from;
    html_print(page, "<rect x=\"%d\" y=\"%u\" width=\"%d\" height=\"%d\" fill=\"var(--b%u)\"/>\n",
               NAME + from, y, wide > 0 ? wide : 1, THICK, cause + 1);
    if (wide >= ROOM_FOR_SHARE)
        html_print(page, "<text x=\"%d\" y=\"%u\" text-anchor=\"middle\" font-size=\"11\" "
                         "fill=\"var(--paper)\">%u%%</text>\n",
                   NAME + from + wide / 2, y + THICK - 4, percent(blame, cause));
}

static void draw_row(FILE *page, const struct contender *c, unsigned y)
{
    enum { NAME_COLUMNS = 38, NAME_ROOM = 4 * NAME_COLUMNS + 4 };
    char name[NAME_ROOM], excess[SHOW_NUMBER];
    int64_t before = 0, total = blame_total(&c->blame);
    html_print(page, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\" fill=\"var(--ink)\">%s</text>\n", NAME - 10,
               y + THICK - 3, show_elided(c->design, NAME_COLUMNS, name, sizeof name));
    for (unsigned cause = 0; cause < BLAME_CAUSES; cause++)
        draw_part(page, &c->blame, cause, &before, y);
    html_print(page, "<text x=\"%d\" y=\"%u\" fill=\"var(--soft)\">%s over</text>\n", NAME + BAR + 10,
               y + THICK - 3, total < ONE ? "<1" : show_count((uint64_t)(total / ONE), excess));
}

void blame_draw(FILE *page, const struct contender *list, size_t count)
{
    unsigned rows = 0, row = 0;
    for (size_t i = 0; i < count; i++)
        rows += is_due(&list[i].blame);
    html_print(page, "<svg viewBox=\"0 0 %d %u\" font-size=\"13\">\n", WIDE, rows * ROW + 4);
    for (size_t i = 0; i < count; i++)
        if (is_due(&list[i].blame))
            draw_row(page, &list[i], row++ * ROW + 4);
    fputs("</svg>\n", page);
}

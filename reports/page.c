#include "page.h"

#include <string.h>
#include "columns.h"
#include "glossary.h"
#include "html.h"
#include "plot.h"
#include "style.h"

enum { ONE = 1000000000, PLOTTED_LIMITS = 4 };

static const int64_t period_most = (int64_t)1 << 59;    /* ten years: none is longer */

/* ---- the head ---- */

static void fact(FILE *page, const char *name, const char *value)
{
    if (*value)
        html_print(page, "<dt>%s</dt><dd>%s</dd>\n", name, value);
}

static void write_policy(FILE *page, const struct model *m)
{
    char period[SHOW_NUMBER];
    fputs("<dt>Policy</dt><dd>", page);
    for (size_t i = 0, same; i < m->contenders; i += same) {
        same = contenders_of_one_limit(&m->contender[i], m->contenders - i);
        html_print(page, i ? ", %lld" : "%lld", (long long)m->contender[i].limit);
    }
    html_print(page, " per %s, ", show_span(m->period_ns, period));
    if (m->burst)
        html_print(page, "burst %lld</dd>\n", (long long)m->burst);
    else
        fputs("burst as the limit</dd>\n", page);
}

static void write_target(FILE *page, const struct model *m)
{
    char period[SHOW_NUMBER];
    fputs("<dt><a href=\"#target\">Target</a></dt><dd>", page);
    fputs(m->window_target ? "at most the limit in any period" : "never more than burst + rate * t", page);
    if (m->target_limit)
        html_print(page, ", with limit %lld", (long long)m->target_limit);
    if (m->target_period_ns)
        html_print(page, ", with period %s", show_span(m->target_period_ns, period));
    if (m->target_burst)
        html_print(page, ", with burst %lld", (long long)m->target_burst);
    fputs("</dd>\n", page);
}

static void write_facts(FILE *page, const struct model *m)
{
    fputs("<dl class=\"facts\">\n", page);
    write_policy(page, m);
    write_target(page, m);
    fact(page, "Required", m->require);
    if (m->first_seed == m->last_seed)
        html_print(page, "<dt>Seed</dt><dd>%lld</dd>\n", (long long)m->first_seed);
    else
        html_print(page, "<dt>Seeds</dt><dd>%lld to %lld; each figure in a table is the worst of them</dd>\n",
                   (long long)m->first_seed, (long long)m->last_seed);
    fact(page, "Setting", m->setting);
    if (!m->finished)
        fact(page, "Incomplete", "the run was stopped before all of its cells were done");
    fputs("</dl>\n", page);
}

static void write_head(FILE *page, const struct model *m)
{
    html_print(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<title>%s</title>\n<style>\n", m->title);
    fputs(style_sheet, page);
    html_print(page, "</style>\n</head>\n<body>\n<main>\n<p class=\"brand\">limitlab %s</p>\n<h1>%s</h1>\n",
               m->command, m->title);
    if (*m->story)
        html_print(page, "<p class=\"story\">%s</p>\n", m->story);
    write_facts(page, m);
}

/* ---- the table ---- */

static void write_headings(FILE *page)
{
    fputs("<thead><tr><th class=\"rank\">#</th><th><a href=\"#qualifies\" title=\"qualifies\">✓</a></th>"
          "<th class=\"left\">design</th>", page);
    for (unsigned i = 0; i < column_count; i++)
        html_print(page, "<th class=\"%s\"><a href=\"#%s\">%s</a></th>", columns[i].minor ? "minor" : "",
                   columns[i].term, columns[i].name);
    fputs("</tr></thead>\n", page);
}

/* A long name breaks where its parts meet. */
static void write_name(FILE *page, const char *name)
{
    for (; *name; name++) {
        html_print(page, "%s", (const char[]){ *name, '\0' });
        if (*name == '@' || *name == ':')
            fputs("<wbr>", page);
    }
}

static void write_row(FILE *page, const struct contender *c, size_t number)
{
    bool good = c->row.qualifies;
    html_print(page, "<tr><td class=\"rank\">%lld</td><td class=\"%s\">%s</td><th scope=\"row\">",
               (long long)number, good ? "yes" : "no", good ? "✓" : "✗");
    write_name(page, c->design);
    if (*c->label)
        html_print(page, " <span class=\"label\">%s</span>", c->label);
    fputs("</th>", page);
    for (unsigned i = 0; i < column_count; i++) {
        char cell[SHOW_NUMBER];
        bool alarm = columns[i].alarming && columns[i].alarming(c);
        html_print(page, "<td class=\"%s%s\">%s</td>", columns[i].minor ? "minor " : "", alarm ? "alarm" : "",
                   columns[i].cell(c, cell));
    }
    fputs("</tr>\n", page);
}

static void write_table(FILE *page, const struct contender *list, size_t count)
{
    fputs("<div class=\"scroll\" tabindex=\"0\">\n<table>\n", page);
    write_headings(page);
    fputs("<tbody>\n", page);
    for (size_t i = 0; i < count; i++)
        write_row(page, &list[i], i + 1);
    fputs("</tbody>\n</table>\n</div>\n"
          "<p class=\"note narrow\">A wider screen shows more columns.</p>\n", page);
}

static void write_undecided(FILE *page, const struct contender *list, size_t count)
{
    char sentence[CONTENDER_SENTENCE];
    for (size_t i = 0; i < count; i++)
        if (*contender_undecided(&list[i], sentence))
            html_print(page, "<p class=\"note\">%s.</p>\n", sentence);
}

/* ---- figures ---- */

static void figure_begin(FILE *page, const char *title, const char *described)
{
    html_print(page, "<figure>\n<h3>%s</h3>\n<div class=\"scroll\" role=\"img\" tabindex=\"0\" "
                     "aria-label=\"%s\">\n", title, described);
}

/* An entry of a legend, up to its text: a piece of the line. */
static void write_sample(FILE *page, unsigned colour, unsigned width, const char *dash)
{
    html_print(page, "<li><svg viewBox=\"0 0 36 8\" aria-hidden=\"true\"><path d=\"M0 4H36\" "
                     "stroke=\"var(--c%u)\" stroke-width=\"%u\" stroke-dasharray=\"%s\"/></svg>",
               colour, width, dash);
}

static void write_legend(FILE *page, const struct plot_lines *lines, const char *bound)
{
    fputs("</div>\n<ul class=\"legend\">\n", page);
    for (unsigned i = 0; i < lines->count; i++) {
        write_sample(page, i + 1, 3, plot_dash[i]);
        html_print(page, "%s %s</li>\n", lines->line[i]->design, lines->line[i]->label);
    }
    write_sample(page, 8, 2, "2 3");
    html_print(page, "%s</li>\n</ul>\n", bound);
}

static void figure_end(FILE *page)
{
    fputs("</figcaption>\n</figure>\n", page);
}

/* Why the two bars differ, on these results, when they have a pair of rows that shows it. */
static void say_pair(const struct plot *plot, const struct contender *list, size_t count)
{
    const struct contender *doubled = plot_likest_broken(list, count), *kept = plot_widest_kept(list, count);
    char one[SHOW_NUMBER], two[SHOW_NUMBER], period[SHOW_NUMBER];
    if (!doubled || !kept || doubled->worst_window < ONE + ONE / 2 || kept->worst_window < ONE + ONE / 2)
        return;
    html_print(plot->page,
               " Here %s let %lld through in one period of %s, boundary burst %s, and %s let %lld through, "
               "boundary burst %s: windows of a kind, and only one of the two breaks the curve.",
               doubled->design, (long long)plot->model->result[doubled->position].window_cost,
               show_span(plot->period_ns, period), show_ratio(doubled->boundary_burst, one), kept->design,
               (long long)plot->model->result[kept->position].window_cost,
               show_ratio(kept->boundary_burst, two));
}

static bool any_bar_is_cut(const struct contender *list, size_t count)
{
    int64_t top = (int64_t)PLOT_BARS_TOP * ONE;
    for (size_t i = 0; i < count; i++)
        if (list[i].boundary_burst > top || list[i].worst_window > top)
            return true;
    return false;
}

static const char bars_legend[] =
    "</div>\n<ul class=\"legend\"><li><svg viewBox=\"0 0 36 8\" aria-hidden=\"true\"><rect width=\"36\" "
    "height=\"8\" fill=\"var(--c1)\"/></svg>boundary burst</li><li><svg viewBox=\"0 0 36 8\" "
    "aria-hidden=\"true\"><rect x=\"1\" y=\"1\" width=\"34\" height=\"6\" fill=\"none\" "
    "stroke=\"var(--c4)\" stroke-width=\"2\"/></svg>worst window / limit</li></ul>\n"
    "<figcaption>Filled bars above 1 break the curve burst + rate * t. Hollow bars near 2 need not: a token "
    "bucket that has been idle spends its saved burst and, within the same period, what flows in meanwhile. "
    "A fixed window gets there differently: it spends one window's limit just before its edge and the next "
    "one's just after, faster than the curve allows.";

static bool write_bars(const struct plot *plot, const struct contender *list, size_t count)
{
    FILE *page = plot->page;
    figure_begin(page, "Boundary burst and worst window, side by side",
                 "Bars for each design: its boundary burst and its worst window, with a line at 1");
    if (!plot_bars(plot, list, count))
        return false;
    fputs(bars_legend, page);
    say_pair(plot, list, count);
    if (any_bar_is_cut(list, count))
        html_print(page, " Bars with an arrow are cut at %d; their numbers say how far they would reach.",
                   PLOT_BARS_TOP);
    figure_end(page);
    return true;
}

/* Which rows have a line, when not all have. */
static void say_chosen(FILE *page, const struct plot_lines *lines, const struct contender *list, size_t count)
{
    size_t off = plot_off_scale(list, count, lines);
    if (lines->count == count)
        return;
    html_print(page, " Drawn are %u of the %lld rows", lines->count, (long long)count);
    if (off)
        html_print(page, "; %lld of the others %s off the scale, at more than %d times the limit in one "
                         "period", (long long)off, off == 1 ? "is" : "are", PLOT_SCALE_TOP);
    fputs(".", page);
}

/* Whose line is drawn and whose figures the table has; of_window: its worst window, not its burst. */
static void say_keys(const struct plot *plot, const struct plot_lines *lines, bool of_window)
{
    enum { KEY_COLUMNS = 60, KEY_ROOM = 4 * KEY_COLUMNS + 4 };
    FILE *page = plot->page;
    char name[KEY_ROOM];
    const char *watched = plot->model->watched_key;
    html_print(page, " Lines are those of the key that asked for most, <code>%s</code>; the table's figures "
                     "are those of each design's worst key",
               show_elided(watched, KEY_COLUMNS, name, sizeof name));
    for (unsigned i = 0; i < lines->count; i++) {
        const struct model_result *r = &plot->model->result[lines->line[i]->position];
        const char *key = of_window ? r->window_key : r->burst_key;
        if (*key && strcmp(key, watched) != 0)
            html_print(page, ", for %s %s <code>%s</code>", lines->line[i]->design, lines->line[i]->label,
                       show_elided(key, KEY_COLUMNS, name, sizeof name));
    }
    fputs(".", page);
}

static bool write_window(const struct plot *plot, const struct plot_lines *lines,
                         const struct contender *list, size_t count)
{
    FILE *page = plot->page;
    figure_begin(page, "Admitted in the last period, against time",
                 "Cost that stands admitted in one period against time for a few designs, with the limit");
    if (!plot_window(plot, lines))
        return false;
    write_legend(page, lines, "the limit");
    fputs("<figcaption>The cost that stands admitted in the period that ends here. Being above the limit is "
          "only wrong for a window target; for a curve it depends on how long it took to get there, as the "
          "next plot shows.", page);
    say_keys(plot, lines, true);
    say_chosen(page, lines, list, count);
    figure_end(page);
    return true;
}

static bool write_cumulative(const struct plot *plot, const struct plot_lines *lines,
                             const struct contender *list, size_t count)
{
    FILE *page = plot->page;
    figure_begin(page, "Admitted since the busiest spell began, against the arrival curve",
                 "Cumulative cost admitted from the start of the busiest spell, and burst + rate * t");
    if (!plot_cumulative(plot, lines))
        return false;
    write_legend(page, lines, "burst + rate * t");
    fputs("<figcaption>What each design has let through since the spell began in which one of these burst "
          "most. The dotted line is the most that the curve allows by then. A line that climbs over it "
          "over-admits, and by how much it does is the excess; a line that runs along it wastes nothing.",
          page);
    say_keys(plot, lines, false);
    say_chosen(page, lines, list, count);
    figure_end(page);
    return true;
}

static bool write_latency(const struct plot *plot, const struct contender *list, size_t count)
{
    struct plot_lines lines;
    FILE *page = plot->page;
    plot_choose_latency(list, count, &lines);
    if (!lines.count)
        return true;
    figure_begin(page, "What a verdict costs in time",
                 "Share of verdicts within a latency, for a few designs, on a logarithmic axis");
    if (!plot_latency(plot, &lines))
        return false;
    write_legend(page, &lines, "99 of 100");
    fputs("<figcaption>Share of the verdicts that came within a time: further left is faster, and where a "
          "line crosses the dotted one is its p99. What takes less than 10 microseconds, as in a design that "
          "asks nobody, is drawn at the left edge.", page);
    figure_end(page);
    return true;
}

/* Why each design that lets too much through does. */
static void write_blame(FILE *page, const struct contender *list, size_t count)
{
    if (!blame_any(list, count))
        return;
    figure_begin(page, "Why they let too much through",
                 "A bar for each design with an excess, divided among the causes of it");
    blame_draw(page, list, count);
    fputs("</div>\n<ul class=\"legend\">\n", page);
    for (unsigned i = 0; i < BLAME_CAUSES; i++)
        html_print(page, "<li><svg viewBox=\"0 0 36 8\" aria-hidden=\"true\"><rect width=\"36\" "
                         "height=\"8\" fill=\"var(--b%u)\"/></svg>%s: %s</li>\n", i + 1,
                   blame_causes[i].name, blame_causes[i].meaning);
    fputs("</ul>\n<figcaption>Each bar is the whole excess of one design, the cost that its worst key got "
          "beyond what the target allows, divided by the difference that each thing makes when the same "
          "traffic is run with one thing more at a time. Where a cause makes the excess smaller, the bar "
          "shows those that make it larger.", page);
    figure_end(page);
}

static bool write_figures(struct plot *plot, const struct contender *list, size_t count)
{
    struct plot_lines lines;
    plot_choose(list, count, &lines);
    bool series = plot_has_series(plot->model, &lines);
    return (plot->number++, write_bars(plot, list, count)) &&
           (!series || (plot->number++, write_window(plot, &lines, list, count))) &&
           (!series || (plot->number++, write_cumulative(plot, &lines, list, count))) &&
           (plot->number++, write_latency(plot, list, count));
}

/* ---- one limit ---- */

static int64_t first_set(int64_t a, int64_t b, int64_t c)
{
    return a > 0 ? a : b > 0 ? b : c > 0 ? c : 1;
}

static void set_target(struct plot *plot, int64_t limit)
{
    const struct model *m = plot->model;
    plot->limit = first_set(m->target_limit, limit, 0);
    plot->burst = first_set(m->target_burst, m->burst, plot->limit);
    int64_t period_ns = first_set(m->target_period_ns, m->period_ns, 0);
    plot->period_ns = period_ns < period_most ? period_ns : period_most;
}

static bool write_limit(struct plot *plot, const struct contender *list, size_t count, bool several,
                        bool plotted)
{
    char sentence[CONTENDER_SENTENCE];
    FILE *page = plot->page;
    html_print(page, "<h2>Which design to pick");
    if (several)
        html_print(page, ", limit %lld", (long long)list->limit);
    html_print(page, "</h2>\n");
    html_print(page, "<p class=\"pick\">%s</p>\n", contenders_pick(list, count, sentence));
    write_table(page, list, count);
    write_undecided(page, list, count);
    if (contenders_need_window_note(list, count))
        html_print(page, "<p class=\"note\">%s</p>\n", contenders_window_note);
    write_blame(page, list, count);
    set_target(plot, list->limit);
    return !plotted || write_figures(plot, list, count);
}

static bool write_limits(FILE *page, const struct model *m, struct report_failure *failure)
{
    struct plot plot = { .model = m, .page = page, .failure = failure };
    size_t same = contenders_of_one_limit(m->contender, m->contenders), done = 0;
    bool several = same < m->contenders;
    for (size_t first = 0; first < m->contenders; first += same, done++) {
        same = contenders_of_one_limit(&m->contender[first], m->contenders - first);
        if (!write_limit(&plot, &m->contender[first], same, several, done < PLOTTED_LIMITS))
            return false;
    }
    if (done > PLOTTED_LIMITS)
        html_print(page, "<p class=\"note\">Plots are drawn for the first %d limits.</p>\n", PLOTTED_LIMITS);
    return true;
}

/* ---- the rest ---- */

static void write_claims(FILE *page, const struct model *m)
{
    if (!m->claims)
        return;
    fputs("<h2>Claims of the scenario</h2>\n<ul>\n", page);
    for (size_t i = 0; i < m->claims; i++) {
        const struct model_claim *c = &m->claim[i];
        html_print(page, "<li><span class=\"%s\">%s</span> %s: %s %s</li>\n", c->came_true ? "yes" : "no",
                   c->came_true ? "✓" : "✗", c->design, c->name, c->detail);
    }
    fputs("</ul>\n", page);
}

static void write_parameters(FILE *page, const struct model *m)
{
    fputs("<h2>Parameters of each design</h2>\n<dl class=\"parameters\">\n", page);
    for (size_t i = 0; i < m->contenders; i++) {
        const char *given = *m->contender[i].parameters ? m->contender[i].parameters : "none";
        char whose[CONTENDER_SENTENCE];
        if (*contenders_parameters_of(m->contender, m->contenders, i, whose))
            html_print(page, "<dt>%s</dt><dd>%s</dd>\n", whose, given);
    }
    fputs("</dl>\n", page);
}

static void write_reproduce(FILE *page, const struct model *m)
{
    html_print(page, "<h2>Make these results again</h2>\n<pre><code>%s</code></pre>\n"
                     "<p class=\"note\">Written by limitlab %s. The same command gives the same results."
                     "</p>\n", m->invocation, m->version);
}

bool page_write(FILE *page, const struct model *model, struct report_failure *failure)
{
    write_head(page, model);
    if (!write_limits(page, model, failure))
        return false;
    write_claims(page, model);
    write_parameters(page, model);
    write_reproduce(page, model);
    glossary_write(page);
    fputs("</main>\n</body>\n</html>\n", page);
    return true;
}

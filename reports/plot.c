#include "plot.h"

#include <stdlib.h>
#include <string.h>
#include "gnuplot.h"

__extension__ typedef __int128 i128;

enum {
    ONE = 1000000000,
    ROOMY_ROWS = 8                      /* up to so many rows the numbers above bars fit side by side */
};

const char *const plot_dash[PLOT_LINES] = { "none", "9 4", "3 3", "10 4 3 4" };

/* ---- scripts ---- */

static const char head[] =
    "set terminal svg size 820,360 dynamic noenhanced font ',14'\n"
    "set encoding utf8\n"
    "set border 3\n"
    "set tics nomirror out\n"
    "set key off\n"
    "set grid ytics lt 1 lw 0.7 lc rgb '#000109'\n"
    "set format y '%g'\n"
    "set autoscale xfix\n"
    "set yrange [0:*]\n"
    "set offsets 0,0,graph 0.06,0\n";

/* A temporary file that begins as every script does; NULL fills failure. */
static FILE *script_begin(const struct plot *plot)
{
    FILE *script = tmpfile();
    if (script)
        fputs(head, script);
    else
        report_fail(plot->failure, REPORT_TROUBLE, "a plot has no temporary file; expected room for one");
    return script;
}

static bool script_end(const struct plot *plot, FILE *script)
{
    bool drawn = gnuplot_draw(script, plot->number, plot->page, plot->failure);
    fclose(script);
    return drawn;
}

/* The unit in which a span makes a readable axis. */
static const struct unit { int64_t from, ns; const char *name; } units[] = {
    { 3 * 86400LL * ONE, 86400LL * ONE, "days" }, { 10800LL * ONE, 3600LL * ONE, "hours" },
    { 300LL * ONE, 60LL * ONE, "minutes" }, { ONE, ONE, "seconds" }, { INT64_MIN, 1000000, "milliseconds" },
};

static const struct unit *unit_for(int64_t span_ns)
{
    const struct unit *unit = units;
    while (span_ns < unit->from)
        unit++;
    return unit;
}

static void block_begin(FILE *script, unsigned line)
{
    fprintf(script, "$line%u << E\n", line);
}

static void block_row(FILE *script, int64_t x, int64_t y)
{
    fprintf(script, "%lld %lld\n", (long long)x, (long long)y);
}

static void block_end(FILE *script)
{
    fputs("E\n", script);
}

static const char *const gnuplot_dash[PLOT_LINES] = { "1", "(9,4)", "(3,3)", "(10,4,3,4)" };

/* The thousands or millions in which a cost up to `most` is written on an axis. */
static const struct scale { int64_t from, unit; const char *name; } scales[] = {
    { 5000000, 1000000, " (millions)" }, { 5000, 1000, " (thousands)" }, { INT64_MIN, 1, "" },
};

static const struct scale *scale_for(int64_t most)
{
    const struct scale *scale = scales;
    while (most < scale->from)
        scale++;
    return scale;
}

/* The lines of all blocks; a last one, dotted, is the bound.  Time in its unit, cost in its scale. */
static void draw_lines(FILE *script, const struct unit *unit, const struct scale *scale, unsigned count,
                       const char *style)
{
    fprintf(script, "x(t) = t/%lld.\ny(c) = c/%lld.\nplot ", (long long)unit->ns, (long long)scale->unit);
    for (unsigned i = 0; i < count; i++)
        fprintf(script, "$line%u using (x($1)):(y($2)) with %s lw 2 dt %s lc rgb '#00010%u', ", i, style,
                gnuplot_dash[i], i + 1);
    fprintf(script, "$line%u using (x($1)):(y($2)) with lines lw 1.5 dt (2,3) lc rgb '#000108'\n", count);
}

/* ---- series ---- */

struct all_series {
    struct model_series line[PLOT_LINES];
    unsigned count;
};

static void free_all(struct all_series *all)
{
    for (unsigned i = 0; i < all->count; i++)
        model_series_free(&all->line[i]);
}

static bool load_all(const struct plot *plot, const struct plot_lines *lines, struct all_series *all)
{
    for (all->count = 0; all->count < lines->count; all->count++) {
        struct model_series *series = &all->line[all->count];
        int64_t result = model_result(plot->model, lines->line[all->count]);
        if (!model_series_load(plot->model, result, series, plot->failure)) {
            model_series_free(series);
            free_all(all);
            return false;
        }
    }
    return true;
}

bool plot_has_series(const struct model *model, const struct plot_lines *lines)
{
    struct report_failure ignored;
    struct plot plot = { .model = model, .failure = &ignored };
    struct all_series all;
    if (!load_all(&plot, lines, &all))
        return false;
    bool drawable = all.count > 0;
    for (unsigned i = 0; i < all.count; i++)
        drawable = drawable && all.line[i].bins && all.line[i].width_ns > 0;
    free_all(&all);
    return drawable;
}

static int64_t end_of(const struct model_series *series)
{
    return series->start_ns + (int64_t)series->bins * series->width_ns;
}

/* ---- admitted in the last period, against time ---- */

static void write_window(FILE *script, const struct plot *plot, const struct all_series *all)
{
    int64_t from = INT64_MAX, to = INT64_MIN, most = plot->limit;
    for (unsigned i = 0; i < all->count; i++) {
        const struct model_series *s = &all->line[i];
        block_begin(script, i);
        for (unsigned bin = 0; bin < s->bins; bin++) {
            block_row(script, s->start_ns + bin * s->width_ns, s->window[bin]);
            most = s->window[bin] > most ? s->window[bin] : most;
        }
        block_row(script, end_of(s), s->bins ? s->window[s->bins - 1] : 0);
        block_end(script);
        from = s->start_ns < from ? s->start_ns : from;
        to = end_of(s) > to ? end_of(s) : to;
    }
    block_begin(script, all->count);
    block_row(script, from, plot->limit);
    block_row(script, to, plot->limit);
    block_end(script);
    const struct unit *unit = unit_for(to - from);
    const struct scale *scale = scale_for(most);
    fprintf(script, "set xlabel '%s since the start'\n", unit->name);
    fprintf(script, "set ylabel 'admitted in one period%s'\n", scale->name);
    draw_lines(script, unit, scale, all->count, "steps");
}

bool plot_window(const struct plot *plot, const struct plot_lines *lines)
{
    struct all_series all;
    if (!load_all(plot, lines, &all))
        return false;
    FILE *script = script_begin(plot);
    if (script)
        write_window(script, plot, &all);
    free_all(&all);
    return script && script_end(plot, script);
}

/* ---- cumulative, against the arrival curve ---- */

struct spell { unsigned line, from, peak; i128 height; };

/* The spell of line i that explains its largest burst: X <- max(0, X - rate * dt) + cost, bin by bin. */
static void find_spell(const struct plot *plot, const struct all_series *all, unsigned i, struct spell *worst)
{
    const struct model_series *s = &all->line[i];
    unsigned from = 0;
    i128 level = 0;                     /* cost * period */
    for (unsigned bin = 0; bin < s->bins; bin++) {
        if (level == 0)
            from = bin;
        level += (i128)s->admitted[bin] * plot->period_ns;
        if (level > worst->height)
            *worst = (struct spell){ i, from, bin, level };
        i128 drained = level - (i128)plot->limit * s->width_ns;
        level = drained > 0 ? drained : 0;
    }
}

static int64_t clamp(i128 x)
{
    return x > INT64_MAX ? INT64_MAX : (int64_t)x;
}

/* Each line from the instant at which the spell begins, so that all of them start at 0. */
static void write_cumulative(FILE *script, const struct plot *plot, const struct all_series *all,
                             const struct spell *spell)
{
    const struct model_series *s = &all->line[spell->line];
    int64_t from = s->start_ns + (int64_t)spell->from * s->width_ns;
    int64_t busy = (int64_t)(spell->peak - spell->from + 1) * s->width_ns;
    int64_t span = busy + (busy / 2 > 2 * plot->period_ns ? busy / 2 : 2 * plot->period_ns);
    for (unsigned i = 0; i < all->count; i++) {
        const struct model_series *line = &all->line[i];
        i128 sum = 0;
        block_begin(script, i);
        block_row(script, 0, 0);
        for (unsigned bin = 0; bin < line->bins; bin++) {
            int64_t end = line->start_ns + (int64_t)(bin + 1) * line->width_ns;
            if (end <= from || end > from + span)
                continue;
            sum += line->admitted[bin];
            block_row(script, end - from, clamp(sum));
        }
        block_end(script);
    }
    block_begin(script, all->count);
    block_row(script, 0, plot->burst);
    int64_t most = clamp(plot->burst + (i128)plot->limit * span / plot->period_ns);
    block_row(script, span, most);
    block_end(script);
    const struct scale *scale = scale_for(most);
    const struct unit *unit = unit_for(span);
    fprintf(script, "set xlabel '%s since the busiest spell began'\n", unit->name);
    fprintf(script, "set ylabel 'admitted so far%s'\n", scale->name);
    draw_lines(script, unit, scale, all->count, "lines");
}

bool plot_cumulative(const struct plot *plot, const struct plot_lines *lines)
{
    struct all_series all;
    if (!load_all(plot, lines, &all))
        return false;
    struct spell worst = { .height = -1 };
    for (unsigned i = 0; i < all.count; i++)
        find_spell(plot, &all, i, &worst);
    FILE *script = script_begin(plot);
    if (script)
        write_cumulative(script, plot, &all, &worst);
    free_all(&all);
    return script && script_end(plot, script);
}

/* ---- bars ---- */

/* Undefined figures have no bar; what is above the top is cut there, its number is not and has an arrow. */
static void write_bar(FILE *script, size_t row, int64_t billionths)
{
    int64_t top = (int64_t)PLOT_BARS_TOP * ONE;
    int64_t height = billionths > top ? top : billionths;
    int64_t hundredths = billionths / (ONE / 100) + (billionths % (ONE / 100) >= ONE / 200);
    fprintf(script, "%zu %lld %lld\n", row, (long long)height, (long long)hundredths);
}

static void write_bars(FILE *script, const struct contender *list, size_t count)
{
    for (unsigned which = 0; which < 2; which++) {
        block_begin(script, which);
        fputs("0 0 -1\n", script);      /* a block is never empty; left of what is shown */
        for (size_t i = 0; i < count; i++) {
            int64_t value = which ? list[i].worst_window : list[i].boundary_burst;
            if (value >= 0)
                write_bar(script, i + 1, value);
        }
        block_end(script);
    }
    fprintf(script, "set xrange [0.4:%zu.6]\nset xtics 1 scale 0\nset format x '%%.0f'\n"
                    "set format y '%%.1f'\nset xlabel 'row of the table'\n"
                    "set ylabel 'times the target (↑: cut at %d)'\nset ytics 0.5\n", count, PLOT_BARS_TOP);
    if (count > ROOMY_ROWS)
        fputs("set offsets 0,0,graph 0.14,0\n", script);
    const char *labels = count > ROOMY_ROWS ? "rotate by 90 left offset 0,0.4 font ',10'"
                                            : "offset 0,0.5 font ',11'";
    fputs("plot $line0 using ($1-0.2):($2/1e9):(0.34) with boxes lc rgb '#000101' fs solid 1, "
          "$line1 using ($1+0.2):($2/1e9):(0.34) with boxes lw 2 lc rgb '#000104' fs empty, "
          "1 with lines lw 1.5 dt (2,3) lc rgb '#000108'", script);
    for (unsigned which = 0; which < 2; which++)
        fprintf(script, ", $line%u using ($1%s0.2):($2/1e9):"
                        "(sprintf($3 > %d ? '↑%%.2f' : '%%.2f', $3/100)) with labels %s",
                which, which ? "+" : "-", 100 * PLOT_BARS_TOP, labels);
    putc('\n', script);
}

bool plot_bars(const struct plot *plot, const struct contender *list, size_t count)
{
    FILE *script = script_begin(plot);
    if (script)
        write_bars(script, list, count);
    return script && script_end(plot, script);
}

/* ---- latency ---- */

static bool write_distribution(FILE *script, const struct plot *plot, const struct contender *contender,
                               unsigned line, int64_t right_ns)
{
    struct model_point *points;
    unsigned count;
    bool read = model_latency_load(plot->model, model_result(plot->model, contender), &points, &count,
                                   plot->failure);
    int64_t all = read && count ? points[count - 1].count : 0;
    block_begin(script, line);
    fprintf(script, "%d 0 1\n", PLOT_FASTEST_NS);
    for (unsigned i = 0; read && i < count && all > 0; i++) {
        int64_t at = points[i].upto_ns > PLOT_FASTEST_NS ? points[i].upto_ns : PLOT_FASTEST_NS;
        fprintf(script, "%lld %lld %lld\n", (long long)at, (long long)points[i].count, (long long)all);
    }
    fprintf(script, "%lld 1 1\n", (long long)right_ns);
    block_end(script);
    free(points);
    return read;
}

static bool write_latency(FILE *script, const struct plot *plot, const struct plot_lines *lines)
{
    int64_t right_ns = 10 * PLOT_FASTEST_NS;
    for (unsigned i = 0; i < lines->count; i++)
        if (lines->line[i]->row.p99_ns > right_ns / 4)
            right_ns = lines->line[i]->row.p99_ns * 4;
    for (unsigned i = 0; i < lines->count; i++)
        if (!write_distribution(script, plot, lines->line[i], i, right_ns))
            return false;
    fprintf(script, "set logscale x\nset xlabel 'milliseconds from arrival to verdict'\n"
                    "set ylabel '%% of verdicts within'\nset format x '%%g'\nset format y '%%.0f'\n"
                    "set yrange [0:105]\nset offsets 0,0,0,0\nset xrange [%g:%lld/1e6]\nplot ",
            PLOT_FASTEST_NS / 1e6, (long long)right_ns);
    for (unsigned i = 0; i < lines->count; i++)
        fprintf(script, "$line%u using ($1/1e6):(100*$2/$3) with steps lw 2 dt %s lc rgb '#00010%u', ", i,
                gnuplot_dash[i], i + 1);
    fputs("99 with lines lw 1 dt (2,3) lc rgb '#000108'\n", script);
    return true;
}

bool plot_latency(const struct plot *plot, const struct plot_lines *lines)
{
    FILE *script = script_begin(plot);
    if (!script)
        return false;
    if (write_latency(script, plot, lines))
        return script_end(plot, script);
    fclose(script);
    return false;
}

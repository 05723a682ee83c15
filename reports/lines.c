#include "lines.h"

#include <stdlib.h>
#include "model.h"

enum { ONE = 1000000000 };

static bool has_line(const struct plot_lines *lines, const struct contender *contender)
{
    for (unsigned i = 0; i < lines->count; i++)
        if (lines->line[i] == contender)
            return true;
    return false;
}

static void add_line(struct plot_lines *lines, const struct contender *contender)
{
    if (contender && lines->count < PLOT_LINES && !has_line(lines, contender))
        lines->line[lines->count++] = contender;
}

const struct contender *plot_widest_kept(const struct contender *list, size_t count)
{
    const struct contender *widest = NULL;
    for (size_t i = 0; i < count; i++)
        if (list[i].boundary_burst >= 0 && list[i].boundary_burst <= ONE &&
            (!widest || list[i].worst_window > widest->worst_window))
            widest = &list[i];
    return widest;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

const struct contender *plot_likest_broken(const struct contender *list, size_t count)
{
    const struct contender *kept = plot_widest_kept(list, count), *likest = NULL;
    for (size_t i = 0; kept && i < count; i++) {
        int64_t off = distance(list[i].worst_window, kept->worst_window);
        if (list[i].boundary_burst > ONE && list[i].worst_window >= 0 &&
            (!likest || off < distance(likest->worst_window, kept->worst_window)))
            likest = &list[i];
    }
    return likest;
}

static bool in_scale(const struct contender *contender)
{
    return contender->worst_window <= (int64_t)PLOT_SCALE_TOP * ONE;
}

/* What admits far more than all others would press them flat. */
static const struct contender *worst_in_scale(const struct contender *list, size_t count)
{
    const struct contender *worst = NULL;
    for (size_t i = 0; i < count; i++)
        if (in_scale(&list[i]) && (!worst || list[i].worst_window > worst->worst_window))
            worst = &list[i];
    return worst;
}

void plot_choose(const struct contender *list, size_t count, struct plot_lines *lines)
{
    lines->count = 0;
    add_line(lines, count ? list : NULL);
    add_line(lines, plot_widest_kept(list, count));
    add_line(lines, plot_likest_broken(list, count));
    add_line(lines, worst_in_scale(list, count));
}

size_t plot_off_scale(const struct contender *list, size_t count, const struct plot_lines *lines)
{
    size_t off = 0;
    for (size_t i = 0; i < count; i++)
        off += !in_scale(&list[i]) && !has_line(lines, &list[i]);
    return off;
}

static int by_latency(const void *left, const void *right)
{
    const struct contender *const *a = left, *const *b = right;
    int64_t x = (*a)->row.p99_ns, y = (*b)->row.p99_ns;
    int order = (x > y) - (x < y);
    return order ? order : (*a > *b) - (*a < *b);       /* one array: the better rank first */
}

/* Lines that would lie upon each other are drawn once. */
static void add_timed(struct plot_lines *lines, const struct contender *contender)
{
    for (unsigned i = 0; i < lines->count; i++)
        if (lines->line[i]->row.p99_ns == contender->row.p99_ns &&
            lines->line[i]->row.p50_ns == contender->row.p50_ns)
            return;
    if (contender->row.p99_ns >= 0)
        add_line(lines, contender);
}

void plot_choose_latency(const struct contender *list, size_t count, struct plot_lines *lines)
{
    const struct contender **sorted = report_memory(NULL, count * sizeof *sorted);
    size_t timed = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].row.p99_ns >= 0)
            sorted[timed++] = &list[i];
    qsort(sorted, timed, sizeof *sorted, by_latency);
    lines->count = 0;
    if (timed && sorted[timed - 1]->row.p99_ns > PLOT_FASTEST_NS) {
        add_timed(lines, list);
        add_timed(lines, sorted[0]);
        add_timed(lines, sorted[timed / 2]);
        add_timed(lines, sorted[timed - 1]);
    }
    free(sorted);
}

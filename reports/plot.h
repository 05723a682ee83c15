/* plot.h - the four plots of a comparison.  Each writes one <svg>; captions and legends are the page's.
 *
 * Lines are told apart by colour (--c1 to --c4) and by dash (plot_dash), in the order of their list. */
#ifndef LIMITLAB_PLOT_H
#define LIMITLAB_PLOT_H
#include <stdio.h>
#include "lines.h"
#include "model.h"

enum { PLOT_BARS_TOP = 6 };             /* bars are cut at so many times the target, marked by an arrow */

/* SVG's stroke-dasharray of line i. */
extern const char *const plot_dash[PLOT_LINES];

/* Where a plot goes and what it needs to know. */
struct plot {
    const struct model *model;
    int64_t  limit, burst, period_ns;   /* of the target */
    unsigned number;                    /* for ids: different for each plot of a page */
    FILE    *page;
    struct report_failure *failure;
};

/* Cost that stands admitted in the last period, against time, with the limit. */
bool plot_window(const struct plot *plot, const struct plot_lines *lines);

/* Cost admitted since the busiest spell began, against burst + rate * t. */
bool plot_cumulative(const struct plot *plot, const struct plot_lines *lines);

/* Boundary burst and worst window of each row, by its number. */
bool plot_bars(const struct plot *plot, const struct contender *list, size_t count);

/* Share of the verdicts against latency. */
bool plot_latency(const struct plot *plot, const struct plot_lines *lines);

/* True when the rows chosen have a series to draw. */
bool plot_has_series(const struct model *model, const struct plot_lines *lines);
#endif

/* lines.h - which rows of a comparison are worth a line in a plot: more than four nobody reads. */
#ifndef LIMITLAB_REPORTS_LINES_H
#define LIMITLAB_REPORTS_LINES_H
#include "contender.h"

enum {
    PLOT_LINES = 4,
    PLOT_SCALE_TOP = 4,                 /* whose worst window is more times the limit is off the scale */
    PLOT_FASTEST_NS = 10000             /* what is faster is drawn here: a logarithm needs a left end */
};

struct plot_lines {
    const struct contender *line[PLOT_LINES];
    unsigned count;
};

/* The row that fills the largest window while it keeps the curve; NULL: none keeps it. */
const struct contender *plot_widest_kept(const struct contender *list, size_t count);

/* The row that breaks the curve with a worst window most like that row's; NULL: there is no such pair. */
const struct contender *plot_likest_broken(const struct contender *list, size_t count);

/* Rows of one limit, ranked, worth a look: the best, those two, the worst that does not dwarf the others. */
void plot_choose(const struct contender *list, size_t count, struct plot_lines *lines);

/* How many rows that have no line would be off the scale. */
size_t plot_off_scale(const struct contender *list, size_t count, const struct plot_lines *lines);

/* The best, the fastest, the middle and the slowest by p99; none when all are within 10 microseconds. */
void plot_choose_latency(const struct contender *list, size_t count, struct plot_lines *lines);
#endif

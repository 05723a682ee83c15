/* blame.h - why a design lets too much through: its excess by cause, as the runner split it. */
#ifndef LIMITLAB_BLAME_H
#define LIMITLAB_BLAME_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "show.h"

enum { BLAME_CAUSES = 5 };

/* One of the causes, in the order in which a run is taken apart. */
struct blame_cause {
    const char *name, *brief;           /* brief: where a share stands beside it */
    const char *meaning;
};

extern const struct blame_cause blame_causes[BLAME_CAUSES];

struct blame {
    bool known;
    int64_t part[BLAME_CAUSES];         /* billionths of cost; signed */
};

/* What all parts make together, and what those above 0 do. */
int64_t blame_total(const struct blame *blame);
int64_t blame_sum(const struct blame *blame);

/* The largest cause, with its share of all that add to the excess unless it is the only one: "race",
 * "race 83%"; "-" when there is no excess, or nothing is known. */
const char *blame_text(const struct blame *blame, char out[SHOW_NUMBER]);

/* What the words mean, in one sentence. */
extern const char blame_legend[];

struct contender;
/* True when some row has an excess with known causes. */
bool blame_any(const struct contender *list, size_t count);
/* Bars of equal length, one for each such row, divided among its causes; an <svg>. */
void blame_draw(FILE *page, const struct contender *list, size_t count);
#endif

/* figures.h - every measured figure, once: its JSON path, its unit, what it means, where it is in a result.
 *
 * This one table drives JSON, CSV, the database's columns, `limitlab list figures`, --require and claims. */
#ifndef LIMITLAB_FIGURES_H
#define LIMITLAB_FIGURES_H
#include "result.h"

enum figure_kind {
    FIGURE_COUNT, FIGURE_COST, FIGURE_DECIMAL, FIGURE_SPAN_NS, FIGURE_INSTANT_NS, FIGURE_TEXT, FIGURE_TRUTH,
    FIGURE_DIGEST                       /* 64 bits, shown as hexadecimal digits */
};

struct figure_value {
    bool null;
    i128 billionths;                    /* of the unit, for all kinds but TEXT; TRUTH: 0 or 1e9 */
    const char *text;                   /* TEXT */
};

struct figure {
    const char *path;                   /* "worst_window.cost" */
    enum figure_kind kind;
    const char *meaning;                /* one line */
    struct figure_value (*get)(const struct result *result);
};

extern const struct figure figures[];
extern const unsigned figure_count;

/* Index by path (or by "p99" for "latency_ns.p99"); -1 when unknown. */
int figure_find(const char *name);

/* The path (or quantile) that an unknown name was probably meant to be, or NULL. */
const char *figure_nearest(const char *name);

/* Kinds that are written as texts, in quotes where a format has quotes (decimals are numbers). */
static inline bool figure_is_text(enum figure_kind kind)
{
    return kind == FIGURE_TEXT || kind == FIGURE_DIGEST;
}

/* A value as every format writes it: integers, decimals of up to nine places, true and false, 16 hexadecimal
 * digits for a digest, the text itself (not escaped).  NULL for null; else in room or elsewhere. */
const char *figure_text(enum figure_kind kind, struct figure_value value, char room[DECIMAL_TEXT]);
#endif

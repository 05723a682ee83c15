/* condition.h - "p99<=10ms", "boundary_burst<=1.1", "admitted=90..110": a figure and its range.
 *
 * Used by --require and by the claims of scenarios.  Names are those of figures.h (JSON's dotted paths; the
 * latency quantiles also by their last part, p99).  Values are compared exactly: no rounding on the way. */
#ifndef LIMITLAB_CONDITION_H
#define LIMITLAB_CONDITION_H
#include "result.h"

enum { CONDITION_WHY = 200 };

struct condition {
    const char *text;                   /* as written, for messages (borrowed) */
    unsigned figure;                    /* index into figures[] */
    bool has_low, has_high;             /* bounds are inclusive; ... */
    bool low_open, high_open;           /* ... unless open */
    const char *word;                   /* of a figure that is text: what it must be (borrowed); ... */
    size_t word_bytes;                  /* ... ends here, and has no blanks around it */
    i128 low, high;                     /* billionths of the figure's unit (spans: of a nanosecond) */
};

/* "NAME OP VALUE" with OP one of <= < >= > = ==, or NAME=LOW..HIGH; a text takes = alone, as in
 * "decisions=A A D".  False: why[] says what is wrong and
 * suggests the nearest known name. */
bool condition_parse(const char *text, struct condition *out, char why[CONDITION_WHY]);

/* False when it does not hold or the figure is null. */
bool condition_holds(const struct condition *condition, const struct result *result);

/* Nothing over-admitted, no excess: the user's target holds. */
bool result_keeps_target(const struct result *result);

/* What --require asks for: all conditions hold; without any, the target is kept and every request got
 * a decision. */
bool result_qualifies(const struct result *result, const struct condition *require, unsigned requires);
#endif

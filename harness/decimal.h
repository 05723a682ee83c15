/* decimal.h - exact fractions, printed with up to nine places, rounded to nearest, half away from zero. */
#ifndef LIMITLAB_DECIMAL_H
#define LIMITLAB_DECIMAL_H
#include <stdbool.h>
#include <stddef.h>
#include "../engine/wide.h"

/* A number in billionths; null where it is undefined. */
struct decimal {
    bool null;
    i128 billionths;
};

enum { DECIMAL_TEXT = 48 };             /* room for any decimal as text, NUL included */

#define DECIMAL_NULL ((struct decimal){ .null = true })

/* n / d, for n >= 0, d > 0 (d == 0: null).  Exact before the one rounding, for any n and d below 2^126. */
struct decimal decimal_ratio(i128 n, i128 d);

/* "20", "1.43", "19.999999833", "-0.5", "null": trailing zeros dropped, at most `places` of them (0 .. 9;
 * rounds again from the nine that are kept). */
const char *decimal_text(struct decimal value, unsigned places, char text[DECIMAL_TEXT]);

/* The same back, for databases and tests; false when the text is no such number. */
bool decimal_parse(const char *text, struct decimal *out);
#endif

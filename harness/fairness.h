/* fairness.h - Jain's index over shares of what was asked: J = (sum x)^2 / (n * sum x^2), 1 when all fare
 * alike, 1/n when one gets everything.  x is admitted cost over asked cost, rounded down to billionths;
 * all else is exact. */
#ifndef LIMITLAB_FAIRNESS_H
#define LIMITLAB_FAIRNESS_H
#include "decimal.h"

struct fairness {                       /* starts as { 0 } */
    i128 sum, squares;
    uint32_t n;
};

/* One key or region.  Who asked for nothing does not count. */
void fairness_add(struct fairness *fairness, int64_t asked, int64_t admitted);

/* Null when nobody got anything. */
struct decimal fairness_index(const struct fairness *fairness);
#endif

#include "fairness.h"

void fairness_add(struct fairness *fairness, int64_t asked, int64_t admitted)
{
    if (asked <= 0)
        return;
    i128 share = (i128)admitted * 1000000000 / asked;

    fairness->sum += share;
    fairness->squares += share * share;
    fairness->n++;
}

struct decimal fairness_index(const struct fairness *fairness)
{
    return decimal_ratio(fairness->sum * fairness->sum, fairness->n * fairness->squares);
}

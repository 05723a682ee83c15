/* zoo.c - the classes of bugs. */
#include "zoo.h"

const struct limiter *const *const zoo_limiters[] = {
    NULL
};

const struct coordination *const *const zoo_coordinations[] = {
    NULL
};

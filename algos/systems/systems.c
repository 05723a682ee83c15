/* systems.c - the families of systems. */
#include <string.h>
#include "systems.h"

const struct system *const systems[] = {
    NULL
};

const struct limiter *const *const system_limiters[] = {
    NULL
};

const struct coordination *const system_coordinations[] = {
    NULL
};

const struct system *system_find(const char *name)
{
    for (unsigned family = 0; systems[family]; family++)
        for (const struct system *row = systems[family]; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return row;
    return NULL;
}

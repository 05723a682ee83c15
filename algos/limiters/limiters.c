/* limiters.c - the table of limiters. */
#include <string.h>
#include "limiters.h"
#include "../systems/systems.h"
#include "../zoo/zoo.h"

const struct limiter *const limiters[] = {
    &fixed_window,
    &fixed_window_anchored,
    &sliding_window_log,
    &sliding_window_counter,
    &token_bucket,
    &interval_bucket,
    &gcra,
    &leaky_bucket_queue,
};
const unsigned limiter_count = sizeof limiters / sizeof *limiters;

static const struct limiter *find_in(const struct limiter *const *const *tables, const char *name)
{
    for (; *tables; tables++)
        for (const struct limiter *const *limiter = *tables; *limiter; limiter++)
            if (strcmp((*limiter)->name, name) == 0)
                return *limiter;
    return NULL;
}

const struct limiter *limiter_find(const char *name)
{
    for (unsigned i = 0; i < limiter_count; i++)
        if (strcmp(limiters[i]->name, name) == 0)
            return limiters[i];
    const struct limiter *found = find_in(system_limiters, name);
    return found ? found : find_in(zoo_limiters, name);
}

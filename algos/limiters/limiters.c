/* limiters.c - the table of limiters. */
#include <string.h>
#include "limiters.h"

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

const struct limiter *limiter_find(const char *name)
{
    for (unsigned i = 0; i < limiter_count; i++)
        if (strcmp(limiters[i]->name, name) == 0)
            return limiters[i];
    return NULL;
}

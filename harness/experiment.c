/* experiment.c - see experiment.h. */
#include "experiment.h"
#include <string.h>

void experiment_init(struct experiment *experiment)
{
    static const int64_t limit[] = { 100 };

    *experiment = (struct experiment){
        .name = "trace", .title = "", .story = "",
        .limits = 1, .limit = limit,
        .period_ns = INT64_C(60000000000),
        .topology = { .regions = 1, .region = { "home" }, .instances = { 1 } },
        .first_seed = 1, .last_seed = 1,
    };
}

int64_t experiment_region(const struct experiment *experiment, const char *name)
{
    for (uint32_t i = 0; i < experiment->topology.regions; i++)
        if (strcmp(experiment->topology.region[i], name) == 0)
            return i;
    return -1;
}

/* experiment.c - see experiment.h. */
#include "experiment.h"
#include <string.h>

const char *const fault_words[] = {
    [FAULT_PARTITION] = "partition", [FAULT_LOSS] = "loss", [FAULT_DUPLICATE] = "duplicate",
    [FAULT_DELAY] = "delay", [FAULT_LOST_ANSWERS] = "lost_answers", [FAULT_OUTAGE] = "outage",
    [FAULT_SLOW] = "slow", [FAULT_CRASH] = "crash", [FAULT_RECYCLE] = "recycle",
    [FAULT_OWNER_CRASH] = "owner_crash", [FAULT_FAILOVER] = "failover", [FAULT_FORGET] = "forget",
    [FAULT_CAPACITY] = "capacity", [FAULT_EXPIRY] = "expiry", [FAULT_POLICY] = "policy", NULL
};

void experiment_init(struct experiment *experiment)
{
    static const int64_t limit[] = { 100 };

    *experiment = (struct experiment){
        .name = "trace", .title = "", .story = "",
        .limits = 1, .limit = limit,
        .period_ns = INT64_C(60000000000),
        .topology = { .regions = 1, .region = { "home" }, .instances = { 1 } },
        .first_seed = 1, .last_seed = 1, .timeout_ns = INT64_C(5000000000),
        .small = { .clients = 2, .requests = 1, .cost = 1, .most_states = SMALL_STATES_MAX },
    };
}

int64_t experiment_region(const struct experiment *experiment, const char *name)
{
    for (uint32_t i = 0; i < experiment->topology.regions; i++)
        if (strcmp(experiment->topology.region[i], name) == 0)
            return i;
    return -1;
}

/* experiment_explored.c - see experiment_explored.h. */
#include "experiment_explored.h"
#include <string.h>
#include "exploration.h"
#include "explored_claims.h"

struct exploring {
    const struct experiment *experiment;
    const struct claim_verdicts *verdicts;
    const volatile int *interrupted;
    const struct small_arrivals *arrivals;
    struct arena *arena;
    struct failure *failure;
};

static bool keep_on(void *context, uint64_t states, uint64_t waiting)
{
    const struct exploring *exploring = context;

    (void)states, (void)waiting;
    return !*exploring->interrupted;
}

static struct explored describe(const struct exploring *exploring, const char *design, int64_t limit)
{
    const struct experiment *experiment = exploring->experiment;
    const struct small_spec *small = &experiment->small;
    struct explored explored;

    explored_init(&explored, small->clients, small->requests, experiment->topology.regions);
    memcpy(explored.region_name, experiment->topology.region,
           experiment->topology.regions * sizeof *explored.region_name);
    explored.design = design;
    explored.limit = limit;
    explored.period_ns = experiment->period_ns;
    explored.burst = experiment->burst;
    explored.cost = small->cost;
    explored.target = experiment->target.kind;
    explored.crashes = small->crashes;
    explored.forgets = small->store_faults;
    explored.arrivals = exploring->arrivals;
    explored.arrivals_digest = exploring->arrivals ? exploring->arrivals->digest : 0;
    return explored;
}

static void judge(const struct exploring *exploring, const struct exploration *exploration)
{
    const struct explored *explored = exploration->explored;
    char why[CLAIM_WHY];

    for (unsigned i = 0; i < exploring->verdicts->count; i++) {
        struct claim_verdict *verdict = &exploring->verdicts->verdict[i];
        if (strcmp(verdict->design, explored->design) != 0)
            continue;
        verdict->results++;
        if (verdict->broken || explored_comes_true(verdict->claim, exploration, why))
            continue;
        verdict->broken = true;
        verdict->why = arena_format(exploring->arena, "limit %lld: %s%s%s", (long long)explored->limit, why,
                                    exploration->witness.text ? "; see limitlab replay " : "",
                                    exploration->witness.text ? exploration->witness.text : "");
    }
}

static bool explore_one(struct exploring *exploring, const char *design, int64_t limit)
{
    struct explored explored = describe(exploring, design, limit);
    struct explored_bounds bounds = { .most_states = (uint64_t)exploring->experiment->small.most_states,
                                      .keep_on = keep_on, .context = exploring };
    struct explored_world world;
    struct exploration exploration;
    bool good = explored_open(&world, &explored, &bounds, exploring->failure);

    if (good) {
        exploration_run(&exploration, &world, &bounds, 0, exploring->arena);
        judge(exploring, &exploration);
        exploration_clear(&exploration);
    }
    explored_close(&world);
    return good;
}

static bool read_arrivals(struct exploring *exploring)
{
    const struct experiment *experiment = exploring->experiment;
    const char *const *regions = experiment->topology.regions > 1 ? experiment->topology.region : NULL;
    struct small_arrivals *arrivals;

    if (!experiment->small.arrivals)
        return true;
    const char **names = arena_alloc(exploring->arena, (experiment->topology.regions + 1) * sizeof *names);
    for (uint32_t i = 0; regions && i < experiment->topology.regions; i++)
        names[i] = regions[i];
    exploring->arrivals = arrivals = arena_alloc(exploring->arena, sizeof *arrivals);
    return small_arrivals_read(arrivals, experiment->small.arrivals, regions ? names : NULL,
                               exploring->failure);
}

bool explore_experiment(const struct experiment *experiment, const struct claim_verdicts *verdicts,
                        const volatile int *interrupted, struct arena *arena, struct failure *failure)
{
    struct exploring exploring = { .experiment = experiment, .verdicts = verdicts, .arena = arena,
                                   .interrupted = interrupted, .failure = failure };

    if (!read_arrivals(&exploring))
        return false;
    for (uint32_t d = 0; d < experiment->designs; d++)
        for (unsigned i = 0; i < experiment->limits; i++) {
            if (!explore_one(&exploring, experiment->design[d], experiment->limit[i]))
                return false;
            if (*interrupted)
                return fail(failure, EXIT_INTERRUPTED, NULL, 0, "interrupted");
        }
    return true;
}

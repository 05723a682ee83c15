/* liveness.c - see liveness.h. */
#include "liveness.h"
#include "../engine/simulate.h"

struct probe {
    struct source source;               /* first */
    struct observer observer;
    const struct oracle *oracle;
    const uint32_t *bucket;             /* of each key; NULL: itself */
    uint32_t key, pass, passes, tickets;        /* two passes a region, the second for those refused */
    int64_t base_ns, gap_ns;            /* of the next request; between two */
    int64_t wait_ns;                    /* before each pass */
    uint64_t sent;
    unsigned char *heard;               /* of each key: the last region that admitted it, + 1 */
    unsigned char *missing;             /* ... and how many have not, of those that were asked */
};

/* ---- how long is long ---------------------------------------------------------------------------------- */

static i128 most_policy_ns(const struct world *world)
{
    i128 most_ns = 0;

    for (uint32_t i = 0; i < world->policy_sets * world->policy_count; i++) {
        const struct policy *policy = &world->policies[i];
        i128 burst_ns = div_ceil((i128)policy->burst * policy->period_ns, policy->limit);
        most_ns = i128_max(most_ns, 2 * (i128)policy->period_ns + world->nodes * burst_ns);
    }
    return most_ns;
}

static i128 design_ns(const struct design *design)
{
    const struct parameter *parameter = design->coordination->parameter;
    i128 sum_ns = 0;

    for (unsigned i = 0; parameter[i].name; i++)
        if (parameter[i].kind == PARAMETER_SPAN)
            sum_ns += design->parameter[i];
    return sum_ns;
}

static i128 size_of(int64_t ns)
{
    return ns < 0 ? -(i128)ns : ns;
}

/* The most that a clock is ever wrong until now. */
static i128 wrong_ns(const struct clock *clock, int64_t now_ns)
{
    i128 sum_ns = size_of(clock->offset_ns) + size_of(clock->drift_ppb) * size_of(now_ns) / 1000000000;

    for (uint32_t i = 0; i < clock->steps; i++)
        sum_ns += size_of(clock->step[i].by_ns);
    return sum_ns;
}

/* Two clocks may be wrong in opposite ways. */
static i128 clocks_ns(const struct world *world)
{
    const struct world_setup *setup = world->setup;
    i128 most_ns = 0;

    for (uint32_t i = 0; setup->node_clock && i < world->nodes; i++)
        most_ns = i128_max(most_ns, wrong_ns(&setup->node_clock[i], world->now_ns));
    for (uint32_t i = 0; setup->store_clock && i < setup->network->regions; i++)
        most_ns = i128_max(most_ns, wrong_ns(&setup->store_clock[i], world->now_ns));
    return 2 * most_ns;
}

static i128 faults_ns(const struct world_setup *setup)
{
    i128 sum_ns = 0;

    for (uint32_t i = 0; i < setup->faults; i++) {
        sum_ns += size_of(setup->fault[i].offset_ns);
        if (setup->fault[i].kind == FAULT_EXPIRY && setup->fault[i].span_ns != NEVER_NS)
            sum_ns += size_of(setup->fault[i].span_ns);
    }
    return sum_ns;
}

static i128 long_ns(const struct world *world)
{
    return most_policy_ns(world) + design_ns(world->setup->design) + clocks_ns(world)
         + faults_ns(world->setup) + world->setup->timeout_ns;
}

/* A limit that keys share, a ceiling or a bucket that a rule leads them to, has room for one after the other:
 * at half its rate, as a sliding counter never lets all of it through, once clocks that differ agree that
 * time has passed and nodes have heard of each other. */
static i128 shared_gap_ns(const struct world *world, bool buckets_shared)
{
    uint32_t ceilings = world->setup->layers > 1 ? world->policy_sets / LAYERS : world->policy_sets;
    i128 unit_ns = 0;

    for (uint32_t i = buckets_shared ? 0 : ceilings; i < world->policy_sets; i++) {
        const struct policy *policy = &world->policies[i * world->policy_count];
        unit_ns = i128_max(unit_ns, div_ceil(policy->period_ns, policy->limit) + 1);
    }
    return unit_ns == 0 ? 1 : 2 * unit_ns + clocks_ns(world) + design_ns(world->setup->design);
}

/* ---- asking -------------------------------------------------------------------------------------------- */

/* Does the key ask in this pass? */
static bool is_due(const struct probe *probe, uint32_t key)
{
    bool again = probe->pass % 2;

    return probe->oracle->key[key].seen && !(again && probe->heard[key] == probe->pass / 2 + 1);
}

static void ask(struct probe *probe, struct arrival *out)
{
    *out = (struct arrival){ .at_ns = probe->base_ns, .cost = 1, .id = UINT64_C(1) << 61 | probe->sent++,
                             .key = probe->key, .region = probe->pass / 2,
                             .bucket = probe->bucket ? probe->bucket[probe->key] + 1 : 0 };
    probe->missing[probe->key] += probe->pass % 2 == 0;
    probe->base_ns += probe->gap_ns;
    probe->key++;
}

static bool next_request(struct source *source, struct arrival *out)
{
    struct probe *probe = (struct probe *)source;
    const struct oracle *oracle = probe->oracle;

    while (probe->key < oracle->room && !is_due(probe, probe->key))
        probe->key++;
    if (probe->key == oracle->room)
        return false;
    ask(probe, out);
    return true;
}

static struct probe *of(struct observer *observer)
{
    return (struct probe *)(void *)((char *)observer - offsetof(struct probe, observer));
}

static void arrived(struct observer *self, const struct arrival *arrival) { (void)self, (void)arrival; }

static uint32_t opened(struct observer *self, uint32_t key, int64_t instant_ns)
{
    (void)key, (void)instant_ns;
    return of(self)->tickets += of(self)->tickets == UINT32_MAX ? 2 : 1;
}

static void decided(struct observer *self, const struct decision *decision)
{
    if (!decision->verdict.allowed)
        return;
    of(self)->heard[decision->key] = (unsigned char)(decision->region + 1);
    of(self)->missing[decision->key]--;
}

static void dropped(struct observer *self, uint32_t ticket) { (void)self, (void)ticket; }

static void departed(struct observer *self, uint64_t id, uint32_t key, int64_t cost, int64_t instant_ns)
{
    (void)self, (void)id, (void)key, (void)cost, (void)instant_ns;
}

static void finished(struct observer *self, const struct arrival *arrival, int64_t now_ns, bool failed)
{
    (void)self, (void)arrival, (void)now_ns, (void)failed;
}

static bool settles(const struct program *program)
{
    for (unsigned i = 0; program && i < program->takes; i++)
        if (program->take[i].kind == TAKE_SETTLE)
            return true;
    return false;
}

/* Through the same world, which hears of no other observer and draws no other answers any more. */
static void play(struct world *world, struct probe *probe)
{
    struct chooser calm = { .mode = CHOOSE_CALM };
    const struct world_setup *setup = world->setup;
    struct world_setup quiet = *setup;

    probe->observer = (struct observer){ .arrived = arrived, .opened = opened, .decided = decided,
                                         .dropped = dropped, .departed = departed, .finished = finished };
    probe->source = (struct source){ .next = next_request };
    quiet.observer = &probe->observer;
    quiet.chooser = &calm;
    world->setup = &quiet;
    world_heal(world);
    for (; probe->pass < probe->passes; probe->pass++) {
        probe->key = 0;
        probe->base_ns = world->now_ns + probe->wait_ns;
        simulate(world, &probe->source, NULL, NULL);
    }
    world->setup = setup;
}

int64_t liveness_stuck_keys(struct world *world, const struct oracle *oracle, const uint32_t *bucket,
                            struct arena *arena)
{
    uint32_t regions = world->setup->network->regions;
    struct probe probe = { .oracle = oracle, .bucket = bucket, .passes = 2 * regions };
    i128 wait_ns = long_ns(world), gap_ns = shared_gap_ns(world, bucket != NULL);
    int64_t stuck = 0;

    if (oracle->keys == 0)
        return 0;
    i128 end_ns = world->now_ns + (wait_ns + oracle->keys * gap_ns) * probe.passes;
    if (oracle->keys * regions > LIVENESS_REQUESTS_MAX || end_ns > INSTANT_MAX / 2 ||
        settles(world->setup->design->program))
        return -1;
    probe.wait_ns = (int64_t)wait_ns;
    probe.gap_ns = (int64_t)gap_ns;
    probe.heard = arena_alloc(arena, oracle->room);
    probe.missing = arena_alloc(arena, oracle->room);
    play(world, &probe);
    for (uint32_t key = 0; key < oracle->room; key++)
        stuck += probe.missing[key] > 0;
    return stuck;
}

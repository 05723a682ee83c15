#include "sample.h"

const char *const sample_rule_name[SAMPLE_RULES] = { "random", "work", "reads-first", "preemptions",
                                                     "priorities" };

/* ---- one run ------------------------------------------------------------------------------------------- */

/* Background steps and faults are nobody's; they move as one more client. */
enum { MOVERS = SMALL_CLIENTS + 1 };

struct run {
    const struct sample_world *world;
    struct sampler sampler;
    uint64_t seed, number;
    struct walk walk;
    struct walk_option option[WALK_OPTIONS_MAX];
    uint32_t options;
    uint32_t taken[SMALL_CLIENTS];      /* steps of each client's present request */
    uint32_t priority[MOVERS];          /* the higher, the sooner */
};

/* Random values of a run: one a step and what for, then those drawn at its start. */
enum drawn { DRAWN_OPTION, DRAWN_BIAS, DRAWN_PRIORITY, DRAWN_CHANGE, DRAWN_KINDS };

static uint32_t draw(const struct run *run, enum drawn what, uint32_t which, uint64_t n)
{
    struct stream stream = { run->number * SAMPLE_RULES + run->sampler.rule, STREAM_SAMPLE,
                             which * DRAWN_KINDS + what };

    assert(n >= 1 && n <= UINT32_MAX);
    return (uint32_t)stream_below(run->seed, stream, n);
}

static uint32_t nobody(const struct run *run) { return run->walk.explorer->setup.small.clients; }

static uint32_t mover_of(const struct run *run, const struct walk_option *option)
{
    assert(option->client == NOBODY || option->client < SMALL_CLIENTS);
    return option->action.kind == SMALL_ACT ? option->client : nobody(run);
}

/* One of the options that `fits` says, all alike; UINT32_MAX when there is none. */
static uint32_t any_of(const struct run *run, bool (*fits)(const struct run *, const struct walk_option *))
{
    uint32_t fitting[WALK_OPTIONS_MAX], n = 0;

    assert(run->options >= 1);
    for (uint32_t i = 0; i < run->options; i++)
        if (!fits || fits(run, &run->option[i]))
            fitting[n++] = i;
    return n == 0 ? UINT32_MAX : fitting[draw(run, DRAWN_OPTION, run->walk.steps, n)];
}

/* ---- by work ------------------------------------------------------------------------------------------- */

static uint32_t work_left(const struct run *run, uint32_t client)
{
    const struct small_world *small = &run->walk.explorer->small;
    uint32_t part = run->walk.client[client], operations = run->world->operations[client];

    assert(operations >= 1);
    if (small_is_done(small, part))
        return 0;
    uint32_t later = small->setup.client[client].requests - small_request(small, part) - 1;
    uint32_t now = operations > run->taken[client] ? operations - run->taken[client] : 1;
    return later * operations + now;
}

/* A client's weight is shared by its options; what nobody does counts one each. */
static uint32_t by_work(const struct run *run)
{
    uint64_t end[WALK_OPTIONS_MAX], sum = 0;
    uint32_t have[MOVERS] = { 0 };

    assert(run->options <= WALK_OPTIONS_MAX);
    for (uint32_t i = 0; i < run->options; i++)
        have[mover_of(run, &run->option[i])]++;
    for (uint32_t i = 0; i < run->options; i++) {
        uint32_t mover = mover_of(run, &run->option[i]);
        uint64_t work = mover == nobody(run) ? have[mover] : work_left(run, mover);
        end[i] = sum += (work << 16) / have[mover] + 1;
    }
    uint64_t at = (uint64_t)((u128)sum * draw(run, DRAWN_OPTION, run->walk.steps, UINT32_MAX) / UINT32_MAX);
    uint32_t i = 0;
    while (end[i] <= at)
        i++;
    return i;
}

/* ---- reads first --------------------------------------------------------------------------------------- */

/* Starting a request counts as reading: it brings one more who may. */
static bool only_reads(const struct run *run, const struct walk_option *option)
{
    const struct message *message;

    if (mover_of(run, option) == nobody(run))
        return false;
    message = small_message(&run->walk.explorer->small, run->walk.client[option->client],
                            option->action.which);
    return !message || message->operation == OP_GET || message->operation == OP_COUNT;
}

static uint32_t reads_first(const struct run *run)
{
    enum { IN = 10, NINE = 9 };
    uint32_t reading = UINT32_MAX;

    assert(run->options >= 1);
    if (draw(run, DRAWN_BIAS, run->walk.steps, IN) < NINE)
        reading = any_of(run, only_reads);
    return reading == UINT32_MAX ? any_of(run, NULL) : reading;
}

/* ---- bounded preemptions ------------------------------------------------------------------------------- */

static bool goes_on(const struct run *run, const struct walk_option *option)
{
    return run->walk.last == NOBODY || option->client == run->walk.last || option->client == NOBODY;
}

static uint32_t few_preemptions(const struct run *run)
{
    uint32_t calm = run->walk.preemptions >= run->sampler.depth ? any_of(run, goes_on) : UINT32_MAX;

    return calm == UINT32_MAX ? any_of(run, NULL) : calm;
}

/* ---- priorities ---------------------------------------------------------------------------------------- */

/* depth, depth + 1, ... in random order; below are the places of those that fall. */
static void deal_priorities(struct run *run)
{
    uint32_t movers = nobody(run) + 1;

    assert(movers <= MOVERS);
    for (uint32_t i = 0; i < movers; i++)
        run->priority[i] = run->sampler.depth + i;
    for (uint32_t i = movers; i-- > 1; ) {
        uint32_t k = draw(run, DRAWN_PRIORITY, i, (uint64_t)i + 1), swap = run->priority[i];
        run->priority[i] = run->priority[k];
        run->priority[k] = swap;
    }
}

static uint32_t by_priority(const struct run *run)
{
    uint32_t best = 0, n = 0, same[WALK_OPTIONS_MAX];

    assert(run->options >= 1);
    for (uint32_t i = 0; i < run->options; i++) {
        uint32_t mine = run->priority[mover_of(run, &run->option[i])];
        if (n == 0 || mine > best) {
            best = mine;
            n = 0;
        }
        if (mine == best)
            same[n++] = i;
    }
    return same[draw(run, DRAWN_OPTION, run->walk.steps, n)];
}

/* After a step: does the one that made it fall? */
static void change_priority(struct run *run, uint32_t mover)
{
    assert(mover < MOVERS);
    for (uint32_t i = 1; i < run->sampler.depth; i++)
        if (run->walk.steps == 1 + draw(run, DRAWN_CHANGE, i, run->world->steps))
            run->priority[mover] = run->sampler.depth - i;
}

/* ---- walking ------------------------------------------------------------------------------------------- */

static uint32_t pick(const struct run *run)
{
    assert(run->options >= 1);
    switch (run->sampler.rule) {
    case SAMPLE_WORK:        return by_work(run);
    case SAMPLE_READS_FIRST: return reads_first(run);
    case SAMPLE_PREEMPTIONS: return few_preemptions(run);
    case SAMPLE_PRIORITIES:  return by_priority(run);
    default:                 return any_of(run, NULL);
    }
}

static void note(struct run *run, struct sample_trace *trace, const struct walk_option *option)
{
    if (!trace)
        return;
    trace->option = memory_grow(run->walk.explorer->setup.small.memory, trace->option, &trace->room,
                                trace->n + 1, sizeof *trace->option);
    trace->option[trace->n++] = *option;
}

static void take(struct run *run, const struct walk_option *option)
{
    uint32_t mover = mover_of(run, option), before = option->client;
    const struct small_world *small = &run->walk.explorer->small;
    uint32_t request = before == NOBODY ? 0 : small_request(small, run->walk.client[before]);

    walk_step(&run->walk, option, NULL);
    if (before != NOBODY) {
        bool same = small_request(small, run->walk.client[before]) == request;
        run->taken[before] = same ? run->taken[before] + 1 : 0;
    }
    if (run->sampler.rule == SAMPLE_PRIORITIES)
        change_priority(run, mover);
    assert(run->walk.steps >= 1);
}

void sample_walk(const struct sample_world *world, struct sampler sampler, uint64_t seed, uint64_t run_number,
                 struct walk *walk, struct sample_trace *trace)
{
    struct run run = { .world = world, .sampler = sampler, .seed = seed, .number = run_number };

    assert(sampler.rule < SAMPLE_RULES);
    walk_start(&run.walk, world->explorer);
    deal_priorities(&run);
    while (run.walk.steps < SAMPLE_STEPS_MAX && (run.options = walk_options(&run.walk, run.option)) > 0) {
        const struct walk_option *option = &run.option[pick(&run)];
        note(&run, trace, option);
        take(&run, option);
    }
    *walk = run.walk;
}

/* In the sequential run. */
void sample_open(struct sample_world *world, struct explorer *explorer)
{
    const struct small_setup *setup = &explorer->setup.small;
    struct run run = { .world = world };

    *world = (struct sample_world){ .explorer = explorer };
    walk_start(&run.walk, explorer);
    while (run.walk.steps < SAMPLE_STEPS_MAX && (run.options = walk_options(&run.walk, run.option)) > 0) {
        uint32_t client = run.option[0].client, taken = client == NOBODY ? 0 : run.taken[client] + 1;
        take(&run, &run.option[0]);
        if (client != NOBODY && taken > world->operations[client])
            world->operations[client] = taken;
    }
    for (uint32_t i = 0; i < setup->clients; i++) {         /* a client that was denied shows little */
        for (uint32_t k = 0; k < setup->clients; k++)
            if (world->operations[k] > world->operations[i])
                world->operations[i] = world->operations[k];
        world->operations[i] += world->operations[i] == 0;
        world->steps += setup->client[i].requests * world->operations[i];
    }
    assert(world->steps >= 1);
}

/* ---- a portfolio --------------------------------------------------------------------------------------- */

struct sampler sample_of_portfolio(uint64_t run)
{
    switch (run % 10) {
    case 0: case 1: return (struct sampler){ SAMPLE_READS_FIRST, 0 };
    case 2:         return (struct sampler){ SAMPLE_RANDOM, 0 };
    case 3:         return (struct sampler){ SAMPLE_PREEMPTIONS, 1 + run / 10 % 3 };
    case 4:         return (struct sampler){ SAMPLE_PRIORITIES, 2 + run / 10 % 2 };
    default:        return (struct sampler){ SAMPLE_WORK, 0 };
    }
}

static void tally(struct sampled *sampled, const struct sample_setup *setup, const struct walk *walk,
                  struct sampler sampler, uint64_t run)
{
    struct sample_yield *yield = &sampled->yield[sampler.rule];
    uint32_t n;
    const struct told *told = walk_told(walk, &n);
    uint64_t value = setup->worth.of(setup->worth.context, told, n);

    assert(sampler.rule < SAMPLE_RULES);
    yield->runs++;
    yield->found += value >= setup->least;
    yield->most = value > yield->most ? value : yield->most;
    sampled->found |= value >= setup->least;
    if (sampled->runs++ > 0 && value <= sampled->most)
        return;
    sampled->most = value;
    sampled->by = sampler;
    sampled->run = run;
}

void sample_portfolio(const struct sample_world *world, const struct sample_setup *setup,
                      struct sampled *sampled)
{
    struct walk walk;

    *sampled = (struct sampled){ .most = 0 };
    for (uint64_t run = 0; run < setup->runs && (setup->all_runs || !sampled->found); run++) {
        if (setup->keep_on && !setup->keep_on(setup->context, run))
            break;
        struct sampler sampler = sample_of_portfolio(run);
        sample_walk(world, sampler, setup->seed, run, &walk, NULL);
        tally(sampled, setup, &walk, sampler, run);
    }
    assert(sampled->runs <= setup->runs);
    if (sampled->runs > 0)
        sample_walk(world, sampled->by, setup->seed, sampled->run, &walk, &sampled->trace);
}

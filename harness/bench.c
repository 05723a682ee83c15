/* bench.c - three fixed workloads with everything measured, each beside a bare loop of the same events.
 *
 * W1a  three regions, one key, limit 100 per 1000 ms, token bucket, Poisson 400 requests a second a region;
 *      each request reads (20 to 60 ms), decides, writes back (20 to 60 ms; here a denial writes too): three
 *      events.
 * W1b  the same with 100,000 keys, Zipf 1.0, and 100,000 requests a second in all.
 * W1c  W1a through gcra@cas with 8 attempts, where denials and retries are timed.  (Without a bound it never
 *      ends: a swap needs 20 ms in which nobody else succeeds, so fewer than 50 requests a second get through
 *      of 1,200 that come.)
 *
 * Time is this process's own; each figure is the median of the rounds, in which the contestants take
 * turns. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "../engine/heap.h"
#include "../engine/simulate.h"
#include "arrivals.h"
#include "bench.h"
#include "design.h"
#include "lab.h"
#include "oracle.h"

enum { REQUESTS = 1000000, MEMORY_REQUESTS = 10000000, ROUNDS = 5, CLIENT_REGIONS = 3, KEYS = 100000 };
#define MS INT64_C(1000000)

static const struct workload {
    const char *name, *design;
    uint32_t keys;
    int64_t zipf_billionths, rate_per_hour;     /* of one region */
    const char *goal;
} workloads[] = {
    { "W1a", "token-bucket@get-then-set:denied=writes", 1, 0, INT64_C(400) * 3600, "60" },
    { "W1b", "token-bucket@get-then-set:denied=writes", KEYS, 1000000000,
      INT64_C(100000) * 3600 / CLIENT_REGIONS, "90" },
    { "W1c", "gcra@cas:attempts=8", 1, 0, INT64_C(400) * 3600, "-" },
};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- the whole of limitlab ----------------------------------------------------------------------------- */

static void make_experiment(const struct workload *workload, uint64_t requests, struct arena *arena,
                            struct experiment *experiment)
{
    struct traffic *traffic = arena_alloc(arena, sizeof *traffic);
    struct link_spec *link = arena_alloc(arena, CLIENT_REGIONS * sizeof *link);
    static const char *const names[] = { "a", "b", "c", "store" };
    static const int64_t limit = 100;

    /* One Poisson stream whose requests fall to the regions at random is one Poisson stream a region. */
    *traffic = (struct traffic){
        .kind = TRAFFIC_POISSON, .region = -1, .region_weights = CLIENT_REGIONS + 1, .requests = requests,
        .rate_per_hour = workload->rate_per_hour * CLIENT_REGIONS, .keys = workload->keys,
        .key_prefix = "key",
        .zipf_billionths = workload->zipf_billionths,
    };
    experiment_init(experiment);
    experiment->limits = 1;
    experiment->limit = &limit;
    experiment->period_ns = 1000 * MS;
    experiment->topology.regions = CLIENT_REGIONS + 1;
    experiment->topology.store = CLIENT_REGIONS;
    experiment->topology.links = CLIENT_REGIONS;
    experiment->topology.link = link;
    for (uint32_t i = 0; i <= CLIENT_REGIONS; i++) {
        experiment->topology.region[i] = names[i];
        experiment->topology.instances[i] = 1;
    }
    for (uint32_t i = 0; i < CLIENT_REGIONS; i++) {
        link[i] = (struct link_spec){
            .from = i, .to = CLIENT_REGIONS,
            .delay = { .kind = DIST_UNIFORM, .low_ns = 20 * MS, .high_ns = 60 * MS },
        };
        traffic->region_weight[i] = 1;
    }
    experiment->traffics = 1;
    experiment->traffic = traffic;
}

/* What was made before the clock starts, and what came out. */
struct lap {
    struct arena arena;
    struct experiment experiment;
    struct arrivals arrivals;
    struct lab lab;
    struct policy policy;
    struct design design;
    double cost_s;
    uint64_t events;
};

static bool lap_open(struct lap *lap, const struct workload *workload, uint64_t requests,
                     struct failure *failure)
{
    *lap = (struct lap){ 0 };
    make_experiment(workload, requests, &lap->arena, &lap->experiment);
    lap->policy = (struct policy){ .limit = 100, .period_ns = 1000 * MS, .burst = 100 };
    policy_init(&lap->policy);
    return lab_build(&lap->lab, &lap->experiment.topology, &lap->arena, failure)
        && arrivals_open(&lap->arrivals, &lap->experiment, false, failure)
        && design_parse(workload->design, &lap->experiment.topology, &lap->policy, (struct origin){ 0 },
                        &lap->design, failure);
}

static void lap_run(struct lap *lap)
{
    struct arena arena = { 0 };
    struct oracle *oracle = arena_alloc(&arena, sizeof *oracle);
    struct world *world = arena_alloc(&arena, sizeof *world);
    struct result *result = arena_alloc(&arena, sizeof *result);
    struct oracle_options options = { .limiter = lap->design.limiter, .policy = &lap->policy,
                                      .target = TARGET_CURVE, .target_policy = &lap->policy,
                                      .watched = NO_KEY };
    struct chooser chooser = { .mode = CHOOSE_KEYED, .seed = 42 };
    struct world_setup setup = {
        .memory = process_memory(), .chooser = &chooser, .design = &lap->design, .policy = &lap->policy,
        .network = &lap->lab.network, .instances = lap->experiment.topology.instances,
        .store_region = CLIENT_REGIONS, .timeout_ns = 5000 * MS, .observer = oracle_observer(oracle),
    };
    struct playing playing;
    struct failure ignored;
    double start_s = seconds();

    oracle_init(oracle, process_memory(), &options);
    world_init(world, &setup);
    playing_start(&playing, &lap->arrivals, 42, false);
    simulate(world, &playing.merged.source, NULL, NULL);
    playing_end(&playing, &ignored);
    oracle_finish(oracle, world->now_ns);
    oracle_result(oracle, &lap->arrivals.keys, &arena, result);
    lap->cost_s = seconds() - start_s;
    lap->events = result->requests + world->store_reads + world->store_writes;
    world_free(world);
    oracle_free(oracle);
    arena_free(&arena);
}

static void lap_close(struct lap *lap)
{
    arrivals_close(&lap->arrivals);
    arena_free(&lap->arena);
}

/* ---- the bare loop ------------------------------------------------------------------------------------- */

/* A request under way: 16 bytes, and its event in the heap. */
struct bare { int64_t write_back; uint32_t key, next_free; };

struct bare_loop {
    struct heap heap;
    struct bare *request;
    size_t room;
    uint32_t used, free;
    uint64_t random, sent;
    int64_t *bucket;                    /* one integer a key: the instant at which it would be empty */
    struct dist gap, delay;
    struct alias keys;
};

static uint64_t bare_random(struct bare_loop *loop)
{
    loop->random ^= loop->random << 13;
    loop->random ^= loop->random >> 7;
    loop->random ^= loop->random << 17;
    return loop->random;
}

static int64_t bare_span(struct bare_loop *loop, const struct dist *dist)
{
    return dist_span_ns(dist, bare_random(loop) >> 32);
}

static void bare_arrive(struct bare_loop *loop, int64_t now_ns, uint32_t region)
{
    uint32_t i = loop->free;

    if (i == UINT32_MAX) {
        i = loop->used++;
        loop->request = memory_grow(process_memory(), loop->request, &loop->room, loop->used,
                                    sizeof *loop->request);
    } else {
        loop->free = loop->request[i].next_free;
    }
    loop->request[i].key = alias_draw(&loop->keys, bare_random(loop));
    loop->sent++;
    heap_push(&loop->heap, (struct heap_event){ now_ns + bare_span(loop, &loop->delay), (uint32_t)loop->sent,
                                                i << 2 | 1 });
    heap_push(&loop->heap,
              (struct heap_event){ now_ns + bare_span(loop, &loop->gap), (uint32_t)loop->sent, region << 2 });
}

static void bare_decide(struct bare_loop *loop, int64_t now_ns, uint32_t i)
{
    struct bare *request = &loop->request[i];
    int64_t empty_ns = i64_max(loop->bucket[request->key], now_ns - 1000 * MS);

    request->write_back = empty_ns + (now_ns - empty_ns >= 10 * MS ? 10 * MS : 0);
    heap_push(&loop->heap, (struct heap_event){ now_ns + bare_span(loop, &loop->delay), (uint32_t)loop->sent,
                                                i << 2 | 2 });
}

static void bare_write(struct bare_loop *loop, uint32_t i)
{
    loop->bucket[loop->request[i].key] = loop->request[i].write_back;
    loop->request[i].next_free = loop->free;
    loop->free = i;
}

static double bare_run(struct bare_loop *loop)
{
    double start_s = seconds();
    uint64_t done = 0;

    heap_init(&loop->heap, process_memory());
    loop->free = UINT32_MAX;
    loop->random = 88172645463325252u;
    for (uint32_t region = 0; region < CLIENT_REGIONS; region++)
        heap_push(&loop->heap, (struct heap_event){ bare_span(loop, &loop->gap), region, region << 2 });
    while (done < REQUESTS) {
        struct heap_event event = heap_pop(&loop->heap);
        uint32_t i = event.payload >> 2;
        switch (event.payload & 3) {
        case 0: if (loop->sent < REQUESTS) bare_arrive(loop, event.at_ns, i); break;
        case 1: bare_decide(loop, event.at_ns, i); break;
        default: bare_write(loop, i); done++;
        }
    }
    heap_free(&loop->heap);
    return seconds() - start_s;
}

static double bare_seconds(const struct workload *workload)
{
    struct bare_loop *loop = calloc(1, sizeof *loop);
    struct dist_spec gap = { .kind = DIST_EXPONENTIAL, .scale_ns = 3600000 * MS / workload->rate_per_hour };
    struct dist_spec delay = { .kind = DIST_UNIFORM, .low_ns = 20 * MS, .high_ns = 60 * MS };

    dist_init(&loop->gap, &gap);
    dist_init(&loop->delay, &delay);
    loop->bucket = calloc(workload->keys, sizeof *loop->bucket);
    uint64_t *weight = calloc(workload->keys, sizeof *weight);
    zipf_weights(weight, workload->keys, workload->zipf_billionths);
    alias_init(&loop->keys, weight, workload->keys, process_memory());
    free(weight);
    double cost_s = bare_run(loop);
    alias_free(&loop->keys, process_memory());
    memory_free(process_memory(), loop->request);
    free(loop->bucket);
    free(loop);
    return cost_s;
}

/* ---- figures ------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool bench_workload(const struct workload *workload, bool json, bool last, struct failure *failure)
{
    double lab_ns[ROUNDS], bare_ns[ROUNDS], ratio[ROUNDS];
    struct lap lap;

    if (!lap_open(&lap, workload, REQUESTS, failure))
        return false;
    for (int round = 0; round < ROUNDS; round++) {
        lap_run(&lap);
        lab_ns[round] = lap.cost_s * 1e9 / (double)lap.events;
        bare_ns[round] = bare_seconds(workload) * 1e9 / (3.0 * REQUESTS);
        ratio[round] = lab_ns[round] / bare_ns[round];
    }
    lap_close(&lap);
    qsort(lab_ns, ROUNDS, sizeof *lab_ns, by_size);
    qsort(bare_ns, ROUNDS, sizeof *bare_ns, by_size);
    qsort(ratio, ROUNDS, sizeof *ratio, by_size);
    if (json)
        printf("    {\"workload\": \"%s\", \"design\": \"%s\", \"events\": %llu, \"ns_an_event\": %.1f, "
               "\"bare_ns_an_event\": %.1f, \"ratio\": %.2f}%s\n",
               workload->name, workload->design, (unsigned long long)lap.events, lab_ns[ROUNDS / 2],
               bare_ns[ROUNDS / 2], ratio[ROUNDS / 2], last ? "" : ",");
    else
        printf("%-4s  %-40s  %9llu  %8.1f  %8s  %8.1f  %6.2f\n", workload->name, workload->design,
               (unsigned long long)lap.events, lab_ns[ROUNDS / 2], workload->goal, bare_ns[ROUNDS / 2],
               ratio[ROUNDS / 2]);
    fflush(stdout);
    return true;
}

/* The most memory that a process of its own holds for W1b with ten million requests; 0 when it could not be
 * measured. */
static long memory_kib(void)
{
    struct rusage usage;
    int status;
    pid_t child = fork();

    if (child == 0) {
        struct failure failure;
        struct lap lap;
        if (lap_open(&lap, &workloads[1], MEMORY_REQUESTS, &failure))
            lap_run(&lap);
        _exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0)
        return 0;
    return usage.ru_maxrss;
}

bool bench_run(const struct bench_options *options, struct failure *failure)
{
    long kib = memory_kib();

    if (kib == 0)
        return fail(failure, EXIT_TROUBLE, NULL, 0,
                    "memory could not be measured; expected a child process that ends well");
    if (options->json)
        printf("{\n  \"schema\": 1,\n  \"memory\": {\"keys\": %d, \"requests\": %d, \"peak_kib\": %ld},\n"
               "  \"workloads\": [\n", KEYS, MEMORY_REQUESTS, kib);
    else
        printf("memory: %d keys and %d requests held %ld MB at most (goal: under 150 MB)\n\n"
               "%-4s  %-40s  %9s  %8s  %8s  %8s  %6s\n", KEYS, MEMORY_REQUESTS, kib / 1024,
               "", "design", "events", "ns/event", "goal", "bare", "ratio");
    fflush(stdout);
    for (int i = 0; i < WORKLOADS; i++)
        if (!bench_workload(&workloads[i], options->json, i + 1 == WORKLOADS, failure))
            return false;
    if (options->json)
        printf("  ],\n");
    else
        printf(
            "\nevents: arrivals, and operations that reached the store.  bare: a loop over the same events "
            "with a heap and one\ninteger a key, and nothing measured.  ratio: the median of the rounds' own "
            "ratios.\n");
    if (!bench_explore(options->json, failure))
        return false;
    if (options->json)
        printf("}\n");
    return true;
}

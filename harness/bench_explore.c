/* bench_explore.c - how many states a second the explorer finds, with no two clients taken for one another,
 * and every interleaving counted. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "bench.h"
#include "design.h"
#include "interleavings.h"

enum { ROUNDS = 5, LIMIT = 5, CLIENTS = 5, REQUESTS = 2 };

static const char *const designs[] = { "fixed-window@get-then-set", "fixed-window@cas" };
enum { DESIGNS = sizeof designs / sizeof *designs };

struct measured { double seconds; uint64_t states, bytes; char *interleavings; };

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool over(void *context, const struct told *told, uint32_t n)
{
    (void)context;
    return told_requests(told, n) > LIMIT;
}

/* One exploration of a world, from nothing to the last count. */
static bool measure(const struct world_setup *world, struct measured *out)
{
    static const int64_t at_once[] = { 0 };
    struct small_client client[CLIENTS];
    struct explorer explorer;
    struct interleavings counted;
    double start_s = seconds();

    for (int i = 0; i < CLIENTS; i++)
        client[i] = (struct small_client){ .requests = REQUESTS, .cost = 1 };
    bool good = !explorer_init(&explorer, &(struct explore_setup){ .small = {
        .memory = process_memory(), .world = world, .clients = CLIENTS, .client = client, .keys = 1,
        .instants = 1, .instant = at_once } });
    if (good) {
        explore(&explorer);
        interleavings_count(&counted, &explorer, &(struct judge){ over, NULL });
        *out = (struct measured){ seconds() - start_s, explorer.states.items, explore_bytes(&explorer),
                                  mpz_get_str(NULL, 10, counted.all) };
        interleavings_clear(&counted);
    }
    explorer_free(&explorer);
    return good;
}

/* The best of the rounds: the others waited for somebody. */
static bool measure_design(const char *text, struct measured *best, struct failure *failure)
{
    static const struct link no_delay = { .delay = { .constant = true } };
    const struct link *links[] = { &no_delay };
    struct policy policy = { .limit = LIMIT, .burst = LIMIT, .period_ns = INT64_C(60000000000) };
    struct network network = { .regions = 1, .links = links };
    struct experiment experiment;
    struct design design;

    experiment_init(&experiment);
    if (policy_init(&policy)
        || !design_parse(text, &experiment.topology, &policy, (struct origin){ 0 }, &design, failure))
        return false;
    struct world_setup world = { .design = &design, .policy = &policy, .network = &network,
                                 .instances = experiment.topology.instances, .timeout_ns = 1000000000 };
    for (int i = 0; i < ROUNDS; i++) {
        struct measured measured;
        if (!measure(&world, &measured))
            return fail(failure, EXIT_TROUBLE, NULL, 0, "%s cannot be explored; expected that it can", text);
        if (i > 0)
            free(measured.seconds < best->seconds ? best->interleavings : measured.interleavings);
        if (i == 0 || measured.seconds < best->seconds)
            *best = measured;
    }
    return true;
}

static void show(const char *design, const struct measured *measured, bool json, bool last)
{
    double million_a_second = (double)measured->states / measured->seconds * 1e-6;
    unsigned long long states = measured->states, bytes = measured->bytes / measured->states;

    if (json)
        printf("    {\"design\": \"%s\", \"clients\": %d, \"requests\": %d, \"limit\": %d, \"states\": %llu, "
               "\"interleavings\": \"%s\", \"seconds\": %.3f, \"states_a_second\": %.0f, "
               "\"bytes_a_state\": %llu}%s\n", design, CLIENTS, REQUESTS, LIMIT, states,
               measured->interleavings, measured->seconds, million_a_second * 1e6, bytes, last ? "" : ",");
    else
        printf("%-26s  %9llu  %28s  %7.3f  %9.2f  %13llu\n", design, states, measured->interleavings,
               measured->seconds, million_a_second, bytes);
}

bool bench_explore(bool json, struct failure *failure)
{
    if (json)
        printf("  \"explorer\": [\n");
    else
        printf("\n%-26s  %9s  %28s  %7s  %9s  %13s\n", "explorer: 5 clients x 2", "states", "interleavings",
               "seconds", "million/s", "bytes a state");
    for (int i = 0; i < DESIGNS; i++) {
        struct measured best = { 0 };
        if (!measure_design(designs[i], &best, failure))
            return false;
        show(designs[i], &best, json, i + 1 == DESIGNS);
        free(best.interleavings);
    }
    if (json)
        printf("  ]\n");
    return true;
}

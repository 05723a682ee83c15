/* Any bytes as a design (the first byte says for which topology, the second for which limit): refused with
 * one line, or what its parameters say is a design that is the same. */
#include <stdlib.h>
#include <string.h>
#include "../../harness/design.h"

#define DEMAND(condition)                                                       \
    do {                                                                        \
        if (!(condition))                                                       \
            abort();                                                            \
    } while (0)

/* "shards=8 mode=divide" after the names is ":shards=8:mode=divide". */
static void write_and_read(const struct design *design, const struct topology *topology,
                           const struct policy *policy, struct arena *arena)
{
    const char *parameters = design_parameters(design, topology, arena);
    char *text = arena_format(arena, "%s@%s%s%s", design->limiter->name, design->coordination->name,
                              *parameters ? ":" : "", parameters);
    struct failure failure;
    struct design again;

    for (char *blank = text; (blank = strchr(blank, ' ')); )
        *blank = ':';
    DEMAND(design_parse(text, topology, policy, (struct origin){ 0 }, &again, &failure));
    DEMAND(memcmp(&again, design, sizeof again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const int64_t limits[] = { 1, 2, 100, COST_MAX };
    struct topology topology = { .regions = 3, .region = { "fra", "nrt", "iad" }, .instances = { 1, 2, 3 },
                                 .store = 2 };
    struct policy policy = { .period_ns = INT64_C(60000000000) };
    struct arena arena = { 0 };
    struct failure failure = { 0 };
    struct design design;

    if (length < 2)
        return 0;
    topology.regions = bytes[0] % 2 ? 1 : 3;
    topology.store = topology.regions - 1;
    policy.limit = policy.burst = limits[bytes[1] % 4];
    DEMAND(policy_init(&policy) == NULL);
    char *text = arena_alloc(&arena, length);
    memcpy(text, bytes + 2, length - 2);
    if (design_parse(text, &topology, &policy, (struct origin){ "fuzz", 1 }, &design, &failure))
        write_and_read(&design, &topology, &policy, &arena);
    else
        DEMAND(strncmp(failure.line, "fuzz:1: ", 8) == 0 && failure.code == EXIT_USAGE);
    arena_free(&arena);
    return 0;
}

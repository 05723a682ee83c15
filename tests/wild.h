/* wild.h - random scenarios: topologies, loss, clocks, generators and designs, the same in every run. */
#ifndef LIMITLAB_WILD_H
#define LIMITLAB_WILD_H
#include <stdarg.h>
#include <stdio.h>
#include "dice.h"
#include "test.h"

struct wild { struct dice dice; char text[4096]; size_t used; };

__attribute__((format(printf, 2, 3)))
static inline void add(struct wild *wild, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    wild->used += (size_t)vsnprintf(wild->text + wild->used, sizeof wild->text - wild->used, format,
                                    arguments);
    va_end(arguments);
    assert_true(wild->used < sizeof wild->text);
}

static inline const char *pick(struct wild *wild, const char *const *list, size_t n)
{
    return list[dice_between(&wild->dice, 0, (int64_t)n - 1)];
}

#define PICK(wild, ...) \
    pick(wild, (const char *const[]){ __VA_ARGS__ }, \
         sizeof (const char *const[]){ __VA_ARGS__ } / sizeof(const char *))

static inline void add_topology(struct wild *wild)
{
    int64_t regions = dice_between(&wild->dice, 1, 3);

    add(wild, "topology:\n  regions: {");
    for (int64_t i = 0; i < regions; i++)
        add(wild, "%sr%d: {instances: %d}", i ? ", " : "", (int)i, (int)dice_between(&wild->dice, 1, 3));
    add(wild, "}\n  links:\n    - {from: r0, to: r0, one_way: %s}\n", PICK(wild, "0s", "1ms"));
    for (int64_t i = 1; i < regions; i++)
        add(wild, "    - {between: [r0, r%d], one_way: %s%s%s}\n", (int)i,
            PICK(wild, "0s", "30ms", "{uniform: [5ms, 90ms]}", "{exponential: {mean: 40ms}}"),
            PICK(wild, "", "", ", loss: 0.05", ", loss: 0.3"),
            PICK(wild, "", "", ", duplicate: 0.05", ", duplicate: 0.5"));
    if (dice_chance(&wild->dice, 2))
        add(wild, "  clocks:\n    - {region: r%d, %s%s}\n", (int)dice_between(&wild->dice, 0, regions - 1),
            PICK(wild, "", "instance: 0, ", "store: true, "),
            PICK(wild, "offset: 700ms", "offset: -2s", "offset: 5s", "drift_ppm: 90000",
                 "steps: [{at: 500ms, by: 2s}]"));
}

static inline void add_traffic(struct wild *wild)
{
    int64_t streams = dice_between(&wild->dice, 1, 2);

    add(wild, "traffic:\n");
    for (int64_t i = 0; i < streams; i++)
        add(wild, "  - {%s, requests: %d, key: k%d, keys: %d%s}\n",
            PICK(wild, "generator: poisson, rate: 40/s", "generator: constant, rate: 90/s",
                 "generator: closed-loop, in_flight: 3", "generator: closed-loop, in_flight: 9, think: 10ms",
                 "generator: burst, size: 12, every: 1s"),
            (int)dice_between(&wild->dice, 1, 60), (int)i, (int)dice_between(&wild->dice, 1, 3),
            PICK(wild, "", ", costs: {1: 3, 4: 1}"));
}

/* The next one: small, with one design and one seed. */
static inline const char *wild_scenario(struct wild *wild)
{
    wild->used = 0;
    add(wild, "policy: {limit: %d, period: %s}\ntarget: %s\nseeds: %d\n",
        (int)dice_between(&wild->dice, 5, 15), PICK(wild, "1s", "3s", "700ms"),
        PICK(wild, "curve", "window", "{limit: 5}", "{kind: window, period: 500ms}"),
        (int)dice_between(&wild->dice, 1, 1000));
    add_topology(wild);
    add_traffic(wild);
    add(wild, "designs: ['%s@%s']\n",
        PICK(wild, "token-bucket", "gcra", "fixed-window", "sliding-window-log", "sliding-window-counter",
             "leaky-bucket-queue"),
        PICK(wild, "owner", "home-region", "owner:service=5ms", "get-then-set", "cas", "atomic", "kv",
             "kv:propagation=200ms:cache=100ms", "local", "local-sync:every=100ms", "local:route=sticky"));
    return wild->text;
}
#endif

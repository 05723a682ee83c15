/* scenario.h - a scenario file becomes an experiment.
 *
 * scenarios/README.md documents every key; the tables in scenario_*.c are the same list.  Nothing is opened
 * but the scenario itself and the files of measured delays that its links name: traces are for the runner.
 *
 * A hostile file costs at most a few tens of megabytes and a moment: bytes, nodes, depth, regions, instances,
 * samples and requests of a stream are all bounded (a stream: 10^9 requests). */
#ifndef LIMITLAB_SCENARIO_H
#define LIMITLAB_SCENARIO_H
#include "arena.h"
#include "experiment.h"
#include "failure.h"

/* What an option says about one key: "--set policy.limit=20", "--regions a,b". */
struct override {
    const char *option;                 /* as typed, for messages */
    const char *path;                   /* "policy.limit"; see yaml_set() */
    const char *value;                  /* "20", "[a, b]" */
};

/* Splits the argument of --set.  False when it is not PATH=VALUE. */
bool override_parse(const char *argument, struct override *out, struct arena *arena, struct failure *failure);

/* Reads the file, applies the overrides in order (ends with one whose path is NULL; may be NULL), checks
 * everything.  path NULL: no file, the overrides are all there is, relative paths are relative to the current
 * folder.  Whoever replaces the experiment's designs afterwards does well to drop its claims, which name
 * designs too. */
bool scenario_load(const char *path, const struct override *overrides, struct arena *arena,
                   struct experiment *experiment, struct failure *failure);

/* The same for text that is in memory already.  `path` gives the name and the folder; nothing is read from
 * it. */
bool scenario_parse(const char *text, size_t bytes, const char *path, const struct override *overrides,
                    struct arena *arena, struct experiment *experiment, struct failure *failure);

/* Every kind of mapping in a scenario, in the order of the documentation; ends with NULL. */
struct section;
extern const struct section *const scenario_sections[];
#endif

/* design.h - designs as people write them: LIMITER@COORDINATION[:PARAM=VALUE]..., or SYSTEM[:PARAM=VALUE]...
 * (algos/systems/systems.h).  Beside its coordination's parameters every design takes those of
 * universal.h. */
#ifndef LIMITLAB_HARNESS_DESIGN_H
#define LIMITLAB_HARNESS_DESIGN_H
#include "../algos/limiters/limiters.h"
#include "../algos/protocols/protocols.h"
#include "../algos/systems/systems.h"
#include "arena.h"
#include "experiment.h"
#include "failure.h"

/* Reads a design for a topology and a policy (which defaults depend on).  False: the failure says what is
 * wrong, where (origin.file may be NULL), and the nearest known name; or why this limiter and this
 * coordination do not go together. */
bool design_parse(const char *text, const struct topology *topology, const struct policy *policy,
                  struct origin origin, struct design *out, struct failure *failure);

/* Whether a design that was read for one policy can keep another one as well (a ceiling, a variant). */
bool design_takes(const char *text, const struct design *design, const struct topology *topology,
                  const struct policy *policy, struct origin origin, struct failure *failure);

/* The limiter that a design names; NULL when there is none. */
const struct limiter *design_limiter(const char *text);

/* Only the names and parameters' syntax, for checks before any policy is known. */
bool design_check(const char *text, const struct topology *topology, struct origin origin,
                  struct failure *failure);

/* Every parameter with its value, "shards=8 mode=divide route=random", and those that every design takes
 * (universal.h) where they are not as preset; "" when there are none. */
const char *design_parameters(const struct design *design, const struct topology *topology,
                              struct arena *arena);
/* Nodes of each region: the parameter `instances` where it is given, else what the topology says. */
void design_instances(const struct design *design, const struct topology *topology,
                      uint32_t instances[REGIONS_MAX]);
#endif

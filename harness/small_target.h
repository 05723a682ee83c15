/* small_target.h - how far what an interleaving admitted is over the target: exactly, key by key.
 *
 * The admissions come as the explorer tells them, in order of their instants (engine/explore.h).
 *   curve    the smallest burst that explains them at the policy's rate (curve.h), less the policy's burst
 *   window   the most cost in any (t - period, t], less the limit
 * Both in credits of the policy, so that nothing is rounded: 0 where the target is kept. */
#ifndef LIMITLAB_SMALL_TARGET_H
#define LIMITLAB_SMALL_TARGET_H
#include "../engine/walk.h"
#include "decimal.h"
#include "experiment.h"

struct small_target {
    const struct policy *policy;        /* borrowed */
    enum target_kind kind;
    uint32_t keys;
};

/* The worst key's excess, in credits. */
i128 small_target_excess(const struct small_target *target, const struct told *told, uint32_t n);

/* Credits as cost. */
struct decimal small_target_cost(const struct small_target *target, i128 credits);

/* For those who count and look (struct judge, struct worth): context is a struct small_target. */
bool small_target_over(void *target, const struct told *told, uint32_t n);
uint64_t small_target_is_over(void *target, const struct told *told, uint32_t n);       /* 1: over */
/* For the most admitted: requests. */
uint64_t small_target_admitted(void *unused, const struct told *told, uint32_t n);
#endif

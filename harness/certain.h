/* certain.h - what a log with coarse times proves, and what it leaves possible.
 *
 * A row logged at t happened at some whole nanosecond in t .. t + p - 1, where p is the precision of the
 * log's clock; all t are multiples of p since one instant.  Over every way to place the admissions so, a
 * measure has a least and a greatest value.  `certain` is never above the least, `possible` never below the
 * greatest.  With p = 1 both are the exact value, costs being alike (below).  In the letters of curve.h
 * (burst b, rate r, costs c, C the sum of costs):
 *
 *   effective burst   certain   max over i <= j of  C(i..j) - r (t_j + p - 1 - t_i),  and the largest c
 *                     possible  max over i <= j of  C(i..j) - r max(0, t_j - t_i - p + 1)      (exactly)
 *   worst window      certain   the largest C(i..j) with t_j - t_i < period - p + 1
 *                     possible  the largest C(i..j) with t_j - t_i < period + p - 1            (exactly)
 *   over-admitted     No policer keeps more rows than one that only charges what it keeps, as long as costs
 *                     are alike.  So, for a key whose costs are all the same:
 *                     certain   what a lax one refuses: burst b + r (p - 1); window period - p + 1
 *                     possible  what a strict one refuses: it keeps what fits in every placement
 *                     For a key with different costs:
 *                     certain   the certain excess, and as few rows as can hold it
 *                     possible  all rows at whose time the key is possibly over its target
 *
 * Everything is per key and exact (integers and credits, see limiter.h); sums over keys for over_admitted,
 * the worst key otherwise.  Memory: about 300 bytes a key and 32 for each admission of the last period. */
#ifndef LIMITLAB_CERTAIN_H
#define LIMITLAB_CERTAIN_H
#include "../engine/limiter.h"
#include "decimal.h"
#include "experiment.h"

struct certain_bound {
    uint64_t over_admitted;
    int64_t  over_admitted_cost;
    struct decimal excess, effective_burst, boundary_burst;     /* boundary_burst: null for TARGET_WINDOW */
    int64_t  worst_window;
    uint64_t keys_over;                 /* keys whose excess is above 0 */
};

struct certain_admission {
    int64_t  at_ns, cost;
    uint32_t key;
    bool     lax_kept, strict_kept;     /* by the two policers */
};

struct certain {
    enum target_kind target;
    struct policy policy;
    int64_t precision_ns;
    struct certain_key *key;
    size_t   keys;
    struct certain_admission *recent;   /* in order of time: those that a window may still hold */
    size_t   recent_have, recent_count;
    size_t   narrow_first, wide_first;  /* the oldest that stands in each of the two windows */
};

/* policy: the target's, through policy_init().  precision_ns: 1 .. 1e9. */
void certain_init(struct certain *certain, enum target_kind target, const struct policy *policy,
                  int64_t precision_ns);

/* An admission (cost >= 0; 0 never weighs), in order of logged time. */
void certain_admit(struct certain *certain, uint32_t key, int64_t at_ns, int64_t cost);

/* After the last admission: the two ends. */
void certain_finish(struct certain *certain, struct certain_bound *least, struct certain_bound *most);

void certain_free(struct certain *certain);
#endif

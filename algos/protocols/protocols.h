/* protocols.h - the coordinations, and what their protocols share. */
#ifndef LIMITLAB_PROTOCOLS_H
#define LIMITLAB_PROTOCOLS_H
#include "../../engine/protocol.h"

extern const struct coordination *const coordinations[];
extern const unsigned coordination_count;

/* By name or alias; those of systems and of the zoo as well.  NULL when there is none. */
const struct coordination *coordination_find(const char *name);

/* ---- parameters that several have ---------------------------------------------------------------------- */

int64_t preset_home(const struct setting *setting);

#define PARAMETER_HOME                                                                                  \
    { .name = "home", .kind = PARAMETER_REGION, .preset_text = "the store's region", .derive = preset_home,\
      .meaning = "the region where the store is" }
#define PARAMETER_INSTANCES                                                                             \
    { .name = "instances", .kind = PARAMETER_COUNT, .preset_text = "as the topology says", .low = 0,    \
      .high = NODES_MAX, .zero_word = "topology", .meaning = "instances of each region" }
#define PARAMETER_EVERY                                                                                 \
    { .name = "every", .kind = PARAMETER_SPAN, .preset_text = "1s", .preset = 1000000000, .low = 1,     \
      .high = PERIOD_MAX, .meaning = "how often counts are exchanged" }

/* ---- pieces of steps ----------------------------------------------------------------------------------- */

/* One store of plain cells, one a key. */
void set_up_cells(struct world *world);

/* A script for a cell of the central store: the limiter runs there. */
struct message *take_message(struct world *world, struct call *call, uint32_t store, uint32_t cell,
                             uint32_t policy);

/* A cost of 0 is a peek: a counter's protocol answers it without the store, and true comes back. */
bool answer_peek(struct world *world, struct call *call);

/* What a denied caller is told: to wait so long, or NEVER_NS when the limit itself is too small. */
static inline int64_t wait_or_never(const struct policy *policy, int64_t cost, int64_t wait_ns)
{
    return cost > policy->limit ? NEVER_NS : wait_ns;
}

/* "windows that are counted" unless the limiter is a fixed window: those that a plain counter can do. */
const char *needs_fixed_window(const struct design *design, const struct setting *setting);
/* The same for those whose windows no request opens. */
const char *needs_aligned_windows(const struct design *design, const struct setting *setting);
bool windows_are_aligned(const struct limiter *limiter, const struct policy *policy);

/* A key's instance among n: always the same. */
uint32_t sticky(uint32_t key, uint32_t n);
#endif

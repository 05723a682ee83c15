/* small_known.c - the steps that are known of a small world, for those who write them down. */
#include <assert.h>
#include "small_pack.h"

bool small_known(const struct small_world *small, uint32_t i, struct small_known *out)
{
    assert(i < small->steps.items);
    if (i >= small->range_room || !small->range[i].known)
        return false;
    const uint32_t *name = intern_bytes(&small->steps, i);
    const struct small_range *range = &small->range[i];
    *out = (struct small_known){ .client = name[0], .shared = name[1], .outdates = name[2] == SMALL_OUTDATE };
    if (out->outdates) {
        out->written = (uint64_t)name[1] << 32 | name[3];
        out->to = range->first;
        return true;
    }
    out->action = (struct small_action){ (enum small_kind)name[2], name[3] };
    out->outcomes = (struct small_outcomes){ small->outcome + range->first, range->n };
    return true;
}

/* asked_explored.h - the small world that a command line asks for (`limitlab explore`).  */
#ifndef LIMITLAB_ASKED_EXPLORED_H
#define LIMITLAB_ASKED_EXPLORED_H
#include "cli.h"
#include "explored.h"

/* False: invocation->failure says what is wrong. */
bool asked_explored(struct invocation *invocation, struct explored *out);

struct asked_bounds {
    uint64_t most_states, most_bytes;
    int64_t timeout_ns;                 /* 0: none */
    uint32_t curves;                    /* points of the curve: preemptions 0 .. curves - 1 */
    bool no_symmetry;
    uint64_t samples, seed;             /* samples 0: no --sample; by this seed */
    bool stateless;
};

bool asked_bounds(struct invocation *invocation, struct asked_bounds *out);

/* --target alone; what it says when it is not said is left alone. */
bool asked_target(struct invocation *invocation, enum target_kind *out);

/* --arrivals FILE, with regions by these names (NULL: there is only one); NULL on failure. */
const struct small_arrivals *asked_arrivals(struct invocation *invocation, const char *const *regions);
#endif

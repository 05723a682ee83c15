/* judging.h - recorded decisions held against a limit: what `limitlab audit` finds.
 *
 *     struct judges *judges = judges_call(&judging, &arena, &failure);
 *     ... judges_hear(judges, ...) for each decision, in order of time ...
 *     judges_conclude(judges, keys, &arena, &judgement); */
#ifndef LIMITLAB_JUDGING_H
#define LIMITLAB_JUDGING_H
#include "arena.h"
#include "certain.h"
#include "failure.h"
#include "keys.h"
#include "result.h"

/* What the decisions are judged against. */
struct judging {
    enum target_kind target;
    struct policy policy;               /* limit, period, burst and epoch */
    const struct limiter *as; /* also count the decisions that differ from this limiter's; NULL: do not */
    int64_t precision_ns;               /* of the clock that recorded them */
};

struct judgement {
    struct result result;               /* as of a run; without `as` nothing of ideal, wrongly, promise */
    uint64_t keys_over;                 /* keys with an excess */
    uint64_t mismatches;                /* decisions that differ from what `as`, alone, would have said */
    bool coarse; /* the clock's precision matters: the truth is between the two bounds */
    struct certain_bound certain, possible;
};

/* NULL: the limit cannot be, as the failure says.  After it, judges_conclude() is due. */
struct judges *judges_call(const struct judging *judging, struct arena *arena, struct failure *failure);

void judges_hear(struct judges *judges, uint32_t key, int64_t at_ns, int64_t cost, bool allowed);

/* Ends the judges.  `keys` names the keys; texts hang on the arena. */
void judges_conclude(struct judges *judges, const struct keys *keys, struct arena *arena,
                     struct judgement *out);

/* Whether more was let through than the target allows: by what is certain, where times are coarse. */
bool judged_over(const struct judgement *judgement);
#endif

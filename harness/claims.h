/* claims.h - what a scenario says must come out, held against what came out.
 *
 * A claim is about each design that it names (all of the scenario's when it names none) and must come true
 * for every limit and every seed, in the traffic as it was logged.  `holds` and `breaks` are equally strict:
 * a flaw that no longer shows is as much a failure as one that is new. */
#ifndef LIMITLAB_CLAIMS_H
#define LIMITLAB_CLAIMS_H
#include "arena.h"
#include "experiment.h"
#include "result.h"

enum { CLAIM_WHY = 300 };

/* Whether one result is what the claim says.  False: why[] says what was seen and what was expected. */
bool claim_comes_true(const struct claim *claim, const struct result *result, char why[CLAIM_WHY]);

/* One claim about one design. */
struct claim_verdict {
    const struct claim *claim;
    const char *design;
    unsigned results;                   /* how many there were; 0 is a failure, too */
    bool broken;
    const char *why;                    /* broken: the first result that did not come true */
};

struct claim_verdicts {
    unsigned count;
    struct claim_verdict *verdict;      /* claim by claim, designs in the order in which they were named */
};

/* Before the run: restricts the experiment to the designs that its claims are about, and lists what is to be
 * judged. contenders are those of an experiment that names no designs (NULL-terminated). */
struct claim_verdicts claims_prepare(struct experiment *experiment, const char *const *contenders,
                                     struct arena *arena);

/* Each result of the run. */
void claims_judge(const struct claim_verdicts *verdicts, const struct result *result, struct arena *arena);

/* Whether quotas must be judged: it is a case of the zoo, or a claim or requirement is about soundness or
 * about a figure of quotas.  Otherwise those are undefined, and nobody pays for them. */
bool claims_need_quotas(const struct experiment *experiment);

static inline bool claim_came_true(const struct claim_verdict *verdict)
{
    return verdict->results > 0 && !verdict->broken;
}
#endif

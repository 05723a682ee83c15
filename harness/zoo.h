/* zoo.h - known bugs as cases: a scenario that names the flawed design and its cure (its `zoo` key), and what
 * `limitlab check` counts of them.
 *
 * Nothing about a case is asserted.  A run is flagged when the general oracles find something wrong with it
 * (soundness.h) or the user's target breaks.  The flaw is caught when every one of its runs is flagged; the
 * cure is flagged when one of its runs is. */
#ifndef LIMITLAB_HARNESS_ZOO_H
#define LIMITLAB_HARNESS_ZOO_H
#include <stdio.h>
#include "arena.h"
#include "experiment.h"
#include "result.h"

struct bug_class_row { const char *name, *meaning; };
extern const struct bug_class_row bug_class_rows[BUG_CLASSES];

/* The names alone, then NULL. */
extern const char *const bug_class_names[BUG_CLASSES + 1];

/* What the runs of one design of a case have shown. */
struct zoo_verdict {
    const char *design;
    bool cure;
    unsigned results, flagged;
    const char *seen;                   /* of the latest run that is not as it should be */
};

struct zoo_verdicts {                   /* of a scenario that is no case: empty */
    unsigned count;
    struct zoo_verdict *verdict;        /* flaws, then cures */
};

/* Before the run: what is to be judged; makes sure that the experiment runs the case's designs. */
struct zoo_verdicts zoo_prepare(struct experiment *experiment, struct arena *arena);

/* Each result of the run. */
void zoo_judge(const struct zoo_verdicts *verdicts, const struct result *result, struct arena *arena);

/* The flaw is caught; the cure is not flagged. */
bool zoo_came_true(const struct zoo_verdict *verdict);

struct zoo_tally { struct zoo_count { unsigned cases, caught, flagged; } of[BUG_CLASSES]; };  /* { 0 } */

/* One more case whose runs are over. */
void zoo_count(struct zoo_tally *tally, const struct zoo_case *zoo, const struct zoo_verdicts *verdicts);

/* The table, as comments of TAP; nothing when there is no case. */
void zoo_print(const struct zoo_tally *tally, FILE *tap);
#endif

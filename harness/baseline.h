/* baseline.h - figures of an earlier `limitlab check`, so that any change shows.
 *
 * A text file to keep under version control: one line a run, "scenario TAB design TAB limit=10 TAB seed=1 TAB
 * admitted=3 ...", with every figure that is a number.  A file that is not there is written; to accept what
 * changed, remove it and check again. */
#ifndef LIMITLAB_BASELINE_H
#define LIMITLAB_BASELINE_H
#include "arena.h"
#include "failure.h"
#include "result.h"

struct baseline {                       /* starts as { 0 }: no file, nothing is compared */
    const char *path;
    bool     there;                     /* compared with, not written */
    struct baseline_line { char *text; bool seen; } *line;
    size_t   have;
    unsigned lines;
    struct arena arena;
};

/* Reads the file when it is there. */
bool baseline_open(struct baseline *baseline, const char *path, struct failure *failure);

/* NULL when the result is as before (or is new because the file is), else what changed, on the baseline's
 * arena. */
const char *baseline_change(struct baseline *baseline, const char *scenario, const struct result *result);

/* Lines of this scenario that no result has come for. */
unsigned baseline_missing(const struct baseline *baseline, const char *scenario);

/* Writes the file when it was not there.  Frees everything in any case. */
bool baseline_close(struct baseline *baseline, bool write, struct failure *failure);
#endif

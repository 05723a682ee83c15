/* soundness.h - what no correct limiter fails, whatever its rule and the user's target: the oracles that
 * would have caught most known bugs without knowing them.
 *
 * Each looks at the figures of one finished run.  A claim `sound: holds` means all of them; `sound: breaks`
 * that at least one fails.  (Decisions are judged against limiter.rule where a limiter names one.) */
#ifndef LIMITLAB_SOUNDNESS_H
#define LIMITLAB_SOUNDNESS_H
#include <stdbool.h>
#include "result.h"

struct soundness {
    const char *name;                   /* one word, as `limitlab list oracles` shows it */
    const char *meaning;
    const char *complaint;              /* what a result that fails it has: "wrong denials" */
    bool (*holds)(const struct result *result);
};

extern const struct soundness soundness[];
extern const unsigned soundness_count;

/* All of them hold. */
bool result_is_sound(const struct result *result);

enum { SOUNDNESS_TEXT = 200 };
/* The complaints, "wrong denials, retry too early"; "" when there are none. */
const char *soundness_text(const struct result *result, char text[SOUNDNESS_TEXT]);
#endif

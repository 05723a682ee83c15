/* soundness.c - see soundness.h. */
#include "soundness.h"
#include <string.h>

static bool keeps_promise(const struct result *result) { return result->promise_kept; }
static bool admits_rightly(const struct result *result) { return result->wrongly_admitted == 0; }
static bool denies_rightly(const struct result *result) { return result->wrongly_denied == 0; }
static bool waits_do(const struct result *result) { return result->retry.early == 0; }
static bool waits_are_short(const struct result *result) { return result->retry.late == 0; }
static bool is_live(const struct result *result) { return result->stuck_keys <= 0; }
static bool quotas_are_true(const struct result *result) { return result->quota.wrong == 0; }

const struct soundness soundness[] = {
    { "promise", "what the limiter itself guarantees when one exact owner runs it on a perfect clock",
      "a broken promise", keeps_promise },
    { "admits", "nothing is admitted that the same rule with one atomic state would deny",
      "wrong admissions", admits_rightly },
    { "denies", "nothing is denied that the same rule with one atomic state would admit",
      "wrong denials", denies_rightly },
    { "retry-early", "a client that waits as long as it was told, and comes alone, is admitted",
      "retry too early", waits_do },
    { "retry-late", "... and would not have been a nanosecond sooner", "retry too late", waits_are_short },
    { "liveness", "who has been idle long enough is admitted again, once all faults have healed",
      "keys stuck", is_live },
    { "quota", "what is said to remain passes and one more does not, and when all is said to be there it is, "
      "and not a nanosecond sooner", "untrue remaining or reset", quotas_are_true },
};
const unsigned soundness_count = sizeof soundness / sizeof *soundness;

bool result_is_sound(const struct result *result)
{
    for (unsigned i = 0; i < soundness_count; i++)
        if (!soundness[i].holds(result))
            return false;
    return true;
}

const char *soundness_text(const struct result *result, char text[SOUNDNESS_TEXT])
{
    text[0] = '\0';
    for (unsigned i = 0; i < soundness_count; i++)
        if (!soundness[i].holds(result)) {
            if (*text)
                strncat(text, ", ", SOUNDNESS_TEXT - strlen(text) - 1);
            strncat(text, soundness[i].complaint, SOUNDNESS_TEXT - strlen(text) - 1);
        }
    return text;
}

/* programs.c - see programs.h. */
#include "programs.h"
#include <string.h>

#define DECIDE(at)  { .kind = TAKE_DECIDE, .layer = (at) }
#define CHECK       { .kind = TAKE_CHECK }
#define TOUCH       { .kind = TAKE_TOUCH }
#define SPEND_LATER { .kind = TAKE_SPEND, .after_work = true }
#define SETTLE      { .kind = TAKE_SETTLE, .after_work = true }
#define EXPLAIN     { .kind = TAKE_TOUCH, .when_denied = true }

const struct program programs[] = {
    { .name = "take", .meaning = "one question, charged when it passes", .takes = 1, .take = { DECIDE(0) } },
    { .name = "check-then-consume",
      .meaning = "asks first, works, and is charged afterwards: between the two anybody may pass",
      .takes = 2, .take = { CHECK, SPEND_LATER } },
    { .name = "estimate-then-settle",
      .meaning = "charged its cost before the work, and the difference to what it used after it",
      .takes = 2, .take = { DECIDE(0), SETTLE } },
    { .name = "then-ceiling",
      .meaning = "the limit first, then the ceiling; what the limit took is gone when the ceiling denies",
      .takes = 2, .take = { DECIDE(0), DECIDE(1) } },
    { .name = "ceiling-first",
      .meaning = "the ceiling first, then the limit; what the ceiling took is gone when the limit denies",
      .takes = 2, .take = { DECIDE(1), DECIDE(0) } },
    { .name = "then-ceiling-refund",
      .meaning = "the limit first, then the ceiling; the limit gets its charge back when the ceiling denies",
      .refunds = true, .takes = 2, .take = { DECIDE(0), DECIDE(1) } },
    { .name = "ceiling-first-refund",
      .meaning = "the ceiling first, then the limit; the ceiling gets its charge back when the limit denies",
      .refunds = true, .takes = 2, .take = { DECIDE(1), DECIDE(0) } },
    { .name = "options-then-consume",
      .meaning = "sets the options on every request, asks, and when denied asks once more for the status",
      .takes = 3, .take = { TOUCH, DECIDE(0), EXPLAIN } },
};
const unsigned program_count = sizeof programs / sizeof *programs;

const struct program *program_find(const char *name)
{
    for (unsigned i = 0; i < program_count; i++)
        if (strcmp(name, programs[i].name) == 0)
            return &programs[i];
    return NULL;
}

static bool gives_back(const struct program *program)
{
    for (unsigned i = 0; i < program->takes; i++)
        if (program->take[i].kind == TAKE_SETTLE)
            return true;
    return program->refunds;
}

const char *program_refuses(const struct program *program, const struct limiter *limiter,
                            const struct coordination *coordination)
{
    if (program == &programs[0])
        return NULL;
    if (limiter->shapes)
        return "a limiter that answers at once: this one delays what it allows";
    if (coordination->counts && !program_only_decides(program))
        return "a coordination that runs the limiter: this one counts, and can only ask";
    if (gives_back(program) && !limiter->refunds)
        return "a limiter that takes refunds";
    return NULL;
}

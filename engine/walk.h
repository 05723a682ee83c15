/* walk.h - one interleaving, step by step, with every client under its own number.
 *
 * Where a walk can go on is a list of options in a fixed order, so that a walk is a list of small numbers:
 *
 *   0        the calm one: the client that moved last goes on with its call; when it has none, the first
 *            option of the client with the least number that can move
 *   then     the other clients by number, each one's operations in the order in which they were sent; of a
 *            step with free choices (which shard) each outcome
 *   then     background steps, the tick of time, and where they are allowed faults: crashes, stores that
 *            forget
 *
 * The walk of all zeros is the sequential run.  A walk is plain bytes: copy it to go back to it. */
#ifndef LIMITLAB_WALK_H
#define LIMITLAB_WALK_H
#include "explore.h"

#define NOBODY UINT32_MAX
enum { WALK_OPTIONS_MAX = 512 };

struct walk {
    struct explorer *explorer;          /* borrowed; initialised, explored or not */
    uint32_t shared, told, client[SMALL_CLIENTS];
    uint32_t crashes, forgets;
    uint32_t last;                      /* the client that moved last while its call goes on; or NOBODY */
    uint32_t steps, preemptions;
};

struct walk_option {
    uint32_t client;                    /* or NOBODY: a background step */
    struct small_action action;
    uint32_t choice;
};

void walk_start(struct walk *walk, struct explorer *explorer);

/* How many options there are (0: it has ended, or is blocked); they are written to option[]. */
uint32_t walk_options(struct walk *walk, struct walk_option option[WALK_OPTIONS_MAX]);

/* Takes one of them; *news (may be NULL) is what the observer heard (small_news()). */
void walk_step(struct walk *walk, const struct walk_option *option, uint32_t *news);

bool walk_is_over(const struct walk *walk);
const struct told *walk_told(const struct walk *walk, uint32_t *n);

/* ---- the best walks ------------------------------------------------------------------------------------ */

/* What is looked for: a value of what was admitted, the larger the worse. */
struct worth { uint64_t (*of)(void *context, const struct told *told, uint32_t n); void *context; };

/* The cheapest walk to anything worth at least `least`: fewest faults, then preemptions, then steps.  Its
 * options go to *option (memory_free() it), their number is returned; 0 when there is none within most_pairs
 * places of the search (0: no bound). */
uint32_t walk_cheapest(struct explorer *explorer, struct worth worth, uint64_t least, uint64_t most_pairs,
                       struct walk_option **option);

/* The most that is worth with at most c preemptions (and any faults), for c = 0 .. curves - 1; false when the
 * search was cut off at most_pairs. */
bool walk_curve(struct explorer *explorer, struct worth worth, uint64_t *most, uint32_t curves,
                uint64_t most_pairs);
#endif

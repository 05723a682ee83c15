/* owners.h - what the coordinations with one object a key share: its parameters, the way in and out, and what
 * a caller does that cannot reach it.
 *
 * Their tables begin with PARAMETERS_OF_OWNERS and their worlds with owners_set_up(), so that places in both
 * are known here. */
#ifndef LIMITLAB_OWNERS_H
#define LIMITLAB_OWNERS_H
#include "protocols.h"

enum { OWNER_SERVICE, OWNER_SCOPE, OWNER_UNREACHABLE, OWNER_PARAMETERS };
enum { OWNER_GATES, OWNER_STATES, OWNER_FALLBACK, OWNER_STORES };

#define SPAN_OF_AN_HOUR INT64_C(3600000000000)

#define PARAMETERS_OF_OWNERS                                                                            \
    { .name = "service", .kind = PARAMETER_SPAN, .preset_text = "0", .low = 0, .high = SPAN_OF_AN_HOUR, \
      .meaning = "how long the object is busy with one request" },                                      \
    { .name = "scope", .kind = PARAMETER_CHOICE, .preset_text = "key",                                  \
      .choices = (const char *const[]){ "key", "global", NULL },                                        \
      .meaning = "an object for each key, or one object for everybody" },                               \
    { .name = "unreachable", .kind = PARAMETER_CHOICE, .preset_text = "closed",                         \
      .choices = (const char *const[]){ "closed", "open", "local", "undecided", NULL },                 \
      .meaning = "what a caller does when no answer comes: deny, allow, decide alone, or nothing" }

/* The gates, the states behind them (of this model, one a key), and every instance's own memory. */
void owners_set_up(struct world *world, const struct store_model *states);

/* The cell of the gate before a key's state. */
uint32_t owner_gate_cell(const struct world *world, uint32_t key);
/* Asks for entrance.  An object has its home at world->home where `placed`, else where it was first asked
 * for. */
void owner_enter(struct world *world, struct call *call, bool placed);
/* The call that holds the gate gives it up. */
void owner_give_up(struct world *world, struct call *call);
/* The region where the object lives; it was asked for before. */
uint32_t owner_home(const struct world *world, uint32_t key);

/* No answer came (the call is at its own instance): what the catch block does. */
void owner_unreachable(struct world *world, struct call *call);
/* The call's answer will be lost: it waits for it at its own instance, until the timeout.  Then comes
 * owner_unreachable(). */
void owner_unheard(struct world *world, struct call *call);
#endif

/* asked.h - the experiment that a command line asks for: a scenario, or traces and a limit, and what options
 * change in it.
 *
 * Options become overrides of the scenario's keys (scenario.h), so that what may stand where is checked in
 * one place and a message names the option.  An operand that ends in .yaml or .yml, or is a folder, is a
 * path; any other is a design. */
#ifndef LIMITLAB_ASKED_H
#define LIMITLAB_ASKED_H
#include "cli.h"
#include "experiment.h"

/* What every command takes that runs experiments, for the front of its list of options. */
#define OPTIONS_OF_EXPERIMENTS \
    OPTION_LIMIT, OPTION_PERIOD, OPTION_BURST, OPTION_TARGET, OPTION_TRACE, OPTION_REGIONS, \
        OPTION_REGION_BY, OPTION_SEED, OPTION_SEEDS, OPTION_SET

/* Whether an operand is a path. */
bool is_path(const char *operand);

/* False: invocation->failure says what is wrong.  Without a scenario there must be a trace and a limit.
 * Designs among the operands replace the scenario's, and its claims, which name designs, are dropped then. */
bool asked_experiment(struct invocation *invocation, struct experiment *experiment);

/* What --set says, for scenarios that are loaded one by one: ends with a row whose path is NULL.  NULL on
 * failure. */
const struct override *asked_overrides(struct invocation *invocation);
#endif

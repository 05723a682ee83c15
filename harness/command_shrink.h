/* command_shrink.h - `limitlab run --shrink`: the first run that fails, and the smallest part of it. */
#ifndef LIMITLAB_COMMAND_SHRINK_H
#define LIMITLAB_COMMAND_SHRINK_H
#include "cli.h"

enum exit_code run_and_shrink(struct invocation *invocation);
#endif

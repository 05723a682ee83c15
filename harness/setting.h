/* setting.h - where an experiment takes place and what arrives there, in a few lines for the head of a table.
 */
#ifndef LIMITLAB_SETTING_H
#define LIMITLAB_SETTING_H
#include "arena.h"
#include "experiment.h"

/* Regions and the store, instances, delays, clocks, traffic: a line each, without what goes without saying.
 */
const char *setting_text(const struct experiment *experiment, struct arena *arena);
#endif

/* replay_show.h - a replayed walk (replayed.h), step by step: for people, and as JSON. */
#ifndef LIMITLAB_REPLAY_SHOW_H
#define LIMITLAB_REPLAY_SHOW_H
#include <stdio.h>
#include "replayed.h"

void replay_show(const struct replayed *replayed, const struct explored_world *world, FILE *out,
                 struct arena *arena);
void replay_print_json(const struct replayed *replayed, const struct explored_world *world, FILE *out);
#endif

/* sections.h - the parts of a scenario's file, as they are written there. */
#ifndef LIMITLAB_SECTIONS_H
#define LIMITLAB_SECTIONS_H
#include <stdio.h>

/* Copies all of a YAML file but the top-level keys that are named (NULL-terminated), and what is said of
 * them; nothing where the file cannot be read. */
void sections_copy(const char *path, const char *const *without, FILE *to);
#endif

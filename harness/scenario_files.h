/* scenario_files.h - the scenarios that paths stand for: files themselves, folders with all *.yaml and *.yml
 * below them. */
#ifndef LIMITLAB_SCENARIO_FILES_H
#define LIMITLAB_SCENARIO_FILES_H
#include "arena.h"
#include "failure.h"

struct scenario_files {                 /* starts as { 0 } */
    unsigned count;
    size_t have;
    const char **path;
};

/* Adds what is at `path`; below a folder in the order of names, whatever the locale; hidden files are left
 * out.  Texts hang on the arena.  Fails when it cannot be read; a folder without any scenario is refused. */
bool scenario_files_add(struct scenario_files *files, const char *path, struct arena *arena,
                        struct failure *failure);
void scenario_files_free(struct scenario_files *files);
#endif

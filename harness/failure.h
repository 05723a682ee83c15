/* failure.h - how anything in the harness fails: one line for a person, and the exit code that goes with it.
 *
 * A function that can fail takes a struct failure, fills it with fail() and returns false; its caller passes it on.  Only
 * main prints it.  The line reads "file:line: what is wrong; what was expected". */
#ifndef LIMITLAB_FAILURE_H
#define LIMITLAB_FAILURE_H
#include <stdbool.h>

enum exit_code { EXIT_HOLDS = 0, EXIT_BROKEN = 1, EXIT_USAGE = 2, EXIT_UNKNOWN = 3, EXIT_TROUBLE = 4, EXIT_INTERRUPTED = 130 };

struct failure {
    enum exit_code code;
    char line[1024];                    /* control characters of the user's own text are shown as \xNN */
};

/* Always false, so that `return fail(...)` reads well.  file NULL: no position; line 0: the file as a whole. */
__attribute__((format(printf, 5, 6)))
bool fail(struct failure *failure, enum exit_code code, const char *file, unsigned line, const char *format, ...);

/* The known name nearest to `name` when it is near enough to be meant, else NULL.  names ends with NULL. */
const char *nearest_name(const char *name, const char *const *names);
#endif

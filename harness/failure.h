/* failure.h - how anything in the harness fails: one line for a person, and the exit code that goes with it.
 *
 * A function that can fail takes a struct failure, fills it with fail() and returns false; its caller passes
 * it on.  Only main prints it.  The line reads "file:line: what is wrong; what was expected". */
#ifndef LIMITLAB_FAILURE_H
#define LIMITLAB_FAILURE_H
#include <stdbool.h>
#include <stddef.h>

enum exit_code {
    EXIT_HOLDS = 0, EXIT_BROKEN = 1, EXIT_USAGE = 2, EXIT_UNKNOWN = 3, EXIT_TROUBLE = 4,
    EXIT_INTERRUPTED = 130
};

struct failure {
    enum exit_code code;
    char line[1024];                    /* control characters of the user's own text are shown as \xNN */
};

/* Always false, so that `return fail(...)` reads well.  file NULL: no position; line 0: the whole file. */
__attribute__((format(printf, 5, 6)))
bool fail(struct failure *failure, enum exit_code code, const char *file, unsigned line, const char *format,
          ...);

/* text[0 .. length) for a person's eyes: NUL-terminated, cut at a whole character to fit out_bytes (>= 8;
 * "..." marks the cut).  Control characters, and what is not UTF-8, are shown as \xNN.  Returns out. */
const char *visible_text(const char *text, size_t length, char *out, size_t out_bytes);

/* The known name nearest to `name` when it is near enough to be meant, else NULL.  names ends with NULL. */
const char *nearest_name(const char *name, const char *const *names);
#endif

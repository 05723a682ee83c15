/* progress.h - how far a long piece of work is, on standard error, where that is a terminal.
 *
 * One line that is written over: a bar, per cent, time left, what is running.  Nothing is shown during the
 * first half second, nor more often than ten times a second. */
#ifndef LIMITLAB_PROGRESS_H
#define LIMITLAB_PROGRESS_H
#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool    wanted, shown;
    int64_t started_ns, last_ns;        /* of the monotonic clock */
};

/* quiet: never show anything. */
void progress_begin(struct progress *progress, bool quiet);

/* permille of the work is done; `what` is running now. */
void progress_show(struct progress *progress, unsigned permille, const char *what);

/* Takes the line away, before anything else is written to the terminal.  It comes back with the next show. */
void progress_clear(struct progress *progress);
#endif

/* progress.c - see progress.h. */
#include "progress.h"
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "failure.h"

enum { BAR = 24, PATIENCE_MS = 500, EVERY_MS = 100, WHAT_ROOM = 44 };

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool older(int64_t since_ns, int64_t now, int64_t ms)
{
    return now - since_ns >= ms * 1000000;
}

void progress_begin(struct progress *progress, bool quiet)
{
    *progress = (struct progress){ .wanted = !quiet && isatty(STDERR_FILENO), .started_ns = now_ns() };
}

/* Left, when the rest goes on as the part that is done did. */
static int64_t seconds_left(const struct progress *progress, int64_t now, unsigned permille)
{
    int64_t spent_ms = (now - progress->started_ns) / 1000000;

    return permille ? (spent_ms * (1000 - permille) / permille + 999) / 1000 : 0;
}

void progress_show(struct progress *progress, unsigned permille, const char *what)
{
    static const char full[] = "########################", empty[] = "........................";
    _Static_assert(sizeof full == BAR + 1 && sizeof empty == BAR + 1, "a bar of BAR characters");

    if (!progress->wanted)
        return;
    int64_t now = now_ns();
    if (!older(progress->started_ns, now, PATIENCE_MS) || !older(progress->last_ns, now, EVERY_MS))
        return;
    permille = permille > 1000 ? 1000 : permille;
    int done = (int)(permille * BAR / 1000);
    char shown[WHAT_ROOM];
    fprintf(stderr, "\r\x1b[K%.*s%.*s %3u%% %llds left  %s", done, full, BAR - done, empty, permille / 10,
            (long long)seconds_left(progress, now, permille),
            visible_text(what, strlen(what), shown, sizeof shown));
    fflush(stderr);
    progress->last_ns = now;
    progress->shown = true;
}

void progress_clear(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\x1b[K", stderr);
    progress->shown = false;
}

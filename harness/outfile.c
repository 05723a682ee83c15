/* outfile.c - see outfile.h. */
#include "outfile.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "arena.h"

enum { TEMPORARY_ENDING = sizeof ".-9223372036854775808.tmp" };

static bool trouble(const struct outfile *out, struct failure *failure)
{
    return fail(failure, EXIT_TROUBLE, out->path ? out->path : "standard output", 0,
                "cannot be written (%s); expected a place with room", strerror(errno));
}

static char *copy_of(const char *path)
{
    size_t bytes = strlen(path) + 1;
    return memcpy(process_memory()->resize(process_memory(), NULL, bytes), path, bytes);
}

/* Where a file will be: behind all links when it is there already.  NULL: only a copy can go there. */
static char *place_of(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return copy_of(path);
    return S_ISREG(status.st_mode) ? realpath(path, NULL) : NULL;
}

/* A new file beside the place, with the permissions of the one that it replaces. */
static bool open_beside(struct outfile *out, const char *place)
{
    struct stat replaced;
    bool replaces = stat(place, &replaced) == 0;
    size_t bytes = strlen(place) + TEMPORARY_ENDING;

    out->temporary = process_memory()->resize(process_memory(), NULL, bytes);
    snprintf(out->temporary, bytes, "%s.%ld.tmp", place, (long)getpid());
    int file = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool same_mode = !replaces || fchmod(file, replaced.st_mode & 0777) == 0;
    out->stream = same_mode ? fdopen(file, "w") : NULL;
    if (out->stream == NULL) {
        close(file);
        unlink(out->temporary);
    }
    return out->stream != NULL;
}

static void release(struct outfile *out)
{
    free(out->path);
    free(out->temporary);
    *out = (struct outfile){ 0 };
}

bool outfile_open(struct outfile *out, const char *path, struct failure *failure)
{
    bool standard = path == NULL || strcmp(path, "-") == 0;
    char *place = standard ? NULL : place_of(path);

    *out = (struct outfile){ .path = standard ? NULL : copy_of(path) };
    bool opened = place ? open_beside(out, place) : (out->stream = tmpfile()) != NULL;
    if (opened && place) {
        free(out->path);
        out->path = place;
    } else {
        free(place);
    }
    if (!opened) {
        trouble(out, failure);
        release(out);
    }
    return opened;
}

static bool copy_to(FILE *from, FILE *to)
{
    char bytes[8192];
    size_t got;

    rewind(from);
    while ((got = fread(bytes, 1, sizeof bytes, from)) > 0) {
        if (fwrite(bytes, 1, got, to) != got)
            return false;
    }
    return !ferror(from) && fflush(to) == 0;
}

static bool copy_to_place(struct outfile *out)
{
    FILE *to = out->path ? fopen(out->path, "w") : stdout;
    bool good = to && copy_to(out->stream, to);

    if (to && out->path)
        good = fclose(to) == 0 && good;
    return good;
}

/* What went wrong is what went wrong first. */
static bool finish(struct outfile *out, int *why)
{
    bool good = fflush(out->stream) == 0 && !ferror(out->stream);

    if (good && out->temporary == NULL)
        good = copy_to_place(out);
    *why = errno;
    if (fclose(out->stream) != 0 && good) {
        *why = errno;
        good = false;
    }
    if (good && out->temporary && rename(out->temporary, out->path) != 0) {
        *why = errno;
        good = false;
    }
    return good;
}

bool outfile_commit(struct outfile *out, struct failure *failure)
{
    int why;
    bool good = finish(out, &why);

    if (!good) {
        errno = why;
        trouble(out, failure);
        if (out->temporary)
            unlink(out->temporary);
    }
    release(out);
    return good;
}

void outfile_abandon(struct outfile *out)
{
    fclose(out->stream);
    if (out->temporary)
        unlink(out->temporary);
    release(out);
}

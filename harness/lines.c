/* lines.c - see lines.h.  One buffer, filled from the file; lines are handed out in place. */
#include "lines.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "arena.h"

enum { CHUNK = 64 * 1024 };

bool lines_open(struct lines *lines, const char *path, struct failure *failure)
{
    bool standard_input = strcmp(path, "-") == 0;

    *lines = (struct lines){ .name = standard_input ? "standard input" : path };
    lines->file = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (lines->file < 0)
        return fail(failure, EXIT_USAGE, path, 0, "cannot be opened (%s); expected a readable file",
                    strerror(errno));
    return true;
}

void lines_open_bytes(struct lines *lines, const char *name, const void *bytes, size_t length)
{
    *lines = (struct lines){ .name = name, .file = -1, .at_end = true, .size = length + 1, .end = length };
    lines->buffer = process_memory()->resize(process_memory(), NULL, lines->size);
    if (length > 0)
        memcpy(lines->buffer, bytes, length);
}

/* Room for one more chunk and a NUL behind it. */
static void make_room(struct lines *lines)
{
    if (lines->start > 0) {
        memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
        lines->end -= lines->start;
        lines->start = 0;
    }
    if (lines->size - lines->end > CHUNK)
        return;
    lines->size = lines->size ? lines->size * 2 : 2 * CHUNK;
    lines->buffer = process_memory()->resize(process_memory(), lines->buffer, lines->size);
}

static bool fill(struct lines *lines, struct failure *failure)
{
    ssize_t got;

    make_room(lines);
    do
        got = read(lines->file, lines->buffer + lines->end, CHUNK);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return fail(failure, EXIT_USAGE, lines->name, 0, "cannot be read (%s); expected a text file",
                    strerror(errno));
    lines->end += (size_t)got;
    lines->at_end = got == 0;
    return true;
}

/* Hands out buffer[start .. stop) and goes on after it (and after its newline, when there is one). */
static enum reading take_line(struct lines *lines, size_t stop, struct failure *failure)
{
    static const char mark[] = "\xef\xbb\xbf";

    lines->text = lines->buffer + lines->start;
    lines->length = stop - lines->start;
    lines->start = stop < lines->end ? stop + 1 : stop;
    lines->line++;
    if (lines->length > 0 && lines->text[lines->length - 1] == '\r')
        lines->length--;
    if (lines->line == 1 && lines->length >= strlen(mark) && memcmp(lines->text, mark, strlen(mark)) == 0) {
        lines->text += strlen(mark);
        lines->length -= strlen(mark);
    }
    lines->text[lines->length] = '\0';
    if (memchr(lines->text, '\0', lines->length) == NULL)
        return READ_ITEM;
    fail(failure, EXIT_USAGE, lines->name, lines->line, "has a NUL byte; expected text in UTF-8");
    return READ_BAD;
}

/* Skips to the end of a line that is too long. */
static enum reading skip_line(struct lines *lines, struct failure *failure)
{
    char *newline = NULL;

    lines->line++;
    while (newline == NULL && !lines->at_end) {
        lines->start = lines->end;
        if (!fill(lines, failure))
            return READ_FAILED;
        newline = memchr(lines->buffer + lines->start, '\n', lines->end - lines->start);
    }
    lines->start = newline ? (size_t)(newline - lines->buffer) + 1 : lines->end;
    fail(failure, EXIT_USAGE, lines->name, lines->line, "is longer than %d bytes; expected shorter lines",
         LINE_BYTES_MAX);
    return READ_BAD;
}

enum reading lines_next(struct lines *lines, struct failure *failure)
{
    size_t searched = 0;

    for (;;) {
        size_t waiting = lines->end - lines->start;
        char *from = waiting ? lines->buffer + lines->start + searched : NULL;
        char *newline = from ? memchr(from, '\n', waiting - searched) : NULL;
        size_t length = newline ? (size_t)(newline - lines->buffer) - lines->start : waiting;
        if (length > LINE_BYTES_MAX && newline == NULL)
            return skip_line(lines, failure);
        if (newline || (lines->at_end && waiting > 0))
            return take_line(lines, lines->start + length, failure);
        if (lines->at_end)
            return READ_END;
        searched = waiting;
        if (!fill(lines, failure))
            return READ_FAILED;
    }
}

enum reading lines_next_filled(struct lines *lines, struct failure *failure)
{
    enum reading reading;

    do
        reading = lines_next(lines, failure);
    while (reading == READ_ITEM && lines->text[strspn(lines->text, " \t")] == '\0');
    return reading;
}

const char *lines_peek(struct lines *lines)
{
    struct failure unused;              /* the same trouble comes again, with a listener, from lines_next() */

    if (lines->start == lines->end && !lines->at_end && !fill(lines, &unused))
        return "";
    if (lines->buffer == NULL)
        return "";
    lines->buffer[lines->end] = '\0';
    return lines->buffer + lines->start;
}

bool lines_repeatable(const struct lines *lines)
{
    struct stat status;

    return lines->file > STDIN_FILENO && fstat(lines->file, &status) == 0 && S_ISREG(status.st_mode);
}

void lines_close(struct lines *lines)
{
    if (lines->file > STDIN_FILENO)
        close(lines->file);
    lines->buffer = memory_free(process_memory(), lines->buffer);
}

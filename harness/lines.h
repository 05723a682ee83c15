/* lines.h - a text file line by line, in bounded memory, whatever is in it. */
#ifndef LIMITLAB_LINES_H
#define LIMITLAB_LINES_H
#include <stddef.h>
#include "failure.h"

enum { LINE_BYTES_MAX = 1 << 20 };

/* What a reader answers.  BAD: this item cannot be used, the next one can be asked for.  FAILED: reading is
 * over.  Both fill the struct failure that was given, with file and line. */
enum reading { READ_END, READ_ITEM, READ_BAD, READ_FAILED };

struct lines {
    const char *name;                   /* for messages (borrowed) */
    unsigned line;                      /* number of the line that was read last, from 1 */
    char  *text;                        /* that line without its end (LF or CRLF), NUL-terminated; lives until
                                           the next call */
    size_t length;
    /* private: */
    int    file;                        /* -1: all is in the buffer */
    bool   at_end;
    char  *buffer;
    size_t size, start, end;
};

/* "-" is standard input.  Once opened, lines_close() is due. */
bool lines_open(struct lines *lines, const char *path, struct failure *failure);

/* Reads a copy of these bytes instead of a file. */
void lines_open_bytes(struct lines *lines, const char *name, const void *bytes, size_t length);

/* The next line.  BAD: it is longer than LINE_BYTES_MAX or has a NUL byte.  A byte order mark at the start is
 * dropped; a last line without an end counts like any other. */
enum reading lines_next(struct lines *lines, struct failure *failure);

/* The same, but lines of nothing but blanks are skipped. */
enum reading lines_next_filled(struct lines *lines, struct failure *failure);

/* The first bytes that the next lines_next() calls will read (at most 64 KiB; NUL-terminated), without
 * reading them. */
const char *lines_peek(struct lines *lines);

/* Whether the same file can be opened a second time and read again. */
bool lines_repeatable(const struct lines *lines);

void lines_close(struct lines *lines);
#endif

/* origin.h - where something was said, so that a message that comes later can still name the place. */
#ifndef LIMITLAB_ORIGIN_H
#define LIMITLAB_ORIGIN_H

/* A line of a file.  What an option said has the option as `file` ("--set policy.limit=20") and line 0, so
 * that fail(failure, code, origin.file, origin.line, ...) reads well for both; file NULL: nowhere in
 * particular. */
struct origin { const char *file; unsigned line; };
#endif

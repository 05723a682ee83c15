/* outfile.h - an output that is there as a whole or not at all.
 *
 * A regular file is written beside its place and renamed at the end; standard output, a device or a pipe gets
 * a copy at the end. */
#ifndef LIMITLAB_OUTFILE_H
#define LIMITLAB_OUTFILE_H
#include <stdio.h>
#include "failure.h"

struct outfile {
    FILE *stream;                       /* write here; errors may be left for outfile_commit() to find */
    char *path;                         /* of the place; NULL: standard output */
    char *temporary;                    /* to be renamed; NULL: to be copied */
};

/* path NULL or "-": standard output.  Fails with EXIT_TROUBLE when the file cannot be made. */
bool outfile_open(struct outfile *out, const char *path, struct failure *failure);

/* Puts everything in its place.  On failure nothing is left behind.  Either this or outfile_abandon() ends an
 * outfile. */
bool outfile_commit(struct outfile *out, struct failure *failure);
void outfile_abandon(struct outfile *out);
#endif

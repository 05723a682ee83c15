/* listing.h - a list of things with a few properties each, for people or as JSON.
 *
 * Rows are JSON objects whose members come in the order of the columns; lists inside them (parameters) have
 * such rows too. Objects inside them are for programs only. */
#ifndef LIMITLAB_LISTING_H
#define LIMITLAB_LISTING_H
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Any bytes as a JSON text: what is not UTF-8 shows as \xNN. */
json_t *listing_text(const char *text);

/* Takes the rows over (frees them).  JSON: an array.  For people: `blocks` puts each property on a line of
 * its own below the first one; else columns, the last of which may be long. */
void listing_print(FILE *out, json_t *rows, bool json, bool blocks);
#endif

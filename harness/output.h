/* output.h - results on stdout: a table for people, JSON, CSV or Markdown for everything else.
 *
 * Results come one by one.  JSON and CSV are written as they come; the table and Markdown wait for the last
 * one, because they begin with the best design.  The same results give the same bytes, whatever the locale.
 *
 * Texts of users (keys, names of designs) are escaped as reports/show.h says: JSON and CSV are valid UTF-8
 * for any bytes in a key, and the bytes can be had back: in a text, \xNN is one byte.  JSON and CSV keep
 * control characters (JSON as \u00NN); what people read shows them as \xNN. */
#ifndef LIMITLAB_OUTPUT_H
#define LIMITLAB_OUTPUT_H
#include <stdio.h>
#include "experiment.h"
#include "failure.h"
#include "result.h"

enum output_format { OUTPUT_TABLE, OUTPUT_JSON, OUTPUT_CSV, OUTPUT_MARKDOWN };

struct output_options {
    enum output_format format;
    bool colour;                        /* of the table; see output_wants_colour() */
    bool in_depth;                      /* table: every figure of each result (`run`), not a row a design */
    const char *setting;                /* lines on the topology for the table's head; NULL: none */
};

/* "table", "json", "csv", "markdown": false when it is none of them; why[] then names the nearest. */
bool output_format_parse(const char *name, enum output_format *out, char why[CONDITION_WHY]);

/* A terminal, no --no-color, and NO_COLOR unset or empty. */
bool output_wants_colour(FILE *out, bool no_color);

/* Writes what comes before the results.  All three arguments must outlive the output. */
struct output *output_begin(FILE *out, const struct experiment *experiment,
                            const struct output_options *options);

/* One more result, in the order of the matrix. */
void output_row(struct output *output, const struct result *result);

/* Writes the rest and frees the output, also after an interruption.  False: a write failed (exit code 4). */
bool output_end(struct output *output, struct failure *failure);
/* A JSON string, quotes and all: control characters as \u00NN; what is not UTF-8 as the text \xNN (see
 * above). */
void output_json_text(FILE *file, const char *text);
#endif

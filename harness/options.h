/* options.h - what stands on the command line: options from one table, and operands.
 *
 * `--limit 50` and `--limit=50` are the same; options may stand before or after operands; after `--`
 * everything is an operand.  Where an option is given several times the last one counts, unless the table
 * says that it is repeatable. */
#ifndef LIMITLAB_OPTIONS_H
#define LIMITLAB_OPTIONS_H
#include <stdio.h>
#include "arena.h"
#include "failure.h"

enum option_id {
    OPTIONS_END, /* ends the list of a command */
    OPTION_CLIENTS,
    OPTION_REQUESTS,
    OPTION_ARRIVALS,
    OPTION_LIMIT,
    OPTION_PERIOD,
    OPTION_BURST,
    OPTION_TARGET,
    OPTION_REGIONS,
    OPTION_REGION_BY,
    OPTION_TRACE,
    OPTION_SEED,
    OPTION_SEEDS,
    OPTION_CRASHES,
    OPTION_STORE_FAULTS,
    OPTION_EXPECT,
    OPTION_CURVE,
    OPTION_EXPLAIN,
    OPTION_PAGE,
    OPTION_MAX_STATES,
    OPTION_MAX_MEMORY,
    OPTION_TIMEOUT,
    OPTION_NO_SYMMETRY,
    OPTION_SAMPLE,
    OPTION_STATELESS,
    OPTION_SET,
    OPTION_REQUIRE,
    OPTION_DB,
    OPTION_OUT,
    OPTION_DECISIONS,
    OPTION_HEADERS,
    OPTION_LEDGER,
    OPTION_SHRINK,
    OPTION_SCHEDULE,
    OPTION_FORMAT,
    OPTION_JSON,
    OPTION_AS,
    OPTION_INPUT,
    OPTION_TIME,
    OPTION_TIME_UNIT,
    OPTION_KEY,
    OPTION_COST,
    OPTION_USED,
    OPTION_REGION,
    OPTION_OUTPUT,
    OPTION_MAX_BAD,
    OPTION_JUNIT,
    OPTION_BASELINE,
    OPTION_QUIET,
    OPTION_NO_COLOR,
    OPTION_HELP,
    OPTION_VERSION,
    OPTIONS
};

struct option {
    const char *name;                   /* without the dashes */
    char letter;                        /* also as -o; 0: not */
    const char *value;                  /* what it is called in help; NULL: a flag */
    bool repeatable;
    const char *meaning;                /* one line, for help */
};

extern const struct option option_table[OPTIONS];

struct said {
    enum option_id option;
    const char *value;                  /* "" for flags */
    const char *typed;                  /* "--limit 50", for messages */
};

struct arguments {
    const char *program;                /* "limitlab compare", for messages */
    unsigned saids, operands;
    struct said *said;                  /* in the order of the command line */
    const char **operand;
};

/* Reads the words up to a NULL.  `known` lists the options that this command takes beside those of every
 * command.  Everything hangs on the arena; words are borrowed. */
bool arguments_parse(struct arguments *arguments, const char *program, const unsigned char *known,
                     char **words, struct arena *arena, struct failure *failure);

/* The value of an option ("" of a flag), the last one where it was said several times; NULL when it was not
 * said. */
const char *argument(const struct arguments *arguments, enum option_id option);

/* Lines on these options, for help. */
void options_print(FILE *out, const unsigned char *known);
#endif

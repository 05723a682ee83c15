/* cli.h - limitlab's commands.
 *
 * A command is a row: its name, what it takes, what it is for, and the function that does it.  The rows drive
 * the dispatch, --help and the tests; a new command is one file, its name here and one line in cli.c.
 *
 * Results go to standard output, everything else to standard error.  A command returns its exit code; with
 * any but EXIT_HOLDS and EXIT_BROKEN, failure.line is printed as the one line that says what is wrong. */
#ifndef LIMITLAB_CLI_H
#define LIMITLAB_CLI_H
#include <stdint.h>
#include "arena.h"
#include "failure.h"
#include "options.h"

#define LIMITLAB_VERSION "0.1.0"

struct invocation {
    const struct command *command;
    struct arguments arguments;
    const char *typed;                  /* the whole command line, fit to be typed again */
    struct arena arena;                 /* freed after the command */
    struct failure failure;
};

struct command {
    const char *name;
    const char *operands;               /* "[SCENARIO] [DESIGN ...]", for help */
    const char *summary;                /* one line */
    const char *details;                /* more lines for help, with examples */
    const unsigned char *options;       /* enum option_id, up to OPTIONS_END */
    enum exit_code (*run)(struct invocation *invocation);
};

extern const struct command command_compare, command_run, command_check, command_audit, command_import,
    command_report, command_list, command_bench, command_explore, command_replay;

/* All of them, in the order of help; ends with NULL. */
extern const struct command *const commands[];

/* Does what the command line says and returns the exit code. */
int cli_main(int argc, char **argv);

/* Bad usage, in the command's own words ("limitlab compare: ...").  Always false. */
__attribute__((format(printf, 2, 3)))
bool refuse(struct invocation *invocation, const char *format, ...);

/* Whether something is said on standard error beside failures. */
bool is_quiet(const struct invocation *invocation);

/* --json or --format json, for commands that know only this and a text for people. */
bool read_json(struct invocation *invocation, bool *json);

/* --max-bad as billionths, 1 % unless it is said. */
bool read_max_bad(struct invocation *invocation, uint32_t *billionths);

/* One line on standard error, unless --quiet: "limitlab compare: t.csv has no region column ...". */
__attribute__((format(printf, 2, 3)))
void remark(const struct invocation *invocation, const char *format, ...);
#endif

/* cli.c - see cli.h. */
#include "cli.h"
#include "interrupt.h"
#include <stdarg.h>
#include <string.h>
#include "units.h"

const struct command *const commands[] = { &command_compare, &command_run,   &command_audit,
                                           &command_import,  &command_check, &command_report,
                                           &command_explore, &command_replay,
                                           &command_list,    &command_bench, NULL };

enum { MESSAGE_ROOM = 1024 };

bool refuse(struct invocation *invocation, const char *format, ...)
{
    char text[MESSAGE_ROOM];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fail(&invocation->failure, EXIT_USAGE, invocation->arguments.program, 0, "%s", text);
}

bool is_quiet(const struct invocation *invocation)
{
    return argument(&invocation->arguments, OPTION_QUIET) != NULL;
}

void remark(const struct invocation *invocation, const char *format, ...)
{
    char text[MESSAGE_ROOM], shown[MESSAGE_ROOM];
    va_list arguments;

    if (is_quiet(invocation))
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\n", invocation->arguments.program,
            visible_text(text, strlen(text), shown, sizeof shown));
}

bool read_json(struct invocation *invocation, bool *json)
{
    const char *format = argument(&invocation->arguments, OPTION_FORMAT);

    *json = argument(&invocation->arguments, OPTION_JSON) || (format && strcmp(format, "json") == 0);
    return !format || *json || strcmp(format, "table") == 0 ||
           refuse(invocation, "--format: '%.60s' is not for this command; expected table or json", format);
}

bool read_max_bad(struct invocation *invocation, uint32_t *billionths)
{
    const char *text = argument(&invocation->arguments, OPTION_MAX_BAD);
    const char *wrong = parse_probability(text ? text : "1%", billionths);

    return !wrong || refuse(invocation, "--max-bad: '%.60s' %s", text, wrong);
}

/* ---- help ---- */

static void print_commands(FILE *out)
{
    fputs("limitlab: the same traffic through many rate limiter designs, measured exactly\n\n"
          "usage: limitlab COMMAND [OPTION ...] [OPERAND ...]\n\n", out);
    for (const struct command *const *command = commands; *command; command++)
        fprintf(out, "  %-9s %s\n", (*command)->name, (*command)->summary);
    fputs("\n`limitlab COMMAND --help` says what a command takes.  To begin with:\n\n"
          "  limitlab compare scenarios/three-regions.yaml\n"
          "  limitlab import access.log -o t.csv\n"
          "  limitlab compare --trace t.csv --limit 100 --period 60s --regions us-east-1,eu-west-1\n\n"
          "Exit codes: 0 every claim holds; 1 a claim failed, or over-admission was found; 2 usage or bad "
          "input;\n"
          "3 unknown: a bound was hit before the answer was known; 4 writing or a database "
          "failed;\n"
          "130 interrupted.\n",
          out);
}

static void print_help(FILE *out, const struct command *command)
{
    fprintf(out, "usage: limitlab %s [OPTION ...]%s%s\n\n%s\n\n%s\n", command->name,
            *command->operands ? " " : "", command->operands, command->summary, command->details);
    options_print(out, command->options);
}

static enum exit_code print_version(void)
{
    puts("limitlab " LIMITLAB_VERSION);
    return EXIT_HOLDS;
}

static const struct command *find_command(const char *name)
{
    for (const struct command *const *command = commands; *command; command++)
        if (strcmp(name, (*command)->name) == 0)
            return *command;
    return NULL;
}

static enum exit_code refuse_command(const char *name)
{
    enum { COMMANDS = sizeof commands / sizeof *commands };
    const char *names[COMMANDS] = { NULL };
    char shown[100];

    for (unsigned i = 0; commands[i]; i++)
        names[i] = commands[i]->name;
    const char *nearest = nearest_name(name, names);
    fprintf(stderr, "limitlab: there is no command '%s'; %s%s%s\n",
            visible_text(name, strlen(name), shown, sizeof shown),
            nearest ? "did you mean '" : "expected one of those that `limitlab --help` lists",
            nearest ? nearest : "", nearest ? "'?" : "");
    return EXIT_USAGE;
}

/* "limitlab help", "limitlab help compare". */
static enum exit_code help_about(const char *name)
{
    const struct command *command = name ? find_command(name) : NULL;

    if (name && !command)
        return refuse_command(name);
    if (command)
        print_help(stdout, command);
    else
        print_commands(stdout);
    return EXIT_HOLDS;
}

/* ---- running a command ---- */

/* One word as a shell takes it. */
static const char *quoted(const char *word, struct arena *arena)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    const char *text = "'";

    if (*word && word[strspn(word, plain)] == '\0')
        return word;
    for (size_t bytes; *word; word += bytes + (word[bytes] == '\'')) {
        bytes = strcspn(word, "'");
        text = arena_format(arena, "%s%.*s%s", text, (int)bytes, word, word[bytes] ? "'\\''" : "");
    }
    return arena_format(arena, "%s'", text);
}

static const char *command_line(char **words, struct arena *arena)
{
    const char *line = "limitlab";

    for (; *words; words++)
        line = arena_format(arena, "%s %s", line, quoted(*words, arena));
    return line;
}

static enum exit_code run_command(struct invocation *invocation, char **words)
{
    const struct command *command = invocation->command;
    struct arguments *arguments = &invocation->arguments;
    const char *program = arena_format(&invocation->arena, "limitlab %s", command->name);

    if (!arguments_parse(arguments, program, command->options, words, &invocation->arena,
                         &invocation->failure))
        return invocation->failure.code;
    if (argument(arguments, OPTION_HELP))
        return help_about(command->name);
    if (argument(arguments, OPTION_VERSION))
        return print_version();
    return command->run(invocation);
}

static const char unwritable[] = "standard output cannot be written; expected a place with room";

static bool printed_all(void)
{
    return fflush(stdout) == 0 && !ferror(stdout);
}

static enum exit_code invoke(const struct command *command, char **words)
{
    struct invocation invocation = { .command = command };

    invocation.typed = command_line(words - 1, &invocation.arena);
    enum exit_code code = run_command(&invocation, words);
    if (!printed_all() && code != EXIT_TROUBLE) {
        fail(&invocation.failure, EXIT_TROUBLE, NULL, 0, "%s", unwritable);
        code = EXIT_TROUBLE;
    }
    if (code != EXIT_HOLDS && code != EXIT_BROKEN && *invocation.failure.line)
        fprintf(stderr, "%s\n", invocation.failure.line);
    arena_free(&invocation.arena);
    return code;
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_commands(stderr);
        return EXIT_USAGE;
    }
    if (is_one_of(argv[1], "help", "--help", "-h"))
        return (int)help_about(argc > 2 ? argv[2] : NULL);
    if (is_one_of(argv[1], "version", "--version", "-V"))
        return (int)print_version();
    const struct command *command = find_command(argv[1]);
    return (int)(command ? invoke(command, argv + 2) : refuse_command(argv[1]));
}

int cli_main(int argc, char **argv)
{
    interrupt_ends();
    int code = dispatch(argc, argv);

    if (code == EXIT_HOLDS && !printed_all()) {
        fprintf(stderr, "%s\n", unwritable);
        code = EXIT_TROUBLE;
    }
    return code;
}

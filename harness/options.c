/* options.c - see options.h. */
#include "options.h"
#include <string.h>

const struct option option_table[OPTIONS] = {
    [OPTION_CLIENTS] = { "clients", 0, "N", false, "how many clients there are, 1 to 16 (2)" },
    [OPTION_REQUESTS] = { "requests", 0, "N", false, "how many requests each sends, one after another (1)" },
    [OPTION_ARRIVALS] = { "arrivals", 0, "FILE", false,
        "the requests instead: a trace of at most 64 rows; in a column client, whose row it is (each row "
        "is a client's of its own)" },
    [OPTION_LIMIT] = { "limit", 0, "N", false,
        "how much cost passes in one period; compare and run take several, as in 50,100: one row each" },
    [OPTION_PERIOD] = { "period", 0, "DUR", false,
        "how long a period is, as in 250ms, 60s, 5m or 1h (the scenario's, or 60s; audit must be told)" },
    [OPTION_BURST] = { "burst", 0, "N", false, "how much may pass at once (as the limit)" },
    [OPTION_TARGET] = { "target", 0, "KIND", false,
        "what is judged against: curve (burst + rate * t) or window (the limit in any period) (curve)" },
    [OPTION_REGIONS] = { "regions", 0, "A,B,C", false,
        "regions with the round trips of `limitlab list regions`; stores are in the first one (explore: any "
        "names, or how many)" },
    [OPTION_REGION_BY] = { "region-by", 0, "WHAT", false,
        "a trace without a region column: a region drawn for each request or for each key (request)" },
    [OPTION_TRACE] = { "trace", 0, "FILE", true,
        "a CSV of arrivals; several of them: one a region, in order" },
    [OPTION_SEED] = { "seed", 0, "N", false,
        "of everything random (the scenario's, or 1); explore: draws the clients, requests and limit that "
        "are not given, and the runs of --sample" },
    [OPTION_SEEDS] = { "seeds", 0, "A..B", false, "run everything once for each of these seeds" },
    [OPTION_CRASHES] = { "crashes", 0, "N", false,
        "so many callers may die, at any point, all that they sent lost or arriving unheard (0)" },
    [OPTION_STORE_FAULTS] = { "store-faults", 0, "N", false,
        "so many times a store may lose all that it holds (0)" },
    [OPTION_EXPECT] = { "expect", 0, "WHAT", false,
        "none, over, or N, the most requests admitted: exit 1 when it is otherwise" },
    [OPTION_CURVE] = { "curve", 0, "N", false,
        "also the most admitted with at most 0 .. N preemptions (3)" },
    [OPTION_EXPLAIN] = { "explain", 0, NULL, false,
        "a diagram of who did what when, why it went wrong, and the same order of clients under cures" },
    [OPTION_PAGE] = { "page", 0, "FILE", false,
        "also write it as one HTML file to step through and to play with" },
    [OPTION_MAX_STATES] = { "max-states", 0, "N", false,
        "stop after so many states, or stateless runs (no bound)" },
    [OPTION_MAX_MEMORY] = { "max-memory", 0, "SIZE", false, "stop at so much memory for states (1G)" },
    [OPTION_TIMEOUT] = { "timeout", 0, "DUR", false, "stop after so long (no bound)" },
    [OPTION_NO_SYMMETRY] = { "no-symmetry", 0, NULL, false,
        "tell clients that ask for the same apart: slower, with the same answers" },
    [OPTION_SAMPLE] = { "sample", 0, "N", false,
        "instead of every interleaving, N runs by several schedulers: found, or not found (--seed draws "
        "them)" },
    [OPTION_STATELESS] = { "stateless", 0, NULL, false,
        "keep no states: one run for each class of interleavings that come to the same" },
    [OPTION_SET] = { "set", 0, "PATH=VALUE", true,
        "any key of a scenario by its path, as in policy.limit=20" },
    [OPTION_REQUIRE] = { "require", 0, "EXPR", true,
        "which designs qualify, as in 'p99<=10ms' or any of `limitlab list figures` (the scenario's, or to "
        "keep the target and leave nobody undecided)" },
    [OPTION_DB] = { "db", 0, "FILE", false, "also store the results in this SQLite file" },
    [OPTION_OUT] = { "out", 0, "DIR", false, "write an HTML report there" },
    [OPTION_DECISIONS] = { "decisions", 0, "FILE", false,
        "write every decision as CSV, as `limitlab audit` reads it (one design, limit and seed)" },
    [OPTION_HEADERS] = { "headers", 0, "STYLE", false,
        "a column in the file of --decisions for each response header of this style (none; `limitlab list "
        "headers`)" },
    [OPTION_LEDGER] = { "ledger", 0, "FILE", false,
        "explain every over-admission as CSV: what it had read, and who overwrote whom (one design, limit "
        "and seed)" },
    [OPTION_SHRINK] = { "shrink", 0, NULL, false,
        "shrink the first run that fails to the fewest requests that still fail so (into --out)" },
    [OPTION_SCHEDULE] = { "schedule", 0, "ll1:...", false,
        "make the choices of a run that was shrunk, instead of the seed's" },
    [OPTION_FORMAT] = { "format", 0, "NAME", false,
        "table, json, csv or markdown (table); audit, list and bench know only the first two" },
    [OPTION_JSON] = { "json", 0, NULL, false, "the same as --format json" },
    [OPTION_AS] = { "as", 0, "LIMITER", false, "also count the decisions that differ from this limiter's" },
    [OPTION_INPUT] = { "input", 0, "KIND", false,
        "what the file is: combined, common, csv or, for import, jsonl (import sees it from the lines; audit "
        "takes csv)" },
    [OPTION_TIME] = { "time", 0, "FIELD", false,
        "where the time is: a column of a CSV, a member of JSON lines" },
    [OPTION_TIME_UNIT] = { "time-unit", 0, "UNIT", false,
        "what times that are numbers count: s, ms, us or ns (s)" },
    [OPTION_KEY] = { "key", 0, "FIELD", false,
        "where the key is, or =TEXT for one key (access log: the client's host)" },
    [OPTION_COST] = { "cost", 0, "FIELD[+FIELD...]", false,
        "where the cost is, or the sum of several (each row costs 1); explore: what each request costs (1)" },
    [OPTION_USED] = { "used", 0, "FIELD[+FIELD...]", false,
        "where it is what the row turned out to cost, likewise (no such column)" },
    [OPTION_REGION] = { "region", 0, "FIELD", false,
        "where the region is, or =TEXT for one region (no region)" },
    [OPTION_OUTPUT] = { "output", 'o', "FILE", false, "where the trace goes (standard output)" },
    [OPTION_MAX_BAD] = { "max-bad", 0, "SHARE", false,
        "fail when more of the lines cannot be read (1%; audit: of an access log's lines)" },
    [OPTION_JUNIT] = { "junit", 0, "FILE", false, "also write the outcome as JUnit XML" },
    [OPTION_BASELINE] = { "baseline", 0, "FILE", false,
        "also compare every figure with this file, an earlier run's; it is written when it is not there" },
    [OPTION_QUIET] = { "quiet", 'q', NULL, false, "no notes and no progress on standard error" },
    [OPTION_NO_COLOR] = { "no-color", 0, NULL, false, "no colours on a terminal (as with NO_COLOR)" },
    [OPTION_HELP] = { "help", 'h', NULL, false, "this text" },
    [OPTION_VERSION] = { "version", 0, NULL, false, "the version" },
};

/* While the words are read. */
struct reader {
    struct arguments *arguments;
    const unsigned char *known;
    char **word;                        /* the next one */
    struct arena *arena;
    struct failure *failure;
};

static bool takes(const unsigned char *known, enum option_id option)
{
    if (option >= OPTION_QUIET)
        return true;
    for (; *known != OPTIONS_END; known++)
        if (*known == option)
            return true;
    return false;
}

/* OPTIONS_END when this command takes no such option. */
static enum option_id find(const unsigned char *known, const char *name, size_t length)
{
    for (enum option_id i = OPTIONS_END + 1; i < OPTIONS; i++)
        if (takes(known, i) && strlen(option_table[i].name) == length &&
            strncmp(option_table[i].name, name, length) == 0)
            return i;
    return OPTIONS_END;
}

static enum option_id find_letter(const unsigned char *known, const char *word)
{
    for (enum option_id i = OPTIONS_END + 1; i < OPTIONS && word[1]; i++)
        if (takes(known, i) && option_table[i].letter == word[1] && !word[2])
            return i;
    return OPTIONS_END;
}

static bool refuse_unknown(const struct reader *reader, const char *word)
{
    const char *names[OPTIONS + 1] = { NULL };
    const char *name = word + strspn(word, "-");
    const char *end = name + strcspn(name, "=");
    unsigned count = 0;

    for (enum option_id i = OPTIONS_END + 1; i < OPTIONS; i++)
        if (takes(reader->known, i))
            names[count++] = option_table[i].name;
    const char *nearest = nearest_name(arena_format(reader->arena, "%.*s", (int)(end - name), name), names);
    if (nearest)
        return fail(reader->failure, EXIT_USAGE, reader->arguments->program, 0,
                    "unknown option '%.*s'; did you mean '--%s'?", (int)(end - word), word, nearest);
    return fail(reader->failure, EXIT_USAGE, reader->arguments->program, 0,
                "unknown option '%.*s'; expected one of those that --help lists", (int)(end - word), word);
}

static bool note(struct reader *reader, enum option_id option, const char *value, const char *typed)
{
    struct arguments *arguments = reader->arguments;

    arguments->said[arguments->saids++] = (struct said){ option, value, typed };
    return true;
}

static bool refuse_value(const struct reader *reader, const struct option *option, const char *what)
{
    return fail(reader->failure, EXIT_USAGE, reader->arguments->program, 0, "--%s %s; expected --%s%s%s",
                option->name, what, option->name, option->value ? " " : "",
                option->value ? option->value : "");
}

/* The value of an option is what follows its '=', or the next word. */
static bool read_value(struct reader *reader, enum option_id id, const char *word, const char *inside)
{
    const struct option *option = &option_table[id];

    if (!option->value)
        return inside ? refuse_value(reader, option, "takes no value") : note(reader, id, "", word);
    if (inside)
        return note(reader, id, inside, arena_format(reader->arena, "--%s %s", option->name, inside));
    const char *next = *reader->word;
    if (!next || strncmp(next, "--", 2) == 0)
        return refuse_value(reader, option, "needs a value");
    reader->word++;
    return note(reader, id, next, arena_format(reader->arena, "--%s %s", option->name, next));
}

static bool read_option(struct reader *reader, const char *word)
{
    bool is_long = word[1] == '-';
    const char *equals = is_long ? strchr(word, '=') : NULL;
    size_t length = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
    enum option_id option =
        is_long ? find(reader->known, word + 2, length) : find_letter(reader->known, word);

    if (option == OPTIONS_END)
        return refuse_unknown(reader, word);
    return read_value(reader, option, word, equals ? equals + 1 : NULL);
}

/* A lone dash stands for standard input. */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0';
}

bool arguments_parse(struct arguments *arguments, const char *program, const unsigned char *known,
                     char **words, struct arena *arena, struct failure *failure)
{
    struct reader reader = { arguments, known, words, arena, failure };
    size_t count = 0;
    bool all_operands = false;

    while (words[count])
        count++;
    *arguments = (struct arguments){
        .program = program,
        .said = arena_alloc(arena, count * sizeof *arguments->said),
        .operand = arena_alloc(arena, count * sizeof *arguments->operand),
    };
    while (*reader.word) {
        const char *word = *reader.word++;
        if (!all_operands && strcmp(word, "--") == 0)
            all_operands = true;
        else if (all_operands || !is_option(word))
            arguments->operand[arguments->operands++] = word;
        else if (!read_option(&reader, word))
            return false;
    }
    return true;
}

const char *argument(const struct arguments *arguments, enum option_id option)
{
    const char *value = NULL;

    for (unsigned i = 0; i < arguments->saids; i++)
        if (arguments->said[i].option == option)
            value = arguments->said[i].value;
    return value;
}

/* A text in lines, the first of which begins in column `at`, the others too. */
static void print_indented(FILE *out, const char *text, unsigned at)
{
    enum { PAGE = 100 };
    unsigned column = at;

    while (*text) {
        unsigned word = (unsigned)strcspn(text, " ");
        if (column > at && column + 1 + word > PAGE) {
            fprintf(out, "\n%*s", (int)at, "");
            column = at;
        }
        fprintf(out, "%s%.*s", column > at ? " " : "", (int)word, text);
        column += word + (column > at);
        text += word + strspn(text + word, " ");
    }
    putc('\n', out);
}

static void print_option(FILE *out, const struct option *option)
{
    enum { NAME_COLUMNS = 29 };
    char letter[] = { '-', option->letter, ',', ' ', '\0' };
    char name[64];

    snprintf(name, sizeof name, "%s--%s%s%s", option->letter ? letter : "    ", option->name,
             option->value ? " " : "", option->value ? option->value : "");
    fprintf(out, "  %-*s ", NAME_COLUMNS, name);
    print_indented(out, option->meaning, NAME_COLUMNS + 3);
}

void options_print(FILE *out, const unsigned char *known)
{
    for (enum option_id i = OPTIONS_END + 1; i < OPTIONS; i++)
        if (takes(known, i))
            print_option(out, &option_table[i]);
}

/* command_import.c - `limitlab import`: an access log, JSON lines or a CSV becomes a trace. */
#include <stdio.h>
#include "cli.h"
#include "import.h"

/* What import_run() finds wrong with several options at once it says itself. */
static bool read_options(struct invocation *invocation, struct import_options *out)
{
    const struct arguments *arguments = &invocation->arguments;
    const char *kind = argument(arguments, OPTION_INPUT);

    *out = (struct import_options){
        .path = arguments->operands ? arguments->operand[0] : NULL,
        .time = argument(arguments, OPTION_TIME), .time_unit = argument(arguments, OPTION_TIME_UNIT),
        .key = argument(arguments, OPTION_KEY), .cost = argument(arguments, OPTION_COST),
        .used = argument(arguments, OPTION_USED), .region = argument(arguments, OPTION_REGION),
        .output = argument(arguments, OPTION_OUTPUT), .notes = is_quiet(invocation) ? NULL : stderr,
    };
    if (arguments->operands != 1)
        return refuse(invocation, "%u files; expected one log (- is standard input)", arguments->operands);
    if (kind && !import_kind_parse(kind, &out->kind)) {
        const char *nearest = nearest_name(kind, import_kinds);
        return refuse(invocation, "--input: '%.60s' is no kind of log; %s%s%s", kind,
                      nearest ? "did you mean '" : "expected combined, common, jsonl or csv",
                      nearest ? nearest : "", nearest ? "'?" : "");
    }
    return read_max_bad(invocation, &out->max_bad_billionths);
}

static enum exit_code import(struct invocation *invocation)
{
    struct import_options how;
    struct import_summary summary;

    bool good = read_options(invocation, &how) && import_run(&how, &summary, &invocation->failure);
    return good ? EXIT_HOLDS : invocation->failure.code;
}

static const unsigned char option_list[] = {
    OPTION_INPUT, OPTION_TIME, OPTION_TIME_UNIT, OPTION_KEY, OPTION_COST, OPTION_USED, OPTION_REGION,
    OPTION_OUTPUT, OPTION_MAX_BAD, OPTIONS_END
};

const struct command command_import = {
    "import", "LOG", "an access log, JSON lines or other CSV becomes a trace",
    "Lines that cannot be read are reported by number and skipped.  A summary on standard error says how\n"
    "many keys there are, how precise the clock is, and what was skipped or out of order.\n\n"
    "  limitlab import access.log -o t.csv\n"
    "  limitlab import --input jsonl --time ts --time-unit ms --key user.id events.jsonl -o t.csv\n"
    "  limitlab import --time TIMESTAMP --key =llm --cost ContextTokens+GeneratedTokens llm.csv -o t.csv\n"
    "  limitlab import --time TIMESTAMP --key =llm --cost ContextTokens \\\n"
    "      --used ContextTokens+GeneratedTokens llm.csv -o t.csv\n",
    option_list, import
};

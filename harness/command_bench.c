/* command_bench.c - `limitlab bench`. */
#include "bench.h"
#include "cli.h"

static enum exit_code bench(struct invocation *invocation)
{
    struct bench_options how;

    if (!read_json(invocation, &how.json))
        return EXIT_USAGE;
    if (invocation->arguments.operands)
        refuse(invocation, "'%.60s' is one word too many; expected options only",
               invocation->arguments.operand[0]);
    else if (bench_run(&how, &invocation->failure))
        return EXIT_HOLDS;
    return invocation->failure.code;
}

static const unsigned char option_list[] = { OPTION_FORMAT, OPTION_JSON, OPTIONS_END };

const struct command command_bench = {
    "bench", "", "how fast this build is on this machine",
    "Fixed workloads of a million requests, with everything measured, each beside a bare loop of the same\n"
    "events.  Takes some seconds; close other programs first.\n",
    option_list, bench
};

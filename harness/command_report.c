/* command_report.c - `limitlab report`: an HTML page from stored results. */
#include <string.h>
#include "../reports/report.h"
#include "cli.h"
#include "reporting.h"

bool write_report(const char *database, const char *folder, FILE *to, struct failure *failure)
{
    struct report_failure wrong;
    char path[REPORT_PATH];

    if (!report_write(database, folder, 0, path, &wrong))
        return fail(failure, wrong.code == REPORT_BAD_INPUT ? EXIT_USAGE : EXIT_TROUBLE, NULL, 0, "%s",
                    wrong.line);
    fprintf(to, "report: %s\n", path);
    return true;
}

static enum exit_code report(struct invocation *invocation)
{
    const struct arguments *arguments = &invocation->arguments;
    const char *folder = argument(arguments, OPTION_OUT);

    if (arguments->operands != 1)
        refuse(invocation,
               "%u operands; expected one: a results database, as `limitlab compare --db FILE` writes it",
               arguments->operands);
    else if (write_report(arguments->operand[0], folder ? folder : "report", stdout, &invocation->failure))
        return EXIT_HOLDS;
    return invocation->failure.code;
}

static const unsigned char option_list[] = { OPTION_OUT, OPTIONS_END };

const struct command command_report = {
    "report", "RESULTS.db", "an HTML report from stored results",
    "The report is about the latest run in the file; without --out it goes to the folder `report`.\n\n"
    "  limitlab compare scenarios/three-regions.yaml --db results.db\n"
    "  limitlab report results.db --out report\n",
    option_list, report
};

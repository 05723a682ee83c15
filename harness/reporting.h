/* reporting.h - an HTML report from a results database, with this program's failures (reports/ has its own).
 */
#ifndef LIMITLAB_REPORTING_H
#define LIMITLAB_REPORTING_H
#include <stdio.h>
#include "failure.h"

/* Writes FOLDER/report.html about the latest run in the database and names it in a last line on `to`. */
bool write_report(const char *database, const char *folder, FILE *to, struct failure *failure);
#endif

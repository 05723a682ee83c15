/* report.h - an HTML page from a results database: one file that refers to nothing outside itself.
 *
 * Reads only the database (its schema: harness/database_schema.c) and runs gnuplot for the plots.  The same
 * database gives the same bytes.  Texts of users reach the page only escaped, gnuplot never. */
#ifndef LIMITLAB_REPORT_H
#define LIMITLAB_REPORT_H
#include <stdbool.h>
#include <stdint.h>

enum { REPORT_PATH = 4096, REPORT_BAD_INPUT = 2, REPORT_TROUBLE = 4 };

struct report_failure {
    int  code;                          /* REPORT_BAD_INPUT or REPORT_TROUBLE: exit codes as in CONTRACT.md */
    char line[1024];                    /* for a person; no control characters */
};

/* Writes FOLDER/report.html about one run of the database (0: the latest with results) and says in path[]
 * where it is.  The folder is made when it is missing; an older report.html is replaced when the new one is
 * complete. */
bool report_write(const char *database, const char *folder, int64_t run, char path[REPORT_PATH],
                  struct report_failure *failure);
#endif

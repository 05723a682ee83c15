/* database.h - results in one SQLite file: the only thing that reports read.
 *
 * The schema documents itself: `.schema` shows its comments, the table schema_info what each figure means.
 * PRAGMA user_version is the schema's version; older files are brought up to date when they are opened,
 * newer ones are refused.  Tables are STRICT, foreign keys are on, values are bound.  Decimals are text of up
 * to nine places (exact); the view `comparison` has them as numbers.  Texts are valid UTF-8, escaped as
 * reports/show.h says (controls kept).
 *
 * Each finished cell is one transaction with a rollback journal: a process killed at any moment leaves a file
 * that opens and holds every cell whose database_add_result() had returned.
 *
 * What fails returns false (NULL) and fills failure: exit code 2 for a file that is no results database, else
 * 4. */
#ifndef LIMITLAB_DATABASE_H
#define LIMITLAB_DATABASE_H
#include "experiment.h"
#include "failure.h"
#include "result.h"

/* How a run came to be, for whoever reads the file later. */
struct database_run {
    const char *command;                /* "compare" */
    const char *invocation;             /* the whole command line, fit to be typed again */
    const char *version;                /* limitlab's */
    const char *setting;                /* lines on the topology, as for the table's head; NULL: none */
};

struct database_claim {
    const char *name, *design;
    bool came_true;
    const char *detail;                 /* what was seen; "" for nothing to say */
};

/* Opens or creates the file.  Runs are appended to what is there. */
struct database *database_open(const char *path, struct failure *failure);

bool database_begin_run(struct database *database, const struct experiment *experiment,
                        const struct database_run *run, struct failure *failure);
bool database_add_result(struct database *database, const struct result *result, struct failure *failure);
bool database_add_claim(struct database *database, const struct database_claim *claim,
                        struct failure *failure);

/* Marks the run as complete; a run that was interrupted stays unmarked, with the cells that it finished. */
bool database_end_run(struct database *database, struct failure *failure);

/* NULL is fine. */
void database_close(struct database *database);
#endif

/* page.h - the page itself, from top to bottom. */
#ifndef LIMITLAB_PAGE_H
#define LIMITLAB_PAGE_H
#include <stdio.h>
#include "model.h"

/* Writes the whole document; false when a plot or a query failed.  Whether the page could be written is the
 * caller's to check. */
bool page_write(FILE *page, const struct model *model, struct report_failure *failure);
#endif

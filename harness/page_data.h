/* page_data.h - what a page's script works on, as JSON that may stand inside <script>. */
#ifndef LIMITLAB_PAGE_DATA_H
#define LIMITLAB_PAGE_DATA_H
#include "page.h"

void page_data_write(FILE *out, const struct witness_page *page);

/* A JSON string: well-formed UTF-8 whatever the bytes (show.h), and nothing in it that means anything to
 * HTML. */
void page_data_text(FILE *out, const char *text);
#endif

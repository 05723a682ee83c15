/* html.h - texts into a page: escaped, always. */
#ifndef LIMITLAB_HTML_H
#define LIMITLAB_HTML_H
#include <stdio.h>

/* A shown text (show.h), in an element or in a quoted attribute.  Line breaks stay; other control characters
 * show as a replacement character. */
void html_text(FILE *page, const char *text);

/* What printf makes of its arguments, where every %s is escaped as html_text() does and the format is HTML.
 * Conversions: %s, %d (int), %u (unsigned), %lld (long long), %%. */
__attribute__((format(printf, 2, 3)))
void html_print(FILE *page, const char *format, ...);
#endif

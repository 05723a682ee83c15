/* embedded.h - files of the source tree that the program carries along: what a page is made of, and the
 * protocols' own text.  They are put in at build time (embed.awk), so they are those of this build. */
#ifndef LIMITLAB_EMBEDDED_H
#define LIMITLAB_EMBEDDED_H
#include <stdbool.h>

/* The step function of a coordination as it is written: lines, NULL at the end. */
struct program_text { const char *coordination, *file; const char *const *line; };

/* NULL when there is no such coordination, or its text was not found. */
const struct program_text *program_text(const char *coordination);

/* Is this the line at which the phase's AWAIT stands? */
bool program_awaits(const char *line, const char *phase);

/* page.css and page.js: lines, NULL at the end. */
extern const char *const *const page_style, *const *const page_script;
#endif

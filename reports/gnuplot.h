/* gnuplot.h - a script in, an SVG that fits into a page out.
 *
 * A script holds fixed words and numbers, never a text of a user.  Its colours are palette entries, written
 * rgb '#00010N': in the page they become the CSS variables --c0 to --c9, so that they follow its light or
 * dark mode; black becomes the colour of the page's text. */
#ifndef LIMITLAB_GNUPLOT_H
#define LIMITLAB_GNUPLOT_H
#include <stdio.h>
#include "report.h"

/* Runs gnuplot (found in PATH, without a shell, without the user's settings) on the script, a temporary file
 * that has been written, and appends the SVG to the page.  `number` makes its ids unlike other plots'. */
bool gnuplot_draw(FILE *script, unsigned number, FILE *page, struct report_failure *failure);
#endif

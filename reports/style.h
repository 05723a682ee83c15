/* style.h - the page's style sheet: light and dark, narrow and wide, on paper; in colours that colour-blind
 * eyes tell apart (after Okabe and Ito). */
#ifndef LIMITLAB_STYLE_H
#define LIMITLAB_STYLE_H

extern const char style_sheet[];
#endif

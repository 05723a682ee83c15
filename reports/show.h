/* show.h - texts and numbers as people read them: in a terminal, in Markdown and in HTML alike.
 *
 * Texts of users (keys, titles, names of designs) are any bytes.  Once, where they come in, they are made
 * "shown" texts by show_piece() or show_text(): well-formed UTF-8, from which the bytes can be had back.  A
 * byte that is not part of a character becomes \xNN, and so does a backslash that stands before an x.  Each
 * sink still escapes what is special to it. */
#ifndef LIMITLAB_SHOW_H
#define LIMITLAB_SHOW_H
#include <stddef.h>
#include <stdint.h>

enum {
    SHOW_PIECE = 8,                     /* room for one piece, NUL included */
    SHOW_NUMBER = 32                    /* room for one number */
};

/* What show_piece() leaves as it is, a sum. */
enum {
    SHOW_ESCAPED = 0,
    SHOW_KEEP_CONTROLS = 1,             /* for sinks that escape them in their way, or carry any text */
    SHOW_KEEP_ESCAPES = 2               /* for texts that have been here before: from a database */
};

/* The next piece of *text: a character or an escape; moves *text on.  Its length, 0 at the end. */
size_t show_piece(const char **text, unsigned keep, char piece[SHOW_PIECE]);

/* The whole text at once, as far as it fits in `room` bytes (4 * strlen + 1 always do), pieces unbroken. */
const char *show_text(const char *text, unsigned keep, char *out, size_t room);

/* Columns of a terminal that a shown text takes (wide letters two, combining marks none). */
unsigned show_columns(const char *text);

/* A shown text in at most `columns` (>= 3): what is too long loses its middle to "…".  Room for
 * 4 * columns + 4 bytes is enough but for letters with many combining marks, which lose some. */
const char *show_elided(const char *text, unsigned columns, char *out, size_t room);

/* part / whole in billionths, rounded; 0 when whole is 0. */
uint64_t share_billionths(uint64_t part, uint64_t whole);

/* "12345", "12.3M". */
const char *show_count(uint64_t count, char out[SHOW_NUMBER]);
/* "0%", "<0.01%", "0.25%", "12.3%". */
const char *show_share(uint64_t billionths, char out[SHOW_NUMBER]);
/* "1.43"; ">1.00" for what is above 1 and would round to it; "-" below 0: there is none. */
const char *show_ratio(int64_t billionths, char out[SHOW_NUMBER]);
/* "0s", "850us", "41.2ms", "1.25s"; "-" below 0: there is none. */
const char *show_span(int64_t ns, char out[SHOW_NUMBER]);
/* "0", "2.1": thousandths with one decimal. */
const char *show_thousandths(uint64_t thousandths, char out[SHOW_NUMBER]);
#endif

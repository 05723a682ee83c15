/* units.h - durations, counts, rates, probabilities and instants as people write them. */
#ifndef LIMITLAB_UNITS_H
#define LIMITLAB_UNITS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNITS_TEXT = 48 };

/* All parsers read the whole text, exactly (no rounding: "0.5ns" is refused), and return NULL or why not as
 * static text ("is not a duration; expected a number with ns, us, ms, s, m, h or d, as in 250ms"). */

/* "250ms", "1.5s", "60s", "5m", "1h", "1d", "100ns"; 0 may stand without a unit.  >= 0. */
const char *parse_duration(const char *text, int64_t *ns);
/* The same with a sign allowed. */
const char *parse_signed_duration(const char *text, int64_t *ns);
/* A decimal integer in low .. high; digits may be grouped with _ . */
const char *parse_count(const char *text, int64_t low, int64_t high, int64_t *out);
/* "400/s", "30/m", "5/h", "1.5/s": requests an hour, exactly. */
const char *parse_rate(const char *text, int64_t *per_hour);
/* "1%", "0.5%", "0.01": billionths, 0 .. 1e9. */
const char *parse_probability(const char *text, uint32_t *billionths);
/* "1.0", "0.99": billionths, >= 0. */
const char *parse_fraction(const char *text, int64_t *billionths);
/* ISO 8601 date and time: "2023-11-16 18:17:03.9799600", "2015-05-17T10:05:03Z", "...+02:00"; no zone is UTC,
 * seconds may be left out, second 60 is the next minute's first.  Nanoseconds since the Unix epoch (negative
 * before it; years 1824 to 2116) and how many decimal places of a second were written (0 .. 9; further zeros
 * are allowed). */
const char *parse_iso_time(const char *text, int64_t *unix_ns, unsigned *places);

/* A decimal number with up to nine places as a multiple of unit_ns: "12.5" with unit_ns 1e9 is 12500000000.
 * No unit in the text, no sign. */
const char *parse_multiple(const char *text, int64_t unit_ns, int64_t *ns);

/* The precision of a recording clock, known as precision_ns so far (1e9 at first), once it has also shown
 * t_ns: a power of ten, 1 .. 1e9.  Absolute times: the most decimal places written; others: the finest
 * decimal used. */
int64_t precision_refined(int64_t precision_ns, int64_t t_ns, bool absolute, unsigned places);

/* "60s", "250ms", "1.5s", "5m", "1h", "100ns", "-2ms", "0s": s, ms and us with at most three decimals, whole
 * minutes (from 2m), hours and days, the largest of them that is at least one and exact; else ns. */
const char *duration_text(int64_t ns, char text[UNITS_TEXT]);

/* The reverse of parse_iso_time(): "2015-05-17T10:05:03.120Z" with `places` decimals (0 .. 9), cut, not
 * rounded. */
const char *iso_time_text(int64_t unix_ns, unsigned places, char text[UNITS_TEXT]);

/* Days since 1970-01-01 of a date of the proleptic Gregorian calendar. */
int64_t days_from_date(int64_t year, unsigned month, unsigned day);
/* 28 .. 31; month is 1 .. 12. */
unsigned days_of_month(int64_t year, unsigned month);
#endif

/* shares.h - n / d of any size, as text. */
#ifndef LIMITLAB_SHARES_H
#define LIMITLAB_SHARES_H
#include <gmp.h>
#include "arena.h"

/* A decimal of so many places, cut and never rounded up to what it is not: "0", "1", "0.333333",
 * "<0.000001" for what is less than the last place but not nothing. d > 0, n <= d. */
const char *share_text(const mpz_t n, const mpz_t d, unsigned places, struct arena *arena);

/* The same fraction in lowest terms: "1/3", "0", "1". */
const char *fraction_text(const mpz_t n, const mpz_t d, struct arena *arena);

/* A whole number. */
const char *number_text(const mpz_t n, struct arena *arena);
#endif

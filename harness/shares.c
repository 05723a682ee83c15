/* shares.c - see shares.h. */
#include "shares.h"
#include <string.h>

const char *number_text(const mpz_t n, struct arena *arena)
{
    char *text = arena_alloc(arena, mpz_sizeinbase(n, 10) + 2);

    return mpz_get_str(text, 10, n);
}

const char *fraction_text(const mpz_t n, const mpz_t d, struct arena *arena)
{
    mpq_t fraction;

    mpq_init(fraction);
    mpq_set_num(fraction, n);
    mpq_set_den(fraction, d);
    mpq_canonicalize(fraction);
    char *text = arena_alloc(arena, mpz_sizeinbase(n, 10) + mpz_sizeinbase(d, 10) + 4);
    mpq_get_str(text, 10, fraction);
    mpq_clear(fraction);
    return text;
}

/* "0.25" of 250000: trailing zeros go. */
static const char *decimal_of(const char *digits, unsigned places, struct arena *arena)
{
    size_t length = strlen(digits);
    char *text = arena_format(arena, "0.%0*d%s", (int)(places - length), 0, digits);

    if (places == length)
        text = arena_format(arena, "0.%s", digits);
    for (size_t end = strlen(text); text[end - 1] == '0'; end--)
        text[end - 1] = '\0';
    return text;
}

const char *share_text(const mpz_t n, const mpz_t d, unsigned places, struct arena *arena)
{
    mpz_t scaled;

    if (mpz_sgn(n) == 0 || mpz_cmp(n, d) == 0)
        return mpz_sgn(n) == 0 ? "0" : "1";
    mpz_init(scaled);
    mpz_ui_pow_ui(scaled, 10, places);
    mpz_mul(scaled, scaled, n);
    mpz_fdiv_q(scaled, scaled, d);
    const char *text = mpz_sgn(scaled) == 0 ? arena_format(arena, "<0.%0*d1", (int)places - 1, 0)
                                            : decimal_of(number_text(scaled, arena), places, arena);
    mpz_clear(scaled);
    return text;
}

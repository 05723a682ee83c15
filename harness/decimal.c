#include "decimal.h"
#include <string.h>

enum { PLACES = 9, BILLION = 1000000000 };

static const i128 DECIMAL_MOST = ~((i128)1 << 127);

static struct decimal decimal_of(i128 billionths)
{
    return (struct decimal){ .billionths = billionths };
}

/* Rounded r * 1e9 / d for r < d < 2^126, bit by bit of 1e9 from the top, so that nothing outgrows 128 bits:
 * r * 1e9 = quotient * d + rest throughout. */
static i128 billionths_of(u128 r, u128 d)
{
    u128 quotient = 0, rest = 0;

    for (int bit = 29; bit >= 0; bit--) {
        quotient *= 2;
        rest = 2 * rest + (BILLION >> bit & 1 ? r : 0);
        while (rest >= d) {
            rest -= d;
            quotient++;
        }
    }
    return (i128)(quotient + (2 * rest >= d));
}

struct decimal decimal_ratio(i128 n, i128 d)
{
    if (d <= 0 || n < 0)
        return DECIMAL_NULL;
    i128 whole = n / d;
    if (whole >= DECIMAL_MOST / BILLION)
        return decimal_of(DECIMAL_MOST);
    return decimal_of(whole * BILLION + billionths_of((u128)(n % d), (u128)d));
}

/* The same number with its last `drop` places rounded away, in units of what is left. */
static i128 rounded(i128 billionths, unsigned drop)
{
    i128 unit = 1;

    for (unsigned i = 0; i < drop; i++)
        unit *= 10;
    return billionths / unit + (billionths % unit >= unit - unit / 2 && unit > 1);
}

const char *decimal_text(struct decimal value, unsigned places, char text[DECIMAL_TEXT])
{
    if (value.null)
        return memcpy(text, "null", sizeof "null");
    if (places > PLACES)
        places = PLACES;
    bool negative = value.billionths < 0;
    i128 left = rounded(negative ? -value.billionths : value.billionths, PLACES - places);
    negative = negative && left > 0;
    while (places > 0 && left % 10 == 0) {
        left /= 10;
        places--;
    }
    char *at = text + DECIMAL_TEXT - 1;
    *at = '\0';
    for (unsigned digits = 0; digits <= places || left > 0; digits++) {
        if (digits == places && places > 0)
            *--at = '.';
        *--at = (char)('0' + (int)(left % 10));
        left /= 10;
    }
    if (negative)
        *--at = '-';
    return memmove(text, at, strlen(at) + 1);
}

/* Appends one decimal digit; false when the number would not fit. */
static bool append_digit(i128 *number, int digit)
{
    if (*number > (DECIMAL_MOST - digit) / 10)
        return false;
    *number = *number * 10 + digit;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool decimal_parse(const char *text, struct decimal *out)
{
    i128 number = 0;
    unsigned places = 0;
    bool negative = text[0] == '-' && is_digit(text[1]);

    if (strcmp(text, "null") == 0) {
        *out = DECIMAL_NULL;
        return true;
    }
    text += negative;
    if (!is_digit(*text))
        return false;
    for (; is_digit(*text); text++)
        if (!append_digit(&number, *text - '0'))
            return false;
    if (*text == '.' && is_digit(text[1]))
        for (text++; is_digit(*text); text++)
            if (++places > PLACES || !append_digit(&number, *text - '0'))
                return false;
    for (; places < PLACES; places++)
        if (!append_digit(&number, 0))
            return false;
    *out = decimal_of(negative ? -number : number);
    return *text == '\0';
}

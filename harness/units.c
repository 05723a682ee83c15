/* units.c - see units.h.  Every number is read by one scanner as digits and places, then multiplied
 * exactly. */
#include "units.h"
#include <stdio.h>
#include <string.h>
#include "../engine/limiter.h"

#define SECOND_NS INT64_C(1000000000)
#define DAY_NS (INT64_C(86400) * SECOND_NS)

enum { DIGITS_MAX = 28 };               /* 10^28 times the largest unit stays within 128 bits */

/* One unsigned decimal number: digits / 10^places. */
struct number {
    i128 digits;
    unsigned places;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool ends_with(const char *text, const char *ending)
{
    return strcmp(text, ending) == 0;
}

/* One more digit; false when that is more than a number may have. */
static bool push_digit(struct number *number, int digit, bool decimal)
{
    if (number->digits >= (i128)SECOND_NS * SECOND_NS * SECOND_NS || number->places + decimal > DIGITS_MAX)
        return false;
    number->digits = number->digits * 10 + digit;
    number->places += decimal;
    return true;
}

/* Reads "12", "12.5" or ".5"; returns where it ends, NULL when there is no number or it has too many digits.
 * Leading zeros, and zeros at the end of the decimals, count for nothing. */
static const char *scan_number(const char *text, struct number *out)
{
    unsigned waiting_zeros = 0;         /* decimals that count only if another digit follows */
    bool any = false, point = false;

    *out = (struct number){ 0 };
    for (; is_digit(*text) || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        any = true;
        if (point && *text == '0') {
            waiting_zeros++;
            continue;
        }
        for (; waiting_zeros > 0; waiting_zeros--) {
            if (!push_digit(out, 0, true))
                return NULL;
        }
        if (!push_digit(out, *text - '0', point))
            return NULL;
    }
    return any ? text : NULL;
}

static i128 power_of_ten(unsigned exponent)
{
    i128 power = 1;

    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* number * numerator / denominator when that is a whole number in 0 .. most. */
static bool exact_product(struct number number, int64_t numerator, int64_t denominator, int64_t most,
                          int64_t *out)
{
    i128 divisor = power_of_ten(number.places);

    if (number.digits > ((i128)1 << 126) / numerator || divisor > ((i128)1 << 126) / denominator)
        return false;
    i128 product = number.digits * numerator;
    divisor *= denominator;
    if (product % divisor != 0 || product / divisor > most)
        return false;
    *out = (int64_t)(product / divisor);
    return true;
}

struct unit { const char *name; int64_t numerator, denominator; };

static const struct unit *find_unit(const struct unit *units, const char *name)
{
    for (; units->name; units++) {
        if (ends_with(name, units->name))
            return units;
    }
    return NULL;
}

static const struct unit duration_units[] = {
    { "ns", 1, 1 }, { "us", 1000, 1 }, { "ms", 1000000, 1 }, { "s", SECOND_NS, 1 },
    { "m", 60 * SECOND_NS, 1 }, { "h", 3600 * SECOND_NS, 1 }, { "d", DAY_NS, 1 }, { NULL, 0, 0 }
};

const char *parse_duration(const char *text, int64_t *ns)
{
    struct number number;
    const char *rest = scan_number(text, &number);

    if (rest == NULL)
        return "is not a duration; expected a number with ns, us, ms, s, m, h or d, as in 250ms";
    if (*rest == '\0' && number.digits == 0) {
        *ns = 0;
        return NULL;
    }
    const struct unit *unit = find_unit(duration_units, rest);
    if (unit == NULL)
        return *rest ? "has no unit of time that is known; expected ns, us, ms, s, m, h or d, as in 250ms"
                     : "has no unit; expected ns, us, ms, s, m, h or d after the number, as in 250ms";
    if (!exact_product(number, unit->numerator, unit->denominator, INSTANT_MAX, ns))
        return "is not a whole number of nanoseconds up to 146 years; expected a duration as 250ms";
    return NULL;
}

const char *parse_signed_duration(const char *text, int64_t *ns)
{
    bool negative = *text == '-';
    const char *why = parse_duration(text + (*text == '-' || *text == '+'), ns);

    if (why == NULL && negative)
        *ns = -*ns;
    return why;
}

const char *parse_multiple(const char *text, int64_t unit_ns, int64_t *ns)
{
    struct number number;
    const char *rest = scan_number(text, &number);

    if (rest == NULL || *rest != '\0')
        return "is not a number; expected digits, as in 1500 or 12.5";
    if (!exact_product(number, unit_ns, 1, INSTANT_MAX, ns))
        return "is not a whole number of nanoseconds up to 146 years; expected a smaller or shorter number";
    return NULL;
}

const char *parse_count(const char *text, int64_t low, int64_t high, int64_t *out)
{
    bool negative = *text == '-';
    i128 value = 0;

    text += negative;
    if (!is_digit(*text))
        return "is not a whole number; expected digits, as in 100";
    for (; is_digit(*text) || (*text == '_' && is_digit(text[1])); text++) {
        if (*text == '_')
            continue;
        value = i128_min(value * 10 + (*text - '0'), (i128)1 << 100);
    }
    if (*text != '\0')
        return "is not a whole number; expected digits only, as in 100";
    value = negative ? -value : value;
    if (value < low)
        return "is too small";
    if (value > high)
        return "is too large";
    *out = (int64_t)value;
    return NULL;
}

static const struct unit rate_units[] = {
    { "/ms", 3600000, 1 }, { "/s", 3600, 1 }, { "/m", 60, 1 }, { "/h", 1, 1 }, { "/d", 1, 24 }, { NULL, 0, 0 }
};

const char *parse_rate(const char *text, int64_t *per_hour)
{
    struct number number;
    const char *rest = scan_number(text, &number);
    const struct unit *unit = rest ? find_unit(rate_units, rest) : NULL;

    if (unit == NULL)
        return "is not a rate; expected a number with /s, /m, /h or /d, as in 400/s";
    if (!exact_product(number, unit->numerator, unit->denominator, COST_MAX, per_hour))
        return "is not a whole number of requests an hour up to 2^53 - 1; expected a rate as 400/s";
    return NULL;
}

const char *parse_probability(const char *text, uint32_t *billionths)
{
    struct number number;
    const char *rest = scan_number(text, &number);
    bool percent = rest && ends_with(rest, "%");
    int64_t exact;

    if (rest == NULL || (*rest != '\0' && !percent))
        return "is not a probability; expected 0 to 100%, as in 1%, or 0 to 1, as in 0.01";
    if (!exact_product(number, SECOND_NS, percent ? 100 : 1, SECOND_NS, &exact))
        return "is not a probability in whole billionths; expected 0 to 100%, as in 1%, or 0 to 1, as in "
               "0.01";
    *billionths = (uint32_t)exact;
    return NULL;
}

const char *parse_fraction(const char *text, int64_t *billionths)
{
    struct number number;
    const char *rest = scan_number(text, &number);

    if (rest == NULL || *rest != '\0')
        return "is not a number; expected one of at least 0, as in 0.99";
    if (!exact_product(number, SECOND_NS, 1, INT64_MAX, billionths))
        return "is too large or has more than nine decimals; expected a number as 0.99";
    return NULL;
}

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

unsigned days_of_month(int64_t year, unsigned month)
{
    static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return days[month - 1] + (month == 2 && is_leap(year));
}

/* Years are counted from March, so that the day that comes and goes is a year's last; 719468 days lie between
 * 0000-03-01 and 1970-01-01, and month m (March = 0) begins (153 m + 2) / 5 days after its year did. */
int64_t days_from_date(int64_t year, unsigned month, unsigned day)
{
    int64_t march_year = year - (month <= 2);
    int64_t era_days = 365 * march_year + (int64_t)div_floor(march_year, 4)
                       - (int64_t)div_floor(march_year, 100) + (int64_t)div_floor(march_year, 400);
    unsigned march_month = (month + 9) % 12;

    return era_days + (153 * march_month + 2) / 5 + day - 1 - 719468;
}

/* Exactly `count` digits, at most `most`; NULL when they are not there. */
static const char *scan_field(const char *text, unsigned count, unsigned most, unsigned *out)
{
    *out = 0;
    for (unsigned i = 0; i < count; i++, text++) {
        if (!is_digit(*text))
            return NULL;
        *out = *out * 10 + (unsigned)(*text - '0');
    }
    return *out <= most ? text : NULL;
}

static const char *scan_after(const char *text, const char *separators, unsigned count, unsigned most,
                              unsigned *out)
{
    bool there = text && *text && strchr(separators, *text);
    return there ? scan_field(text + 1, count, most, out) : NULL;
}

static const char *scan_date(const char *text, int64_t *days)
{
    unsigned year, month, day;

    text = scan_field(text, 4, 9999, &year);
    text = scan_after(text, "-", 2, 12, &month);
    text = scan_after(text, "-", 2, 31, &day);
    if (text == NULL || month == 0 || day == 0 || day > days_of_month(year, month))
        return NULL;
    *days = days_from_date(year, month, day);
    return text;
}

/* ".9799600" or ",98", or nothing. */
static const char *scan_decimals(const char *text, int64_t *ns, unsigned *places)
{
    int64_t weight = SECOND_NS;

    *ns = 0;
    *places = 0;
    if (*text != '.' && *text != ',')
        return text;
    if (!is_digit(*++text))
        return NULL;
    for (; is_digit(*text); text++) {
        if (*places == 9 && *text != '0')
            return NULL;
        *places += *places < 9;
        weight /= 10;
        *ns += weight * (*text - '0');
    }
    return text;
}

static const char *scan_clock(const char *text, int64_t *ns, unsigned *places)
{
    unsigned hour, minute, second = 0;

    text = scan_after(text, "Tt ", 2, 23, &hour);
    text = scan_after(text, ":", 2, 59, &minute);
    if (text == NULL)
        return NULL;
    if (*text == ':')
        text = scan_field(text + 1, 2, 60, &second);
    text = text ? scan_decimals(text, ns, places) : NULL;
    if (text)
        *ns += (((int64_t)hour * 60 + minute) * 60 + second) * SECOND_NS;
    return text;
}

/* "", "Z", "+02:00", "-0700", "+01", after at most one space. */
static const char *scan_zone(const char *text, int64_t *ahead_ns)
{
    unsigned hours, minutes = 0;

    *ahead_ns = 0;
    text += *text == ' ' && text[1] != '\0';
    if (*text == 'Z' || *text == 'z')
        return text + 1;
    if (*text != '+' && *text != '-')
        return text;
    int64_t sign = *text == '-' ? -1 : 1;
    text = scan_field(text + 1, 2, 23, &hours);
    if (text && *text != '\0')
        text = scan_field(text + (*text == ':'), 2, 59, &minutes);
    *ahead_ns = sign * ((int64_t)hours * 60 + minutes) * 60 * SECOND_NS;
    return text;
}

const char *parse_iso_time(const char *text, int64_t *unix_ns, unsigned *places)
{
    int64_t days, clock_ns, ahead_ns;

    text = scan_date(text, &days);
    text = text ? scan_clock(text, &clock_ns, places) : NULL;
    text = text ? scan_zone(text, &ahead_ns) : NULL;
    if (text == NULL || *text != '\0')
        return "is not a time; expected ISO 8601, as in 2023-11-16T18:17:03.25Z";
    i128 exact = (i128)days * DAY_NS + clock_ns - ahead_ns;
    if (exact > INSTANT_MAX || exact < -INSTANT_MAX)
        return "is outside the years 1824 to 2116; expected a time within them";
    *unix_ns = (int64_t)exact;
    return NULL;
}

int64_t precision_refined(int64_t precision_ns, int64_t t_ns, bool absolute, unsigned places)
{
    int64_t grain = SECOND_NS;

    for (; absolute && places > 0; places--)
        grain /= 10;
    precision_ns = i64_min(precision_ns, grain);
    while (t_ns % precision_ns != 0)
        precision_ns /= 10;
    return precision_ns;
}

/* "1.5", "250": value / unit with as many of the three decimals as are needed. */
static const char *shortest_decimal(int64_t value, int64_t unit, const char *name, char *text, size_t bytes)
{
    int64_t whole = value / unit, thousandths = value % unit / (unit / 1000);
    int width = 3;

    if (thousandths == 0)
        snprintf(text, bytes, "%lld%s", (long long)whole, name);
    for (; thousandths != 0 && thousandths % 10 == 0; width--)
        thousandths /= 10;
    if (thousandths != 0)
        snprintf(text, bytes, "%lld.%0*lld%s", (long long)whole, width, (long long)thousandths, name);
    return text;
}

const char *duration_text(int64_t ns, char text[UNITS_TEXT])
{
    static const struct { const char *name; int64_t ns, least, grain; } steps[] = {
        { "d", DAY_NS, DAY_NS, DAY_NS }, { "h", 3600 * SECOND_NS, 3600 * SECOND_NS, 3600 * SECOND_NS },
        { "m", 60 * SECOND_NS, 120 * SECOND_NS, 60 * SECOND_NS },
        { "s", SECOND_NS, SECOND_NS, 1000000 }, { "ms", 1000000, 1000000, 1000 }, { "us", 1000, 1000, 1 }
    };
    int64_t size = ns < -INT64_MAX ? INT64_MAX : ns < 0 ? -ns : ns;
    char *start = text;

    if (ns == 0)
        return "0s";
    if (ns < 0)
        *start++ = '-';
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (size >= steps[i].least && size % steps[i].grain == 0) {
            shortest_decimal(size, steps[i].ns, steps[i].name, start, UNITS_TEXT - 1);
            return text;
        }
    }
    snprintf(start, UNITS_TEXT - 1, "%lldns", (long long)size);
    return text;
}

/* The date `days` after 1970-01-01: guesses the year from below, then counts on. */
static void date_from_days(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
    *year = 1969 + (int64_t)div_floor(days, 366);
    while (days >= days_from_date(*year + 1, 1, 1))
        ++*year;
    *month = 1;
    while (*month < 12 && days >= days_from_date(*year, *month + 1, 1))
        ++*month;
    *day = (unsigned)(days - days_from_date(*year, *month, 1)) + 1;
}

const char *iso_time_text(int64_t unix_ns, unsigned places, char text[UNITS_TEXT])
{
    int64_t days = (int64_t)div_floor(unix_ns, DAY_NS), year;
    int64_t of_day_ns = unix_ns - days * DAY_NS, seconds = of_day_ns / SECOND_NS;
    unsigned month, day;

    date_from_days(days, &year, &month, &day);
    int used = snprintf(text, UNITS_TEXT, "%04d-%02u-%02uT%02d:%02d:%02d", (int)year, month, day,
                        (int)(seconds / 3600), (int)(seconds / 60 % 60), (int)(seconds % 60));
    if (places > 0) {
        int64_t decimals = of_day_ns % SECOND_NS / (int64_t)power_of_ten(9 - places);
        used += snprintf(text + used, UNITS_TEXT - (size_t)used, ".%0*d", (int)places, (int)decimals);
    }
    snprintf(text + used, UNITS_TEXT - (size_t)used, "Z");
    return text;
}

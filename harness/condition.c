#include "condition.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "figures.h"
#include "units.h"

enum { OPERAND_TEXT = 64 };

/* Longer operators first, so that "<=" is not read as "<". */
static const struct comparison {
    const char *sign;
    bool low, high, open;
} comparisons[] = {
    { "<=", .high = true }, { ">=", .low = true }, { "==", .low = true, .high = true },
    { "<", .high = true, .open = true }, { ">", .low = true, .open = true },
    { "=", .low = true, .high = true },
};

static const struct comparison *comparison_at(const char *text)
{
    for (unsigned i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++)
        if (!strncmp(text, comparisons[i].sign, strlen(comparisons[i].sign)))
            return &comparisons[i];
    return NULL;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* A copy of text[0 .. length) without the blanks around it; false when it does not fit. */
static bool trimmed(const char *text, size_t length, char room[OPERAND_TEXT])
{
    while (length && is_space(text[0])) {
        text++;
        length--;
    }
    while (length && is_space(text[length - 1]))
        length--;
    if (length >= OPERAND_TEXT)
        return false;
    memcpy(room, text, length);
    room[length] = '\0';
    return true;
}

__attribute__((format(printf, 2, 3)))
static bool refuse(char why[CONDITION_WHY], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, CONDITION_WHY, format, arguments);
    va_end(arguments);
    return false;
}

static bool parse_number(const char *text, i128 *billionths, char why[CONDITION_WHY])
{
    struct decimal value;
    if (!decimal_parse(text, &value) || value.null)
        return refuse(why, "'%s' is not a number; expected up to nine decimals, as in 1.1", text);
    *billionths = value.billionths;
    return true;
}

static bool parse_span(const char *text, i128 *billionths, char why[CONDITION_WHY])
{
    int64_t ns = 0;
    const char *wrong = parse_signed_duration(text, &ns);
    if (wrong)
        return refuse(why, "'%s' %s", text, wrong);
    *billionths = (i128)ns * 1000000000;
    return true;
}

static bool parse_truth(const char *text, i128 *billionths, char why[CONDITION_WHY])
{
    bool yes = !strcmp(text, "true") || !strcmp(text, "1");
    if (!yes && strcmp(text, "false") && strcmp(text, "0"))
        return refuse(why, "'%s' is neither true nor false", text);
    *billionths = yes ? 1000000000 : 0;
    return true;
}

/* One operand in the figure's own unit; what the text is lies in text[0 .. length). */
static bool parse_operand(enum figure_kind kind, const char *text, size_t length, i128 *billionths,
                          char why[CONDITION_WHY])
{
    char operand[OPERAND_TEXT];
    if (!trimmed(text, length, operand))
        return refuse(why, "the value is too long; expected a number or a duration");
    switch (kind) {
    case FIGURE_SPAN_NS: case FIGURE_INSTANT_NS:
        return parse_span(operand, billionths, why);
    case FIGURE_TRUTH:
        return parse_truth(operand, billionths, why);
    default:
        return parse_number(operand, billionths, why);
    }
}

static bool parse_range(enum figure_kind kind, const char *value, const char *dots, struct condition *out,
                        char why[CONDITION_WHY])
{
    const char *high = dots + 2;
    out->has_low = out->has_high = true;
    if (!parse_operand(kind, value, (size_t)(dots - value), &out->low, why) ||
        !parse_operand(kind, high, strlen(high), &out->high, why))
        return false;
    return out->low <= out->high || refuse(why, "the range is empty; expected LOW..HIGH with LOW <= HIGH");
}

static bool parse_bound(enum figure_kind kind, const char *value, const struct comparison *sign,
                        struct condition *out, char why[CONDITION_WHY])
{
    i128 bound;
    if (!parse_operand(kind, value, strlen(value), &bound, why))
        return false;
    out->has_low = sign->low;
    out->has_high = sign->high;
    out->low_open = sign->low && sign->open;
    out->high_open = sign->high && sign->open;
    out->low = out->high = bound;
    return true;
}

/* Texts have no order: what they must be is what stands after the sign. */
static bool parse_word(const char *value, const struct comparison *sign, struct condition *out,
                       char why[CONDITION_WHY])
{
    const char *name = figures[out->figure].path;
    size_t length = strlen(value);

    if (!sign->low || !sign->high)
        return refuse(why, "'%s' is a text; expected %s=TEXT", name, name);
    while (is_space(*value)) {
        value++;
        length--;
    }
    while (length && is_space(value[length - 1]))
        length--;
    if (!length)
        return refuse(why, "nothing to compare with; expected %s=TEXT", name);
    out->word = value;
    out->word_bytes = length;
    return true;
}

/* Fills in the figure; a digest says only whether two runs are the same. */
static bool find_figure(const char *name, struct condition *out, char why[CONDITION_WHY])
{
    int found = figure_find(name);
    const char *nearest = found < 0 ? figure_nearest(name) : NULL;
    if (nearest)
        return refuse(why, "no figure is called '%s'; did you mean '%s'?", name, nearest);
    if (found < 0)
        return refuse(why, "no figure is called '%s'; expected a field of the JSON results", name);
    if (figures[found].kind == FIGURE_DIGEST)
        return refuse(why, "'%s' is a digest; expected a figure that means something by itself", name);
    out->figure = (unsigned)found;
    return true;
}

static bool parse_value(const char *value, struct condition *out, char why[CONDITION_WHY])
{
    static const struct comparison equal = { "=", .low = true, .high = true };
    enum figure_kind kind = figures[out->figure].kind;
    while (is_space(*value))
        value++;
    const struct comparison *sign = comparison_at(value);
    const char *rest = value + (sign ? strlen(sign->sign) : 0);
    if (kind == FIGURE_TEXT)
        return parse_word(rest, sign ? sign : &equal, out, why);
    const char *dots = strstr(rest, "..");
    if (dots && sign && !(sign->low && sign->high))
        return refuse(why, "a range takes no %s; expected NAME=LOW..HIGH", sign->sign);
    if (dots)
        return parse_range(kind, rest, dots, out, why);
    return parse_bound(kind, rest, sign ? sign : &equal, out, why);
}

bool condition_parse(const char *text, struct condition *out, char why[CONDITION_WHY])
{
    char name[OPERAND_TEXT];
    size_t length = strcspn(text, "<>=");
    *out = (struct condition){ .text = text };
    if (!trimmed(text, length, name))
        return refuse(why, "the name is too long; expected a figure's, as in p99<=10ms");
    if (!text[length] || !name[0])
        return refuse(why, "no comparison; expected NAME<=VALUE, NAME=VALUE or NAME=LOW..HIGH");
    return find_figure(name, out, why) && parse_value(text + length, out, why);
}

bool condition_holds(const struct condition *condition, const struct result *result)
{
    struct figure_value value = figures[condition->figure].get(result);
    i128 x = value.billionths;
    if (value.null)
        return false;
    if (condition->word)
        return strlen(value.text) == condition->word_bytes &&
               memcmp(value.text, condition->word, condition->word_bytes) == 0;
    if (condition->has_low && (x < condition->low || (condition->low_open && x == condition->low)))
        return false;
    return !condition->has_high || x < condition->high || (!condition->high_open && x == condition->high);
}

bool result_keeps_target(const struct result *result)
{
    return result->over_admitted == 0 && !result->excess.null && result->excess.billionths == 0;
}

bool result_qualifies(const struct result *result, const struct condition *require, unsigned requires)
{
    for (unsigned i = 0; i < requires; i++)
        if (!condition_holds(&require[i], result))
            return false;
    return requires > 0
        || (result_keeps_target(result) && result->failed == 0 && result->ceiling.over_admitted == 0);
}

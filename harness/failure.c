/* failure.c - see failure.h. */
#include "failure.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_COMPARED = 64, CUT_MARK = 3 };

/* The length of the UTF-8 character at text[0 .. left), 0 when there is none or it is a control character. */
static size_t visible_character(const unsigned char *text, size_t left)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };    /* else too long */
    unsigned char first = text[0];

    if (first < 0x80)
        return first >= 0x20 && first != 0x7f;
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || length > left)
        return 0;
    uint32_t point = first & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (text[i] & 0x3f);
    }
    bool usable =
        point >= least[length] && point >= 0xa0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return usable ? length : 0;
}

const char *visible_text(const char *text, size_t length, char *out, size_t out_bytes)
{
    size_t used = 0, room = out_bytes - 1 - CUT_MARK;

    for (size_t i = 0; i < length;) {
        size_t whole = visible_character((const unsigned char *)text + i, length - i);
        size_t shown = whole ? whole : strlen("\\xNN");
        if (used + shown > room) {
            memcpy(out + used, "...", CUT_MARK);
            used += CUT_MARK;
            break;
        }
        if (whole)
            memcpy(out + used, text + i, whole);
        else
            snprintf(out + used, shown + 1, "\\x%02x", (unsigned char)text[i]);
        used += shown;
        i += whole ? whole : 1;
    }
    out[used] = '\0';
    return out;
}

bool fail(struct failure *failure, enum exit_code code, const char *file, unsigned line, const char *format,
          ...)
{
    char raw[sizeof failure->line];
    int used = 0;
    va_list arguments;

    if (file && line)
        used = snprintf(raw, sizeof raw, "%.*s:%u: ", (int)sizeof raw / 2, file, line);
    else if (file)
        used = snprintf(raw, sizeof raw, "%.*s: ", (int)sizeof raw / 2, file);
    va_start(arguments, format);
    vsnprintf(raw + used, sizeof raw - (size_t)used, format, arguments);
    va_end(arguments);
    failure->code = code;
    visible_text(raw, strlen(raw), failure->line, sizeof failure->line);
    return false;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Insertions, deletions, replacements and swaps of neighbours that turn one name into the other, case
 * aside. */
static unsigned name_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned cost[NAME_MAX_COMPARED + 1][NAME_MAX_COMPARED + 1];

    for (size_t i = 0; i <= a_length; i++) {
        for (size_t j = 0; j <= b_length; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = (unsigned)(i + j);
                continue;
            }
            unsigned best = cost[i - 1][j - 1] + !same_letter(a[i - 1], b[j - 1]);
            best = best < cost[i - 1][j] + 1 ? best : cost[i - 1][j] + 1;
            best = best < cost[i][j - 1] + 1 ? best : cost[i][j - 1] + 1;
            bool swapped =
                i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
            if (swapped && cost[i - 2][j - 2] + 1 < best)
                best = cost[i - 2][j - 2] + 1;
            cost[i][j] = best;
        }
    }
    return cost[a_length][b_length];
}

static const char *nearest_by_letters(const char *name, size_t length, const char *const *names)
{
    unsigned allowed = length < 2 ? 0 : length < 6 ? 1 : (unsigned)length / 3;
    const char *best = NULL;

    for (; *names; names++) {
        size_t known = strlen(*names);
        if (known > NAME_MAX_COMPARED)
            continue;
        unsigned distance = name_distance(name, length, *names, known);
        if (distance < (best ? allowed : allowed + 1)) {
            best = *names;
            allowed = distance;
        }
    }
    return best;
}

/* One letter in three may be wrong; failing that, the start of a known name is taken for it. */
const char *nearest_name(const char *name, const char *const *names)
{
    size_t length = strlen(name);

    if (length == 0 || length > NAME_MAX_COMPARED)
        return NULL;
    const char *nearest = nearest_by_letters(name, length, names);
    for (; length >= 3 && nearest == NULL && *names; names++) {
        if (strncmp(name, *names, length) == 0)
            nearest = *names;
    }
    return nearest;
}

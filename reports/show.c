#include "show.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

/* ---- characters ---- */

/* The code point of the well-formed character that starts the text; its length, or 0.  Stops at the NUL. */
static size_t decode(const char *text, uint32_t *point)
{
    static const struct { unsigned char mask, mark; uint32_t least; } forms[] = {
        { 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 },
    };
    const unsigned char *byte = (const unsigned char *)text;
    size_t form = 0;
    while (form < 4 && (byte[0] & forms[form].mask) != forms[form].mark)
        form++;
    if (form == 4)
        return 0;
    uint32_t value = byte[0] & (unsigned char)~forms[form].mask;
    for (size_t i = 1; i <= form; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (byte[i] & 0x3f);
    }
    *point = value;
    bool surrogate = value >= 0xd800 && value <= 0xdfff;
    return value < forms[form].least || value > 0x10ffff || surrogate ? 0 : form + 1;
}

/* Characters that steer rather than show: controls, and marks that reverse the direction of a text. */
static bool steers(uint32_t point)
{
    return point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x202a && point <= 0x202e) ||
           (point >= 0x2066 && point <= 0x2069);
}

size_t show_piece(const char **text, unsigned keep, char piece[SHOW_PIECE])
{
    const char *at = *text;
    uint32_t point = 0;
    if (!*at)
        return 0;
    size_t length = decode(at, &point);
    bool like_an_escape = at[0] == '\\' && at[1] == 'x' && !(keep & SHOW_KEEP_ESCAPES);
    if (!length || like_an_escape || (steers(point) && !(keep & SHOW_KEEP_CONTROLS))) {
        *text = at + 1;
        return (size_t)snprintf(piece, SHOW_PIECE, "\\x%02x", (unsigned char)*at);
    }
    memcpy(piece, at, length);
    piece[length] = '\0';
    *text = at + length;
    return length;
}

const char *show_text(const char *text, unsigned keep, char *out, size_t room)
{
    char piece[SHOW_PIECE];
    size_t used = 0, length;
    while ((length = show_piece(&text, keep, piece)) && used + length < room) {
        memcpy(out + used, piece, length);
        used += length;
    }
    out[used] = '\0';
    return out;
}

/* ---- columns ---- */

static unsigned point_columns(uint32_t point)
{
    static const struct { uint32_t first, last; unsigned columns; } ranges[] = {
        { 0x300, 0x36f, 0 }, { 0x200b, 0x200f, 0 }, { 0xfe00, 0xfe0f, 0 }, { 0x1100, 0x115f, 2 },
        { 0x2e80, 0xa4cf, 2 }, { 0xac00, 0xd7a3, 2 }, { 0xf900, 0xfaff, 2 }, { 0xfe30, 0xfe6f, 2 },
        { 0xff00, 0xff60, 2 }, { 0xffe0, 0xffe6, 2 }, { 0x1f300, 0x1faff, 2 }, { 0x20000, 0x3fffd, 2 },
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (point >= ranges[i].first && point <= ranges[i].last)
            return ranges[i].columns;
    return 1;
}

/* The length of the character that starts a shown text, and the columns it takes. */
static size_t character(const char *text, unsigned *columns)
{
    uint32_t point = 0;
    size_t length = decode(text, &point);
    *columns = length ? point_columns(point) : 1;
    return length ? length : 1;
}

unsigned show_columns(const char *text)
{
    unsigned columns = 0, width;
    for (; *text; columns += width)
        text += character(text, &width);
    return columns;
}

/* Appends the characters of text whose columns lie within [from, to); combining marks follow their letter. */
static size_t append_columns(const char *text, unsigned from, unsigned to, char *out, size_t used,
                             size_t room)
{
    for (unsigned column = 0, width; *text; column += width) {
        size_t length = character(text, &width);
        bool inside = column >= from && column + width <= to;
        if (inside && used + length < room) {
            memcpy(out + used, text, length);
            used += length;
        }
        text += length;
    }
    out[used] = '\0';
    return used;
}

const char *show_elided(const char *text, unsigned columns, char *out, size_t room)
{
    static const char mark[] = "…";
    unsigned all = show_columns(text);
    if (all <= columns) {
        append_columns(text, 0, all, out, 0, room);
        return out;
    }
    unsigned tail = (columns - 1) / 3, head = columns - 1 - tail;
    size_t used = append_columns(text, 0, head, out, 0, room - sizeof mark);
    memcpy(out + used, mark, sizeof mark);
    append_columns(text, all - tail, all, out, used + sizeof mark - 1, room);
    return out;
}

/* ---- numbers ---- */

uint64_t share_billionths(uint64_t part, uint64_t whole)
{
    u128 share = whole ? ((u128)part * 2000000000 + whole) / ((u128)whole * 2) : 0;
    return share > INT64_MAX ? INT64_MAX : (uint64_t)share;
}

/* Tenths or hundredths of a unit, rounded half up, so that three digits are shown. */
static const char *three_digits(uint64_t value, uint64_t unit, const char *name, char out[SHOW_NUMBER])
{
    uint64_t hundredths = (uint64_t)(((u128)value * 200 + unit) / ((u128)unit * 2));
    uint64_t tenths = (uint64_t)(((u128)value * 20 + unit) / ((u128)unit * 2));
    uint64_t ones = (uint64_t)(((u128)value * 2 + unit) / ((u128)unit * 2));
    if (value % unit == 0 || tenths >= 1000)
        snprintf(out, SHOW_NUMBER, "%llu%s", (unsigned long long)ones, name);
    else if (hundredths >= 1000)
        snprintf(out, SHOW_NUMBER, "%llu.%llu%s", (unsigned long long)tenths / 10,
                 (unsigned long long)tenths % 10, name);
    else
        snprintf(out, SHOW_NUMBER, "%llu.%02llu%s", (unsigned long long)hundredths / 100,
                 (unsigned long long)hundredths % 100, name);
    return out;
}

const char *show_count(uint64_t count, char out[SHOW_NUMBER])
{
    static const struct { uint64_t from, unit; const char *name; } scales[] = {
        { 999950000000000, 1000000000000000, "P" }, { 999950000000, 1000000000000, "T" },
        { 999950000, 1000000000, "G" }, { 1000000, 1000000, "M" }, { 100000, 1000, "k" }, { 0, 1, "" },
    };
    size_t scale = 0;
    while (count < scales[scale].from)
        scale++;
    return three_digits(count, scales[scale].unit, scales[scale].name, out);
}

const char *show_share(uint64_t billionths, char out[SHOW_NUMBER])
{
    if (billionths && billionths < 100000)
        snprintf(out, SHOW_NUMBER, "<0.01%%");
    else
        three_digits(billionths, 10000000, "%", out);
    return out;
}

const char *show_ratio(int64_t billionths, char out[SHOW_NUMBER])
{
    enum { ONE = 1000000000, HUNDREDTH = ONE / 100 };
    if (billionths < 0) {
        snprintf(out, SHOW_NUMBER, "-");
        return out;
    }
    bool hidden = billionths > ONE && billionths < ONE + HUNDREDTH / 2;
    uint64_t hundredths = ((uint64_t)billionths + HUNDREDTH / 2) / HUNDREDTH;
    if (hundredths < 10000)
        snprintf(out, SHOW_NUMBER, "%s%llu.%02llu", hidden ? ">" : "", (unsigned long long)hundredths / 100,
                 (unsigned long long)hundredths % 100);
    else
        show_count(hundredths / 100, out);
    return out;
}

const char *show_span(int64_t ns, char out[SHOW_NUMBER])
{
    static const struct { int64_t from, unit; const char *name; } scales[] = {
        { 99999500000000, 86400000000000, "d" }, { 999500000, 1000000000, "s" }, { 999500, 1000000, "ms" },
        { 1000, 1000, "us" }, { 1, 1, "ns" }, { 0, 1, "s" },
    };
    size_t scale = 0;
    if (ns < 0) {
        snprintf(out, SHOW_NUMBER, "-");
        return out;
    }
    while (ns < scales[scale].from)
        scale++;
    return three_digits((uint64_t)ns, (uint64_t)scales[scale].unit, scales[scale].name, out);
}

const char *show_thousandths(uint64_t thousandths, char out[SHOW_NUMBER])
{
    uint64_t tenths = (thousandths + 50) / 100;
    if (tenths % 10 == 0 || tenths >= 1000)
        return show_count((tenths + 5) / 10, out);
    snprintf(out, SHOW_NUMBER, "%llu.%llu", (unsigned long long)tenths / 10,
             (unsigned long long)tenths % 10);
    return out;
}

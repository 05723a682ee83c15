/* key_address.c - IP addresses as text (RFC 4291, section 2.2), for the rules of keys.h. */
#include "keys.h"
#include <string.h>

enum { GROUPS = 8, DIGITS_MAX = 4 };

/* The rest of a text, while it is read. */
struct rest { const char *at, *end; };

static bool next_is(struct rest *rest, char c)
{
    if (rest->at == rest->end || *rest->at != c)
        return false;
    rest->at++;
    return true;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* One to `most` digits to the base; -1 when there are none, or too many. */
static long number(struct rest *rest, int base, int most)
{
    long value = 0;
    int digits = 0;

    for (; rest->at < rest->end && digit(*rest->at) < base; rest->at++, digits++)
        if (digits < most)
            value = value * base + digit(*rest->at);
    return digits >= 1 && digits <= most ? value : -1;
}

/* "a.b.c.d" up to the end of the text. */
static bool read_quad(struct rest rest, unsigned char out[4])
{
    for (int i = 0; i < 4; i++) {
        long part = number(&rest, 10, 3);
        if (part < 0 || part > 255 || (i < 3 && !next_is(&rest, '.')))
            return false;
        out[i] = (unsigned char)part;
    }
    return rest.at == rest.end;
}

/* Groups, what is known of them, and where "::" was (-1: nowhere). */
struct groups { unsigned char byte[2 * GROUPS]; int count, gap; };

static bool read_group(struct groups *groups, struct rest *rest)
{
    if (groups->count + 2 <= GROUPS && read_quad(*rest, &groups->byte[2 * groups->count])) {
        groups->count += 2;
        rest->at = rest->end;
        return true;
    }
    long value = groups->count < GROUPS ? number(rest, 16, DIGITS_MAX) : -1;
    if (value < 0)
        return false;
    groups->byte[2 * groups->count] = (unsigned char)(value >> 8);
    groups->byte[2 * groups->count + 1] = (unsigned char)value;
    groups->count++;
    return true;
}

static bool read_gap(struct groups *groups, struct rest *rest)
{
    if (rest->end - rest->at < 2 || rest->at[0] != ':' || rest->at[1] != ':')
        return false;
    rest->at += 2;
    groups->gap = groups->count;
    return true;
}

static bool read_groups(struct groups *groups, struct rest rest)
{
    bool after_gap = read_gap(groups, &rest);

    while (rest.at < rest.end) {
        if (!read_group(groups, &rest))
            return false;
        if (rest.at == rest.end)
            return true;
        after_gap = groups->gap < 0 && read_gap(groups, &rest);
        if (!after_gap && !next_is(&rest, ':'))
            return false;
        if (!after_gap && rest.at == rest.end)
            return false;
    }
    return after_gap;
}

bool key_address(const char *text, size_t length, unsigned char address[16])
{
    static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
    struct groups groups = { .gap = -1 };
    struct rest rest = { text, text + length };

    memcpy(address, mapped, sizeof mapped);
    if (read_quad(rest, &address[12]))
        return true;
    if (!read_groups(&groups, rest) || (groups.gap < 0) != (groups.count == GROUPS))
        return false;
    size_t head = groups.gap < 0 ? 2 * GROUPS : 2 * (size_t)groups.gap, all = 2 * (size_t)groups.count;
    memset(address, 0, 2 * GROUPS);
    memcpy(address, groups.byte, head);
    if (all > head)
        memcpy(address + 2 * GROUPS - (all - head), groups.byte + head, all - head);
    return true;
}

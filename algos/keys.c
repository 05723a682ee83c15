/* keys.c - see keys.h. */
#include "keys.h"
#include <string.h>

static size_t copy(char out[KEY_TEXT_MAX], const char *text, size_t length)
{
    memcpy(out, text, length);
    return length;
}

/* ---- whole texts --------------------------------------------------------------------------------------- */

static size_t as_sent(const char *sent, size_t length, char out[KEY_TEXT_MAX])
{
    return copy(out, sent, length);
}

static size_t nothing(const char *sent, size_t length, char out[KEY_TEXT_MAX])
{
    (void)sent;
    (void)length;
    return copy(out, "all", 3);
}

/* "203.0.113.7:51234", "[2001:db8::1]:443": the host; an address without a port stays as it is. */
static size_t host_only(const char *sent, size_t length, char out[KEY_TEXT_MAX])
{
    const char *close = length > 0 && sent[0] == '[' ? memchr(sent, ']', length) : NULL;
    const char *colon = memchr(sent, ':', length);

    if (close)
        return copy(out, sent + 1, (size_t)(close - sent) - 1);
    if (!colon || memchr(colon + 1, ':', (size_t)(sent + length - colon) - 1))
        return copy(out, sent, length);
    return copy(out, sent, (size_t)(colon - sent));
}

/* What stands before the last colon, which in an IPv6 address is no port. */
static size_t ipv6_split(const char *sent, size_t length, char out[KEY_TEXT_MAX])
{
    size_t end = length;

    while (end > 0 && sent[end - 1] != ':')
        end--;
    return copy(out, sent, end > 0 ? end - 1 : length);
}

/* "alice/phone": the account that a key belongs to. */
static size_t before_slash(const char *sent, size_t length, char out[KEY_TEXT_MAX])
{
    size_t end = length;

    while (end > 0 && sent[end - 1] != '/')
        end--;
    return copy(out, sent, end > 0 ? end - 1 : length);
}

/* ---- lists --------------------------------------------------------------------------------------------- */

static size_t trimmed(const char *text, const char *end, char out[KEY_TEXT_MAX])
{
    while (text < end && *text == ' ')
        text++;
    while (end > text && end[-1] == ' ')
        end--;
    return copy(out, text, (size_t)(end - text));
}

static size_t forwarded_first(const char *sent, size_t length, char out[KEY_TEXT_MAX])
{
    const char *comma = memchr(sent, ',', length);

    return trimmed(sent, comma ? comma : sent + length, out);
}

static size_t forwarded_last(const char *sent, size_t length, char out[KEY_TEXT_MAX])
{
    const char *start = sent + length;

    while (start > sent && start[-1] != ',')
        start--;
    return trimmed(start, sent + length, out);
}

/* ---- joined parts: "IP PATH", in which a blank stands between the two ---------------------------------- */

static size_t joined(const char *sent, size_t length, const char *separator, char out[KEY_TEXT_MAX])
{
    const char *blank = memchr(sent, ' ', length);
    size_t head = blank ? (size_t)(blank - sent) : length, at = copy(out, sent, head);

    if (!blank)
        return at;
    at += copy(out + at, separator, strlen(separator));
    return at + copy(out + at, blank + 1, length - head - 1);
}

static size_t path_joined(const char *sent, size_t length, char out[KEY_TEXT_MAX])
{
    return joined(sent, length, "", out);
}

static size_t path_separated(const char *sent, size_t length, char out[KEY_TEXT_MAX])
{
    return joined(sent, length, "|", out);
}

/* ---- addresses ----------------------------------------------------------------------------------------- */

static const unsigned char mapped_prefix[12] = { [10] = 0xff, [11] = 0xff };
/* 64:ff9b::/96, the well-known prefix of RFC 6052: an IPv4 address behind a translator. */
static const unsigned char translated_prefix[12] = { 0x00, 0x64, 0xff, 0x9b };

static size_t hexadecimal(const unsigned char *byte, unsigned bits, char out[KEY_TEXT_MAX])
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;

    for (unsigned i = 0; i < bits / 8; i++) {
        if (i > 0 && i % 2 == 0)
            out[at++] = ':';
        out[at++] = digits[byte[i] >> 4];
        out[at++] = digits[byte[i] & 15];
    }
    return at;
}

/* The first bits of an address; what is no address stays as it is. */
static size_t masked(const char *sent, size_t length, unsigned bits, char out[KEY_TEXT_MAX])
{
    unsigned char address[16];

    return key_address(sent, length, address) ? hexadecimal(address, bits, out) : copy(out, sent, length);
}

static size_t ipv4_mapped_56(const char *sent, size_t length, char out[KEY_TEXT_MAX])
{
    return masked(sent, length, 56, out);
}

/* An IPv4 address counts in full, however it is written. */
static size_t masked_but_mapped(const char *sent, size_t length, bool translated, char out[KEY_TEXT_MAX])
{
    unsigned char address[16];

    if (!key_address(sent, length, address))
        return copy(out, sent, length);
    bool ipv4 = memcmp(address, mapped_prefix, sizeof mapped_prefix) == 0
             || (translated && memcmp(address, translated_prefix, sizeof translated_prefix) == 0);
    return ipv4 ? hexadecimal(address + 12, 32, out) : hexadecimal(address, 64, out);
}

static size_t ipv6_64_nat64(const char *sent, size_t length, char out[KEY_TEXT_MAX])
{
    return masked_but_mapped(sent, length, false, out);
}

static size_t ipv6_64(const char *sent, size_t length, char out[KEY_TEXT_MAX])
{
    return masked_but_mapped(sent, length, true, out);
}

const struct key_rule key_rules[] = {
    { "as-sent", "the key as it comes", NULL, NULL, as_sent },
    { "ipv6-64", "IPv6 by its /64; an IPv4 address in full, also when mapped or behind NAT64", NULL, NULL,
      ipv6_64 },
    { "before-slash", "what stands before the last slash: the account that a key belongs to", NULL, NULL,
      before_slash },
    { "host-only", "an address without its port", NULL, NULL, host_only },
    { "forwarded-last", "the last of a list, which the nearest proxy wrote", NULL, NULL, forwarded_last },
    { "path-separated", "IP and path with a bar between them", NULL, NULL, path_separated },
    { "ipv4-mapped-56", "every address by its /56, so that all of IPv4 is one client", "ipv6-64",
      "express-rate-limit PR 667", ipv4_mapped_56 },
    { "ipv6-64-nat64", "IPv6 by its /64, so that all behind one NAT64 are one client", "ipv6-64",
      "Flowfin/jellyfin-plugin-sso#194", ipv6_64_nat64 },
    { "ipv6-split", "what stands before the last colon, so that the tail of an address is a port",
      "ipv6-64", "KanishJebaMathewM/Truxify PR 12187", ipv6_split },
    { "forwarded-first", "the first of a list, which the client wrote", "forwarded-last",
      "long2ice/fastapi-limiter#9", forwarded_first },
    { "path-joined", "IP and path with nothing between them: one text of two readings", "path-separated",
      "better-auth PR 7300", path_joined },
    { "none", "no key at all: everybody shares one bucket", "as-sent", "PyrateLimiter#238", nothing },
};
const unsigned key_rule_count = sizeof key_rules / sizeof *key_rules;

const struct key_rule *key_rule_find(const char *name)
{
    for (unsigned i = 0; i < key_rule_count; i++)
        if (strcmp(name, key_rules[i].name) == 0)
            return &key_rules[i];
    return NULL;
}

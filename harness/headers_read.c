/* headers_read.c - strict readers of header values.  Structured fields as in RFC 9651, 4.2, as far as the
 * fields of headers.h use them: one member, whose parameters are integers or are passed over. */
#include <string.h>
#include "headers_private.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/* Each of these moves *at behind what it has read, and returns false when that is not there. */

static bool take(const char **at, char c)
{
    return **at == c && (*at)++;
}

static void pass_blanks(const char **at, const char *blanks)
{
    *at += strspn(*at, blanks);
}

/* 1 to 15 digits, leading zeros among them, as both RFCs allow; nothing that may follow a count is a
 * digit. */
static bool take_count(const char **at, int64_t *count)
{
    const char *begin = *at;

    *count = 0;
    for (; is_digit(**at) && *at - begin < 15; (*at)++)
        *count = *count * 10 + (**at - '0');
    return *at > begin;
}

static bool take_string(const char **at)
{
    if (!take(at, '"'))
        return false;
    for (; **at >= 0x20 && **at <= 0x7e && **at != '"'; (*at)++)
        if (**at == '\\' && *++*at != '"' && **at != '\\')
            return false;
    return take(at, '"');
}

static bool take_key(const char **at, const char **key, size_t *length)
{
    *key = *at;
    if (!is_lower(**at) && **at != '*')
        return false;
    while (is_lower(**at) || is_digit(**at) || (**at && strchr("_-.*", **at)))
        (*at)++;
    *length = (size_t)(*at - *key);
    return true;
}

/* ":cGs=:" */
static bool pass_bytes(const char **at)
{
    const char *end = strchr(*at + 1, ':');
    static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

    if (!end || *at + 1 + strspn(*at + 1, base64) != end)
        return false;
    *at = end + 1;
    return true;
}

/* A value that nobody asks for: a string, a byte sequence, or a word or number. */
static bool pass_value(const char **at)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "!#$%&'*+-.^_`|~:/?";

    if (**at == '"')
        return take_string(at);
    if (**at == ':')
        return pass_bytes(at);
    size_t length = strspn(*at, word);
    *at += length;
    return length > 0;
}

/* A number that is looked for by its key. */
struct wanted { const char *key; bool found; int64_t count; };

/* "key=value"; a key without a value is true, which no number that is wanted can be. */
static bool take_pair(const char **at, struct wanted *wanted, unsigned count)
{
    const char *key;
    size_t length;

    if (!take_key(at, &key, &length))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (strlen(wanted[i].key) == length && memcmp(wanted[i].key, key, length) == 0) {
            wanted[i].found = true;
            return take(at, '=') && take_count(at, &wanted[i].count);
        }
    return !take(at, '=') || pass_value(at);
}

/* To the end of the text. */
static bool take_parameters(const char *at, struct wanted *wanted, unsigned count)
{
    while (take(&at, ';')) {
        pass_blanks(&at, " ");
        if (!take_pair(&at, wanted, count))
            return false;
    }
    return *at == '\0';
}

/* ---- the readers ---- */

/* The whole text is one number. */
static bool read_count(const char *value, int64_t *count)
{
    return take_count(&value, count) && *value == '\0';
}

static bool read_long_count(const char *value, int64_t *count)
{
    size_t length = strspn(value, "0123456789");

    if (length != 16 || value[length])
        return read_count(value, count);
    *count = 0;
    while (*value)
        *count = *count * 10 + (*value++ - '0');
    return true;
}

bool read_limit(const char *value, struct told *told)
{
    int64_t limit;

    (void)told;
    return read_long_count(value, &limit);
}

bool read_remaining(const char *value, struct told *told)
{
    told->has_remaining = true;
    return read_long_count(value, &told->remaining);
}

bool read_field_limit(const char *value, struct told *told)
{
    int64_t limit;

    (void)told;
    return read_count(value, &limit);
}

bool read_field_remaining(const char *value, struct told *told)
{
    told->has_remaining = true;
    return read_count(value, &told->remaining);
}

bool read_delta(const char *value, struct told *told)
{
    told->has_wait = true;
    return read_count(value, &told->wait_s);
}

bool read_epoch(const char *value, struct told *told)
{
    bool before = take(&value, '-');

    if (!read_delta(value, told))
        return false;
    if (before)
        told->wait_s = -told->wait_s;
    return true;
}

bool read_named_policy(const char *value, struct told *told)
{
    struct wanted wanted[] = { { "q", false, 0 }, { "w", false, 1 } };

    (void)told;
    return take_string(&value) && take_parameters(value, wanted, 2) && wanted[0].found && wanted[1].count > 0;
}

bool read_named_quota(const char *value, struct told *told)
{
    struct wanted wanted[] = { { "r", false, 0 }, { "t", false, 0 } };

    if (!take_string(&value) || !take_parameters(value, wanted, 2) || !wanted[0].found)
        return false;
    *told = (struct told){ true, wanted[1].found, wanted[0].count, wanted[1].count };
    return true;
}

bool read_counted_policy(const char *value, struct told *told)
{
    struct wanted window = { "w", false, 0 };
    int64_t limit;

    (void)told;
    return take_count(&value, &limit) && take_parameters(value, &window, 1) && window.count > 0;
}

bool read_dictionary(const char *value, struct told *told)
{
    struct wanted wanted[] = { { "limit", false, 0 }, { "remaining", false, 0 }, { "reset", false, 0 } };

    do {
        pass_blanks(&value, " \t");
        if (!take_pair(&value, wanted, 3))
            return false;
        pass_blanks(&value, " \t");
    } while (take(&value, ','));
    *told = (struct told){ wanted[1].found, wanted[2].found, wanted[1].count, wanted[2].count };
    return *value == '\0' && wanted[0].found && wanted[1].found && wanted[2].found;
}

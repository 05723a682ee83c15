/* keys.h - from what a client shows to the key that its limiter sees, as named rules.
 *
 * A rule is a pure function over text.  Whoever asks is judged by who they are; a rule that puts two people
 * into one bucket refuses the honest, and one that gives a person as many buckets as they like limits nobody.
 * Every design has one: `token-bucket@owner:key=ipv6-64`.  Without `key` it is `as-sent`.  A new rule is a
 * function and a row of the table; flawed ones name the rule that cures them. */
#ifndef LIMITLAB_ALGOS_KEYS_H
#define LIMITLAB_ALGOS_KEYS_H
#include <stdbool.h>
#include <stddef.h>

enum { KEY_TEXT_MAX = 4096 + 64 };      /* what a rule may write, at most */

struct key_rule {
    const char *name, *meaning;
    const char *cure;                   /* of a rule that is wrong: the one that is right; else NULL */
    const char *source;                 /* of a rule that real code has; else NULL */
    /* Writes the key for `sent`, at most KEY_TEXT_MAX bytes; returns how many.  length <= 4096. */
    size_t (*apply)(const char *sent, size_t length, char out[KEY_TEXT_MAX]);
};

extern const struct key_rule key_rules[];       /* the first is the default */
extern const unsigned key_rule_count;

/* By name; NULL when there is none. */
const struct key_rule *key_rule_find(const char *name);

/* Sixteen bytes of an IPv6 address, or of an IPv4 address as ::ffff:a.b.c.d; false when it is neither. */
bool key_address(const char *text, size_t length, unsigned char address[16]);
#endif

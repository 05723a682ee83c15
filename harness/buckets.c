/* buckets.c - see buckets.h. */
#include "buckets.h"
#include <string.h>

static const uint32_t *apply_rule(const struct keys *keys, const struct key_rule *rule, struct keys *out,
                                  struct arena *arena)
{
    uint32_t *bucket = arena_alloc(arena, (keys->count + (size_t)1) * sizeof *bucket);
    char text[KEY_TEXT_MAX];

    for (uint32_t i = 0; i < keys->count; i++) {
        size_t length;
        const char *name = key_name(keys, i, &length);
        size_t sent = length < KEY_BYTES_MAX ? length : KEY_BYTES_MAX;
        bucket[i] = key_intern(out, text, rule->apply(name, sent, text));
    }
    return bucket;
}

/* How much of a key's name says which ceiling it is under. */
static size_t shared_part(enum ceiling_per per, const char *name, size_t length)
{
    const char *colon = per == CEILING_PREFIX ? memchr(name, ':', length) : NULL;

    return per == CEILING_ALL ? 0 : colon ? (size_t)(colon - name) : length;
}

/* The ceilings of keys, numbered from `first` on. */
static const uint32_t *ceilings_of(const struct keys *keys, enum ceiling_per per, uint32_t first,
                                   struct arena *arena)
{
    uint32_t *ceiling = arena_alloc(arena, (keys->count + (size_t)1) * sizeof *ceiling);
    struct keys shared = { 0 };

    for (uint32_t i = 0; i < keys->count; i++) {
        size_t length;
        const char *name = key_name(keys, i, &length);
        ceiling[i] = first + key_intern(&shared, name, shared_part(per, name, length));
    }
    keys_free(&shared);
    return ceiling;
}

void buckets_make(struct buckets *buckets, const struct keys *keys, const struct key_rule *rule,
                  const struct ceiling *ceiling, struct arena *arena)
{
    struct keys named = { 0 };

    *buckets = (struct buckets){ .count = keys->count };
    if (rule) {
        buckets->bucket = apply_rule(keys, rule, &named, arena);
        buckets->count = named.count;
    }
    if (ceiling->limit > 0) {
        buckets->ceiling = ceilings_of(rule ? &named : keys, ceiling->per, buckets->count, arena);
        buckets->group = ceilings_of(keys, ceiling->per, 0, arena);
    }
    keys_free(&named);
}

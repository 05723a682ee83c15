/* explored_text.c - the readable form of what is explored (explored.h). */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "explored.h"
#include "units.h"

enum { NAME_LETTERS = 40, NUMBERS_MAX = 64 };

/* ---- regions ---- */

static bool is_plain(const char *name, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

    return length > 0 && length <= NAME_LETTERS && strspn(name, letters) >= length;
}

static const char *numbered_regions(struct explored *explored, const char *text, struct arena *arena)
{
    int64_t regions;

    if (parse_count(text, 1, SMALL_CLIENTS, &regions))
        return "is not 1 to 16 regions; expected a number, or names";
    explored->regions = (uint32_t)regions;
    for (uint32_t i = 0; i < explored->regions; i++)
        explored->region_name[i] = regions == 1 ? "home" : arena_format(arena, "r%u", i + 1);
    return NULL;
}

const char *explored_regions(struct explored *explored, const char *text, char separator,
                             struct arena *arena)
{
    const char apart[] = { separator, '\0' };

    memset(explored->region_name, 0, sizeof explored->region_name);
    if (*text >= '0' && *text <= '9')
        return numbered_regions(explored, text, arena);
    explored->regions = 0;
    for (size_t length; ; text += length + 1) {
        length = strcspn(text, apart);
        if (!is_plain(text, length) || explored->regions == SMALL_CLIENTS)
            return "is not 1 to 16 names of regions; expected letters, digits, - and _ in each";
        const char *name = arena_format(arena, "%.*s", (int)length, text);
        for (uint32_t i = 0; i < explored->regions; i++)
            if (strcmp(explored->region_name[i], name) == 0)
                return "names a region twice; expected different ones";
        explored->region_name[explored->regions++] = name;
        if (text[length] == '\0')
            return NULL;
    }
}

static bool regions_are_numbered(const struct explored *explored)
{
    char name[8];

    for (uint32_t i = 0; explored->regions > 1 && i < explored->regions; i++)
        if (snprintf(name, sizeof name, "r%u", i + 1), strcmp(explored->region_name[i], name) != 0)
            return false;
    return explored->regions > 1 || strcmp(explored->region_name[0], "home") == 0;
}

static const char *regions_text(const struct explored *explored, struct arena *arena)
{
    const char *text = explored->region_name[0];

    if (regions_are_numbered(explored))
        return explored->regions > 1 ? arena_format(arena, "%u", explored->regions) : NULL;
    for (uint32_t i = 1; i < explored->regions; i++)
        text = arena_format(arena, "%s+%s", text, explored->region_name[i]);
    return text;
}

/* ---- lists of numbers, one for each client ---- */

static const char *numbers_text(const uint32_t *number, uint32_t n, struct arena *arena)
{
    const char *text = arena_format(arena, "%u", number[0]);
    bool alike = true;

    for (uint32_t i = 1; i < n; i++)
        alike &= number[i] == number[0];
    for (uint32_t i = 1; i < n && !alike; i++)
        text = arena_format(arena, "%s+%u", text, number[i]);
    return text;
}

/* One number for all clients, or one for each. */
static const char *parse_numbers(const char *text, int64_t low, int64_t high, uint32_t n, uint32_t *number)
{
    static const char wrong[] = "is not one number, nor one for each client with + between";
    char word[NUMBERS_MAX];
    int64_t value;
    uint32_t count = 0;

    for (size_t length; ; text += length + 1) {
        length = strcspn(text, "+");
        if (count == n || length >= sizeof word)
            return wrong;
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (parse_count(word, low, high, &value))
            return wrong;
        number[count++] = (uint32_t)value;
        if (text[length] == '\0')
            break;
    }
    for (uint32_t i = count; count == 1 && i < n; i++)
        number[i] = number[0];
    return count == 1 || count == n ? NULL : wrong;
}

static bool takes_turns(const struct explored *explored)
{
    for (uint32_t i = 0; i < explored->clients; i++)
        if (explored->region[i] != i % explored->regions)
            return false;
    return true;
}

/* ---- writing ---- */

/* "key=" without a value is left out. */
static const char *with(const char *text, const char *key, const char *value, struct arena *arena)
{
    return value ? arena_format(arena, "%s%s%s=%s", text, *text ? "," : "", key, value) : text;
}

static const char *number(int64_t value, int64_t standard, struct arena *arena)
{
    return value == standard ? NULL : arena_format(arena, "%lld", (long long)value);
}

static const char *hexadecimal(uint64_t value, struct arena *arena)
{
    return value ? arena_format(arena, "%016" PRIx64, value) : NULL;
}

static const char *clients_text(const struct explored *explored, struct arena *arena)
{
    const char *text = "";

    if (explored->arrivals_digest) {
        text = with(text, "arrivals", hexadecimal(explored->arrivals_digest, arena), arena);
        return with(text, "without", hexadecimal(explored->without, arena), arena);
    }
    text = with(text, "clients", number(explored->clients, 0, arena), arena);
    text = with(text, "requests", numbers_text(explored->requests, explored->clients, arena), arena);
    text = with(text, "cost", number(explored->cost, 1, arena), arena);
    if (takes_turns(explored))
        return text;
    return with(text, "in", numbers_text(explored->region, explored->clients, arena), arena);
}

const char *explored_text(const struct explored *explored, struct arena *arena)
{
    const char *text = with("", "regions", regions_text(explored, arena), arena);
    const char *clients = clients_text(explored, arena);
    char period[UNITS_TEXT];

    text = arena_format(arena, "%s%s%s", text, *text ? "," : "", clients);
    text = with(text, "limit", number(explored->limit, 0, arena), arena);
    text = with(text, "period", duration_text(explored->period_ns, period), arena);
    text = with(text, "burst", number(explored->burst, 0, arena), arena);
    text = with(text, "target", explored->target == TARGET_WINDOW ? "window" : NULL, arena);
    text = with(text, "crashes", number(explored->crashes, 0, arena), arena);
    text = with(text, "store-faults", number(explored->forgets, 0, arena), arena);
    return with(text, "design", explored->design, arena);
}

/* ---- reading ---- */

static bool parse_hexadecimal(const char *text, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < 16; i++) {
        const char *digit = text[i] ? strchr("0123456789abcdef", text[i]) : NULL;
        if (!digit)
            return false;
        *value = *value << 4 | (uint64_t)(digit - "0123456789abcdef");
    }
    return text[16] == '\0';
}

/* What stands after a key. */
enum kind { REGIONS, SMALL, EACH_CLIENT, EACH_REGION, LARGE, SPAN, DIGITS, WINDOW };

static const struct key {
    const char *name;
    enum kind kind;
    size_t offset;
    int64_t low, high;
} keys[] = {
    { "regions", REGIONS, 0, 0, 0 },
    { "arrivals", DIGITS, offsetof(struct explored, arrivals_digest), 0, 0 },
    { "without", DIGITS, offsetof(struct explored, without), 0, 0 },
    { "clients", SMALL, offsetof(struct explored, clients), 1, SMALL_CLIENTS },
    { "requests", EACH_CLIENT, offsetof(struct explored, requests), 1, SMALL_REQUESTS },
    { "cost", LARGE, offsetof(struct explored, cost), 1, COST_MAX },
    { "in", EACH_REGION, offsetof(struct explored, region), 0, 0 },
    { "limit", LARGE, offsetof(struct explored, limit), 1, COST_MAX },
    { "period", SPAN, offsetof(struct explored, period_ns), 0, 0 },
    { "burst", LARGE, offsetof(struct explored, burst), 1, COST_MAX },
    { "target", WINDOW, offsetof(struct explored, target), 0, 0 },
    { "crashes", SMALL, offsetof(struct explored, crashes), 0, EXPLORED_FAULTS_MAX },
    { "store-faults", SMALL, offsetof(struct explored, forgets), 0, EXPLORED_FAULTS_MAX },
};

static const struct key *find_key(const char *name)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

/* One value; NULL, or what is wrong. */
static const char *take(struct explored *e, const struct key *key, const char *value, struct arena *arena)
{
    void *slot = (char *)e + key->offset;

    switch (key->kind) {
    case REGIONS:     return explored_regions(e, value, '+', arena);
    case SMALL:       return parse_numbers(value, key->low, key->high, 1, slot);
    case EACH_CLIENT: return parse_numbers(value, key->low, key->high, e->clients, slot);
    case EACH_REGION: return parse_numbers(value, 0, e->regions - 1, e->clients, slot);
    case LARGE:       return parse_count(value, key->low, key->high, slot);
    case SPAN:        return parse_duration(value, slot);
    case DIGITS:      return parse_hexadecimal(value, slot) ? NULL : "is not 16 hexadecimal digits";
    default:          break;
    }
    e->target = TARGET_WINDOW;
    return strcmp(value, "window") == 0 ? NULL : "is not window";
}

static void take_turns_again(struct explored *explored)
{
    for (uint32_t i = 0; i < SMALL_CLIENTS; i++)
        explored->region[i] = i % explored->regions;
}

/* "key=value," of a longer text; NULL, or what is wrong. */
static const char *parse_pair(struct explored *explored, const char **text, struct arena *arena)
{
    size_t name = strcspn(*text, "=,"), length = strcspn(*text, ",");

    if ((*text)[name] != '=' || (*text)[length] != ',')
        return "has no design=... at its end";
    const struct key *key = find_key(arena_format(arena, "%.*s", (int)name, *text));
    const char *value = arena_format(arena, "%.*s", (int)(length - name - 1), *text + name + 1);
    if (!key)
        return arena_format(arena, "has a key '%.*s'; expected one of a small world", (int)name, *text);
    const char *why = take(explored, key, value, arena);
    if (why)
        return arena_format(arena, "has %s=%.60s, which %s", key->name, value, why);
    if (key->kind == REGIONS)
        take_turns_again(explored);
    *text += length + 1;
    return NULL;
}

const char *explored_parse(struct explored *explored, const char *text, struct arena *arena)
{
    const char *whole = text, *why = NULL;

    explored_init(explored, 1, 1, 1);
    while (!why && strncmp(text, "design=", 7) != 0)
        why = parse_pair(explored, &text, arena);
    if (why)
        return why;
    explored->design = arena_text(arena, text + 7);
    /* What limitlab writes it reads back to the letter; anything else was not written by it. */
    return strcmp(explored_text(explored, arena), whole) == 0 ? NULL
         : "is not written as limitlab does; expected keys in their order, each once";
}

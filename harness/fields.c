/* fields.c - see fields.h. */
#include "fields.h"
#include <stdio.h>
#include <string.h>
#include "units.h"

enum { NAMES_MAX = 128, LIST_TEXT = 400 };

int name_index(const char *text, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    return -1;
}

/* "a, b or c", cut where the room ends. */
static const char *names_text(const char *const *names, char room[LIST_TEXT])
{
    size_t used = 0;

    room[0] = '\0';
    for (unsigned i = 0; names[i]; i++) {
        const char *between = !names[i + 1] ? "" : names[i + 2] ? ", " : " or ";
        int wrote = snprintf(room + used, LIST_TEXT - used, "%s%s", names[i], between);
        if (wrote < 0 || (size_t)wrote >= LIST_TEXT - used)
            break;
        used += (size_t)wrote;
    }
    return room;
}

bool refuse_name(struct loading *loading, const struct yaml_tree *node, const char *what, const char *text,
                 const char *const *names)
{
    char room[LIST_TEXT];
    const char *nearest = nearest_name(text, names);

    if (nearest)
        return refuse_node(loading, node, "%s: '%.60s' is not known; did you mean '%s'?", what, text,
                           nearest);
    return refuse_node(loading, node, "%s: '%.60s' is not known; expected %s", what, text,
                       names_text(names, room));
}

/* ---- readers of one value ---- */

const char *node_text(struct loading *loading, const struct yaml_tree *node, const char *name,
                      const char *type)
{
    if (node->kind == YAML_TEXT)
        return node->text;
    refuse_node(loading, node, "%s is %s; expected %s", name, yaml_kind_text(node), type);
    return NULL;
}

bool read_text(struct loading *loading, const struct yaml_tree *node, const struct field *field, void *slot)
{
    const char *text = node_text(loading, node, field->name, field->type);

    *(const char **)slot = text;
    return text;
}

bool read_choice(struct loading *loading, const struct yaml_tree *node, const struct field *field, void *slot)
{
    const char *text = node_text(loading, node, field->name, field->type);

    if (!text)
        return false;
    int index = name_index(text, field->choices);
    if (index < 0)
        return refuse_name(loading, node, field->name, text, field->choices);
    *(unsigned *)slot = (unsigned)index;
    return true;
}

/* What a parser of units.h made of the text, with the key's name in front of its complaint. */
static bool accept(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                   const char *wrong)
{
    return !wrong || refuse_node(loading, node, "%s: '%.60s' %s", field->name, node->text, wrong);
}

bool read_count(struct loading *loading, const struct yaml_tree *node, const struct field *field, void *slot)
{
    int64_t *count = slot;
    const char *text = node_text(loading, node, field->name, field->type);

    if (!text || !accept(loading, node, field, parse_count(text, INT64_MIN, INT64_MAX, count)))
        return false;
    if (*count < field->low || *count > field->high)
        return refuse_node(loading, node, "%s: '%.60s' is out of range; expected %lld to %lld", field->name,
                           text, (long long)field->low, (long long)field->high);
    return true;
}

bool read_count_32(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                   void *slot)
{
    int64_t count = 0;
    bool good = read_count(loading, node, field, &count);

    *(uint32_t *)slot = (uint32_t)count;
    return good;
}

static bool within_durations(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                             int64_t ns)
{
    char low[UNITS_TEXT], high[UNITS_TEXT];

    if (ns >= field->low && ns <= field->high)
        return true;
    return refuse_node(loading, node, "%s: '%.60s' is out of range; expected %s to %s", field->name,
                       node->text, duration_text(field->low, low), duration_text(field->high, high));
}

bool read_duration(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                   void *slot)
{
    int64_t *ns = slot;
    const char *text = node_text(loading, node, field->name, field->type);

    return text && accept(loading, node, field, parse_duration(text, ns)) &&
           within_durations(loading, node, field, *ns);
}

bool read_signed_duration(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                          void *slot)
{
    int64_t *ns = slot;
    const char *text = node_text(loading, node, field->name, field->type);

    return text && accept(loading, node, field, parse_signed_duration(text, ns)) &&
           within_durations(loading, node, field, *ns);
}

bool read_rate(struct loading *loading, const struct yaml_tree *node, const struct field *field, void *slot)
{
    int64_t *per_hour = slot;
    const char *text = node_text(loading, node, field->name, field->type);

    if (!text || !accept(loading, node, field, parse_rate(text, per_hour)))
        return false;
    if (*per_hour < field->low || *per_hour > field->high)
        return refuse_node(loading, node, "%s: '%.60s' is out of range; expected %lld/h to %lld/s",
                           field->name, text, (long long)field->low, (long long)field->high / 3600);
    return true;
}

bool read_probability(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                      void *slot)
{
    const char *text = node_text(loading, node, field->name, field->type);

    return text && accept(loading, node, field, parse_probability(text, slot));
}

bool read_fraction(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                   void *slot)
{
    int64_t *billionths = slot;
    const char *text = node_text(loading, node, field->name, field->type);

    if (!text || !accept(loading, node, field, parse_fraction(text, billionths)))
        return false;
    if (*billionths < field->low || *billionths > field->high)
        return refuse_node(loading, node, "%s: '%.60s' is out of range; expected %lld to %lld", field->name,
                           text, (long long)field->low / 1000000000, (long long)field->high / 1000000000);
    return true;
}

bool node_list(struct loading *loading, const struct yaml_tree *node, const struct field *field,
               unsigned *count, const struct yaml_tree **first)
{
    if (node->kind == YAML_MAPPING || (node->kind == YAML_LIST && !node->children))
        return refuse_node(loading, node, "%s is %s; expected %s", field->name,
                           node->children ? "a mapping" : "empty", field->type);
    *count = node->kind == YAML_LIST ? node->children : 1;
    *first = node->kind == YAML_LIST ? node->first : node;
    return true;
}

/* ---- mappings ---- */

static bool takes(const struct field *field, unsigned variant)
{
    return !field->variants || field->variants >> variant & 1;
}

/* The row of a key: the variant's own, else any of that name. */
static const struct field *field_named(const struct section *section, unsigned variant, const char *name)
{
    const struct field *found = NULL;

    for (const struct field *field = section->fields; field->name; field++)
        if (strcmp(field->name, name) == 0 && (!found || takes(field, variant)))
            found = field;
    return found;
}

static bool refuse_at_key(struct loading *loading, const struct yaml_tree *child, const char *what)
{
    return fail(loading->failure, EXIT_USAGE, child->key_origin.file, child->key_origin.line, "%s", what);
}

static bool refuse_unknown(struct loading *loading, const struct yaml_tree *child,
                           const struct section *section)
{
    const char *names[NAMES_MAX + 1] = { NULL };
    char room[LIST_TEXT];

    for (unsigned i = 0; section->fields[i].name && i < NAMES_MAX; i++)
        names[i] = section->fields[i].name;
    const char *nearest = nearest_name(child->key, names);
    if (nearest)
        return refuse_at_key(loading, child,
                             arena_format(loading->arena, "%s has no key '%.60s'; did you mean '%s'?",
                                          section->noun, child->key, nearest));
    return refuse_at_key(loading, child,
                         arena_format(loading->arena, "%s has no key '%.60s'; expected %s", section->noun,
                                      child->key, names_text(names, room)));
}

/* "'on' does not belong to poisson; expected only with on-off". */
static bool refuse_variant(struct loading *loading, const struct yaml_tree *child,
                           const struct section *section, unsigned variant)
{
    const char *names[NAMES_MAX + 1] = { NULL };
    char room[LIST_TEXT];
    unsigned count = 0;

    for (unsigned i = 0; section->variants[i]; i++)
        if (takes(field_named(section, i, child->key), i))
            names[count++] = section->variants[i];
    return refuse_at_key(loading, child,
                         arena_format(loading->arena, "'%s' does not belong to %s; expected only with %s",
                                      child->key, section->variants[variant], names_text(names, room)));
}

/* No key twice.  Only called for keys that rows name, so that there are few of them. */
static bool is_repeated(const struct yaml_tree *mapping, const struct yaml_tree *child)
{
    return yaml_child(mapping, child->key) != child;
}

static bool check_keys(struct loading *loading, const struct yaml_tree *node, const struct section *section,
                       unsigned variant)
{
    unsigned others = 0;

    for (const struct yaml_tree *child = node->first; child; child = child->next) {
        const struct field *field = field_named(section, variant, child->key);
        if (!field && !section->other)
            return refuse_unknown(loading, child, section);
        if (!field && ++others > NAMES_MAX)
            return refuse_at_key(loading, child, "too many keys; expected at most 128 here");
        if (is_repeated(node, child))
            return refuse_at_key(loading, child,
                                 arena_format(loading->arena,
                                              "the key '%.60s' is stated twice; expected once", child->key));
        if (field && !takes(field, variant))
            return refuse_variant(loading, child, section, variant);
    }
    return true;
}

static bool read_missing(struct loading *loading, const struct yaml_tree *node, const struct section *section,
                         const struct field *field, void *slot)
{
    if (!field->standard)
        return refuse_node(loading, node, "%s lacks '%s'; expected %s: %s", section->noun, field->name,
                           field->name, field->example);
    if (field->standard[0] == '(')
        return true;
    struct yaml_tree said = { .kind = YAML_TEXT, .text = field->standard, .origin = node->origin };
    return field->read(loading, &said, field, slot);
}

bool read_section(struct loading *loading, const struct yaml_tree *node, const struct section *section,
                  unsigned variant, void *object)
{
    if (node->kind != YAML_MAPPING)
        return refuse_node(loading, node, "%s is %s; expected a mapping, as in {%s: %s}", section->noun,
                           yaml_kind_text(node), section->fields->name, section->fields->example);
    if (!check_keys(loading, node, section, variant))
        return false;
    for (const struct field *field = section->fields; field->name; field++) {
        const struct yaml_tree *child = yaml_child(node, field->name);
        char *slot = (char *)object + field->offset;
        if (!takes(field, variant))
            continue;
        if (child ? !field->read(loading, child, field, slot)
                  : !read_missing(loading, node, section, field, slot))
            return false;
    }
    for (const struct yaml_tree *child = node->first; child; child = child->next)
        if (!field_named(section, variant, child->key) && !section->other(loading, child, NULL, object))
            return false;
    return true;
}

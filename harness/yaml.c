/* yaml.c - see yaml.h.  libyaml's parser turns text into events; an explicit stack turns events into the
 * tree, so that no depth of nesting can exhaust the C stack. */
#include "yaml.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

/* What is being built: the open containers, innermost last. */
struct builder {
    const char *file;
    bool is_option;                     /* the text is the value of an option: it has no lines */
    struct arena *arena;
    struct failure *failure;
    struct yaml_tree *root;
    unsigned nodes, depth;
    struct yaml_tree *open[YAML_DEPTH_MAX];
    const char *key;                    /* the key that waits for its value; NULL: none */
    struct origin key_origin;
};

const char *yaml_kind_text(const struct yaml_tree *node)
{
    static const char *const words[] = { [YAML_TEXT] = "text", [YAML_LIST] = "a list",
                                         [YAML_MAPPING] = "a mapping" };

    return words[node->kind];
}

struct yaml_tree *yaml_child(const struct yaml_tree *mapping, const char *key)
{
    struct yaml_tree *child = mapping->kind == YAML_MAPPING ? mapping->first : NULL;

    while (child && strcmp(child->key, key) != 0)
        child = child->next;
    return child;
}

static void append(struct yaml_tree *parent, struct yaml_tree *child)
{
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->children++;
}

static unsigned line_at(const struct builder *b, size_t index)
{
    return b->is_option ? 0 : (unsigned)index + 1;
}

static unsigned line_of(const struct builder *b, const yaml_event_t *event)
{
    return line_at(b, event->start_mark.line);
}

static bool refuse(struct builder *b, unsigned line, const char *what, const char *expected)
{
    return fail(b->failure, EXIT_USAGE, b->file, line, "%s; expected %s", what, expected);
}

/* Hangs a new node where the next value belongs. */
static struct yaml_tree *add_node(struct builder *b, enum yaml_kind kind, unsigned line)
{
    struct yaml_tree *node = arena_alloc(b->arena, sizeof *node);

    *node = (struct yaml_tree){ .kind = kind, .origin = { b->file, line },
                                .key = b->key, .key_origin = b->key_origin };
    b->key = NULL;
    if (b->depth)
        append(b->open[b->depth - 1], node);
    else
        b->root = node;
    return node;
}

/* Is a key due, rather than a value? */
static bool key_is_due(const struct builder *b)
{
    return b->depth && b->open[b->depth - 1]->kind == YAML_MAPPING && !b->key;
}

static bool open_container(struct builder *b, enum yaml_kind kind, unsigned line)
{
    if (key_is_due(b))
        return refuse(b, line, "a list or mapping stands where a key belongs",
                      "a plain word, as in limit: 10");
    if (b->depth == YAML_DEPTH_MAX)
        return refuse(b, line, "lists and mappings are nested too deeply", "at most 16 levels");
    struct yaml_tree *node = add_node(b, kind, line);
    b->open[b->depth++] = node;
    return true;
}

static bool add_text(struct builder *b, const yaml_event_t *event)
{
    const char *value = (const char *)event->data.scalar.value;

    if (memchr(value, 0, event->data.scalar.length))
        return refuse(b, line_of(b, event), "a value contains a NUL byte", "text");
    if (key_is_due(b)) {
        b->key = arena_text(b->arena, value);
        b->key_origin = (struct origin){ b->file, line_of(b, event) };
        return true;
    }
    struct yaml_tree *node = add_node(b, YAML_TEXT, line_of(b, event));
    node->text = arena_text(b->arena, value);
    return true;
}

/* Anchor and tag of an event, if it is of a kind that can have them. */
static bool is_decorated(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return true;
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor || event->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor || event->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor || event->data.mapping_start.tag;
    case YAML_DOCUMENT_START_EVENT:
        return event->data.document_start.version_directive ||
               event->data.document_start.tag_directives.start !=
               event->data.document_start.tag_directives.end;
    default:
        return false;
    }
}

static bool take_event(struct builder *b, const yaml_event_t *event)
{
    unsigned line = line_of(b, event);

    if (is_decorated(event))
        return refuse(b, line, "anchors (&), aliases (*), tags (!) and directives (%) are not read here",
                      "the value itself, or text in quotes");
    if (++b->nodes > YAML_NODES_MAX)
        return refuse(b, line, "the file holds too many values", "at most 100000");
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return !b->root || refuse(b, line, "a second document begins", "one document a file");
    case YAML_SCALAR_EVENT:
        return add_text(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_container(b, YAML_LIST, line);
    case YAML_MAPPING_START_EVENT:
        return open_container(b, YAML_MAPPING, line);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        return true;
    default:
        return true;
    }
}

/* libyaml gives an offset instead of a line for bytes that are no text at all. */
static size_t lines_before(const char *text, size_t bytes, size_t offset)
{
    size_t lines = 0;

    for (size_t i = 0; i < bytes && i < offset; i++)
        lines += text[i] == '\n';
    return lines;
}

static bool refuse_syntax(struct builder *b, const yaml_parser_t *parser, const char *text, size_t bytes)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return fail(b->failure, EXIT_TROUBLE, b->file, 0, "out of memory");
    size_t index = parser->error == YAML_READER_ERROR ? lines_before(text, bytes, parser->problem_offset)
                                                      : parser->problem_mark.line;
    return fail(b->failure, EXIT_USAGE, b->file, line_at(b, index),
                "this is not YAML (%s); expected key: value",
                parser->problem ? parser->problem : "for no stated reason");
}

static bool build(struct builder *b, yaml_parser_t *parser, const char *text, size_t bytes)
{
    bool good = true, ended = false;

    while (good && !ended) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return refuse_syntax(b, parser, text, bytes);
        ended = event.type == YAML_STREAM_END_EVENT;
        good = take_event(b, &event);
        yaml_event_delete(&event);
    }
    return good;
}

static struct yaml_tree *parse(struct builder *b, const char *text, size_t bytes)
{
    yaml_parser_t parser;

    if (bytes > YAML_BYTES_MAX) {
        refuse(b, 0, "the text is too large", "at most 1 MiB of YAML");
        return NULL;
    }
    if (!yaml_parser_initialize(&parser)) {
        fail(b->failure, EXIT_TROUBLE, b->file, 0, "out of memory");
        return NULL;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);
    bool good = build(b, &parser, text, bytes);
    yaml_parser_delete(&parser);
    if (!good)
        return NULL;
    return b->root ? b->root : add_node(b, YAML_MAPPING, line_at(b, 0));
}

struct yaml_tree *yaml_parse(const char *text, size_t bytes, const char *file, struct arena *arena,
                             struct failure *failure)
{
    struct builder b = { .file = file, .arena = arena, .failure = failure };

    return parse(&b, text, bytes);
}

/* ---- one value at a dotted path ---- */

enum { INDEX_NONE = -1 };

/* The number that a part of a path is, else INDEX_NONE.  Nine digits are more than any list has. */
static long index_of(const char *part)
{
    size_t digits = strspn(part, "0123456789");

    return digits && digits <= 9 && !part[digits] ? strtol(part, NULL, 10) : INDEX_NONE;
}

static struct yaml_tree *item_at(const struct yaml_tree *list, long index)
{
    struct yaml_tree *item = list->first;

    while (item && index-- > 0)
        item = item->next;
    return item;
}

static struct yaml_tree *create_child(struct yaml_tree *parent, const char *key, const char *origin,
                                      struct arena *arena)
{
    struct yaml_tree *child = arena_alloc(arena, sizeof *child);

    *child = (struct yaml_tree){ .kind = YAML_MAPPING, .origin = { origin, 0 }, .key_origin = { origin, 0 },
                                 .key = parent->kind == YAML_MAPPING ? arena_text(arena, key) : NULL };
    append(parent, child);
    return child;
}

/* The child that `part` names, created where it may be; NULL: *failure says why not. */
static struct yaml_tree *step_into(struct yaml_tree *parent, const char *part, const char *origin,
                                   struct arena *arena, struct failure *failure)
{
    long index = index_of(part);

    /* A container that this path has just created becomes what its first child makes of it. */
    if (parent->kind == YAML_MAPPING && !parent->first && !parent->origin.line && index != INDEX_NONE)
        parent->kind = YAML_LIST;
    if (parent->kind == YAML_MAPPING) {
        struct yaml_tree *child = yaml_child(parent, part);
        return child ? child : create_child(parent, part, origin, arena);
    }
    if (parent->kind == YAML_LIST && index != INDEX_NONE && index <= (long)parent->children) {
        struct yaml_tree *item = item_at(parent, index);
        return item ? item : create_child(parent, NULL, origin, arena);
    }
    if (parent->kind == YAML_LIST)
        fail(failure, EXIT_USAGE, origin, 0, "the path has '%.60s' for a list of %u; expected 0 to %u", part,
             parent->children, parent->children);
    else
        fail(failure, EXIT_USAGE, origin, 0, "the path goes on below a plain value with '%.60s'; expected a "
             "path to a mapping or list (set '%.60s' as a whole)", part,
             parent->key ? parent->key : "the list item");
    return NULL;
}

/* Walks down the path, whose dots become NULs. */
static struct yaml_tree *walk(struct yaml_tree *root, char *path, const char *origin, struct arena *arena,
                              struct failure *failure)
{
    struct yaml_tree *node = root;
    unsigned depth = 0;

    for (char *part = path, *rest; node && part; part = rest) {
        rest = strchr(part, '.');
        if (rest)
            *rest++ = 0;
        if (!*part || ++depth > YAML_DEPTH_MAX) {
            fail(failure, EXIT_USAGE, origin, 0,
                 "'%.60s' is not a path; expected keys with dots between, as in policy.limit", part);
            return NULL;
        }
        node = step_into(node, part, origin, arena, failure);
    }
    return node;
}

static struct yaml_tree *parse_value(const char *value, const char *origin, struct arena *arena,
                                     struct failure *failure)
{
    struct builder b = { .file = origin, .is_option = true, .arena = arena, .failure = failure };

    if (*value && strchr("[{\"'", *value))
        return parse(&b, value, strlen(value));
    struct yaml_tree *node = add_node(&b, YAML_TEXT, 0);
    node->text = arena_text(arena, value);
    return node;
}

bool yaml_set(struct yaml_tree *root, const char *path, const char *value, const char *origin,
              struct arena *arena, struct failure *failure)
{
    struct yaml_tree *node = walk(root, arena_text(arena, path), origin, arena, failure);
    struct yaml_tree *said = node ? parse_value(value, origin, arena, failure) : NULL;

    if (!said)
        return false;
    node->kind = said->kind;
    node->text = said->text;
    node->first = said->first;
    node->last = said->last;
    node->children = said->children;
    node->origin = node->key_origin = (struct origin){ origin, 0 };
    return true;
}

/* ---- files ---- */

char *yaml_read_file(const char *path, size_t *bytes, struct arena *arena, struct failure *failure)
{
    FILE *file = fopen(path, "rb");

    if (!file) {
        fail(failure, EXIT_USAGE, path, 0, "cannot be opened (%s); expected a file to read", strerror(errno));
        return NULL;
    }
    char *text = arena_alloc(arena, YAML_BYTES_MAX + 2);
    *bytes = fread(text, 1, YAML_BYTES_MAX + 1, file);
    bool failed = ferror(file);
    int why = errno;
    fclose(file);
    if (failed)
        fail(failure, EXIT_USAGE, path, 0, "cannot be read (%s); expected a file to read", strerror(why));
    else if (*bytes > YAML_BYTES_MAX)
        fail(failure, EXIT_USAGE, path, 0, "is too large; expected at most 1 MiB");
    return failed || *bytes > YAML_BYTES_MAX ? NULL : text;
}

/* import_json.c - JSON lines as records.
 *
 * jansson says whether a line is JSON, and decodes texts.  Numbers are taken as they are written, from the
 * line: a time with nine decimals does not survive as a double. */
#include "import_reader.h"

static bool open_json(struct import_reader *reader, struct failure *failure)
{
    return reader->name[FIELD_TIME]
           || fail(failure, EXIT_USAGE, reader->lines->name, 0,
                   "is read as JSON lines; expected --time with the field that has the time");
}

/* ---- finding a value in a text that is known to be JSON ---- */

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* at: the quote that opens a text; returns what is behind the one that closes it. */
static const char *skip_text(const char *at)
{
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

static const char *skip_value(const char *at)
{
    unsigned depth = 0;

    for (;;) {
        if (*at == '"') {
            at = skip_text(at);
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0)
                return at;
            depth--;
            at++;
        } else if (*at == ',' && depth == 0) {
            return at;
        } else if (*at == '\0') {
            return at;
        } else {
            at++;
        }
    }
}

/* object: behind its opening brace.  The value of a member, NULL when there is none of that name. */
static const char *find_member(const char *object, const char *name, size_t length)
{
    for (const char *at = skip_space(object); *at == '"'; at = skip_space(at)) {
        const char *member = at + 1;
        at = skip_text(at);
        bool same = (size_t)(at - member) == length + 1 && memcmp(member, name, length) == 0;
        at = skip_space(skip_space(at) + 1);
        if (same)
            return at;
        at = skip_value(at);
        at += *at == ',';
    }
    return NULL;
}

/* A name with dots is a member's whole name, or else a path. */
static const char *find_path(const char *object, const char *path)
{
    const char *value = find_member(object, path, strlen(path));

    for (const char *dot = strchr(path, '.'); value == NULL && dot; dot = strchr(dot + 1, '.')) {
        const char *inner = find_member(object, path, (size_t)(dot - path));
        if (inner && *inner == '{')
            value = find_path(inner + 1, dot + 1);
    }
    return value;
}

/* ---- records ---- */

static void forget_texts(struct import_reader *reader)
{
    for (int i = 0; i < FIELDS; i++) {
        json_decref(reader->decoded[i]);
        reader->decoded[i] = NULL;
    }
}

static enum reading bad_line(struct import_reader *reader, struct failure *failure, const char *name,
                             const char *why)
{
    fail(failure, EXIT_USAGE, reader->lines->name, reader->lines->line, "%s%.100s%s%s",
         name ? "field \"" : "", name ? name : "", name ? "\" " : "", why);
    return READ_BAD;
}

static bool is_object(const char *line, size_t length, char why[JSON_ERROR_TEXT_LENGTH])
{
    json_error_t error;
    json_t *root = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    bool object = json_is_object(root);

    snprintf(why, JSON_ERROR_TEXT_LENGTH, "%s", root ? "a value of another kind" : error.text);
    json_decref(root);
    return object;
}

/* The text of one value; false when it is null, a list or an object. */
static bool read_value(struct import_reader *reader, int field, const char *value)
{
    struct import_text *out = &reader->field[field];

    if (*value == '"') {
        size_t length = (size_t)(skip_text(value) - value);
        json_t *decoded = reader->decoded[field] = json_loadb(value, length, JSON_DECODE_ANY, NULL);
        *out = (struct import_text){ json_string_value(decoded), json_string_length(decoded) };
        return out->text != NULL;
    }
    out->text = value;
    out->length = strcspn(value, " \t\r\n,}");
    return *value != '{' && *value != '[' && *value != 'n';
}

/* Values that are not texts still lie in the line: they get their own NUL. */
static void close_values(struct import_reader *reader)
{
    for (int i = 0; i < FIELDS; i++) {
        if (reader->field[i].text && reader->decoded[i] == NULL)
            reader->lines->text[reader->field[i].text + reader->field[i].length - reader->lines->text] = '\0';
    }
}

static enum reading next_object(struct import_reader *reader, struct failure *failure)
{
    enum reading reading = lines_next_filled(reader->lines, failure);
    const char *line = reader->lines->text;
    char why[JSON_ERROR_TEXT_LENGTH];

    reader->record_lines = 1;
    forget_texts(reader);
    if (reading != READ_ITEM)
        return reading;
    if (!is_object(line, reader->lines->length, why)) {
        fail(failure, EXIT_USAGE, reader->lines->name, reader->lines->line,
             "has no JSON object (%s); expected one on each line", why);
        return READ_BAD;
    }
    for (int i = 0; i < FIELDS; i++) {
        if (reader->name[i] == NULL)
            continue;
        const char *value = find_path(skip_space(line) + 1, reader->name[i]);
        if (value == NULL)
            return bad_line(reader, failure, reader->name[i], "is missing; expected it in every object");
        if (!read_value(reader, i, value))
            return bad_line(reader, failure, reader->name[i],
                            "has no plain value; expected a text or a number");
    }
    close_values(reader);
    return READ_ITEM;
}

const struct import_format import_json = {
    .name = "JSON lines", .taken_for = " (taken for JSON lines)", .times_own = false,
    .open = open_json, .next = next_object, .close = forget_texts
};

/* fields.h - typed reading of YAML mappings, driven by tables: one row a key.
 *
 * A row says how a key is called, how its value is read and into which member, what stands there when the key
 * is missing, and what it means.  The same rows are the documentation (scenarios/README.md; a test compares),
 * so that a key cannot exist without a line about it. */
#ifndef LIMITLAB_FIELDS_H
#define LIMITLAB_FIELDS_H
#include <stdint.h>
#include "yaml.h"

struct scenario_draft;
struct field;

/* What every reader is handed. */
struct loading {
    struct arena *arena;
    struct failure *failure;
    struct scenario_draft *draft;       /* what is being filled in, for values that refer to other ones */
};

/* Reads a value into `slot`, the member at field->offset.  False: *loading->failure says where and why
 * not. */
typedef bool field_reader(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                          void *slot);

struct field {
    const char *name;
    const char *type;                   /* in words, for the documentation */
    field_reader *read;
    size_t offset;
    int64_t low, high;                  /* counts and durations: the range, both ends included */
    const char *const *choices;         /* read_choice: the names, in the order of the enum, then NULL */
    unsigned variants;                  /* bit i: variant i of the section takes this key; 0: all of them
                                           do */
    const char *standard;               /* when the key is missing: this text is read; "(words)": the zero
                                           that is there already, described; NULL: the key must be
                                           there */
    const char *example;                /* a value that is read without complaint */
    const char *meaning;                /* one line */
};

/* One kind of mapping. */
struct section {
    const char *path;                   /* where such mappings stand: "topology.links[]" */
    const char *noun;                   /* what one is, for messages: "a link" */
    const struct field *fields;         /* ends with a row without a name */
    const char *const *variants;        /* their names, then NULL, when it has any */
    /* A key that no row names: NULL to refuse it (with the nearest name that is known). */
    field_reader *other;
};

/* Reads a mapping into object, which arrives zeroed.  Refuses what is no mapping, unknown keys (suggesting
 * the nearest one), keys stated twice, keys of other variants, and missing keys without a default.  Values
 * are read in the order of the rows, whatever their order in the file, and the `other` ones last. */
bool read_section(struct loading *loading, const struct yaml_tree *node, const struct section *section,
                  unsigned variant, void *object);

/* Readers of one value.  Each takes the member's type named. */
field_reader read_text;                 /* const char * */
field_reader read_choice;               /* an enum whose values follow field->choices */
field_reader read_count;                /* int64_t (and uint64_t, where low >= 0) within low .. high */
field_reader read_count_32;             /* uint32_t within low .. high */
field_reader read_duration;             /* int64_t ns within low .. high */
field_reader read_signed_duration;      /* the same */
field_reader read_rate;                 /* int64_t requests an hour within low .. high */
field_reader read_probability;          /* uint32_t billionths */
field_reader read_fraction;             /* int64_t billionths within low .. high */

/* The text of a node that must be one; NULL: *failure says that it is not. */
const char *node_text(struct loading *loading, const struct yaml_tree *node, const char *name,
                      const char *type);

/* How many values there are when one may stand for a list of one, and the first of them (walk along ->next
 * only while counting).  False: it is a mapping, or an empty list. */
bool node_list(struct loading *loading, const struct yaml_tree *node, const struct field *field,
               unsigned *count, const struct yaml_tree **first);

/* Always false: "file:line: NAME: ..." with the node's origin. */
#define refuse_node(loading, node, ...) \
    fail((loading)->failure, EXIT_USAGE, (node)->origin.file, (node)->origin.line, __VA_ARGS__)

/* Always false: 'text' is not one of the names; the nearest is suggested, or all are listed. */
bool refuse_name(struct loading *loading, const struct yaml_tree *node, const char *what, const char *text,
                 const char *const *names);

/* The index of text in names (which end with NULL), or -1. */
int name_index(const char *text, const char *const *names);
#endif

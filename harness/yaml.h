/* yaml.h - YAML text as a tree of marked nodes: every key and value knows the line that said it.
 *
 * A small, strict part of YAML, because a scenario is data from somebody else: one document of mappings,
 * lists and scalars.  Every scalar is text, quoted or not; its key decides how it is read (so a region may be
 * called `no`, and nothing turns 1e3 or 010 into some other number).  Refused, each with its line: anchors
 * and aliases (three lines of them can stand for a billion nodes), tags, directives, a second document, keys
 * that are not text, keys stated twice, NUL bytes, and more than YAML_DEPTH_MAX levels, YAML_NODES_MAX nodes
 * or YAML_BYTES_MAX bytes. */
#ifndef LIMITLAB_YAML_H
#define LIMITLAB_YAML_H
#include "arena.h"
#include "failure.h"
#include "origin.h"

enum { YAML_BYTES_MAX = 1 << 20, YAML_NODES_MAX = 100000, YAML_DEPTH_MAX = 16 };

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAPPING };

struct yaml_tree {
    enum yaml_kind kind;
    const char *text;                   /* TEXT: the value */
    struct yaml_tree *first, *last;     /* LIST, MAPPING: its children in order ... */
    unsigned children;                  /* ... and how many they are */
    struct origin origin;
    const char *key;                    /* a child of a mapping: under this key, ... */
    struct origin key_origin;           /* ... which was said here */
    struct yaml_tree *next;             /* the next child of the same parent */
};

/* What a node is, in words: "text", "a list", "a mapping". */
const char *yaml_kind_text(const struct yaml_tree *node);

/* NULL: *failure says where and why not.  `file` is named in messages and origins; it and the tree live in
 * the arena (file is borrowed).  Empty text is an empty mapping. */
struct yaml_tree *yaml_parse(const char *text, size_t bytes, const char *file, struct arena *arena,
                             struct failure *failure);

/* Puts a value at a dotted path below root (`topology.links.0.loss`; list items count from 0, and the number
 * after the last appends).  Keys that are not there yet are created: whether they are known is for the reader
 * of the tree to say.  A value that starts with [ { " or ' is YAML; anything else is taken as the text it is.
 * `origin` is the option that said so. */
bool yaml_set(struct yaml_tree *root, const char *path, const char *value, const char *origin,
              struct arena *arena, struct failure *failure);

/* The child under this key; NULL when there is none. */
struct yaml_tree *yaml_child(const struct yaml_tree *mapping, const char *key);

/* The bytes of a file, at most YAML_BYTES_MAX of them, with a NUL after the last; NULL: *failure says why
 * not. */
char *yaml_read_file(const char *path, size_t *bytes, struct arena *arena, struct failure *failure);
#endif

/* output_private.h - what the writers of the four formats share. */
#ifndef LIMITLAB_OUTPUT_PRIVATE_H
#define LIMITLAB_OUTPUT_PRIVATE_H
#include "../reports/contender.h"
#include "arena.h"
#include "output.h"

struct output {
    FILE *file;
    const struct experiment *experiment;
    const struct output_options *options;
    const struct output_writer *writer;
    uint64_t rows;                      /* so far */
    struct arena arena;
    struct contender *contender;        /* kept for the table and Markdown */
    size_t contenders, room;
    const char *over_ceiling;           /* names of designs that went over it; NULL: none did */
    const char *over_last;              /* the last of them */
};

struct output_writer {
    const char *name;
    void (*begin)(struct output *output);
    void (*row)(struct output *output, const struct result *result);
    void (*end)(struct output *output);
};

extern const struct output_writer output_table, output_in_depth, output_json, output_csv, output_markdown;
#endif

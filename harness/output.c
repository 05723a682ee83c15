#include "output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "output_private.h"

static const struct output_writer *const writers[] = {
    [OUTPUT_TABLE] = &output_table, [OUTPUT_JSON] = &output_json,
    [OUTPUT_CSV] = &output_csv, [OUTPUT_MARKDOWN] = &output_markdown,
};

enum { FORMATS = sizeof writers / sizeof writers[0] };

bool output_format_parse(const char *name, enum output_format *out, char why[CONDITION_WHY])
{
    const char *names[FORMATS + 1] = { NULL };
    for (unsigned i = 0; i < FORMATS; i++) {
        names[i] = writers[i]->name;
        if (!strcmp(name, names[i])) {
            *out = (enum output_format)i;
            return true;
        }
    }
    const char *nearest = nearest_name(name, names);
    snprintf(why, CONDITION_WHY, "'%.40s' is no format; expected table, json, csv or markdown%s%s%s", name,
             nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
    return false;
}

bool output_wants_colour(FILE *out, bool no_color)
{
    const char *unwanted = getenv("NO_COLOR");
    return !no_color && !(unwanted && *unwanted) && isatty(fileno(out));
}

struct output *output_begin(FILE *out, const struct experiment *experiment,
                            const struct output_options *options)
{
    struct memory *memory = process_memory();
    struct output *output = memory->resize(memory, NULL, sizeof *output);
    *output = (struct output){ .file = out, .experiment = experiment, .options = options };
    bool in_depth = options->format == OUTPUT_TABLE && options->in_depth;
    output->writer = in_depth ? &output_in_depth : writers[options->format];
    output->writer->begin(output);
    return output;
}

void output_row(struct output *output, const struct result *result)
{
    output->writer->row(output, result);
    output->rows++;
}

bool output_end(struct output *output, struct failure *failure)
{
    output->writer->end(output);
    bool written = fflush(output->file) == 0 && !ferror(output->file);
    arena_free(&output->arena);
    memory_free(process_memory(), output->contender);
    memory_free(process_memory(), output);
    return written || fail(failure, EXIT_TROUBLE, NULL, 0, "the results could not be written; expected room");
}

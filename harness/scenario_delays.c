/* scenario_delays.c - how long a link takes: a constant, or a distribution by name. */
#include <string.h>
#include "scenario_keys.h"
#include "units.h"

enum { SAMPLES_MAX = 65536, SAMPLE_FILES_MAX = 64 };

static const struct field span = { .name = "delay", .type = "a duration", .low = 0, .high = PERIOD_MAX };

static bool read_uniform(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                         void *slot)
{
    struct dist_spec *spec = slot;

    spec->kind = DIST_UNIFORM;
    if (node->kind != YAML_LIST || node->children != 2)
        return refuse_node(loading, node, "%s is not a pair; expected [LEAST, MOST], as in %s", field->name,
                           field->example);
    return read_duration(loading, node->first, &span, &spec->low_ns) &&
           read_duration(loading, node->first->next, &span, &spec->high_ns);
}

/* A file states the mean or median of the whole delay, the engine wants that of what lies above the floor. */
static bool take_off_floor(struct loading *loading, const struct yaml_tree *node, const char *name,
                           struct dist_spec *spec)
{
    if (spec->scale_ns <= spec->low_ns)
        return refuse_node(loading, node, "%s is not above the floor; expected the floor included in it",
                           name);
    spec->scale_ns -= spec->low_ns;
    return true;
}

static bool read_exponential(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                             void *slot)
{
    struct dist_spec *spec = slot;

    (void)field;
    spec->kind = DIST_EXPONENTIAL;
    return read_section(loading, node, &exponential_section, 0, spec)
           && take_off_floor(loading, node, "mean", spec);
}

static bool read_log_normal(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                            void *slot)
{
    struct dist_spec *spec = slot;

    (void)field;
    spec->kind = DIST_LOG_NORMAL;
    return read_section(loading, node, &log_normal_section, 0, spec)
           && take_off_floor(loading, node, "median", spec);
}

static bool refuse_sample_count(struct loading *loading, const struct yaml_tree *node)
{
    return refuse_node(loading, node, "empirical has no or too many samples; expected 1 to %d durations",
                       SAMPLES_MAX);
}

static bool read_listed_samples(struct loading *loading, const struct yaml_tree *node, struct dist_spec *spec)
{
    const struct yaml_tree *item = node->first;

    if (!node->children || node->children > SAMPLES_MAX)
        return refuse_sample_count(loading, node);
    int64_t *sample = arena_alloc(loading->arena, node->children * sizeof *sample);
    for (unsigned i = 0; i < node->children; i++, item = item->next)
        if (!read_duration(loading, item, &span, &sample[i]))
            return false;
    spec->samples_ns = sample;
    spec->samples = node->children;
    return true;
}

/* One duration a line; blank lines are skipped.  The text is cut into lines in place. */
static bool parse_samples(struct loading *loading, const struct yaml_tree *node, const char *path, char *text,
                          struct dist_spec *spec)
{
    int64_t *sample = arena_alloc(loading->arena, SAMPLES_MAX * sizeof *sample);
    unsigned line = 0, count = 0;

    for (char *rest = text; rest && count <= SAMPLES_MAX;) {
        char *start = rest;
        rest = strchr(start, '\n');
        if (rest)
            *rest++ = '\0';
        line++;
        start[strcspn(start, "\r")] = '\0';
        if (!*start)
            continue;
        struct yaml_tree said = { .kind = YAML_TEXT, .text = start, .origin = { path, line } };
        int64_t ns;
        if (!read_duration(loading, &said, &span, &ns))
            return false;
        if (count < SAMPLES_MAX)
            sample[count] = ns;
        count++;
    }
    if (!count || count > SAMPLES_MAX)
        return refuse_sample_count(loading, node);
    spec->samples_ns = sample;
    spec->samples = count;
    return true;
}

static bool read_sample_file(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                             struct dist_spec *spec)
{
    struct arena bytes_arena = { 0 };
    const char *path;
    size_t bytes;

    if (++loading->draft->sample_files > SAMPLE_FILES_MAX)
        return refuse_node(loading, node, "too many files of samples; expected at most %d", SAMPLE_FILES_MAX);
    if (!read_path(loading, node, field, &path))
        return false;
    char *text = yaml_read_file(path, &bytes, &bytes_arena, loading->failure);
    bool good = text && parse_samples(loading, node, path, text, spec);
    arena_free(&bytes_arena);
    return good;
}

static bool read_empirical(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                           void *slot)
{
    struct dist_spec *spec = slot;

    spec->kind = DIST_EMPIRICAL;
    if (node->kind == YAML_LIST)
        return read_listed_samples(loading, node, spec);
    return read_sample_file(loading, node, field, spec);
}

bool read_delay(struct loading *loading, const struct yaml_tree *node, const struct field *field, void *slot)
{
    struct dist_spec *spec = slot;

    *spec = (struct dist_spec){ .kind = DIST_CONSTANT };
    if (node->kind == YAML_TEXT) {
        struct field constant = *field;
        constant.low = 0;
        constant.high = PERIOD_MAX;
        return read_duration(loading, node, &constant, &spec->low_ns);
    }
    if (node->kind == YAML_MAPPING && node->children != 1)
        return refuse_node(loading, node,
                           "%s has %u distributions; expected one, as in {uniform: [20ms, 60ms]}",
                           field->name, node->children);
    return read_section(loading, node, &delay_section, 0, spec);
}

static const struct field delay_fields[] = {
    { "uniform", "list of two durations", read_uniform, 0, .standard = "(not uniform)",
      .example = "[20ms, 60ms]", .meaning = "Anything between the least and the most, all alike." },
    { "exponential", "mapping", read_exponential, 0, .standard = "(not exponential)",
      .example = "{floor: 10ms, mean: 15ms}", .meaning = "A floor and an exponential tail above it." },
    { "log_normal", "mapping", read_log_normal, 0, .standard = "(not log-normal)",
      .example = "{floor: 10ms, median: 15ms, sigma: 0.5}",
      .meaning = "A floor and a log-normal tail above it." },
    { "empirical", "list of durations, or path", read_empirical, 0, .standard = "(not empirical)",
      .example = "[11ms, 12ms, 40ms]",
      .meaning = "Measured delays, 1 to 65536 of them; a path names a file with one duration a line." },
    { 0 }
};

const struct section delay_section = { "DELAY", "a delay", delay_fields, NULL, NULL };

#define IN(member) offsetof(struct dist_spec, member)

static const struct field exponential_fields[] = {
    { "floor", "duration", read_duration, IN(low_ns), 0, PERIOD_MAX, .standard = "0s", .example = "10ms",
      .meaning = "Nothing is faster." },
    { "mean", "duration", read_duration, IN(scale_ns), 1, PERIOD_MAX, .example = "15ms",
      .meaning = "The mean, floor included." },
    { "most", "duration", read_duration, IN(high_ns), 1, PERIOD_MAX, .standard = "(no cut)",
      .example = "200ms", .meaning = "Where draws are cut off." },
    { 0 }
};

const struct section exponential_section = { "DELAY.exponential", "an exponential delay", exponential_fields,
                                             NULL, NULL };

static const struct field log_normal_fields[] = {
    { "floor", "duration", read_duration, IN(low_ns), 0, PERIOD_MAX, .standard = "0s", .example = "10ms",
      .meaning = "Nothing is faster." },
    { "median", "duration", read_duration, IN(scale_ns), 1, PERIOD_MAX, .example = "15ms",
      .meaning = "The median, floor included." },
    { "sigma", "fraction", read_fraction, IN(sigma_billionths), 0, INT64_C(4000000000), .example = "0.5",
      .meaning = "The standard deviation of the logarithm, 0 to 4." },
    { "most", "duration", read_duration, IN(high_ns), 1, PERIOD_MAX, .standard = "(no cut)",
      .example = "200ms", .meaning = "Where draws are cut off." },
    { 0 }
};

const struct section log_normal_section = { "DELAY.log_normal", "a log-normal delay", log_normal_fields, NULL,
                                            NULL };

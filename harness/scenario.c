/* scenario.c - see scenario.h.  What is read from which key is in the tables of scenario_keys.c and its
 * neighbours. */
#include "scenario.h"
#include <string.h>
#include "scenario_keys.h"

bool override_parse(const char *argument, struct override *out, struct arena *arena, struct failure *failure)
{
    const char *equals = strchr(argument, '=');

    if (!equals || equals == argument)
        return fail(failure, EXIT_USAGE, NULL, 0,
                    "--set %.60s: this sets nothing; expected PATH=VALUE, as in policy.limit=20", argument);
    char *path = arena_text(arena, argument);
    path[equals - argument] = '\0';
    *out = (struct override){ arena_format(arena, "--set %.200s", argument), path,
                              path + (equals - argument) + 1 };
    return true;
}

/* "scenarios/" of "scenarios/both-read-nine.yaml". */
static const char *folder_of(const char *path, struct arena *arena)
{
    const char *slash = strrchr(path, '/');

    return arena_format(arena, "%.*s", slash ? (int)(slash - path + 1) : 0, path);
}

/* "both-read-nine" of "scenarios/both-read-nine.yaml". */
static const char *name_of(const char *path, struct arena *arena)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');

    return arena_format(arena, "%.*s", (int)(dot && dot != base ? (size_t)(dot - base) : strlen(base)), base);
}

/* What is simulated needs traffic; what is explored is judged by nothing else than exploring. */
static bool fits_mode(struct loading *loading, const struct yaml_tree *root)
{
    const struct experiment *e = loading->draft->experiment;
    const struct field *field = scenario_section.fields;

    while (strcmp(field->name, "traffic") != 0)
        field++;
    if (e->mode == MODE_SIMULATE)
        return e->traffics > 0 || refuse_node(loading, root, "a scenario lacks 'traffic'; expected traffic: "
                                              "%s", field->example);
    if (e->target.limit || e->target.period_ns || e->target.burst)
        return refuse_node(loading, root, "a target with a policy of its own cannot be explored; expected "
                           "curve or window");
    return e->zoo.name == NULL || refuse_node(loading, root, "a case of the zoo is simulated; expected no "
                                              "mode: explore");
}

bool scenario_parse(const char *text, size_t bytes, const char *path, const struct override *overrides,
                    struct arena *arena, struct experiment *experiment, struct failure *failure)
{
    struct yaml_tree *root = yaml_parse(text, bytes, path ? path : "the command line", arena, failure);

    if (!root)
        return false;
    for (; overrides && overrides->path; overrides++)
        if (!yaml_set(root, overrides->path, overrides->value, overrides->option, arena, failure))
            return false;
    experiment_init(experiment);
    if (path) {
        experiment->file = arena_text(arena, path);
        experiment->name = name_of(path, arena);
    }
    struct scenario_draft draft = { .experiment = experiment, .folder = path ? folder_of(path, arena) : "" };
    struct loading loading = { .arena = arena, .failure = failure, .draft = &draft };
    return read_section(&loading, root, &scenario_section, 0, experiment) && fits_mode(&loading, root);
}

bool scenario_load(const char *path, const struct override *overrides, struct arena *arena,
                   struct experiment *experiment, struct failure *failure)
{
    struct arena file = { 0 };
    size_t bytes = 0;
    const char *text = path ? yaml_read_file(path, &bytes, &file, failure) : "";
    bool good = text && scenario_parse(text, bytes, path, overrides, arena, experiment, failure);

    arena_free(&file);
    return good;
}

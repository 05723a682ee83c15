/* asked.c - see asked.h. */
#include "asked.h"
#include <string.h>
#include <sys/stat.h>
#include "design.h"
#include "regions.h"
#include "scenario.h"

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);

    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool is_path(const char *operand)
{
    return ends_with(operand, ".yaml") || ends_with(operand, ".yml") || is_folder(operand);
}

/* ---- options as values of YAML ---- */

/* text[0 .. length) between single quotes, so that nothing in it means anything to YAML. */
static const char *quoted(struct arena *arena, const char *text, size_t length)
{
    char *out = arena_alloc(arena, 2 * length + 3), *end = out;

    *end++ = '\'';
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'')
            *end++ = '\'';
        *end++ = text[i];
    }
    *end = '\'';
    return out;
}

/* "50,100" as "['50', '100']". */
static const char *listed(struct arena *arena, const char *text)
{
    const char *list = "";

    for (;;) {
        size_t length = strcspn(text, ",");
        list = arena_format(arena, "%s%s%s", list, *list ? ", " : "[", quoted(arena, text, length));
        if (text[length] == '\0')
            return arena_format(arena, "%s]", list);
        text += length + 1;
    }
}

/* All values of a repeatable option as one list. */
static const char *gathered(const struct invocation *invocation, enum option_id option, struct arena *arena)
{
    const struct arguments *arguments = &invocation->arguments;
    const char *list = "";

    for (unsigned i = 0; i < arguments->saids; i++) {
        const char *value = arguments->said[i].value;
        if (arguments->said[i].option == option)
            list =
                arena_format(arena, "%s%s%s", list, *list ? ", " : "[", quoted(arena, value, strlen(value)));
    }
    return arena_format(arena, "%s]", list);
}

/* ---- options as overrides ---- */

/* Which key of a scenario an option sets, when it is as simple as that. */
static const struct simple { enum option_id option; const char *path; } simple[] = {
    { OPTION_PERIOD, "policy.period" }, { OPTION_BURST, "policy.burst" }, { OPTION_TARGET, "target" },
    { OPTION_SEED, "seeds" }, { OPTION_SEEDS, "seeds" },
};

static const char *simple_path(enum option_id option)
{
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        if (simple[i].option == option)
            return simple[i].path;
    return NULL;
}

/* Every region must be in the shipped table, since nothing else says how far away it is. */
static bool check_regions(struct invocation *invocation, const char *text)
{
    const char *names[CLOUD_REGIONS + 1] = { NULL };

    for (unsigned i = 0; i < CLOUD_REGIONS; i++)
        names[i] = cloud_regions[i].name;
    for (size_t length; ; text += length + 1) {
        length = strcspn(text, ",");
        const char *name = arena_format(&invocation->arena, "%.*s", (int)length, text);
        const char *nearest = nearest_name(name, names);
        if (region_find(name) < 0)
            return refuse(invocation, "--regions: '%.60s' is not in the table of round trips; %s%s%s", name,
                          nearest ? "did you mean '" :
                                    "expected names from `limitlab list regions`, as in us-east-1,eu-west-1",
                          nearest ? nearest : "", nearest ? "'?" : "");
        if (text[length] == '\0')
            return true;
    }
}

/* The whole topology: what the scenario says of links and clocks is about its own regions. */
static bool override_regions(struct invocation *invocation, const struct said *said, struct override *out)
{
    struct arena *arena = &invocation->arena;

    if (!check_regions(invocation, said->value))
        return false;
    out->path = "topology";
    out->value = arena_format(arena, "{regions: %s, round_trips: cloud, local: %lldns}",
                              listed(arena, said->value), (long long)(REGION_ITSELF_NS / 2));
    return true;
}

/* What one option overrides: out->path stays NULL when nothing. */
static bool override_option(struct invocation *invocation, const struct said *said, struct override *out)
{
    struct arena *arena = &invocation->arena;

    out->option = said->typed;
    switch (said->option) {
    case OPTION_SET:
        return override_parse(said->value, out, arena, &invocation->failure);
    case OPTION_REGIONS:
        return override_regions(invocation, said, out);
    case OPTION_LIMIT:
        out->path = "policy.limit";
        out->value = listed(arena, said->value);
        return true;
    case OPTION_REQUIRE:
        out->path = "require";
        out->value = gathered(invocation, OPTION_REQUIRE, arena);
        return true;
    case OPTION_TRACE:
        out->path = "traffic";
        out->value = "{trace: (see take_traces)}";
        return true;
    default:
        out->path = simple_path(said->option);
        out->value = quoted(arena, said->value, strlen(said->value));
        return true;
    }
}

/* Those options for which `wanted` is true, in the order of the command line. */
static const struct override *overrides(struct invocation *invocation, bool (*wanted)(enum option_id option))
{
    const struct arguments *arguments = &invocation->arguments;
    struct override *list = arena_alloc(&invocation->arena, (arguments->saids + 1) * sizeof *list);
    unsigned count = 0;

    for (unsigned i = 0; i < arguments->saids; i++) {
        if (!wanted(arguments->said[i].option))
            continue;
        if (!override_option(invocation, &arguments->said[i], &list[count]))
            return NULL;
        count += list[count].path != NULL;
    }
    list[count] = (struct override){ NULL, NULL, NULL };
    return list;
}

static bool any_option(enum option_id option)
{
    (void)option;
    return true;
}

static bool set_options(enum option_id option)
{
    return option == OPTION_SET || option == OPTION_SEED || option == OPTION_SEEDS;
}

const struct override *asked_overrides(struct invocation *invocation)
{
    return overrides(invocation, set_options);
}

/* ---- traces ---- */

static unsigned times_said(const struct invocation *invocation, enum option_id option)
{
    unsigned times = 0;

    for (unsigned i = 0; i < invocation->arguments.saids; i++)
        times += invocation->arguments.said[i].option == option;
    return times;
}

static bool read_region_by(struct invocation *invocation, enum region_by *region_by)
{
    static const char *const words[] = { "request", "key", NULL };
    const char *text = argument(&invocation->arguments, OPTION_REGION_BY);

    *region_by = REGION_BY_REQUEST;
    if (!text || strcmp(text, words[0]) == 0)
        return true;
    *region_by = REGION_BY_KEY;
    return strcmp(text, words[1]) == 0 ||
           refuse(invocation, "--region-by: '%.60s' is neither 'request' nor 'key'; expected one of them",
                  text);
}

/* Whether some --set is about this part of a scenario. */
static bool sets(const struct invocation *invocation, const char *start)
{
    const struct arguments *arguments = &invocation->arguments;

    for (unsigned i = 0; i < arguments->saids; i++)
        if (arguments->said[i].option == OPTION_SET &&
            strncmp(arguments->said[i].value, start, strlen(start)) == 0)
            return true;
    return false;
}

/* Where the requests of one of `traces` traces arrive: -1 when the trace itself or chance says so.  Without a
 * topology there is one region, whatever a region column says. */
static int64_t region_of_trace(const struct invocation *invocation, const struct experiment *experiment,
                               unsigned index, unsigned traces)
{
    bool stated =
        experiment->file || argument(&invocation->arguments, OPTION_REGIONS) || sets(invocation, "topology");

    if (!stated)
        return 0;
    return traces > 1 && experiment->topology.regions > 1 ? (int64_t)index : -1;
}

/* Traces of the command line are relative to the current folder, whatever scenario there is. */
static bool take_traces(struct invocation *invocation, struct experiment *experiment)
{
    const struct arguments *arguments = &invocation->arguments;
    unsigned traces = times_said(invocation, OPTION_TRACE), regions = experiment->topology.regions, t = 0;
    struct traffic *traffic = arena_alloc(&invocation->arena, traces * sizeof *traffic);
    enum region_by region_by;

    if (!read_region_by(invocation, &region_by))
        return false;
    if (traces > 1 && regions > 1 && traces != regions)
        return refuse(invocation,
                      "%u traces for %u regions; expected one trace, or one for each region in their order",
                      traces, regions);
    for (unsigned i = 0; i < arguments->saids; i++) {
        const struct said *said = &arguments->said[i];
        if (said->option != OPTION_TRACE)
            continue;
        traffic[t] = (struct traffic){
            .kind = TRAFFIC_TRACE, .trace = said->value, .origin = { said->typed, 0 },
            .region = region_of_trace(invocation, experiment, t, traces),
            .region_by = regions > 1 ? region_by : REGION_FIRST,
        };
        t++;
    }
    experiment->traffics = traces;
    experiment->traffic = traffic;
    return true;
}

/* ---- operands ---- */

/* Sorts operands into at most one path and designs. */
static bool split_operands(struct invocation *invocation, const char **path, struct experiment *designs)
{
    const struct arguments *arguments = &invocation->arguments;
    const char **design = arena_alloc(&invocation->arena, arguments->operands * sizeof *design);
    struct origin *origin = arena_alloc(&invocation->arena, arguments->operands * sizeof *origin);

    *path = NULL;
    for (unsigned i = 0; i < arguments->operands; i++) {
        const char *operand = arguments->operand[i];
        if (!is_path(operand)) {
            origin[designs->designs].file = arguments->program;
            design[designs->designs++] = operand;
        } else if (*path) {
            return refuse(invocation, "two scenarios, '%.200s' and '%.200s'; expected one", *path, operand);
        } else {
            *path = operand;
        }
    }
    designs->design = design;
    designs->design_origin = origin;
    return true;
}

/* Nobody's limit is a default: without a scenario it must be said, as must the traffic. */
static bool says_enough(struct invocation *invocation, const char *path)
{
    const struct arguments *arguments = &invocation->arguments;

    if (path && is_folder(path))
        return refuse(invocation, "'%.200s' is a folder; expected one scenario in it", path);
    if (path)
        return true;
    if (!argument(arguments, OPTION_TRACE) && !sets(invocation, "traffic"))
        return refuse(invocation, "no traffic; expected a scenario (a .yaml file) or --trace FILE");
    return argument(arguments, OPTION_LIMIT) || sets(invocation, "policy") ||
           refuse(invocation, "no limit; expected --limit N, and --period DUR unless it is 60s");
}

bool asked_experiment(struct invocation *invocation, struct experiment *experiment)
{
    struct experiment typed = { 0 };
    const char *path;

    if (!split_operands(invocation, &path, &typed) || !says_enough(invocation, path))
        return false;
    const struct override *list = overrides(invocation, any_option);
    if (!list || !scenario_load(path, list, &invocation->arena, experiment, &invocation->failure))
        return false;
    if (experiment->mode == MODE_EXPLORE)
        return refuse(invocation, "%.200s is explored, not simulated; expected `limitlab check` with it, or "
                      "`limitlab explore`", path ? path : "this");
    for (uint32_t i = 0; i < typed.designs; i++)
        if (!design_check(typed.design[i], &experiment->topology, typed.design_origin[i],
                          &invocation->failure))
            return false;
    if (typed.designs) {
        experiment->designs = typed.designs;
        experiment->design = typed.design;
        experiment->design_origin = typed.design_origin;
        experiment->claims = 0;
    }
    return !argument(&invocation->arguments, OPTION_TRACE) || take_traces(invocation, experiment);
}

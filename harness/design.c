#include <stdio.h>
#include <string.h>
#include "design.h"
#include "../algos/programs.h"
#include "units.h"
#include "universal.h"

enum { NAMES_MAX = 64, TEXT_MAX = 512 };

/* ---- names --------------------------------------------------------------------------------------------- */

static const struct limiter *find_limiter(const char *name, struct origin origin, struct failure *failure)
{
    const char *names[NAMES_MAX + 1] = { NULL };
    const struct limiter *found = limiter_find(name);

    if (found)
        return found;
    for (unsigned i = 0; i < limiter_count && i < NAMES_MAX; i++)
        names[i] = limiters[i]->name;
    const char *near = nearest_name(name, names);
    fail(failure, EXIT_USAGE, origin.file, origin.line, "unknown limiter '%s'; %s%s%s", name,
         near ? "did you mean '" : "expected one of ", near ? near : "`limitlab list limiters`",
         near ? "'?" : "");
    return NULL;
}

static const struct coordination *find_coordination(const char *name, struct origin origin,
                                                    struct failure *failure)
{
    const char *names[NAMES_MAX + 1] = { NULL };
    const struct coordination *found = coordination_find(name);
    unsigned n = 0;

    if (found)
        return found;
    for (unsigned i = 0; i < coordination_count && n + 2 < NAMES_MAX; i++) {
        names[n++] = coordinations[i]->name;
        if (coordinations[i]->alias)
            names[n++] = coordinations[i]->alias;
    }
    for (unsigned i = 0; system_coordinations[i] && n < NAMES_MAX; i++)
        names[n++] = system_coordinations[i]->name;
    const char *near = nearest_name(name, names);
    fail(failure, EXIT_USAGE, origin.file, origin.line, "unknown coordination '%s'; %s%s%s", name,
         near ? "did you mean '" : "expected one of ", near ? near : "`limitlab list coordinations`",
         near ? "'?" : "");
    return NULL;
}

/* ---- parameters ---------------------------------------------------------------------------------------- */

static int find_parameter(const struct coordination *coordination, const char *name, struct origin origin,
                          struct failure *failure)
{
    const char *names[PARAMETERS_MAX + UNIVERSALS + 1] = { NULL };
    int n = 0;

    for (; coordination->parameter[n].name; n++) {
        names[n] = coordination->parameter[n].name;
        if (strcmp(name, names[n]) == 0)
            return n;
    }
    for (int i = 0; i < UNIVERSALS; i++)
        names[n + i] = universals[i].name;
    const char *near = nearest_name(name, names);
    if (near)
        fail(failure, EXIT_USAGE, origin.file, origin.line, "%s has no parameter '%s'; did you mean '%s'?",
             coordination->name, name, near);
    else
        fail(failure, EXIT_USAGE, origin.file, origin.line,
             "%s has no parameter '%s'; see `limitlab list coordinations`", coordination->name, name);
    return -1;
}

static const char *parse_choice(const struct parameter *parameter, const char *text, int64_t *value)
{
    for (*value = 0; parameter->choices[*value]; (*value)++)
        if (strcmp(text, parameter->choices[*value]) == 0)
            return NULL;
    return "is none of its words";
}

static const char *parse_bounded(const struct parameter *parameter, const char *text, int64_t *value)
{
    const char *why = parameter->kind == PARAMETER_SPAN ? parse_duration(text, value)
                    : parameter->kind == PARAMETER_RATE ? parse_rate(text, value)
                    : parse_count(text, parameter->low, parameter->high, value);

    if (!why && (*value < parameter->low || *value > parameter->high))
        why = "is out of range";
    return why;
}

static const char *parse_value(const struct parameter *parameter, const struct topology *topology,
                               const char *text, int64_t *value)
{
    if (parameter->zero_word && strcmp(text, parameter->zero_word) == 0) {
        *value = 0;
        return NULL;
    }
    if (parameter->kind == PARAMETER_CHOICE)
        return parse_choice(parameter, text, value);
    if (parameter->kind != PARAMETER_REGION)
        return parse_bounded(parameter, text, value);
    for (uint32_t i = 0; i < topology->regions; i++)
        if (strcmp(text, topology->region[i]) == 0) {
            *value = i;
            return NULL;
        }
    return "is no region of this topology";
}

static const char *range_of(const struct parameter *parameter, char words[TEXT_MAX])
{
    snprintf(words, TEXT_MAX, "a whole number, %lld to %lld", (long long)parameter->low,
             (long long)parameter->high);
    return words;
}

/* "a duration", "deny or error": what a parameter takes, in words. */
static const char *takes(const struct parameter *parameter, char words[TEXT_MAX])
{
    if (parameter->kind != PARAMETER_CHOICE)
        return parameter->kind == PARAMETER_SPAN ? "a duration such as 250ms"
             : parameter->kind == PARAMETER_RATE ? "a rate such as 1/s"
             : parameter->kind == PARAMETER_REGION ? "a region's name" : range_of(parameter, words);
    words[0] = '\0';
    for (unsigned i = 0; parameter->choices[i]; i++) {
        strncat(words, i == 0 ? "" : parameter->choices[i + 1] ? ", " : " or ", TEXT_MAX - strlen(words) - 1);
        strncat(words, parameter->choices[i], TEXT_MAX - strlen(words) - 1);
    }
    return words;
}

/* One of the coordination's parameters, or of those that all designs take, is named for the first time. */
static bool note_given(struct origin origin, const struct design *design, const char *name, unsigned bit,
                       uint32_t *given, struct failure *failure)
{
    if (*given & 1u << bit)
        return fail(failure, EXIT_USAGE, origin.file, origin.line, "%s: %s is given twice; expected it once",
                    design->coordination->name, name);
    *given |= 1u << bit;
    return true;
}

static bool read_parameter(char *text, const struct topology *topology, struct origin origin,
                           struct design *design, uint32_t *given, struct failure *failure)
{
    char *equals = strchr(text, '='), words[TEXT_MAX];

    if (!equals)
        return fail(failure, EXIT_USAGE, origin.file, origin.line,
                    "'%s' is no parameter; expected NAME=VALUE", text);
    *equals = '\0';
    int universal = universal_find(text);
    if (universal >= 0)
        return universal_read((unsigned)universal, equals + 1, origin, design, failure)
            && note_given(origin, design, text, PARAMETERS_MAX + (unsigned)universal, given, failure);
    int i = find_parameter(design->coordination, text, origin, failure);
    if (i < 0)
        return false;
    const struct parameter *parameter = &design->coordination->parameter[i];
    const char *why = parse_value(parameter, topology, equals + 1, &design->parameter[i]);
    if (why)
        return fail(failure, EXIT_USAGE, origin.file, origin.line, "%s: %s '%s' %.*s; expected %s%s%s",
                    design->coordination->name, parameter->name, equals + 1, (int)strcspn(why, ";"), why,
                    takes(parameter, words), parameter->zero_word ? ", or " : "",
                    parameter->zero_word ? parameter->zero_word : "");
    return note_given(origin, design, parameter->name, (unsigned)i, given, failure);
}

static bool read_parameters(char *part, const struct topology *topology, struct origin origin,
                            struct design *design, uint32_t *given, struct failure *failure)
{
    while (part) {
        char *next = strchr(part, ':');
        if (next)
            *next++ = '\0';
        if (!read_parameter(part, topology, origin, design, given, failure))
            return false;
        part = next;
    }
    return true;
}

/* A copy of the text, cut at its first ':'; what follows goes to *rest (NULL: nothing). */
static bool copy_head(const char *text, struct origin origin, char copy[TEXT_MAX], char **rest,
                      struct failure *failure)
{
    if (strlen(text) >= TEXT_MAX)
        return fail(failure, EXIT_USAGE, origin.file, origin.line,
                    "a design of %zu bytes; expected at most %d", strlen(text), TEXT_MAX - 1);
    memcpy(copy, text, strlen(text) + 1);
    if ((*rest = strchr(copy, ':')))
        *(*rest)++ = '\0';
    return true;
}

/* LIMITER@COORDINATION[:PARAM=VALUE]... */
static bool read_plain(const char *text, const struct topology *topology, struct origin origin,
                       struct design *design, uint32_t *given, struct failure *failure)
{
    char copy[TEXT_MAX], *rest;

    if (!copy_head(text, origin, copy, &rest, failure))
        return false;
    char *at = strchr(copy, '@');
    *at = '\0';
    return (design->limiter = find_limiter(copy, origin, failure))
        && (design->coordination = find_coordination(at + 1, origin, failure))
        && read_parameters(rest, topology, origin, design, given, failure);
}

static bool refuse_design(const char *name, struct origin origin, struct failure *failure)
{
    const char *names[NAMES_MAX + 1] = { NULL };
    unsigned n = 0;

    for (unsigned family = 0; systems[family]; family++)
        for (const struct system *row = systems[family]; row->name && n < NAMES_MAX; row++)
            names[n++] = row->name;
    const char *near = nearest_name(name, names);
    if (near)
        return fail(failure, EXIT_USAGE, origin.file, origin.line,
                    "'%s' is no design; did you mean '%s'?", name, near);
    return fail(failure, EXIT_USAGE, origin.file, origin.line,
                "'%s' is no design; expected LIMITER@COORDINATION, as in gcra@cas, or a name of "
                "`limitlab list systems`", name);
}

/* Splits and reads the text, a plain design or a system's name; *given has a bit for each parameter that it
 * names.  Parameters after a system's name replace the system's own. */
static bool read_design(const char *text, const struct topology *topology, struct origin origin,
                        struct design *design, uint32_t *given, struct failure *failure)
{
    char copy[TEXT_MAX], *rest;
    uint32_t replaced = 0;

    *given = 0;
    *design = (struct design){ 0 };
    if (!copy_head(text, origin, copy, &rest, failure))
        return false;
    if (strchr(copy, '@'))
        return read_plain(text, topology, origin, design, given, failure);
    const struct system *system = system_find(copy);
    if (!system)
        return refuse_design(copy, origin, failure);
    bool good = read_plain(system->design, topology, origin, design, given, failure)
             && read_parameters(rest, topology, origin, design, &replaced, failure);
    *given |= replaced;
    return good;
}

const struct limiter *design_limiter(const char *text)
{
    char name[TEXT_MAX], *rest;
    struct failure unheard = { 0 };

    if (!copy_head(text, (struct origin){ 0 }, name, &rest, &unheard))
        return NULL;
    const struct system *system = system_find(name);
    if (system && !copy_head(system->design, (struct origin){ 0 }, name, &rest, &unheard))
        return NULL;
    name[strcspn(name, "@")] = '\0';
    return limiter_find(name);
}

bool design_check(const char *text, const struct topology *topology, struct origin origin,
                  struct failure *failure)
{
    struct design design;
    uint32_t given;

    return read_design(text, topology, origin, &design, &given, failure);
}

static uint64_t nodes_of(const struct topology *topology, const uint32_t *instances)
{
    uint64_t nodes = 0;

    for (uint32_t region = 0; region < topology->regions; region++)
        nodes += instances[region];
    return nodes;
}

/* Is there a reason why this design cannot keep this policy? */
static bool refuse_policy(const char *text, const struct design *design, const struct setting *setting,
                          struct origin origin, struct failure *failure)
{
    const struct policy *policy = setting->policy;
    const char *why = design->limiter->refuses ? design->limiter->refuses(policy) : NULL;

    if (why)
        return fail(failure, EXIT_USAGE, origin.file, origin.line, "%s: %s", text, why);
    why = design->coordination->refuses ? design->coordination->refuses(design, setting) : NULL;
    return !why
        || fail(failure, EXIT_USAGE, origin.file, origin.line,
                "%s cannot be with a limit of %lld; expected %s", text, (long long)policy->limit, why);
}

bool design_parse(const char *text, const struct topology *topology, const struct policy *policy,
                  struct origin origin, struct design *out, struct failure *failure)
{
    uint32_t given, instances[REGIONS_MAX];

    if (!read_design(text, topology, origin, out, &given, failure))
        return false;
    struct setting setting = { .policy = policy, .regions = topology->regions,
                               .store_region = topology->store, .instances = instances };
    design_instances(out, topology, instances);
    for (int i = 0; out->coordination->parameter[i].name; i++) {
        const struct parameter *parameter = &out->coordination->parameter[i];
        if (!(given & 1u << i))
            out->parameter[i] = parameter->derive ? parameter->derive(&setting) : parameter->preset;
    }
    if (nodes_of(topology, instances) > NODES_MAX)
        return fail(failure, EXIT_USAGE, origin.file, origin.line,
                    "%s has %llu instances in all regions; expected at most %d", text,
                    (unsigned long long)nodes_of(topology, instances), NODES_MAX);
    const char *why = out->program ? program_refuses(out->program, out->limiter, out->coordination) : NULL;
    if (why)
        return fail(failure, EXIT_USAGE, origin.file, origin.line, "%s cannot be; expected %s", text, why);
    return refuse_policy(text, out, &setting, origin, failure);
}

bool design_takes(const char *text, const struct design *design, const struct topology *topology,
                  const struct policy *policy, struct origin origin, struct failure *failure)
{
    uint32_t instances[REGIONS_MAX];
    struct setting setting = { .policy = policy, .regions = topology->regions,
                               .store_region = topology->store, .instances = instances };

    design_instances(design, topology, instances);
    return refuse_policy(text, design, &setting, origin, failure);
}

void design_instances(const struct design *design, const struct topology *topology,
                      uint32_t instances[REGIONS_MAX])
{
    int64_t stated = 0;

    for (int i = 0; design->coordination->parameter[i].name; i++)
        if (strcmp(design->coordination->parameter[i].name, "instances") == 0)
            stated = design->parameter[i];
    for (uint32_t region = 0; region < topology->regions; region++)
        instances[region] = stated > 0 ? (uint32_t)stated : topology->instances[region];
}

static const char *value_text(const struct parameter *parameter, int64_t value,
                              const struct topology *topology, struct arena *arena)
{
    char text[UNITS_TEXT];

    if (value == 0 && parameter->zero_word)
        return parameter->zero_word;
    switch (parameter->kind) {
    case PARAMETER_CHOICE: return parameter->choices[value];
    case PARAMETER_REGION: return topology->region[value];
    case PARAMETER_SPAN:   return arena_text(arena, duration_text(value, text));
    case PARAMETER_RATE:
        return value % 3600 == 0 ? arena_format(arena, "%lld/s", (long long)(value / 3600))
                                 : arena_format(arena, "%lld/h", (long long)value);
    default:               return arena_format(arena, "%lld", (long long)value);
    }
}

const char *design_parameters(const struct design *design, const struct topology *topology,
                              struct arena *arena)
{
    const char *all = "";

    for (int i = 0; design->coordination->parameter[i].name; i++) {
        const struct parameter *parameter = &design->coordination->parameter[i];
        all = arena_format(arena, "%s%s%s=%s", all, i > 0 ? " " : "", parameter->name,
                           value_text(parameter, design->parameter[i], topology, arena));
    }
    return universal_text(design, all, arena);
}

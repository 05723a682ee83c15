/* universal.c - see universal.h. */
#include "universal.h"
#include <string.h>
#include "../algos/keys.h"
#include "../algos/programs.h"

enum { VALUES_MAX = 64 };

static const char *program_name(unsigned i)
{
    return i < program_count ? programs[i].name : NULL;
}

static void set_program(struct design *design, unsigned i)
{
    design->program = i > 0 ? &programs[i] : NULL;
}

static const char *get_program(const struct design *design)
{
    return design->program ? design->program->name : NULL;
}

static const char *rule_name(unsigned i)
{
    return i < key_rule_count ? key_rules[i].name : NULL;
}

static void set_rule(struct design *design, unsigned i)
{
    design->key_rule = i > 0 ? &key_rules[i] : NULL;
}

static const char *get_rule(const struct design *design)
{
    return design->key_rule ? design->key_rule->name : NULL;
}

const struct universal universals[UNIVERSALS] = {
    { "takes", "take", "how a request uses its limiter", "programs", program_name, set_program, get_program },
    { "key", "as-sent", "what becomes of the key before the limiter sees it", "keys", rule_name, set_rule,
      get_rule },
};

int universal_find(const char *name)
{
    for (int i = 0; i < UNIVERSALS; i++)
        if (strcmp(name, universals[i].name) == 0)
            return i;
    return -1;
}

bool universal_read(unsigned i, const char *text, struct origin origin, struct design *design,
                    struct failure *failure)
{
    const struct universal *universal = &universals[i];
    const char *names[VALUES_MAX + 1] = { NULL };

    for (unsigned v = 0; v < VALUES_MAX && (names[v] = universal->value(v)); v++)
        if (strcmp(text, names[v]) == 0) {
            universal->set(design, v);
            return true;
        }
    const char *near = nearest_name(text, names);
    if (near)
        return fail(failure, EXIT_USAGE, origin.file, origin.line,
                    "%s: '%.60s' is unknown; did you mean '%s'?", universal->name, text, near);
    return fail(failure, EXIT_USAGE, origin.file, origin.line,
                "%s: '%.60s' is unknown; expected one of `limitlab list %s`", universal->name, text,
                universal->listing);
}

const char *universal_text(const struct design *design, const char *all, struct arena *arena)
{
    for (unsigned i = 0; i < UNIVERSALS; i++) {
        const char *value = universals[i].get(design);
        if (value)
            all = arena_format(arena, "%s%s%s=%s", all, *all ? " " : "", universals[i].name, value);
    }
    return all;
}

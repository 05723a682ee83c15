/* scenario_zoo.c - the keys of a case of the zoo. */
#include <string.h>
#include "scenario_keys.h"
#include "zoo.h"

static bool read_flaws(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                       void *slot)
{
    struct zoo_case *zoo = slot;

    return read_known_designs(loading, node, field, &zoo->flaws, &zoo->flaw);
}

static bool read_cures(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                       void *slot)
{
    struct zoo_case *zoo = slot;

    return read_known_designs(loading, node, field, &zoo->cures, &zoo->cure);
}

/* A scenario that names no designs runs those of its case. */
static void name_designs(struct loading *loading, struct experiment *experiment)
{
    const struct zoo_case *zoo = &experiment->zoo;
    uint32_t designs = zoo->flaws + zoo->cures;
    const char **design = arena_alloc(loading->arena, designs * sizeof *design);

    memcpy(design, zoo->flaw, zoo->flaws * sizeof *design);
    memcpy(design + zoo->flaws, zoo->cure, zoo->cures * sizeof *design);
    experiment->design = design;
    experiment->design_origin = arena_alloc(loading->arena, designs * sizeof *experiment->design_origin);
    for (uint32_t i = 0; i < designs; i++)
        experiment->design_origin[i] = zoo->origin;
    experiment->designs = designs;
}

bool read_zoo(struct loading *loading, const struct yaml_tree *node, const struct field *field, void *slot)
{
    struct experiment *experiment = slot;
    struct zoo_case *zoo = &experiment->zoo;

    (void)field;
    if (!read_section(loading, node, &zoo_section, 0, zoo))
        return false;
    if (!*zoo->name)
        return refuse_node(loading, node, "case is empty; expected where the bug was reported, as in "
                           "golang/go#56287");
    zoo->origin = node->origin;
    if (!experiment->designs)
        name_designs(loading, experiment);
    return true;
}

#define IN(member) offsetof(struct zoo_case, member)

static const struct field zoo_fields[] = {
    { "class", "name", read_choice, IN(bug_class), .choices = bug_class_names, .standard = NULL,
      .example = "CLK", .meaning = "The kind of bug, of those that scenarios/zoo/README.md lists." },
    { "case", "text", read_text, IN(name), .standard = NULL, .example = "golang/go#56287",
      .meaning = "Where the bug was reported, or read." },
    { "flaw", "design or list of designs", read_flaws, 0, .standard = NULL, .example = "gcra@kv",
      .meaning = "The flawed design: `limitlab check` fails when no oracle finds anything wrong with it." },
    { "cure", "design or list of designs", read_cures, 0, .standard = NULL, .example = "gcra@owner",
      .meaning = "The cured one: `limitlab check` fails when an oracle finds anything wrong with it." },
    { 0 }
};

const struct section zoo_section = { "zoo", "a case of the zoo", zoo_fields, NULL, NULL };

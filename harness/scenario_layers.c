/* scenario_layers.c - versions of the policy, and the ceiling above it. */
#include <string.h>
#include "scenario_keys.h"

enum { VARIANTS_LISTED = 64 };

static const char *const ceiling_pers[] = { [CEILING_ALL] = "all", [CEILING_PREFIX] = "prefix",
                                            [CEILING_KEY] = "key", NULL };

bool read_variants(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                   void *slot)
{
    struct experiment *experiment = slot;
    const struct yaml_tree *child = node->first;

    if (node->kind != YAML_MAPPING || !node->children || node->children > VARIANTS_LISTED)
        return refuse_node(loading, node, "%s is %s of %u; expected 1 to %d policies by name, as in %s",
                           field->name, yaml_kind_text(node), node->children, VARIANTS_LISTED,
                           field->example);
    struct variant *variant = arena_alloc(loading->arena, node->children * sizeof *variant);
    experiment->variant = variant;
    experiment->variants = node->children;
    for (; child; child = child->next, variant++) {
        if (yaml_child(node, child->key) != child)
            return fail(loading->failure, EXIT_USAGE, child->key_origin.file, child->key_origin.line,
                        "%s: '%.60s' is stated twice; expected once", field->name, child->key);
        if (!read_section(loading, child, &variant_section, 0, variant))
            return false;
        variant->name = child->key;
    }
    return true;
}

const char *const *variant_names(struct loading *loading)
{
    const struct experiment *experiment = loading->draft->experiment;
    const char **names = arena_alloc(loading->arena, (experiment->variants + 1) * sizeof *names);

    for (uint32_t i = 0; i < experiment->variants; i++)
        names[i] = experiment->variant[i].name;
    return names;
}

bool read_variant(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                  void *slot)
{
    const char *text = node_text(loading, node, field->name, field->type);
    const char *const *names = variant_names(loading);

    if (!text)
        return false;
    int index = name_index(text, names);
    if (index < 0 && !names[0])
        return refuse_node(loading, node,
                           "%s: '%.60s' is unknown; expected one of policy.variants, which has none",
                           field->name, text);
    if (index < 0)
        return refuse_name(loading, node, field->name, text, names);
    *(uint32_t *)slot = (uint32_t)index + 1;
    return true;
}

bool read_ceiling(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                  void *slot)
{
    (void)field;
    return read_section(loading, node, &ceiling_section, 0, slot);
}

#define IN(member) offsetof(struct variant, member)

static const struct field variant_fields[] = {
    { "limit", "count", read_count, IN(limit), 1, COST_MAX, .standard = "(the policy's)", .example = "100",
      .meaning = "How much cost passes in one period." },
    { "period", "duration", read_duration, IN(period_ns), 1, PERIOD_MAX, .standard = "(the policy's)",
      .example = "60s", .meaning = "How long a period is." },
    { "burst", "count", read_count, IN(burst), 1, COST_MAX,
      .standard = "(its own limit, else the policy's)", .example = "20",
      .meaning = "How much may pass at once." },
    { "format", "count", read_count, IN(format), 0, 1000, .standard = "0", .example = "1",
      .meaning = "Which layout of stored states the code that runs this variant knows." },
    { 0 }
};

const struct section variant_section = { "policy.variants.NAME", "a variant", variant_fields, NULL, NULL };

#undef IN
#define IN(member) offsetof(struct ceiling, member)

static const struct field ceiling_fields[] = {
    { "limit", "count", read_count, IN(limit), 1, COST_MAX, .example = "1000",
      .meaning = "How much cost passes in one of its periods, of all keys that share it." },
    { "period", "duration", read_duration, IN(period_ns), 1, PERIOD_MAX, .standard = "(the policy's)",
      .example = "60s", .meaning = "Its period." },
    { "burst", "count", read_count, IN(burst), 1, COST_MAX, .standard = "(equals its limit)",
      .example = "20", .meaning = "How much may pass at once." },
    { "per", "`all`, `prefix` or `key`", read_choice, IN(per), .choices = ceiling_pers, .standard = "all",
      .example = "prefix",
      .meaning = "Who shares it: everybody, keys that are alike up to the first `:`, or each key alone." },
    { 0 }
};

const struct section ceiling_section = { "ceiling", "a ceiling", ceiling_fields, NULL, NULL };

/* scenario_claims.c - what a scenario says must come out. */
#include <string.h>
#include "explored_claims.h"
#include "figures.h"
#include "scenario_keys.h"

enum { CLAIMS_MAX = 1024, CONDITIONS_MAX = 128, KNOWN_MAX = 256 };

static const char *const expects[] = { [HOLDS] = "holds", [BREAKS] = "breaks", NULL };
static const char *const subjects[] = { [CLAIM_TARGET] = "target", [CLAIM_PROMISE] = "promise",
                                        [CLAIM_SOUND] = "sound" };

/* A claim as it is written: one row may speak of several subjects, and of figures. */
struct claim_draft {
    struct stated { bool stated; enum expect expect; } subject[CLAIM_FIGURES];
    uint32_t designs;
    const char *const *design;
    const char *name;
    uint32_t conditions;
    struct condition condition[CONDITIONS_MAX];
    uint32_t explored;
    struct explored_condition explored_condition[CONDITIONS_MAX];
    const char *witness;                /* "": none */
};

static bool read_expect(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                        void *slot)
{
    struct stated *stated = slot;

    stated->stated = true;
    return read_choice(loading, node, field, &stated->expect);
}

static bool read_claim_designs(struct loading *loading, const struct yaml_tree *node,
                               const struct field *field, void *slot)
{
    struct claim_draft *draft = slot;

    return read_known_designs(loading, node, field, &draft->designs, &draft->design);
}

/* A key that is no figure is perhaps meant to be one of the other keys. */
static bool refuse_figure(struct loading *loading, const struct yaml_tree *node,
                          const char *(*nearest_figure)(const char *name))
{
    const char *known[KNOWN_MAX + 1] = { NULL };
    unsigned count = 0;

    for (const struct field *field = claim_section.fields; field->name; field++)
        known[count++] = field->name;
    const char *nearest = nearest_name(node->key, known);
    if (!nearest)
        nearest = nearest_figure(node->key);
    struct yaml_tree key = { .origin = node->key_origin };
    if (nearest)
        return refuse_node(loading, &key, "a claim has no key '%.60s'; did you mean '%s'?", node->key,
                           nearest);
    return refuse_node(loading, &key, "a claim has no key '%.60s'; expected target, promise, designs, name "
                       "or a figure of `limitlab list figures`", node->key);
}

/* "most_admitted: 3", "preemptions: <=1". */
static bool read_explored_figure(struct loading *loading, const struct yaml_tree *node,
                                 struct claim_draft *draft)
{
    int figure = explored_figure_find(node->key);
    char why[CONDITION_WHY];

    if (figure < 0)
        return refuse_figure(loading, node, explored_figure_nearest);
    const char *value = node_text(loading, node, node->key, "a value or a range, as in 1, <=10 or 2..4");
    if (!value)
        return false;
    return explored_condition_parse((unsigned)figure, value, &draft->explored_condition[draft->explored++],
                                    loading->arena, why)
        || refuse_node(loading, node, "%.60s: %s", node->key, why);
}

/* "over_admitted: 1", "p99: <=10ms", "first_denial: 90..110". */
static bool read_figure(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                        void *slot)
{
    struct claim_draft *draft = slot;
    char why[CONDITION_WHY];

    (void)field;
    if (loading->draft->experiment->mode == MODE_EXPLORE)
        return read_explored_figure(loading, node, draft);
    if (figure_find(node->key) < 0)
        return refuse_figure(loading, node, figure_nearest);
    const char *value = node_text(loading, node, node->key, "a value or a range, as in 1, <=10ms or 90..110");
    if (!value)
        return false;
    bool bare = !strchr("<>=", *value) || !*value;
    const char *text = arena_format(loading->arena, "%s%s%s", node->key, bare ? "=" : "", value);
    if (!condition_parse(text, &draft->condition[draft->conditions++], why))
        return refuse_node(loading, node, "%.60s: %s", node->key, why);
    return true;
}

/* What `check` prints when the claim has no name: "target breaks, over_admitted=1". */
static const char *claim_text(struct loading *loading, const struct claim *claim)
{
    const char *text = "";

    if (claim->subject != CLAIM_FIGURES)
        text = arena_format(loading->arena, "%s %s", subjects[claim->subject], expects[claim->expect]);
    for (uint32_t i = 0; i < claim->conditions; i++)
        text = arena_format(loading->arena, "%s%s%.80s", text, *text ? ", " : "", claim->condition[i].text);
    for (uint32_t i = 0; i < claim->explored; i++)
        text = arena_format(loading->arena, "%s%s%.80s", text, *text ? ", " : "",
                            claim->explored_condition[i].text);
    if (claim->witness)
        text = arena_format(loading->arena, "%s%sa minimal witness", text, *text ? ", " : "");
    return text;
}

/* Several claims of one row have several names. */
static const char *claim_name(struct loading *loading, const struct claim_draft *draft,
                              const struct claim *claim, bool first)
{
    if (!*draft->name)
        return claim_text(loading, claim);
    if (first)
        return draft->name;
    return arena_format(loading->arena, "%s, %s %s", draft->name, subjects[claim->subject],
                        expects[claim->expect]);
}

static unsigned subjects_stated(const struct claim_draft *draft)
{
    unsigned count = 0;

    for (unsigned i = 0; i < CLAIM_FIGURES; i++)
        count += draft->subject[i].stated;
    return count;
}

/* One claim for each subject of a row; its figures join the first, or stand alone. */
static unsigned add_claims(struct loading *loading, const struct yaml_tree *node,
                           const struct claim_draft *draft, struct claim *out)
{
    struct condition *condition = arena_alloc(loading->arena, draft->conditions * sizeof *condition);
    struct explored_condition *explored = arena_alloc(loading->arena, draft->explored * sizeof *explored);
    struct claim claim = { .subject = CLAIM_FIGURES, .designs = draft->designs, .design = draft->design,
                           .conditions = draft->conditions, .condition = condition,
                           .explored = draft->explored, .explored_condition = explored,
                           .origin = node->origin };
    unsigned count = 0;

    memcpy(condition, draft->condition, draft->conditions * sizeof *condition);
    memcpy(explored, draft->explored_condition, draft->explored * sizeof *explored);
    for (unsigned i = 0; i < CLAIM_FIGURES; i++) {
        if (!draft->subject[i].stated)
            continue;
        claim.subject = (enum claim_subject)i;
        claim.expect = draft->subject[i].expect;
        claim.conditions = count == 0 ? draft->conditions : 0;
        claim.explored = count == 0 ? draft->explored : 0;
        claim.witness = count == 0 && *draft->witness ? draft->witness : NULL;
        claim.name = claim_name(loading, draft, &claim, count == 0);
        out[count++] = claim;
    }
    if (count > 0)
        return count;
    claim.witness = *draft->witness ? draft->witness : NULL;
    claim.name = claim_name(loading, draft, &claim, true);
    out[0] = claim;
    return 1;
}

static bool read_claim(struct loading *loading, const struct yaml_tree *node, struct claim *out,
                       unsigned *count)
{
    struct claim_draft *draft = arena_alloc(loading->arena, sizeof *draft);

    if (!read_section(loading, node, &claim_section, 0, draft))
        return false;
    bool simulated = draft->subject[CLAIM_PROMISE].stated || draft->subject[CLAIM_SOUND].stated;
    if (simulated && loading->draft->experiment->mode == MODE_EXPLORE)
        return refuse_node(loading, node, "promise and sound are not judged where a small world is explored; "
                           "expected target, or a figure such as most_admitted: 3");
    if (subjects_stated(draft) == 0 && !draft->conditions && !draft->explored && !*draft->witness)
        return refuse_node(loading, node, "this claim says nothing; expected target: holds, promise: holds "
                           "or a figure, as in over_admitted: 0");
    *count += add_claims(loading, node, draft, out);
    return true;
}

bool read_claims(struct loading *loading, const struct yaml_tree *node, const struct field *field, void *slot)
{
    struct experiment *experiment = slot;
    const struct yaml_tree *item = node->first;
    unsigned count = 0;

    if (node->kind != YAML_LIST || node->children > CLAIMS_MAX)
        return refuse_node(loading, node, "%s is %s of %u; expected a list of at most %d, as in %s",
                           field->name, yaml_kind_text(node), node->children, CLAIMS_MAX, field->example);
    struct claim *claim = arena_alloc(loading->arena, CLAIM_FIGURES * (size_t)node->children * sizeof *claim);
    for (; item; item = item->next)
        if (!read_claim(loading, item, &claim[count], &count))
            return false;
    experiment->claims = count;
    experiment->claim = claim;
    return true;
}

#define IN(member) offsetof(struct claim_draft, member)

static const struct field claim_fields[] = {
    { "target", "`holds` or `breaks`", read_expect, IN(subject[CLAIM_TARGET]), .choices = expects,
      .standard = "(not claimed)", .example = "holds",
      .meaning = "`holds`: excess and over_admitted are 0; `breaks`: they are not." },
    { "promise", "`holds` or `breaks`", read_expect, IN(subject[CLAIM_PROMISE]), .choices = expects,
      .standard = "(not claimed)", .example = "breaks",
      .meaning = "The same of what the limiter itself promises, whatever the target." },
    { "sound", "`holds` or `breaks`", read_expect, IN(subject[CLAIM_SOUND]), .choices = expects,
      .standard = "(not claimed)", .example = "breaks",
      .meaning = "What no correct limiter fails: `limitlab list oracles` has the list." },
    { "witness", "text", read_text, IN(witness), .standard = "", .example = "llw1:clients=2,...",
      .meaning = "This witness (`limitlab explore` prints it) breaks the target; with `mode: explore`, none "
                 "is smaller." },
    { "designs", "design or list of designs", read_claim_designs, 0, .standard = "(all of the scenario's)",
      .example = "[gcra@cas]", .meaning = "For which designs, spelt as in the scenario's `designs`." },
    { "name", "text", read_text, IN(name), .standard = "", .example = "exact under contention",
      .meaning = "What `limitlab check` prints; without it, what is claimed." },
    { 0 }
};

const struct section claim_section = { "claims[]", "a claim", claim_fields, NULL, read_figure };

/* zoo.c - see zoo.h. */
#include "zoo.h"
#include <string.h>
#include "soundness.h"

#define ROW(name, meaning) [BUG_##name] = { #name, meaning },
const struct bug_class_row bug_class_rows[BUG_CLASSES] = { BUG_CLASS_LIST(ROW) };

#define NAME(name, meaning) [BUG_##name] = #name,
const char *const bug_class_names[BUG_CLASSES + 1] = { BUG_CLASS_LIST(NAME) };

/* ---- before the run ---- */

static bool runs(const struct experiment *experiment, const char *design)
{
    for (uint32_t i = 0; i < experiment->designs; i++)
        if (strcmp(experiment->design[i], design) == 0)
            return true;
    return false;
}

/* Claims restrict an experiment to the designs that they are about; a case's run all the same. */
static void add_designs(struct experiment *experiment, const struct zoo_verdicts *verdicts,
                        struct arena *arena)
{
    size_t most = experiment->designs + (size_t)verdicts->count;
    const char **design = arena_alloc(arena, most * sizeof *design);
    struct origin *origin = arena_alloc(arena, most * sizeof *origin);

    for (uint32_t i = 0; i < experiment->designs; i++) {
        design[i] = experiment->design[i];
        origin[i] = experiment->design_origin[i];
    }
    experiment->design = design;
    experiment->design_origin = origin;
    for (unsigned i = 0; i < verdicts->count; i++) {
        if (runs(experiment, verdicts->verdict[i].design))
            continue;
        origin[experiment->designs] = experiment->zoo.origin;
        design[experiment->designs++] = verdicts->verdict[i].design;
    }
}

struct zoo_verdicts zoo_prepare(struct experiment *experiment, struct arena *arena)
{
    const struct zoo_case *zoo = &experiment->zoo;
    struct zoo_verdicts out = { 0, NULL };

    if (!zoo->name)
        return out;
    out.verdict = arena_alloc(arena, ((size_t)zoo->flaws + zoo->cures) * sizeof *out.verdict);
    for (uint32_t i = 0; i < zoo->flaws; i++)
        out.verdict[out.count++] = (struct zoo_verdict){ .design = zoo->flaw[i] };
    for (uint32_t i = 0; i < zoo->cures; i++)
        out.verdict[out.count++] = (struct zoo_verdict){ .design = zoo->cure[i], .cure = true };
    add_designs(experiment, &out, arena);
    return out;
}

/* ---- the run ---- */

/* "wrong denials, a broken target"; "" when nothing is wrong. */
static const char *complaints_of(const struct result *result, struct arena *arena)
{
    char unsound[SOUNDNESS_TEXT];
    bool kept = result_keeps_target(result);

    soundness_text(result, unsound);
    return arena_format(arena, "%s%s%s", unsound, *unsound && !kept ? ", " : "",
                        kept ? "" : "a broken target");
}

static const char *surprise(const struct result *result, const char *complaints, struct arena *arena)
{
    return arena_format(arena, "limit %lld, seed %llu: %s; expected %s", (long long)result->limit,
                        (unsigned long long)result->seed,
                        *complaints ? complaints : "nothing is wrong with it",
                        *complaints ? "nothing wrong" : "something that an oracle finds");
}

void zoo_judge(const struct zoo_verdicts *verdicts, const struct result *result, struct arena *arena)
{
    for (unsigned i = 0; i < verdicts->count; i++) {
        struct zoo_verdict *verdict = &verdicts->verdict[i];
        if (strcmp(verdict->design, result->design) != 0)
            continue;
        const char *complaints = complaints_of(result, arena);
        bool flagged = *complaints;
        verdict->results++;
        verdict->flagged += flagged;
        if (flagged == verdict->cure)
            verdict->seen = surprise(result, complaints, arena);
    }
}

bool zoo_came_true(const struct zoo_verdict *verdict)
{
    return verdict->results > 0 && verdict->flagged == (verdict->cure ? 0 : verdict->results);
}

/* ---- the table ---- */

void zoo_count(struct zoo_tally *tally, const struct zoo_case *zoo, const struct zoo_verdicts *verdicts)
{
    struct zoo_count *count = &tally->of[zoo->bug_class];
    bool caught = true, flagged = false;

    for (unsigned i = 0; i < verdicts->count; i++) {
        const struct zoo_verdict *verdict = &verdicts->verdict[i];
        caught = caught && (verdict->cure || zoo_came_true(verdict));
        flagged = flagged || (verdict->cure && verdict->flagged > 0);
    }
    count->cases++;
    count->caught += caught;
    count->flagged += flagged;
}

static void print_row(FILE *tap, const char *name, const struct zoo_count *count, const char *meaning)
{
    fprintf(tap, "# %-6s %6u %6u %13u%s%s\n", name, count->cases, count->caught, count->flagged,
            *meaning ? "  " : "", meaning);
}

void zoo_print(const struct zoo_tally *tally, FILE *tap)
{
    struct zoo_count total = { 0 };

    for (unsigned i = 0; i < BUG_CLASSES; i++) {
        const struct zoo_count *count = &tally->of[i];
        if (!count->cases)
            continue;
        if (!total.cases)
            fprintf(tap, "# %-6s %6s %6s %13s  %s\n", "class", "cases", "caught", "cures flagged", "meaning");
        print_row(tap, bug_class_rows[i].name, count, bug_class_rows[i].meaning);
        total.cases += count->cases;
        total.caught += count->caught;
        total.flagged += count->flagged;
    }
    if (total.cases)
        print_row(tap, "all", &total, "");
}

/* claims.c - see claims.h. */
#include "claims.h"
#include <stdio.h>
#include <string.h>
#include "figures.h"
#include "soundness.h"
#include "witness_claim.h"

/* ---- one claim, one result ---- */

static bool target_as_claimed(const struct claim *claim, const struct result *result, char why[CLAIM_WHY])
{
    bool keeps = result_keeps_target(result);
    char excess[DECIMAL_TEXT];

    if (keeps == (claim->expect == HOLDS))
        return true;
    snprintf(why, CLAIM_WHY, "over_admitted is %llu and excess is %s; expected the target to %s",
             (unsigned long long)result->over_admitted, decimal_text(result->excess, 9, excess),
             keeps ? "break" : "hold");
    return false;
}

static bool promise_as_claimed(const struct claim *claim, const struct result *result, char why[CLAIM_WHY])
{
    if (result->promise_kept == (claim->expect == HOLDS))
        return true;
    snprintf(why, CLAIM_WHY, "the promise (%s) is %s; expected it to %s",
             result->promise ? result->promise : "none", result->promise_kept ? "kept" : "broken",
             result->promise_kept ? "break" : "hold");
    return false;
}

static bool soundness_as_claimed(const struct claim *claim, const struct result *result, char why[CLAIM_WHY])
{
    char complaints[SOUNDNESS_TEXT];

    if (result_is_sound(result) == (claim->expect == HOLDS))
        return true;
    soundness_text(result, complaints);
    snprintf(why, CLAIM_WHY, "it has %s; expected %s", *complaints ? complaints : "nothing wrong",
             *complaints ? "nothing wrong" : "something that no correct limiter does");
    return false;
}

static bool condition_as_claimed(const struct condition *condition, const struct result *result,
                                 char why[CLAIM_WHY])
{
    const struct figure *figure = &figures[condition->figure];
    char room[DECIMAL_TEXT];

    if (condition_holds(condition, result))
        return true;
    const char *value = figure_text(figure->kind, figure->get(result), room);
    snprintf(why, CLAIM_WHY, "%s is %.60s; expected %.100s", figure->path, value ? value : "undefined",
             condition->text);
    return false;
}

bool claim_comes_true(const struct claim *claim, const struct result *result, char why[CLAIM_WHY])
{
    if (claim->subject == CLAIM_TARGET && !target_as_claimed(claim, result, why))
        return false;
    if (claim->subject == CLAIM_PROMISE && !promise_as_claimed(claim, result, why))
        return false;
    if (claim->subject == CLAIM_SOUND && !soundness_as_claimed(claim, result, why))
        return false;
    for (uint32_t i = 0; i < claim->conditions; i++)
        if (!condition_as_claimed(&claim->condition[i], result, why))
            return false;
    return !claim->witness || witness_breaks(claim->witness, result->design, why);
}

/* ---- what must be judged ---- */

static bool is_of_quotas(const struct condition *condition)
{
    static const char group[] = "quota.";

    return strncmp(figures[condition->figure].path, group, sizeof group - 1) == 0;
}

static bool any_of_quotas(const struct condition *condition, uint32_t conditions)
{
    for (uint32_t i = 0; i < conditions; i++)
        if (is_of_quotas(&condition[i]))
            return true;
    return false;
}

bool claims_need_quotas(const struct experiment *experiment)
{
    for (uint32_t i = 0; i < experiment->claims; i++) {
        const struct claim *claim = &experiment->claim[i];
        if (claim->subject == CLAIM_SOUND || any_of_quotas(claim->condition, claim->conditions))
            return true;
    }
    return experiment->zoo.name || any_of_quotas(experiment->require, experiment->requires);
}

/* ---- all claims of an experiment ---- */

static unsigned count_texts(const char *const *texts)
{
    unsigned count = 0;

    while (texts[count])
        count++;
    return count;
}

/* Those designs of the list that some claim is about, in the order of the list; then those that only claims
 * name. */
static void restrict_designs(struct experiment *experiment, const struct claim_verdicts *verdicts,
                             struct arena *arena)
{
    const char **kept = arena_alloc(arena, verdicts->count * sizeof *kept);
    struct origin *origin = arena_alloc(arena, verdicts->count * sizeof *origin);
    uint32_t count = 0;

    for (unsigned i = 0; i < verdicts->count; i++) {
        uint32_t k = 0;
        while (k < count && strcmp(kept[k], verdicts->verdict[i].design) != 0)
            k++;
        if (k < count)
            continue;
        origin[count] = verdicts->verdict[i].claim->origin;
        kept[count++] = verdicts->verdict[i].design;
    }
    experiment->designs = count;
    experiment->design = kept;
    experiment->design_origin = origin;
}

struct claim_verdicts claims_prepare(struct experiment *experiment, const char *const *contenders,
                                     struct arena *arena)
{
    uint32_t designs = experiment->designs ? experiment->designs : count_texts(contenders);
    const char *const *design = experiment->designs ? experiment->design : contenders;
    struct claim_verdicts out = { 0, NULL };
    size_t total = 0;

    for (uint32_t i = 0; i < experiment->claims; i++)
        total += experiment->claim[i].designs ? experiment->claim[i].designs : designs;
    out.verdict = arena_alloc(arena, total * sizeof *out.verdict);
    for (uint32_t i = 0; i < experiment->claims; i++) {
        const struct claim *claim = &experiment->claim[i];
        for (uint32_t k = 0; k < (claim->designs ? claim->designs : designs); k++)
            out.verdict[out.count++] = (struct claim_verdict){
                .claim = claim, .design = claim->designs ? claim->design[k] : design[k]
            };
    }
    restrict_designs(experiment, &out, arena);
    return out;
}

static void judge_one(struct claim_verdict *verdict, const struct result *result, struct arena *arena)
{
    char why[CLAIM_WHY];

    verdict->results++;
    if (verdict->broken || claim_comes_true(verdict->claim, result, why))
        return;
    verdict->broken = true;
    verdict->why = arena_format(arena, "limit %lld, seed %llu: %s", (long long)result->limit,
                                (unsigned long long)result->seed, why);
}

void claims_judge(const struct claim_verdicts *verdicts, const struct result *result, struct arena *arena)
{
    for (unsigned i = 0; i < verdicts->count; i++)
        if (strcmp(verdicts->verdict[i].design, result->design) == 0)
            judge_one(&verdicts->verdict[i], result, arena);
}

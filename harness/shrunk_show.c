/* shrunk_show.c - see shrunk.h: for people. */
#include "shrunk.h"
#include "least.h"
#include "units.h"

const char *cause_word(enum cause cause)
{
    static const char *const words[CAUSES] = { "algorithm", "sharing", "race", "fault", "clock" };

    return words[cause];
}

/* ---- the requests -------------------------------------------------------------------------------------- */

enum { SHOWN_NAME = 60, ROWS_AT_ENDS = 20 };

static const char *shown_key(const struct cell *cell, uint32_t key, char text[SHOWN_NAME])
{
    size_t length;
    const char *name = key_name(&cell->matrix->arrivals.keys, key, &length);

    return visible_text(name, length, text, SHOWN_NAME);
}

static void show_row(const struct cell *cell, const struct shrunk *shrunk, uint32_t i, FILE *out)
{
    static const char *const fates[] = { "denied", "admitted", "OVER" };
    const struct arrival *arrival = &shrunk->left.arrival[i];
    char time[UNITS_TEXT], key[SHOWN_NAME];

    fprintf(out, "%4u  %14s  %-14s  %-14s  %5lld  %-8s  %llu\n", i + 1, duration_text(arrival->at_ns, time),
            cell->matrix->experiment->topology.region[arrival->region], shown_key(cell, arrival->key, key),
            (long long)arrival->cost, shrunk->fate ? fates[shrunk->fate[i]] : "",
            (unsigned long long)arrival->id);
}

/* Of a long list the two ends. */
static void show_rows(const struct cell *cell, const struct shrunk *shrunk, FILE *out)
{
    uint32_t n = shrunk->left.requests;

    fprintf(out, "   #               t  region          key              cost  %-8s  id\n",
            shrunk->fate ? "came" : "");
    for (uint32_t i = 0; i < n; i++) {
        if (n > 2 * ROWS_AT_ENDS && i == ROWS_AT_ENDS) {
            i = n - ROWS_AT_ENDS;
            fprintf(out, "        ... %u more ...\n", n - 2 * ROWS_AT_ENDS);
        }
        show_row(cell, shrunk, i, out);
    }
}

/* ---- the sentence -------------------------------------------------------------------------------------- */

static const char *why_text(const struct symptom *symptom)
{
    static const char *const texts[CAUSES] = {
        [CAUSE_ALGORITHM] = "The rule itself allows that: one exact owner lets too many pass, too.",
        [CAUSE_SHARING] = "Copies that are split or stale do that: no two requests overlap, and one exact "
                          "owner lets fewer pass.",
        [CAUSE_RACE] = "A race does that: the same requests are fewer over when each is finished before the "
                       "next.",
        [CAUSE_FAULT] = "Faults do that: without them fewer pass.",
        [CAUSE_CLOCK] = "Clocks that are off do that: with perfect ones fewer pass.",
    };

    return texts[symptom->cause];
}

static void show_sentence(const struct cell *cell, const struct shrunk *shrunk, FILE *out)
{
    unsigned admitted = 0;
    char key[SHOWN_NAME];

    if (shrunk->symptom.kind != SYMPTOM_TARGET) {
        fprintf(out, "%s: %s.\n", cell->text, shrunk->symptom.kind == SYMPTOM_PROMISE
                ? "these requests break what the limiter itself promises" : shrunk->symptom.condition->text);
        return;
    }
    for (uint32_t i = 0; shrunk->fate && i < shrunk->left.requests; i++)
        admitted += shrunk->fate[i] != FATE_DENIED;
    fprintf(out, "%s lets %u of these %u requests of %s pass, %llu too many. %s\n", cell->text, admitted,
            shrunk->left.requests, shown_key(cell, shrunk->symptom.key, key),
            (unsigned long long)shrunk->over, why_text(&shrunk->symptom));
    if (shrunk->calm)
        fputs("Every delay is the smallest there is.\n", out);
}

void shrunk_show(const struct cell *cell, const struct shrunk *shrunk, FILE *out)
{
    show_rows(cell, shrunk, out);
    show_sentence(cell, shrunk, out);
    if (shrunk->left.faults > 0)
        fprintf(out, "Faults that it needs: %u of %u.\n", shrunk->left.faults,
                cell->matrix->experiment->faults);
}

/* ---- beside the least of all --------------------------------------------------------------------------- */

static bool find_least(const struct cell *cell, const struct shrunk *shrunk, struct arena *arena,
                       struct least *out)
{
    const struct experiment *experiment = cell->matrix->experiment;
    const struct target *target = &experiment->target;
    struct least_of of = {
        .arrival = shrunk->left.arrival, .requests = shrunk->left.requests,
        .topology = &experiment->topology, .limit = cell->policy.limit, .period_ns = cell->policy.period_ns,
        .burst = experiment->burst, .target = target->kind, .design = cell->text
    };

    return shrunk->symptom.kind == SYMPTOM_TARGET
        && (shrunk->symptom.cause == CAUSE_RACE || shrunk->symptom.cause == CAUSE_SHARING)
        && target->limit == 0 && target->burst == 0 && target->period_ns == 0
        && experiment->ceiling.limit == 0 && least_find(&of, arena, out);
}

int64_t shrunk_distance(const struct cell *cell, const struct shrunk *shrunk, struct arena *arena)
{
    struct least least;

    return find_least(cell, shrunk, arena, &least) && least.minimal
         ? (int64_t)shrunk->left.requests - least.requests : -1;
}

void shrunk_explore(const struct cell *cell, const struct shrunk *shrunk, FILE *out, struct arena *arena)
{
    struct least least;

    if (!find_least(cell, shrunk, arena, &least))
        return;
    fprintf(out, "%s %u request%s and %u preemption%s; this is %d more.\n  limitlab replay %s\n",
            least.minimal ? "At one instant, no interleaving of such requests does it with fewer than" :
                            "At one instant, some interleaving of such requests does it with",
            least.requests, least.requests == 1 ? "" : "s", least.preemptions,
            least.preemptions == 1 ? "" : "s", (int)shrunk->left.requests - (int)least.requests, least.text);
}

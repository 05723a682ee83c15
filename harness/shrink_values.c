/* shrink_values.c - see shrink_values.h. */
#include "shrink_values.h"
#include <string.h>

/* ---- instants and costs -------------------------------------------------------------------------------- */

struct lowering {
    struct trials *trials;
    struct candidate *left;
    struct arrival *arrival, *scratch;
};

static bool differs(const struct arrival *a, const struct arrival *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (a[i].at_ns != b[i].at_ns || a[i].cost != b[i].cost || a[i].surplus != b[i].surplus)
            return true;
    return false;
}

/* Takes what is in scratch where it fails too. */
static bool take(struct lowering *lowering)
{
    struct candidate smaller = *lowering->left;
    uint32_t n = lowering->left->requests;

    smaller.arrival = lowering->scratch;
    if (!differs(lowering->scratch, lowering->arrival, n) || !trial(lowering->trials, &smaller))
        return false;
    memcpy(lowering->arrival, lowering->scratch, n * sizeof *lowering->arrival);
    return true;
}

static void copy(struct lowering *lowering)
{
    memcpy(lowering->scratch, lowering->arrival, lowering->left->requests * sizeof *lowering->scratch);
}

/* All of it earlier, by as many whole periods as there are before it. */
static bool shift(struct lowering *lowering)
{
    int64_t period_ns = lowering->trials->cell->policy.period_ns;
    int64_t by_ns = lowering->arrival[0].at_ns / period_ns * period_ns;

    copy(lowering);
    for (uint32_t i = 0; i < lowering->left->requests; i++)
        lowering->scratch[i].at_ns -= by_ns;
    return take(lowering);
}

/* All instants down to multiples of the coarsest unit that does. */
static bool round_all(struct lowering *lowering)
{
    for (int64_t unit_ns = INT64_C(100000000000); unit_ns > 1; unit_ns /= 10) {
        copy(lowering);
        for (uint32_t i = 0; i < lowering->left->requests; i++)
            lowering->scratch[i].at_ns -= lowering->scratch[i].at_ns % unit_ns;
        if (take(lowering))
            return true;
    }
    return false;
}

static bool cheapen(struct lowering *lowering, uint32_t i)
{
    copy(lowering);
    lowering->scratch[i].surplus = 0;
    if (lowering->scratch[i].cost > 1)
        lowering->scratch[i].cost = 1;
    return take(lowering);
}

bool shrink_values(struct trials *trials, struct candidate *left, struct arrival *arrival,
                   struct arrival *scratch)
{
    struct lowering lowering = { trials, left, arrival, scratch };
    bool any = shift(&lowering);

    any |= round_all(&lowering);
    for (uint32_t i = 0; i < left->requests; i++)
        any |= cheapen(&lowering, i);
    return any;
}

/* ---- choices ------------------------------------------------------------------------------------------- */

static bool record(struct trials *trials, const struct candidate *candidate, struct schedule *schedule)
{
    struct played played = { .record = schedule };

    return trial_play(trials, candidate, trials->symptom.reality, &played) && played.over > 0
        && !played.strayed;
}

/* The least value of one choice with which it still fails, by halves. */
static void lower(struct trials *trials, const struct candidate *candidate, uint64_t *choice)
{
    uint64_t fails = *choice, low = 0;

    for (uint64_t next = 0; low < fails && !trials->cut; next = low + (fails - low) / 2) {
        *choice = next;
        if (trial(trials, candidate))
            fails = next;
        else
            low = next + 1;
    }
    *choice = fails;
}

static void lower_all(struct trials *trials, const struct candidate *candidate, struct schedule *schedule)
{
    for (size_t i = 0; i < schedule->n && !trials->cut; i++)
        if (schedule->choice[i] > 0)
            lower(trials, candidate, &schedule->choice[i]);
}

/* What is left, with choices: the calm ones if they do, else each as low as can be. */
static bool find_choices(struct trials *trials, struct candidate *candidate, struct schedule *calm,
                         struct schedule *schedule)
{
    candidate->replay = calm;
    if (trial(trials, candidate))
        return true;
    candidate->replay = NULL;
    if (!record(trials, candidate, schedule))
        return false;
    candidate->replay = schedule;
    /* Where the cause asks for choices of its own, the run without it cannot be told to make the same. */
    if (trials->symptom.cause != CAUSE_FAULT && trial(trials, candidate))
        lower_all(trials, candidate, schedule);
    return true;
}

static const char *text_of(const struct schedule *schedule, struct arena *arena)
{
    char *text = arena_alloc(arena, schedule_text_bytes(schedule));

    schedule_write(schedule, text);
    return text;
}

/* As it was played for the last time: what came of each request, and the choices that were made. */
static void tell_last(struct trials *trials, const struct candidate *candidate, struct arena *arena,
                      struct shrunk *out)
{
    const struct cell *cell = trials->cell;
    struct schedule made;
    struct played last = { .record = &made }, whole = { 0 };

    last.fate = out->fate = arena_alloc(arena, candidate->requests * sizeof *out->fate);
    schedule_init(&made, process_memory());
    made.subject = frozen_subject(cell, candidate->arrival, candidate->requests);
    made.seed = cell->seed;
    if (trial_play(trials, candidate, trials->symptom.reality, &last)) {
        out->over = last.over;
        out->schedule = text_of(&made, arena);
        out->calm = true;
        for (size_t i = 0; i < made.n; i++)
            out->calm &= made.choice[i] == 0;
        out->whole = trial_play(trials, candidate, REALITY_WHOLE, &whole) && whole.digest == last.digest
                  && whole.over == last.over && !whole.strayed;
    }
    schedule_free(&made);
}

void shrink_choices(struct trials *trials, struct arena *arena, struct shrunk *out)
{
    struct candidate candidate = out->left;
    struct schedule calm, schedule;

    if (trials->symptom.kind != SYMPTOM_TARGET)
        return;
    schedule_init(&calm, process_memory());
    schedule_init(&schedule, process_memory());
    if (!find_choices(trials, &candidate, &calm, &schedule))
        candidate.replay = NULL;
    tell_last(trials, &candidate, arena, out);
    schedule_free(&calm);
    schedule_free(&schedule);
}

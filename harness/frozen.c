/* frozen.c - see frozen.h. */
#include "frozen.h"
#include <stdlib.h>
#include <string.h>
#include "../engine/digest.h"

static struct frozen *frozen_of(struct source *source)
{
    return (struct frozen *)((char *)source - offsetof(struct frozen, source));
}

/* ---- writing down -------------------------------------------------------------------------------------- */

static void keep(struct frozen *frozen, const struct arrival *arrival)
{
    frozen->arrival = memory_grow(process_memory(), frozen->arrival, &frozen->room, frozen->arrivals + 1,
                                  sizeof *frozen->arrival);
    frozen->arrival[frozen->arrivals] = *arrival;
    frozen->arrival[frozen->arrivals++].client = 0;
}

static bool record_next(struct source *self, struct arrival *out)
{
    struct frozen *frozen = frozen_of(self);

    if (!frozen->inner->next(frozen->inner, out))
        return false;
    keep(frozen, out);
    return true;
}

static bool record_ended(struct source *self, const struct arrival *arrival, int64_t now_ns,
                         const struct verdict *verdict, struct arrival *out)
{
    struct frozen *frozen = frozen_of(self);

    if (!frozen->inner->ended(frozen->inner, arrival, now_ns, verdict, out))
        return false;
    keep(frozen, out);
    frozen->reacted = true;
    return true;
}

static struct source *record_source(struct intervention *self, struct source *inner)
{
    struct frozen *frozen = (struct frozen *)self;

    frozen->inner = inner;
    frozen->source = (struct source){ record_next, inner->ended ? record_ended : NULL };
    return &frozen->source;
}

void frozen_record(struct frozen *frozen)
{
    *frozen = (struct frozen){ .intervention = { .source = record_source } };
}

static int by_time(const void *left, const void *right)
{
    const struct arrival *a = left, *b = right;

    if (a->at_ns != b->at_ns)
        return a->at_ns < b->at_ns ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* What sources hand out is in order already, and arrivals of one instant then keep theirs. */
void frozen_sort(struct frozen *frozen)
{
    if (frozen->reacted)
        qsort(frozen->arrival, frozen->arrivals, sizeof *frozen->arrival, by_time);
}

void frozen_free(struct frozen *frozen)
{
    memory_free(process_memory(), frozen->arrival);
    *frozen = (struct frozen){ .arrivals = 0 };
}

/* ---- playing ------------------------------------------------------------------------------------------- */

static bool play_next(struct source *self, struct arrival *out)
{
    struct frozen *frozen = frozen_of(self);

    if (frozen->next == frozen->plays)
        return false;
    *out = frozen->play[frozen->next++];
    return true;
}

static struct source *play_source(struct intervention *self, struct source *inner)
{
    struct frozen *frozen = (struct frozen *)self;

    (void)inner;
    frozen->next = 0;
    frozen->source = (struct source){ play_next, NULL };
    return &frozen->source;
}

void frozen_play(struct frozen *frozen, const struct arrival *arrival, size_t arrivals)
{
    frozen->intervention.source = play_source;
    frozen->play = arrival;
    frozen->plays = arrivals;
}

/* ---- naming -------------------------------------------------------------------------------------------- */

uint64_t frozen_subject(const struct cell *cell, const struct arrival *arrival, size_t arrivals)
{
    int64_t policy[] = { cell->policy.limit, cell->policy.period_ns, cell->policy.burst };
    struct digest digest;

    digest_init(&digest, process_memory());
    for (const char *sign = cell->text; *sign; sign++)
        digest_add(&digest, sign, 1);
    digest_add(&digest, policy, sizeof policy);
    for (size_t i = 0; i < arrivals; i++) {
        int64_t fields[] = { arrival[i].at_ns - arrival[0].at_ns, arrival[i].cost, arrival[i].surplus,
                             arrival[i].region };
        digest_add(&digest, fields, sizeof fields);
    }
    uint64_t value = digest_value(&digest);
    digest_free(&digest);
    return value;
}

/* shown.c - see shown.h. */
#include "shown.h"
#include <stdio.h>
#include "../engine/retry.h"
#include "trace.h"

enum { SHOWN_NAME = KEY_BYTES_MAX + 32 };

bool shown_differs(const struct experiment *experiment)
{
    for (uint32_t i = 0; i < experiment->traffics; i++) {
        const struct traffic *traffic = &experiment->traffic[i];
        if (traffic->keys_per_person > 1 || traffic->useds > 0 || traffic->variant > 0)
            return true;
    }
    return false;
}

struct shown_used *shown_prepare(const struct experiment *experiment, struct arena *arena,
                                 struct memory *memory)
{
    struct shown_used *all = arena_alloc(arena, (experiment->traffics + (size_t)1) * sizeof *all);

    for (uint32_t i = 0; i < experiment->traffics; i++) {
        const struct traffic *traffic = &experiment->traffic[i];
        uint64_t *weight = arena_alloc(arena, (traffic->useds + (size_t)1) * sizeof *weight);
        all[i].used = traffic->used;
        for (uint32_t w = 0; w < traffic->useds; w++)
            weight[w] = traffic->used[w].weight;
        if (traffic->useds > 0)
            alias_init(&all[i].alias, weight, traffic->useds, memory);
    }
    return all;
}

void shown_free(struct shown_used *used, const struct experiment *experiment, struct memory *memory)
{
    for (uint32_t i = 0; used && i < experiment->traffics; i++)
        if (experiment->traffic[i].useds > 0)
            alias_free(&used[i].alias, memory);
}

static uint32_t shown_key(struct keys *keys, const char *person, uint64_t which)
{
    char name[SHOWN_NAME];

    snprintf(name, sizeof name, "%.*s/%llu", KEY_BYTES_MAX, person, (unsigned long long)which);
    return key_intern_text(keys, name);
}

void shown_intern(const struct traffic *traffic, const char *person, struct keys *keys)
{
    for (uint32_t i = 0; traffic->keys_per_person > 1 && i < traffic->keys_per_person; i++)
        shown_key(keys, person, i);
}

/* ---- playing ------------------------------------------------------------------------------------------- */

static int64_t surplus(const struct shown_source *shown, uint32_t stream, const struct arrival *arrival)
{
    const struct shown_used *draws = &shown->used[stream];
    struct stream_pair bits = stream_pair(shown->seed, (struct stream){ arrival->id, STREAM_USED, 0 });

    return draws->used[alias_draw(&draws->alias, bits.first)].cost - arrival->cost;
}

static void show(struct shown_source *shown, struct arrival *arrival)
{
    uint32_t stream = (uint32_t)(arrival->id >> TRACE_ID_BITS);
    uint64_t ordinal = arrival->id & ((UINT64_C(1) << TRACE_ID_BITS) - 1);
    const struct traffic *traffic = &shown->experiment->traffic[stream];

    if (traffic->keys_per_person > 1)
        arrival->bucket = 1 + shown_key(shown->keys, key_name(shown->keys, arrival->key, NULL),
                                        ordinal % traffic->keys_per_person);
    if (traffic->useds > 0)
        arrival->surplus = surplus(shown, stream, arrival);
    if (traffic->variant > 0)
        arrival->variant = traffic->variant + 1;
    if (shown->bucket)
        arrival->bucket = 1 + shown->bucket[arrival_bucket(arrival)];
}

static struct shown_source *of(struct source *source) { return (struct shown_source *)(void *)source; }

static bool next(struct source *source, struct arrival *out)
{
    struct shown_source *shown = of(source);

    if (!shown->inner->next(shown->inner, out))
        return false;
    show(shown, out);
    return true;
}

/* The same request, with all that was added to it; else a closed loop's next one. */
static bool is_sent_again(const struct arrival *before, const struct arrival *now)
{
    const uint64_t ordinal = (UINT64_C(1) << RETRY_ID_SHIFT) - 1;

    return (before->id & ordinal) == (now->id & ordinal);
}

static bool ended(struct source *source, const struct arrival *arrival, int64_t now_ns,
                  const struct verdict *verdict, struct arrival *out)
{
    struct shown_source *shown = of(source);

    if (!shown->inner->ended(shown->inner, arrival, now_ns, verdict, out))
        return false;
    if (!is_sent_again(arrival, out))
        show(shown, out);
    return true;
}

void shown_start(struct shown_source *shown)
{
    shown->source = (struct source){ .next = next, .ended = shown->inner->ended ? ended : NULL };
}

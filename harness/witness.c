/* witness.c - see witness.h. */
#include "witness.h"
#include <inttypes.h>
#include <string.h>
#include "../engine/schedule.h"
#include "replayed.h"

static const char opening[] = "llw1:";

/* Choices travel as in a schedule, whose head is a witness's digest and a seed that means nothing. */
const char *witness_text(const struct witness *witness, struct arena *arena)
{
    struct schedule schedule;

    schedule_init(&schedule, process_memory());
    for (size_t i = 0; i < witness->choices; i++)
        schedule_append(&schedule, witness->choice[i]);
    char *text = arena_alloc(arena, schedule_text_bytes(&schedule));
    schedule_write(&schedule, text);
    schedule_free(&schedule);
    return arena_format(arena, "%s%s:%016" PRIx64 ":%s", opening, explored_text(&witness->explored, arena),
                        witness->digest, strrchr(text, ':') + 1);
}

static const char *parse_choices(struct witness *witness, const char *digest, const char *choices,
                                 struct arena *arena)
{
    struct schedule schedule;

    schedule_init(&schedule, process_memory());
    const char *why = schedule_read(&schedule, arena_format(arena, "ll1:%s:0:%s", digest, choices),
                                    REPLAY_STEPS_MAX);
    uint64_t *copy = arena_alloc(arena, schedule.n * sizeof *copy);
    if (schedule.n > 0)
        memcpy(copy, schedule.choice, schedule.n * sizeof *copy);
    witness->choice = copy;
    witness->choices = schedule.n;
    witness->digest = schedule.subject;
    schedule_free(&schedule);
    return why;
}

/* The part after the last colon; text ends before that colon.  NULL when there is none. */
static const char *cut_last(char *text)
{
    char *colon = strrchr(text, ':');

    if (!colon)
        return NULL;
    *colon = '\0';
    return colon + 1;
}

const char *witness_parse(struct witness *witness, const char *text, struct arena *arena)
{
    *witness = (struct witness){ .digest = 0 };
    if (strncmp(text, opening, sizeof opening - 1) != 0)
        return "is no witness; expected text that starts with llw1:";
    char *world = arena_text(arena, text + sizeof opening - 1);
    const char *choices = cut_last(world), *digest = choices ? cut_last(world) : NULL;
    if (!digest || strlen(digest) != 16 || strspn(digest, "0123456789abcdef") != 16)
        return "is cut short or changed; expected llw1:WORLD:DIGEST:CHOICES";
    const char *why = parse_choices(witness, digest, choices, arena);
    return why ? why : explored_parse(&witness->explored, world, arena);
}

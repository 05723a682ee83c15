/* sequence.c - see sequence.h. */
#include "sequence.h"

void sequence_asked(struct sequence *sequence, uint64_t id)
{
    if (sequence->asked < SEQUENCE_MAX)
        sequence->id[sequence->asked] = id;
    sequence->asked++;
}

void sequence_settled(struct sequence *sequence, uint64_t id, char outcome)
{
    for (uint64_t i = 0; sequence->asked <= SEQUENCE_MAX && i < sequence->asked; i++)
        if (sequence->id[i] == id)
            sequence->outcome[i] = outcome;
}

const char *sequence_text(const struct sequence *sequence, struct arena *arena)
{
    if (sequence->asked == 0 || sequence->asked > SEQUENCE_MAX)
        return NULL;
    char *text = arena_alloc(arena, 2 * (size_t)sequence->asked);
    for (uint64_t i = 0; i < sequence->asked; i++) {
        if (!sequence->outcome[i])
            return NULL;
        text[2 * i] = sequence->outcome[i];
        if (i + 1 < sequence->asked)
            text[2 * i + 1] = ' ';
    }
    return text;
}

/* Any bytes as a schedule (the first byte says how many choices may be held): refused, or the same again
 * after it was written and read. */
#include <stdlib.h>
#include <string.h>
#include "../../engine/schedule.h"
#include "../../harness/arena.h"

#define DEMAND(condition)                                                       \
    do {                                                                        \
        if (!(condition))                                                       \
            abort();                                                            \
    } while (0)

static void write_and_read(const struct schedule *schedule)
{
    struct schedule again;
    char *text = malloc(schedule_text_bytes(schedule));

    DEMAND(text);
    schedule_write(schedule, text);
    DEMAND(strlen(text) < schedule_text_bytes(schedule));
    schedule_init(&again, process_memory());
    DEMAND(schedule_read(&again, text, schedule->n) == NULL);
    DEMAND(again.subject == schedule->subject && again.seed == schedule->seed && again.n == schedule->n);
    DEMAND(again.n == 0 || memcmp(again.choice, schedule->choice, again.n * sizeof *again.choice) == 0);
    schedule_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct schedule schedule;

    if (length == 0)
        return 0;
    size_t most = (size_t)1 << bytes[0] % 21;
    char *text = malloc(length);
    DEMAND(text);
    memcpy(text, bytes + 1, length - 1);
    text[length - 1] = '\0';
    schedule_init(&schedule, process_memory());
    const char *why = schedule_read(&schedule, text, most);
    DEMAND(schedule.n <= most);
    if (!why)
        write_and_read(&schedule);
    else
        DEMAND(*why);
    schedule_free(&schedule);
    free(text);
    return 0;
}

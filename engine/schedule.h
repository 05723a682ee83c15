/* schedule.h - the choices of a run, written down: with them the run can be had again.
 *
 * A schedule is the list of what choose() answered, in order; questions with one possible answer leave no
 * trace.  Most answers of a calm or shrunk schedule are 0, so the text form counts runs of zeros:
 *
 *     ll1:SUBJECT:SEED:CHOICES
 *
 * SUBJECT is a digest of what the schedule belongs to (world, traffic, format), 16 hexadecimal digits; SEED
 * is decimal; CHOICES is base32 (RFC 4648, lower case, no padding) of LEB128 numbers: a choice v > 0 is v, a
 * run of n zeros is 0 n. */
#ifndef LIMITLAB_SCHEDULE_H
#define LIMITLAB_SCHEDULE_H
#include <stdbool.h>
#include <stdint.h>
#include "memory.h"

struct schedule {
    struct memory *memory;
    uint64_t subject, seed;
    uint64_t *choice;
    size_t n, room;
};

void schedule_init(struct schedule *schedule, struct memory *memory);
void schedule_free(struct schedule *schedule);
void schedule_append(struct schedule *schedule, uint64_t choice);

/* Bytes that schedule_write() needs at most, NUL included. */
size_t schedule_text_bytes(const struct schedule *schedule);
void schedule_write(const struct schedule *schedule, char *text);

/* Reads the text form, any bytes, into an empty schedule; at most most_choices of them (a run of zeros is
 * short to write and long to hold).  NULL, or what is wrong as static text. */
const char *schedule_read(struct schedule *schedule, const char *text, size_t most_choices);
#endif

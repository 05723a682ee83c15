#include <assert.h>
#include "schedule.h"

static const char DIGITS[] = "abcdefghijklmnopqrstuvwxyz234567";

void schedule_init(struct schedule *schedule, struct memory *memory)
{
    assert(memory);
    *schedule = (struct schedule){ .memory = memory };
}

void schedule_free(struct schedule *schedule)
{
    assert(schedule->memory);
    schedule->choice = memory_free(schedule->memory, schedule->choice);
    schedule->n = schedule->room = 0;
}

void schedule_append(struct schedule *schedule, uint64_t choice)
{
    assert(schedule->memory);
    schedule->choice = memory_grow(schedule->memory, schedule->choice, &schedule->room, schedule->n + 1,
                                   sizeof *schedule->choice);
    schedule->choice[schedule->n++] = choice;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

struct writer { char *text; uint32_t bits, held; };

static void put_byte(struct writer *out, uint8_t byte)
{
    assert(out->held < 5);
    out->bits = out->bits << 8 | byte;
    for (out->held += 8; out->held >= 5; out->held -= 5)
        *out->text++ = DIGITS[out->bits >> (out->held - 5) & 31];
}

static void put_number(struct writer *out, uint64_t number)
{
    assert(out->text);
    for (; number >= 128; number >>= 7)
        put_byte(out, (uint8_t)(number | 128));
    put_byte(out, (uint8_t)number);
}

static char *put_text_number(char *text, uint64_t number, unsigned base, unsigned digits)
{
    char reversed[24];
    unsigned n = 0;

    assert(base == 10 || base == 16);
    do
        reversed[n++] = "0123456789abcdef"[number % base];
    while ((number /= base) > 0 || n < digits);
    while (n > 0)
        *text++ = reversed[--n];
    return text;
}

size_t schedule_text_bytes(const struct schedule *schedule)
{
    assert(schedule->memory);
    return 64 + schedule->n * 18;           /* a number has at most 10 bytes, so 16 digits */
}

void schedule_write(const struct schedule *schedule, char *text)
{
    assert(text);
    memcpy(text, "ll1:", 4);
    text = put_text_number(text + 4, schedule->subject, 16, 16);
    *text++ = ':';
    text = put_text_number(text, schedule->seed, 10, 1);
    *text++ = ':';
    struct writer out = { .text = text };
    for (size_t i = 0; i < schedule->n; ) {
        size_t zeros = 0;
        while (i + zeros < schedule->n && schedule->choice[i + zeros] == 0)
            zeros++;
        put_number(&out, zeros > 0 ? 0 : schedule->choice[i]);
        if (zeros > 0)
            put_number(&out, zeros);
        i += zeros > 0 ? zeros : 1;
    }
    if (out.held > 0)
        *out.text++ = DIGITS[out.bits << (5 - out.held) & 31];
    *out.text = '\0';
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static bool get_text_number(const char **text, unsigned base, uint64_t *number)
{
    const char *start = *text;

    assert(base == 10 || base == 16);
    for (*number = 0; ; (*text)++) {
        unsigned digit = **text >= '0' && **text <= '9' ? (unsigned)(**text - '0')
                       : **text >= 'a' && **text <= 'f' ? (unsigned)(**text - 'a') + 10 : 99;
        if (digit >= base)
            return *text > start && *(*text)++ == ':';
        if (*number > (UINT64_MAX - digit) / base)
            return false;
        *number = *number * base + digit;
    }
}

struct reader { const char *text; uint32_t bits, held; bool bad; };

static bool get_byte(struct reader *in, uint8_t *byte)
{
    assert(in->text);
    while (in->held < 8) {
        const char *digit = *in->text ? strchr(DIGITS, *in->text) : NULL;
        if (!digit) {
            in->bad |= *in->text != '\0';
            return false;
        }
        in->bits = in->bits << 5 | (uint32_t)(digit - DIGITS);
        in->held += 5;
        in->text++;
    }
    *byte = (uint8_t)(in->bits >> (in->held - 8));
    in->held -= 8;
    return true;
}

static bool get_number(struct reader *in, uint64_t *number)
{
    uint8_t byte;

    *number = 0;
    for (unsigned shift = 0; get_byte(in, &byte); shift += 7) {
        if (shift > 63 || (shift == 63 && byte > 1)) {
            in->bad = true;
            return false;
        }
        *number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
        in->bad = true;                     /* cut short, unless more follows */
    }
    return false;
}

const char *schedule_read(struct schedule *schedule, const char *text, size_t most_choices)
{
    struct reader in;
    uint64_t number, zeros;

    assert(schedule->n == 0);
    if (strncmp(text, "ll1:", 4) != 0)
        return "is not a schedule; expected text that starts with ll1:";
    text += 4;
    if (!get_text_number(&text, 16, &schedule->subject) || !get_text_number(&text, 10, &schedule->seed))
        return "has a broken head; expected ll1:SUBJECT:SEED:CHOICES";
    in = (struct reader){ .text = text };
    while (in.bad = false, get_number(&in, &number)) {
        zeros = 1;
        if (number == 0 && (!get_number(&in, &zeros) || zeros == 0))
            return "has a run of zeros without a length";
        if (zeros > most_choices - schedule->n)
            return "has more choices than can be held";
        for (uint64_t i = 0; i < zeros; i++)
            schedule_append(schedule, number);
    }
    /* What is left over of the last digit is less than a digit, and zeros. */
    in.bad |= in.held >= 5 || (in.bits & ((UINT32_C(1) << in.held) - 1)) != 0;
    return in.bad ? "has broken choices; expected base32 of whole numbers" : NULL;
}

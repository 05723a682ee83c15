#include "chooser.h"

static uint64_t next_of_replay(struct chooser *chooser, uint64_t n)
{
    assert(chooser->replay);
    uint64_t answer = chooser->at < chooser->replay->n ? chooser->replay->choice[chooser->at] : 0;

    chooser->at++;
    if (answer < n)
        return answer;
    chooser->strayed = true;
    return 0;
}

void odometer_start(struct odometer *odometer)
{
    assert(odometer);
    *odometer = (struct odometer){ 0 };
}

bool odometer_next(struct odometer *odometer)
{
    assert(odometer->digits <= ODOMETER_DIGITS);
    odometer->digits = odometer->at < ODOMETER_DIGITS ? odometer->at : ODOMETER_DIGITS;
    odometer->at = 0;
    for (; odometer->digits > 0; odometer->digits--)
        if (++odometer->digit[odometer->digits - 1] < odometer->base[odometer->digits - 1])
            return true;
    return false;
}

/* A digit that was not asked for before starts at 0, the calm answer. */
static uint64_t next_digit(struct odometer *odometer, uint64_t n)
{
    uint32_t at = odometer->at++;

    assert(n >= 2);
    if (at >= ODOMETER_DIGITS || n > UINT32_MAX) {
        odometer->overrun = true;
        return 0;
    }
    if (at >= odometer->digits)
        odometer->digit[at] = 0;
    odometer->base[at] = (uint32_t)n;
    return odometer->digit[at];
}

uint64_t chooser_answer_slowly(struct chooser *chooser, struct stream stream, uint64_t n)
{
    uint64_t answer = 0;

    assert(n >= 1);
    if (n == 1)
        return 0;
    if (chooser->mode == CHOOSE_KEYED)
        answer = stream_below(chooser->seed, stream, n);
    else if (chooser->mode == CHOOSE_REPLAY)
        answer = next_of_replay(chooser, n);
    else if (chooser->mode == CHOOSE_ALL)
        answer = next_digit(chooser->odometer, n);
    if (chooser->record)
        schedule_append(chooser->record, answer);
    return answer;
}

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
    if (chooser->record)
        schedule_append(chooser->record, answer);
    return answer;
}

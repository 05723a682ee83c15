/* merge.c - see merge.h.  A run has few sources, so the earliest head is looked for. */
#include "merge.h"

/* A closed loop that had nothing may have something now; an open source that had nothing is over. */
static void ready_head(struct merged_source *merged, uint32_t i)
{
    struct merged_head *head = &merged->head[i];
    struct source *part = merged->part[i];

    if (!head->ready && !head->over) {
        head->ready = part->next(part, &head->arrival);
        head->over = !head->ready && part->ended == NULL;
    }
}

static bool merged_next(struct source *self, struct arrival *out)
{
    struct merged_source *merged = (struct merged_source *)(void *)self;
    struct merged_head *first = NULL;

    if (merged->parts == 1)
        return merged->part[0]->next(merged->part[0], out);
    for (uint32_t i = 0; i < merged->parts; i++) {
        struct merged_head *head = &merged->head[i];
        ready_head(merged, i);
        if (head->ready && (first == NULL || head->arrival.at_ns < first->arrival.at_ns))
            first = head;
    }
    if (first == NULL)
        return false;
    *out = first->arrival;
    first->ready = false;
    return true;
}

static bool merged_ended(struct source *self, const struct arrival *arrival, int64_t now_ns,
                         const struct verdict *verdict, struct arrival *out)
{
    struct merged_source *merged = (struct merged_source *)(void *)self;
    struct source *part = merged->part[arrival->id >> TRACE_ID_BITS];

    return part->ended && part->ended(part, arrival, now_ns, verdict, out);
}

void merged_init(struct merged_source *merged, struct source *const *part, uint32_t parts,
                 struct merged_head *head)
{
    bool closed = false;

    for (uint32_t i = 0; i < parts; i++) {
        head[i] = (struct merged_head){ .ready = false };
        closed = closed || part[i]->ended;
    }
    *merged = (struct merged_source){ .part = part, .parts = parts, .head = head };
    merged->source.next = merged_next;
    merged->source.ended = closed ? merged_ended : NULL;
}

#include "ledger.h"
#include <assert.h>
#include <stdlib.h>
#include "../engine/world.h"
#include "ledger_rows.h"
#include "oracle.h"

_Static_assert((int)LEDGER_STORES == (int)STORES_MAX, "a past for each store");

static struct ledger *self_of(struct observer *self) { return (struct ledger *)self; }

/* ---- stories, by the id of their request --------------------------------------------------------------- */

static uint32_t *chain_of(const struct ledger *ledger, uint64_t id)
{
    return &ledger->head[(id * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (ledger->room - 1)];
}

static void link_story(struct ledger *ledger, uint32_t i)
{
    uint32_t *chain = chain_of(ledger, ledger->story[i].id);

    ledger->story[i].next = *chain;
    *chain = i + 1;
}

/* NULL when there is none: its request is done with. */
static struct story *find(const struct ledger *ledger, uint64_t id)
{
    uint32_t i = ledger->room > 0 ? *chain_of(ledger, id) : 0;

    while (i > 0 && ledger->story[i - 1].id != id)
        i = ledger->story[i - 1].next;
    return i > 0 ? &ledger->story[i - 1] : NULL;
}

/* The chains are made anew when the room for stories grows. */
static void make_room(struct ledger *ledger)
{
    struct memory *memory = process_memory();
    size_t chains = 0;

    ledger->story = memory_grow(memory, ledger->story, &ledger->room, ledger->stories + (size_t)1,
                                sizeof *ledger->story);
    memory_free(memory, ledger->head);
    ledger->head = memory_grow(memory, NULL, &chains, ledger->room, sizeof *ledger->head);
    for (uint32_t i = 0; i < ledger->stories; i++)
        link_story(ledger, i);
}

static struct story *begin(struct ledger *ledger, uint64_t id)
{
    uint32_t i = ledger->free_story;

    if (i > 0) {
        i--;
        ledger->free_story = ledger->story[i].next;
    } else {
        if (ledger->stories == ledger->room)
            make_room(ledger);
        i = ledger->stories++;
    }
    ledger->story[i] = (struct story){ .id = id, .number = ++ledger->requests };
    link_story(ledger, i);
    return &ledger->story[i];
}

static void end(struct ledger *ledger, struct story *story)
{
    uint32_t i = (uint32_t)(story - ledger->story), *link = chain_of(ledger, story->id);

    while (*link != i + 1)
        link = &ledger->story[*link - 1].next;
    *link = story->next;
    *story = (struct story){ .next = ledger->free_story };
    ledger->free_story = i + 1;
}

/* A story that nothing can be added to any more is written down, or forgotten. */
static void settle(struct ledger *ledger, struct story *story)
{
    bool waits = !story->finished || (story->admitted && !story->judged);

    if (waits || (story->over && story->has_written && !story->replaced))
        return;
    if (story->over)
        ledger_row(ledger, story);
    end(ledger, story);
}

/* ---- what is kept of each state ------------------------------------------------------------------------ */

static struct past *past_of(struct ledger *ledger, uint32_t store, uint32_t cell)
{
    ledger->past[store] = memory_grow(process_memory(), ledger->past[store], &ledger->past_room[store],
                                      cell + (size_t)1, sizeof *ledger->past[store]);
    return &ledger->past[store][cell];
}

/* The write that made a version; NULL when it is not kept. */
static const struct written *written(const struct past *past, uint32_t version)
{
    const struct written *kept = past->room > 0 ? &past->ring[version & (past->room - 1)] : NULL;

    return kept && version > 0 && kept->version == version ? kept : NULL;
}

static void widen(struct past *past)
{
    struct past wider = *past;

    wider.room = 0;
    wider.ring = memory_grow(process_memory(), NULL, &wider.room, past->room + 1, sizeof *wider.ring);
    for (size_t i = 0; i < past->room; i++)
        wider.ring[past->ring[i].version & (wider.room - 1)] = past->ring[i];
    memory_free(process_memory(), past->ring);
    *past = wider;
}

static void keep_write(struct past *past, const struct written *write)
{
    if (past->room == 0)
        widen(past);
    while (past->room < WRITES_KEPT && past->ring[write->version & (past->room - 1)].version > 0)
        widen(past);
    past->ring[write->version & (past->room - 1)] = *write;
    past->newest = write->version;
}

static void free_past(struct ledger *ledger)
{
    for (uint32_t store = 0; store < LEDGER_STORES; store++) {
        for (size_t cell = 0; cell < ledger->past_room[store]; cell++)
            memory_free(process_memory(), ledger->past[store][cell].ring);
        memory_free(process_memory(), ledger->past[store]);
    }
}

/* ---- news of states ------------------------------------------------------------------------------------ */

/* A state is at a version: when that is one that nobody wrote, something else has happened to it. */
static void look(struct past *past, uint32_t newest, int64_t now_ns)
{
    if (newest <= past->newest)
        return;
    past->newest = newest;
    past->reset_ns = now_ns;
}

/* What was read last counts; at one instant, what was read stale. */
static void saw(struct observer *self, const struct cell_use *use)
{
    struct ledger *ledger = self_of(self);
    struct story *story = use->in_background ? NULL : find(ledger, use->id);
    struct past *past = past_of(ledger, use->store, use->cell);

    look(past, use->other, use->now_ns);
    if (!story || story->decided)
        return;
    if (story->has_read && story->read.now_ns == use->now_ns && story->read.version != story->read.other)
        return;
    story->has_read = true;
    story->read = *use;
    story->lost_ns = past->lost_ns;
    story->reset_ns = past->reset_ns;
}

/* What somebody wrote has been replaced, by who had read it or not. */
static void replace(struct ledger *ledger, const struct written *old, const struct written *by, bool unread)
{
    struct story *story = old->number > 0 ? find(ledger, old->id) : NULL;

    if (!story || story->number != old->number)
        return;
    story->replaced = true;
    if (unread) {
        story->overwritten = true;
        story->overwritten_by = *by;
    }
    settle(ledger, story);
}

static void wrote(struct observer *self, const struct cell_use *use)
{
    struct ledger *ledger = self_of(self);
    struct past *past = past_of(ledger, use->store, use->cell);
    struct story *story = use->in_background ? NULL : find(ledger, use->id);
    struct written by = { .at_ns = use->now_ns, .id = use->id, .number = story ? story->number : 0,
                          .version = use->version,
                          .stale = story && story->read.version != story->read.other };
    const struct written *kept = written(past, use->version - 1);
    struct written old = kept ? *kept : (struct written){ 0 };
    bool unread = kept && use->other != use->version - 1;

    look(past, use->version - 1, use->now_ns);
    if (unread && !by.stale)
        past->lost_ns = use->now_ns;
    keep_write(past, &by);
    if (story) {
        story->has_written = true;
        story->replaced = false;
        story->overwrote_any |= unread;
        story->overwrote = unread ? old : story->overwrote;
    }
    replace(ledger, &old, &by, unread);
}

/* ---- news of requests ---------------------------------------------------------------------------------- */

static void arrived(struct observer *self, const struct arrival *arrival)
{
    begin(self_of(self), arrival->id);
    self_of(self)->next->arrived(self_of(self)->next, arrival);
}

static uint32_t opened(struct observer *self, uint32_t key, int64_t instant_ns)
{
    return self_of(self)->next->opened(self_of(self)->next, key, instant_ns);
}

/* How old what it read is by now. */
static void date(struct ledger *ledger, struct story *story, int64_t now_ns)
{
    const struct past *past = past_of(ledger, story->read.store, story->read.cell);
    const struct written *next = written(past, story->read.version + 1);

    story->newest = past->newest > story->read.other ? past->newest : story->read.other;
    story->age_ns = story->newest == story->read.version ? 0
                  : next ? i64_max(0, now_ns - next->at_ns) : AGE_UNKNOWN;
}

/* An admission that the oracle will judge: one that weighs something, or leaves a queue. */
static bool is_judged(const struct decision *decision)
{
    return decision->verdict.allowed
        && (decision->cost + decision->surplus != 0 || decision->verdict.delay_ns > 0);
}

static void decided(struct observer *self, const struct decision *decision)
{
    struct ledger *ledger = self_of(self);
    struct story *story = find(ledger, decision->id);

    assert(story && !story->decided);
    story->decided = true;
    story->admitted = is_judged(decision);
    story->key = decision->key;
    story->node = decision->node;
    story->region = decision->region;
    story->cost = decision->cost;
    story->clock_ns = decision->reading_ns - decision->instant_ns;
    if (story->has_read)
        date(ledger, story, decision->instant_ns);
    ledger->next->decided(ledger->next, decision);
    story->right = oracle_reference_allowed(ledger->oracle);
}

static void dropped(struct observer *self, uint32_t ticket)
{
    self_of(self)->next->dropped(self_of(self)->next, ticket);
}

static void departed(struct observer *self, uint64_t id, uint32_t key, int64_t cost, int64_t instant_ns)
{
    self_of(self)->next->departed(self_of(self)->next, id, key, cost, instant_ns);
}

static void finished(struct observer *self, const struct arrival *arrival, int64_t now_ns, bool failed)
{
    struct ledger *ledger = self_of(self);
    struct story *story = find(ledger, arrival->id);

    ledger->next->finished(ledger->next, arrival, now_ns, failed);
    assert(story && !story->finished);
    story->finished = true;
    settle(ledger, story);
}

static void soon(struct observer *self, uint32_t key)
{
    struct observer *next = self_of(self)->next;

    if (next->soon)
        next->soon(next, key);
}

void ledger_judged(void *context, const struct judged *judged)
{
    struct ledger *ledger = context;
    struct story *story = find(ledger, judged->id);

    assert(story && story->admitted && !story->judged);
    story->judged = true;
    story->over = !judged->kept;
    story->at_ns = judged->at_ns;
    story->before = judged->before;
    story->after = judged->after;
    settle(ledger, story);
}

/* ---- beginning and end --------------------------------------------------------------------------------- */

bool ledger_open(struct ledger *ledger, const struct ledger_setting *setting, struct observer *next,
                 const struct oracle *oracle, struct failure *failure)
{
    *ledger = (struct ledger){
        .observer = { .arrived = arrived, .opened = opened, .decided = decided, .dropped = dropped,
                      .departed = departed, .finished = finished, .soon = soon, .saw = saw,
                      .wrote = wrote, .wants_quota = next->wants_quota },
        .next = next, .oracle = oracle, .keys = setting->keys, .topology = setting->topology,
        .epoch_ns = setting->epoch_ns, .period_ns = setting->period_ns, .faulty = setting->faulty,
    };
    if (!outfile_open(&ledger->out, setting->path, failure))
        return false;
    ledger_head(ledger);
    return true;
}

static int by_number(const void *left, const void *right)
{
    uint64_t a = ((const struct story *)left)->number, b = ((const struct story *)right)->number;

    return (a > b) - (a < b);
}

/* Stories whose last write nobody replaced, in the order of their requests. */
static void write_rest(struct ledger *ledger)
{
    if (ledger->stories > 0)
        qsort(ledger->story, ledger->stories, sizeof *ledger->story, by_number);
    for (uint32_t i = 0; i < ledger->stories; i++)
        if (ledger->story[i].over)
            ledger_row(ledger, &ledger->story[i]);
}

bool ledger_close(struct ledger *ledger, bool whole, struct failure *failure)
{
    bool good = true;

    write_rest(ledger);
    if (whole)
        good = outfile_commit(&ledger->out, failure);
    else
        outfile_abandon(&ledger->out);
    free_past(ledger);
    memory_free(process_memory(), ledger->head);
    memory_free(process_memory(), ledger->story);
    return good;
}

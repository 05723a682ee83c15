/* small_news.c - what a small world's observer hears, written down. */
#include <assert.h>
#include "small_pack.h"

static struct small_world *of(struct observer *observer)
{
    return (struct small_world *)(void *)((char *)observer - offsetof(struct small_world, observer));
}

static void hear(struct small_world *small, struct small_news news)
{
    assert(small->heard_n < STEP_MESSAGES_MAX);
    small->heard = memory_grow(small->setup.memory, small->heard, &small->heard_room, small->heard_n + 1,
                               sizeof *small->heard);
    memset(&small->heard[small->heard_n], 0, sizeof news);
    small->heard[small->heard_n].kind = news.kind;
    small->heard[small->heard_n].key = news.key;
    small->heard[small->heard_n].instant_ns = news.instant_ns;
    small->heard[small->heard_n++].cost = news.cost;
}

static void arrived(struct observer *self, const struct arrival *arrival) { (void)self, (void)arrival; }
static void dropped(struct observer *self, uint32_t ticket) { (void)self, (void)ticket; }

struct small_check small_checked(struct verdict verdict, struct quota quota, int64_t cost)
{
    return (struct small_check){ .known = true, .passes = verdict.allowed,
                                 .room = quota.remaining + (verdict.allowed ? cost : 0) };
}

static uint32_t opened(struct observer *self, uint32_t key, int64_t instant_ns)
{
    (void)self, (void)key, (void)instant_ns;
    return 1;
}

static void decided(struct observer *self, const struct decision *decision)
{
    bool allowed = decision->verdict.allowed;

    if (decision->policy)
        of(self)->check = small_checked(decision->verdict, decision->quota, decision->cost);
    /* A shaped request is admitted when it will depart. */
    hear(of(self), (struct small_news){ .kind = allowed ? NEWS_ADMITTED : NEWS_DENIED, .key = decision->key,
                                        .instant_ns = allowed ? decision->departs_ns : decision->instant_ns,
                                        .cost = decision->cost + decision->surplus });
}

static void departed(struct observer *self, uint64_t id, uint32_t key, int64_t cost, int64_t instant_ns)
{
    (void)self, (void)id, (void)key, (void)cost, (void)instant_ns;
}

static void finished(struct observer *self, const struct arrival *arrival, int64_t now_ns, bool failed)
{
    if (failed)
        hear(of(self), (struct small_news){ .kind = NEWS_FAILED, .key = arrival->key, .instant_ns = now_ns,
                                            .cost = arrival->cost });
}

void small_listen(struct small_world *small)
{
    assert(small->heard_n == 0);
    small->observer = (struct observer){ .arrived = arrived, .opened = opened, .decided = decided,
                                         .dropped = dropped, .departed = departed, .finished = finished };
}

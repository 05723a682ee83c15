/* oracle_story.h - random runs told to an oracle, and the whole log of what was told.
 *
 * Few keys, instants that often tie, costs of any sign, readings that are opened, dropped and settled out
 * of order, requests that depart later, verdicts that have nothing to do with any limiter: everything that
 * news may be. */
#ifndef LIMITLAB_ORACLE_STORY_H
#define LIMITLAB_ORACLE_STORY_H
#include "oracle_rig.h"

enum { KEYS = 3, REGIONS = 2, EVENTS = 120 };

/* One settled reading, departed request or denial, as the log keeps it. */
struct logged {
    int64_t instant_ns, reading_ns, cost;
    uint32_t key, region;
    uint64_t order;                     /* of the log */
    bool admission;                     /* weighs in the measures over time */
    bool decision;                      /* not a departure */
    struct verdict verdict;
    enum honesty honesty;
};

struct pending {                        /* a request on its way */
    struct arrival arrival;
    uint32_t ticket;
    int64_t instant_ns, departs_ns;
};

struct story {
    struct bench bench;
    struct dice dice;
    bool refunds, ends_with_open;
    int64_t now_ns;
    struct pending asked[EVENTS], opened[EVENTS], shaped[EVENTS];
    int askeds, openeds, shapeds;
    struct arrival arrival[EVENTS];
    int arrivals;
    struct logged log[2 * EVENTS];
    int logs;
    int64_t latency[EVENTS];
    int latencies;
};

static struct pending take_pending(struct dice *dice, struct pending *list, int *count)
{
    int at = (int)dice_between(dice, 0, *count - 1);
    struct pending taken = list[at];

    list[at] = list[--*count];
    return taken;
}

static void log_it(struct story *story, struct logged logged)
{
    logged.order = (uint64_t)story->logs;
    story->log[story->logs++] = logged;
}

static void ask(struct story *story)
{
    struct observer *observer = oracle_observer(&story->bench.oracle);
    struct arrival arrival = {
        .at_ns = story->now_ns,
        .cost = dice_between(&story->dice, story->refunds ? -3 : 0, 5),
        .key = (uint32_t)dice_between(&story->dice, 0, KEYS - 1),
        .region = (uint32_t)dice_between(&story->dice, 0, REGIONS - 1),
    };

    observer->arrived(observer, &arrival);
    story->arrival[story->arrivals++] = arrival;
    story->asked[story->askeds++] = (struct pending){ .arrival = arrival };
}

static void open_reading(struct story *story)
{
    struct pending pending = take_pending(&story->dice, story->asked, &story->askeds);

    pending.instant_ns = story->now_ns;
    pending.ticket = tell_opened(&story->bench, pending.arrival.key, story->now_ns);
    assert_int_not_equal(pending.ticket, TICKET_NONE);
    story->opened[story->openeds++] = pending;
}

static struct verdict random_verdict(struct dice *dice)
{
    if (dice_chance(dice, 3))
        return verdict_deny(dice_chance(dice, 4) ? NEVER_NS : 1);
    if (dice_chance(dice, 5))
        return (struct verdict){ .allowed = true, .delay_ns = dice_between(dice, 1, 9) };
    return verdict_allow();
}

static void decide(struct story *story, struct pending pending)
{
    struct observer *observer = oracle_observer(&story->bench.oracle);
    struct verdict verdict = random_verdict(&story->dice);
    const struct arrival *arrival = &pending.arrival;
    struct decision decision = {
        .instant_ns = pending.ticket ? pending.instant_ns : story->now_ns,
        .reading_ns = story->now_ns + dice_between(&story->dice, -2, 2),
        .cost = arrival->cost, .key = arrival->key, .region = arrival->region, .ticket = pending.ticket,
        .verdict = verdict, .honesty = (enum honesty)dice_between(&story->dice, HONEST_UNASKED, TOO_LATE),
    };

    observer->decided(observer, &decision);
    observer->finished(observer, arrival, story->now_ns, false);
    story->latency[story->latencies++] = story->now_ns - arrival->at_ns;
    log_it(story, (struct logged){
        .instant_ns = decision.instant_ns, .reading_ns = decision.reading_ns, .cost = decision.cost,
        .key = decision.key, .region = decision.region, .decision = true, .verdict = verdict,
        .admission = verdict.allowed && verdict.delay_ns == 0, .honesty = decision.honesty });
    if (verdict.delay_ns > 0)
        story->shaped[story->shapeds++] = pending;
}

static void drop(struct story *story)
{
    struct observer *observer = oracle_observer(&story->bench.oracle);
    struct pending pending = take_pending(&story->dice, story->opened, &story->openeds);

    observer->dropped(observer, pending.ticket);
    story->asked[story->askeds++] = (struct pending){ .arrival = pending.arrival };
}

static void depart(struct story *story)
{
    struct observer *observer = oracle_observer(&story->bench.oracle);
    struct pending pending = take_pending(&story->dice, story->shaped, &story->shapeds);

    observer->departed(observer, pending.arrival.id, pending.arrival.key, pending.arrival.cost,
                       story->now_ns);
    log_it(story, (struct logged){ .instant_ns = story->now_ns, .cost = pending.arrival.cost,
                                   .key = pending.arrival.key, .admission = true });
}

static void happen(struct story *story)
{
    switch (dice_between(&story->dice, 0, 5)) {
    case 0: case 1:
        if (story->arrivals < EVENTS / 2) ask(story);
        break;
    case 2:
        if (story->askeds) open_reading(story);
        break;
    case 3:
        if (story->askeds) decide(story, take_pending(&story->dice, story->asked, &story->askeds));
        break;
    case 4:
        if (story->openeds && dice_chance(&story->dice, 4)) drop(story);
        else if (story->openeds) decide(story, take_pending(&story->dice, story->opened, &story->openeds));
        break;
    case 5:
        if (story->shapeds) depart(story);
        break;
    }
}

static struct policy random_policy(struct dice *dice)
{
    return policy_of(dice_between(dice, 1, 12), dice_between(dice, 1, 40), dice_between(dice, 1, 12));
}

static inline void tell_story(struct story *story, uint64_t number)
{
    *story = (struct story){ .dice = { number } };
    struct dice *dice = &story->dice;
    const struct limiter *limiter = limiters[dice_between(dice, 0, limiter_count - 1)];
    struct policy policy = random_policy(dice), target = dice_chance(dice, 2) ? policy : random_policy(dice);
    enum target_kind kind = dice_chance(dice, 2) ? TARGET_WINDOW : TARGET_CURVE;
    int64_t events = dice_between(dice, 1, EVENTS);
    int64_t stride = dice_between(dice, 0, dice_chance(dice, 4) ? 100 : 6);

    story->refunds = limiter->refunds && dice_chance(dice, 2);
    story->now_ns = dice_between(dice, -50, 50);
    bench_open(&story->bench, limiter, policy, kind, target, KEYS);
    if (dice_chance(dice, 10))          /* so that tickets wrap around within the story */
        story->bench.oracle.readings.first = story->bench.oracle.readings.end = (UINT64_C(1) << 32) - 5;
    for (int64_t i = 0; i < events; i++) {
        happen(story);
        story->now_ns += dice_chance(dice, 3) ? dice_between(dice, 0, stride) : 0;
    }
    while (story->shapeds)
        depart(story);
    bench_finish(&story->bench, story->now_ns);
}
#endif

#include <assert.h>
#include "walk.h"

void walk_start(struct walk *walk, struct explorer *explorer)
{
    memset(walk, 0, sizeof *walk);
    walk->explorer = explorer;
    walk->last = NOBODY;
    walk->shared = small_first_shared(&explorer->small);
    for (uint32_t i = 0; i < explorer->setup.small.clients; i++)
        walk->client[i] = small_first_client(&explorer->small, i, &walk->shared);
    assert(walk->told == 0);
}

bool walk_is_over(const struct walk *walk)
{
    assert(walk->explorer);
    for (uint32_t i = 0; i < walk->explorer->setup.small.clients; i++)
        if (!small_is_done(&walk->explorer->small, walk->client[i]))
            return false;
    return true;
}

const struct told *walk_told(const struct walk *walk, uint32_t *n)
{
    const struct intern *tolds = &walk->explorer->tolds;

    assert(walk->told < tolds->items);
    *n = (uint32_t)(intern_size(tolds, walk->told) / sizeof(struct told));
    return intern_bytes(tolds, walk->told);
}

/* ---- options ------------------------------------------------------------------------------------------- */

struct options { struct walk_option *option; uint32_t n; };

static void add(struct options *options, struct walk *walk, uint32_t client, struct small_action action)
{
    struct small_world *small = &walk->explorer->small;
    uint32_t actor = client == NOBODY ? NO_CALL : walk->client[client];
    uint32_t outcomes = small_step(small, actor, walk->shared, action).n;

    assert(options->n <= WALK_OPTIONS_MAX);
    for (uint32_t choice = 0; choice < outcomes && options->n < WALK_OPTIONS_MAX; choice++)
        options->option[options->n++] = (struct walk_option){ client, action, choice };
}

static void add_acts(struct options *options, struct walk *walk, uint32_t client)
{
    uint32_t acts = small_acts(&walk->explorer->small, walk->client[client]);

    assert(client < walk->explorer->setup.small.clients);
    for (uint32_t which = 0; which < acts; which++)
        add(options, walk, client, (struct small_action){ SMALL_ACT, which });
}

static void add_faults(struct options *options, struct walk *walk)
{
    const struct explore_setup *setup = &walk->explorer->setup;

    assert(walk->crashes <= setup->crashes && walk->forgets <= setup->forgets);
    for (uint32_t i = 0; walk->crashes < setup->crashes && i < setup->small.clients; i++) {
        add(options, walk, i, (struct small_action){ SMALL_CRASH, 0 });
        add(options, walk, i, (struct small_action){ SMALL_UNHEARD, 0 });
    }
    for (uint32_t i = 0; walk->forgets < setup->forgets && i < STORES_MAX; i++)
        add(options, walk, NOBODY, (struct small_action){ SMALL_FORGET, i });
}

uint32_t walk_options(struct walk *walk, struct walk_option option[WALK_OPTIONS_MAX])
{
    const struct explore_setup *setup = &walk->explorer->setup;
    struct options options = { .option = option };

    assert(option);
    if (walk_is_over(walk))
        return 0;
    if (walk->last != NOBODY)
        add_acts(&options, walk, walk->last);
    for (uint32_t i = 0; i < setup->small.clients; i++)
        if (i != walk->last)
            add_acts(&options, walk, i);
    uint32_t backgrounds = small_backgrounds(&walk->explorer->small, walk->shared);
    for (uint32_t which = 0; which < backgrounds; which++)
        add(&options, walk, NOBODY, (struct small_action){ SMALL_BACKGROUND, which });
    if (small_can_tick(&walk->explorer->small, walk->shared))
        add(&options, walk, NOBODY, (struct small_action){ SMALL_TICK, 0 });
    add_faults(&options, walk);
    return options.n;
}

/* Is the client's call unfinished after a step? */
static bool goes_on(const struct small_world *small, uint32_t before, uint32_t after)
{
    assert(before < small->clients.items && after < small->clients.items);
    return !small_is_done(small, after) && small_request(small, before) == small_request(small, after);
}

void walk_step(struct walk *walk, const struct walk_option *option, uint32_t *news)
{
    struct small_world *small = &walk->explorer->small;
    uint32_t actor = option->client == NOBODY ? NO_CALL : walk->client[option->client];
    struct small_outcomes outcomes = small_step(small, actor, walk->shared, option->action);

    assert(option->choice < outcomes.n);
    struct small_outcome outcome = outcomes.outcome[option->choice];
    for (uint32_t i = 0; i < walk->explorer->setup.small.clients; i++)
        if (i != option->client)
            walk->client[i] = small_outdate(small, walk->client[i], outcome.written);
    walk->steps++;
    walk->crashes += option->action.kind == SMALL_CRASH || option->action.kind == SMALL_UNHEARD;
    walk->forgets += option->action.kind == SMALL_FORGET;
    walk->shared = outcome.shared;
    walk->told = explore_tell(walk->explorer, walk->told, outcome.news);
    if (news)
        *news = outcome.news;
    if (option->client == NOBODY)
        return;
    walk->preemptions += walk->last != NOBODY && walk->last != option->client;
    walk->client[option->client] = outcome.client;
    walk->last = goes_on(small, actor, outcome.client) ? option->client : NOBODY;
}

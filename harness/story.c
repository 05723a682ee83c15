/* story.c - see story.h. */
#include "story.h"
#include "arena.h"

enum { STEPS_MAX = 4096 };

/* What is remembered of a client and of a key while a story is told. */
struct teller {
    struct story *story;
    struct walk walk, *before;          /* before[i]: the walk before step i */
    size_t room, before_room;
    struct walk_option option[WALK_OPTIONS_MAX];
    uint32_t options;
    uint32_t read_at[SMALL_CLIENTS];    /* the step in which it last read */
    uint32_t seen[SMALL_CLIENTS];       /* how often its key had been written then */
    struct tally { uint32_t writes, last_writer; } *key;
    uint32_t open;                      /* clients in the middle of a request, by bits */
};

/* ---- one step ------------------------------------------------------------------------------------------ */

static bool same_option(const struct walk_option *a, const struct walk_option *b)
{
    return a->client == b->client && a->action.kind == b->action.kind && a->action.which == b->action.which
        && a->choice == b->choice;
}

static uint32_t part_of(const struct walk *walk, uint32_t client)
{
    return client == NOBODY ? NO_CALL : walk->client[client];
}

/* Who moves, from where, and with what. */
static void tell_mover(const struct teller *teller, struct story_step *step)
{
    const struct explorer *explorer = teller->story->explorer;
    const struct small_world *small = &explorer->small;
    uint32_t client = step->option.client;

    if (client == NOBODY)
        return;
    const struct call *call = small_call(small, teller->walk.client[client]);
    const struct message *message = small_message(small, teller->walk.client[client],
                                                  step->option.action.which);
    step->phase = small->world_setup.design->coordination->phase[call ? call->phase : 0];
    step->request = small_request(small, teller->walk.client[client]);
    step->key = explorer->setup.small.client[client].key;
    step->starts = !(teller->open >> client & 1);
    if (call && message && step->option.action.kind != SMALL_CRASH) {
        step->operation = message->operation;
        step->in_memory = small->world.store[message->store].model->memory_only;
    }
}

static void tell_news(const struct small_world *small, uint32_t number, struct story_step *step)
{
    uint32_t n;
    const struct small_news *news = small_news(small, number, &n);

    for (uint32_t i = 0; i < n; i++) {
        step->admitted += news[i].kind == NEWS_ADMITTED && news[i].cost != 0;
        step->denied += news[i].kind == NEWS_DENIED;
        step->failed += news[i].kind == NEWS_FAILED;
        step->cost += news[i].kind == NEWS_ADMITTED ? news[i].cost : 0;
    }
}

/* Is it a write that may be refused? */
static bool is_write(const struct story_step *step)
{
    return step->operation == OP_PUT || step->operation == OP_CAS;
}

/* Does it act on what was read in an earlier step, and read nothing itself? */
static bool acts_on_reading(const struct story_step *step)
{
    return is_write(step) || step->operation == OP_RETURN;
}

static bool reads(const struct story_step *step)
{
    return !acts_on_reading(step)
        && (step->check.known || step->operation == OP_GET || step->operation == OP_ENTER);
}

/* What a write acts on, whom it replaces; and what others will have to reckon with. */
static void tell_ages(struct teller *teller, struct story_step *step)
{
    uint32_t client = step->option.client, now = teller->story->steps;
    struct tally *key = &teller->key[step->key];

    step->read_at = STORY_NONE;
    step->replaced = NOBODY;
    if (acts_on_reading(step) && teller->read_at[client] != STORY_NONE) {
        step->read_at = teller->read_at[client];
        step->age_steps = now - step->read_at;
        step->age_writes = key->writes - teller->seen[client];
    }
    if (step->operation != OP_CAS && step->writes && step->age_writes > 0 && key->last_writer != client)
        step->replaced = key->last_writer;
    if (reads(step)) {
        teller->read_at[client] = now;
        teller->seen[client] = key->writes;
    }
    if (step->writes) {
        key->writes++;
        key->last_writer = client;
    }
}

/* What the step does to the stores, and to itself. */
static void tell_effect(struct teller *teller, struct story_step *step)
{
    struct explorer *explorer = teller->story->explorer;
    uint32_t actor = part_of(&teller->walk, step->option.client), n;
    struct walk_option option = step->option;

    step->check = small_check(&explorer->small, actor, teller->walk.shared, option.action, option.choice);
    if (step->check.known) {
        const struct told *told = walk_told(&teller->walk, &n);
        step->true_room = story_true_room(explorer, told, n, step->key,
                                          small_now_ns(&explorer->small, teller->walk.shared));
    }
    struct small_outcome outcome = small_step(&explorer->small, actor, teller->walk.shared,
                                              option.action).outcome[option.choice];
    step->writes = step->operation != OP_GET && option.action.kind != SMALL_TICK
                && (outcome.written != 0 || outcome.shared != teller->walk.shared);
    step->refused = is_write(step) && !step->writes;
    tell_news(&explorer->small, outcome.news, step);
}

static void count_step(struct story *story, const struct story_step *step)
{
    bool sent = step->option.client != NOBODY && step->operation != OP_NONE && !step->in_memory;

    story->admitted += step->admitted;
    story->denied += step->denied;
    story->failed += step->failed;
    story->cost += step->cost;
    story->round_trips += sent;
    story->retries += step->operation == OP_CAS && step->refused;
    if (step->over && story->first_over == STORY_NONE)
        story->first_over = story->steps;
}

static void tell_step(struct teller *teller, const struct judge *judge, uint32_t number)
{
    struct story *story = teller->story;
    struct small_world *small = &story->explorer->small;
    struct story_step step = { .option = teller->option[number], .number = number,
                               .options = teller->options };
    uint32_t client = step.option.client, n;

    tell_mover(teller, &step);
    tell_effect(teller, &step);
    if (client != NOBODY)
        tell_ages(teller, &step);
    else
        step.read_at = STORY_NONE, step.replaced = NOBODY;
    walk_step(&teller->walk, &step.option, NULL);
    if (client != NOBODY) {
        step.ends = teller->walk.last != client;
        teller->open = (teller->open & ~(UINT32_C(1) << client)) | (uint32_t)!step.ends << client;
    }
    step.under_way = teller->open;
    step.now_ns = small_now_ns(small, teller->walk.shared);
    const struct told *told = walk_told(&teller->walk, &n);
    step.over = judge->over(judge->context, told, n);
    story->step = memory_grow(process_memory(), story->step, &teller->room, story->steps + 1, sizeof step);
    count_step(story, &step);
    story->step[story->steps++] = step;
}

/* Where the walk is: its options. */
static void look(struct teller *teller)
{
    teller->before = memory_grow(process_memory(), teller->before, &teller->before_room,
                                 teller->story->steps + (size_t)1, sizeof *teller->before);
    teller->before[teller->story->steps] = teller->walk;
    teller->options = walk_options(&teller->walk, teller->option);
}

/* ---- the story ----------------------------------------------------------------------------------------- */

static void start(struct teller *teller, struct story *story, struct explorer *explorer)
{
    size_t keys = 0;

    *story = (struct story){ .explorer = explorer, .clients = explorer->setup.small.clients,
                             .first_over = STORY_NONE, .critical = STORY_NONE };
    teller->story = story;
    walk_start(&teller->walk, explorer);
    teller->key = memory_grow(process_memory(), NULL, &keys, explorer->setup.small.keys, sizeof *teller->key);
    for (uint32_t i = 0; i < SMALL_CLIENTS; i++)
        teller->read_at[i] = STORY_NONE;
}

/* Backwards from where too much was admitted. */
static void find_critical(struct teller *teller, const struct judge *judge)
{
    struct story *story = teller->story;

    if (story->first_over == STORY_NONE)
        return;
    for (uint32_t i = story->first_over + 1; i-- > 0 && story->critical == STORY_NONE; ) {
        if (!story_avoidable(&teller->before[i], judge, &story->instead.option))
            continue;
        story->critical = i;
        teller->walk = teller->before[i];
        tell_mover(teller, &story->instead);
    }
}

static void end(struct teller *teller, const struct judge *judge)
{
    struct story *story = teller->story;

    story->given = story->steps;
    for (look(teller); teller->options > 0 && story->steps < STEPS_MAX; look(teller))
        tell_step(teller, judge, 0);
    story->finished = walk_is_over(&teller->walk);
    story->preemptions = teller->walk.preemptions;
    find_critical(teller, judge);
    memory_free(process_memory(), teller->before);
    memory_free(process_memory(), teller->key);
}

bool story_tell(struct story *story, struct explorer *explorer, const struct judge *judge,
                const struct walk_option *option, uint32_t n)
{
    struct teller teller = { 0 };
    bool known = true;

    start(&teller, story, explorer);
    for (uint32_t i = 0; known && i < n; i++) {
        uint32_t number = 0;
        look(&teller);
        while (number < teller.options && !same_option(&teller.option[number], &option[i]))
            number++;
        known = number < teller.options;
        if (known)
            tell_step(&teller, judge, number);
    }
    end(&teller, judge);
    return known;
}

bool story_tell_numbers(struct story *story, struct explorer *explorer, const struct judge *judge,
                        const uint32_t *number, uint32_t n)
{
    struct teller teller = { 0 };
    bool known = true;

    start(&teller, story, explorer);
    for (uint32_t i = 0; known && i < n; i++) {
        look(&teller);
        known = number[i] < teller.options;
        if (known)
            tell_step(&teller, judge, number[i]);
    }
    end(&teller, judge);
    return known;
}

void story_free(struct story *story)
{
    story->step = memory_free(process_memory(), story->step);
}

int64_t story_true_room(const struct explorer *explorer, const struct told *told, uint32_t n, uint32_t key,
                        int64_t now_ns)
{
    const struct world_setup *setup = &explorer->small.world_setup;
    struct values values;
    struct value value = { 0 };

    values_init(&values, process_memory(), limiter_rule(setup->design->limiter));
    value_check(&values, setup->policy, (struct request){ .now_ns = n > 0 ? told[0].instant_ns : now_ns },
                &value);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; told[i].key == key && k < told[i].count; k++)
            value_charge(&values, setup->policy, (struct request){ told[i].instant_ns, told[i].cost }, true,
                         &value);
    int64_t room = value_quote(&values, setup->policy, now_ns, &value).remaining;
    values_free(&values);
    return room < 0 ? 0 : room;
}

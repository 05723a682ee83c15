/* replayed.c - see replayed.h. */
#include "replayed.h"
#include <stdlib.h>
#include <string.h>
#include "../engine/digest.h"
#include "interleavings.h"

/* Of what the numbers in a witness mean: to be raised when steps or options get another meaning while their
 * digests stay the same. */
enum { SEMANTICS = 1 };

/* What is known of a cell: how often it was written, and by whom last. */
struct cell_story {
    uint32_t version, writer;
    uint32_t read[SMALL_CLIENTS];       /* the version that each client read last ... */
    uint32_t read_at[SMALL_CLIENTS];    /* ... and in which step; 0: never */
};

struct replaying {
    struct explored_world *world;
    struct arena *arena;
    struct replayed *out;
    struct walk walk;
    struct digest digest;
    struct cell_story cell[SMALL_CELLS];
};

/* ---- what a step is about ---- */

/* The operation that a client's step performs: that of its message, while it has one. */
static const struct message *message_of(struct replaying *replaying, const struct walk_option *option)
{
    if (option->client == NOBODY || option->action.kind == SMALL_CRASH)
        return NULL;
    return small_message(&replaying->world->explorer.small, replaying->walk.client[option->client],
                         option->action.which);
}

static void note_operation(struct replaying *replaying, struct replayed_step *step,
                           const struct message *message)
{
    const struct world *world = &replaying->world->explorer.small.world;

    step->operation = (enum operation)message->operation;
    step->store = message->store;
    step->cell = message->cell;
    step->store_name = world->store[message->store].model->name;
    step->region = message->to;
    step->key = message->key;
}

static const char *phase_of(const struct replaying *replaying, uint32_t client)
{
    const struct call *call = small_call(&replaying->world->explorer.small, client);
    const char *name = call ? replaying->world->design.coordination->phase[call->phase] : NULL;

    return call && !name ? "under way" : name;
}

/* ---- versions ---- */

static void note_read(struct replayed_step *step, struct cell_story *cell, uint32_t number)
{
    uint32_t client = step->option.client;

    step->reads = true;
    step->version = cell->version;
    cell->read[client] = cell->version;
    cell->read_at[client] = number;
}

static void note_write(struct replayed_step *step, struct cell_story *cell, uint32_t number)
{
    uint32_t client = step->option.client;
    bool has_read = client != NOBODY && cell->read_at[client] > 0;

    step->writes = true;
    step->version = cell->version + 1;
    step->age = has_read ? number - cell->read_at[client] : 0;
    step->victim = NOBODY;
    if (step->operation == OP_PUT)
        step->overwritten = cell->version - (has_read ? cell->read[client] : 0);
    if (step->overwritten > 0)
        step->victim = cell->writer;
    cell->version++;
    cell->writer = client;
    /* Whoever writes knows what is there now. */
    if (client != NOBODY) {
        cell->read[client] = cell->version;
        cell->read_at[client] = number;
    }
}

/* Which versions were read and made, for the cells that have any. */
static void note_versions(struct replaying *replaying, struct replayed_step *step, uint64_t written)
{
    uint32_t number = replaying->out->steps + 1;
    int own = step->operation == OP_NONE ? -1
            : small_cell_bit(&replaying->world->explorer.small, step->store, step->cell);

    if (own >= 0 && (step->operation == OP_GET || step->operation == OP_COUNT))
        note_read(step, &replaying->cell[own], number);
    for (int bit = 0; bit < SMALL_CELLS; bit++)
        if (written >> bit & 1) {
            if (bit == own)
                note_write(step, &replaying->cell[bit], number);
            else
                replaying->cell[bit].version++;
        }
}

/* ---- what came of it ---- */

static void note_news(struct replaying *replaying, struct replayed_step *step, uint32_t news)
{
    const struct small_news *heard = small_news(&replaying->world->explorer.small, news, &step->news_n);
    struct small_news *copy = arena_alloc(replaying->arena, step->news_n * sizeof *copy);
    uint32_t n;

    if (step->news_n > 0)
        memcpy(copy, heard, step->news_n * sizeof *copy);
    step->news = copy;
    const struct told *told = walk_told(&replaying->walk, &n);
    step->admitted = told_requests(told, n);
    step->excess = small_target_excess(&replaying->out->target, told, n);
}

static void add_text(struct digest *digest, const char *text)
{
    size_t length = text ? strlen(text) + 1 : 0;

    for (size_t n; length > 0; text += n, length -= n) {
        n = length < DIGEST_BUFFER ? length : DIGEST_BUFFER;
        digest_add(digest, text, n);
    }
}

/* Everything by which the same choices could come to mean something else. */
static void digest_step(struct digest *digest, const struct replayed_step *step)
{
    int64_t fields[] = { step->option.client, (int64_t)step->option.action.kind, step->option.action.which,
                         step->option.choice, step->chosen, step->options, step->request,
                         (int64_t)step->operation, step->store, step->cell, step->region, step->now_ns,
                         step->reads, step->writes, step->version, step->overwritten, step->has_left,
                         step->left, (int64_t)step->admitted };

    digest_add(digest, fields, sizeof fields);
    add_text(digest, step->before);
    add_text(digest, step->after);
    for (uint32_t i = 0; i < step->news_n; i++) {
        int64_t news[] = { (int64_t)step->news[i].kind, step->news[i].key, step->news[i].instant_ns,
                           step->news[i].cost };
        digest_add(digest, news, sizeof news);
    }
}

/* ---- walking ---- */

static void take_step(struct replaying *replaying, const struct walk_option *option,
                      struct replayed_step *step)
{
    struct walk *walk = &replaying->walk;
    struct small_world *small = &replaying->world->explorer.small;
    uint32_t actor = option->client == NOBODY ? NO_CALL : walk->client[option->client], news;
    const struct message *message = message_of(replaying, option);
    struct message about = { 0 };
    struct quota quota;

    step->option = *option;
    step->victim = NOBODY;
    step->now_ns = small_now_ns(small, walk->shared);
    if (message) {
        about = *message;
        note_operation(replaying, step, message);
    }
    if (option->client != NOBODY) {
        step->request = small_request(small, actor);
        step->before = phase_of(replaying, actor);
    }
    uint64_t written = small_step(small, actor, walk->shared, option->action).outcome[option->choice].written;
    walk_step(walk, option, &news);
    if (option->client != NOBODY && walk->last == option->client)
        step->after = phase_of(replaying, walk->client[option->client]);
    step->has_left = message && small_quota(small, walk->shared, &about, &quota);
    step->left = step->has_left ? quota.remaining : 0;
    note_versions(replaying, step, written);
    note_news(replaying, step, news);
    digest_step(&replaying->digest, step);
    replaying->out->steps++;
}

static bool walk_all(struct replaying *replaying, const uint64_t *choice, size_t choices)
{
    struct walk_option *option = arena_alloc(replaying->arena, WALK_OPTIONS_MAX * sizeof *option);
    struct replayed *out = replaying->out;

    for (size_t i = 0; i < choices; i++) {
        uint32_t options = walk_options(&replaying->walk, option);
        if (choice[i] >= options)
            return false;
        out->step[i] = (struct replayed_step){ .chosen = (uint32_t)choice[i], .options = options };
        take_step(replaying, &option[choice[i]], &out->step[i]);
    }
    return true;
}

static void finish(struct replaying *replaying)
{
    struct replayed *out = replaying->out;

    out->preemptions = replaying->walk.preemptions;
    out->crashes = replaying->walk.crashes;
    out->forgets = replaying->walk.forgets;
    out->over = out->steps > 0 && out->step[out->steps - 1].excess > 0;
    out->digest = digest_value(&replaying->digest);
}

bool replay(struct explored_world *world, enum target_kind target, const uint64_t *choice, size_t choices,
            struct arena *arena, struct replayed *out)
{
    struct replaying replaying = { .world = world, .arena = arena, .out = out };
    uint32_t semantics = SEMANTICS;

    *out = (struct replayed){ .target = { &world->policy, target, world->explorer.setup.small.keys } };
    if (choices > REPLAY_STEPS_MAX)
        return false;
    out->step = arena_alloc(arena, choices * sizeof *out->step);
    digest_init(&replaying.digest, process_memory());
    digest_add(&replaying.digest, &semantics, sizeof semantics);
    add_text(&replaying.digest, explored_design(world));
    add_text(&replaying.digest, explored_text(world->explored, arena));
    walk_start(&replaying.walk, &world->explorer);
    bool good = walk_all(&replaying, choice, choices);
    if (good)
        finish(&replaying);
    digest_free(&replaying.digest);
    return good;
}

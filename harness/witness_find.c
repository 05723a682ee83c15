/* witness_find.c - the smallest violation: smaller worlds first, then in the first that over-admits the
 * cheapest walk. */
#include <string.h>
#include "replayed.h"
#include "witness.h"

enum { STATES_MAX = 2000000 };

struct finding {
    const struct explored *explored;
    const struct explored_bounds *bounds;
    struct arena *arena;
    struct witness_found *out;
    const struct explorer *explorer;    /* of the present world */
    uint64_t states, before;            /* looked at in worlds before, with the present one */
    bool cut;                           /* some world was not looked at to its end */
};

static bool keep_on(void *context, uint64_t states, uint64_t waiting)
{
    struct finding *finding = context;
    const struct explored_bounds *bounds = finding->bounds;
    uint64_t most = bounds->most_states && bounds->most_states < STATES_MAX ? bounds->most_states
                                                                            : STATES_MAX;

    finding->states = finding->before + states;
    if (finding->states > most ||
        (bounds->most_bytes && explore_parts_bytes(finding->explorer) > bounds->most_bytes) ||
        (bounds->keep_on && !bounds->keep_on(bounds->context, states, waiting)))
        finding->cut = true;
    return !finding->cut;
}

/* ---- one world ---- */

static bool is_option(const struct walk_option *a, const struct walk_option *b)
{
    return a->client == b->client && a->action.kind == b->action.kind && a->action.which == b->action.which
        && a->choice == b->choice;
}

/* Steps as places among the options where they are taken. */
static uint64_t *choices_of(struct explorer *explorer, const struct walk_option *step, uint32_t steps,
                            struct arena *arena)
{
    struct walk_option *option = arena_alloc(arena, WALK_OPTIONS_MAX * sizeof *option);
    uint64_t *choice = arena_alloc(arena, steps * sizeof *choice);
    struct walk walk;

    walk_start(&walk, explorer);
    for (uint32_t i = 0; i < steps; i++) {
        uint32_t options = walk_options(&walk, option);
        while (choice[i] < options && !is_option(&option[choice[i]], &step[i]))
            choice[i]++;
        if (choice[i] == options)
            return NULL;
        walk_step(&walk, &step[i], NULL);
    }
    return choice;
}

static void write_down(struct explored_world *world, const uint64_t *choice, uint32_t steps,
                       struct arena *arena, struct witness_found *out)
{
    struct replayed replayed;
    struct witness witness = { .explored = *world->explored, .choices = steps, .choice = choice };

    if (!choice || !replay(world, witness.explored.target, choice, steps, arena, &replayed) || !replayed.over)
        return;
    witness.digest = replayed.digest;
    *out = (struct witness_found){
        .text = witness_text(&witness, arena), .requests = explored_requests(world->explored),
        .clients = world->explorer.setup.small.clients, .faults = replayed.crashes + replayed.forgets,
        .preemptions = replayed.preemptions, .steps = steps
    };
}

/* Steps up to the first with which it is over; 0 when it never is. */
static uint32_t steps_until_over(struct explored_world *world, const uint64_t *choice, size_t steps,
                                 struct arena *arena)
{
    struct replayed replayed;

    if (!choice || !replay(world, world->explored->target, choice, steps, arena, &replayed))
        return 0;
    for (uint32_t i = 0; i < replayed.steps; i++)
        if (replayed.step[i].excess > 0)
            return i + 1;
    return 0;
}

void witness_of_walk(struct explored_world *world, const struct walk_option *step, size_t steps,
                     struct arena *arena, struct witness_found *out)
{
    *out = (struct witness_found){ .text = NULL };
    if (steps > REPLAY_STEPS_MAX)
        return;
    const uint64_t *choice = choices_of(&world->explorer, step, (uint32_t)steps, arena);
    uint32_t until = steps_until_over(world, choice, steps, arena);
    if (until > 0)
        write_down(world, choice, until, arena, out);
}

/* The cheapest violation there, if there is one; *faults: those that it needs. */
static bool find_in(struct finding *finding, const struct explored *explored, uint32_t faults[2])
{
    struct explored_world world;
    struct failure unheard;
    struct explored_bounds bounds = { .keep_on = keep_on, .context = finding };
    struct walk_option *step = NULL;
    uint32_t steps = 0;

    if (explored_open(&world, explored, &bounds, &unheard)) {
        struct small_target target = { &world.policy, explored->target,
                                       world.explorer.setup.small.keys };
        finding->before = finding->states;
        finding->explorer = &world.explorer;
        steps = walk_cheapest(&world.explorer, (struct worth){ small_target_is_over, &target }, 1, 0, &step);
        if (steps > 0) {
            write_down(&world, choices_of(&world.explorer, step, steps, finding->arena), steps,
                       finding->arena, finding->out);
            finding->out->minimal = !finding->cut;
        }
        faults[0] = faults[1] = 0;
        for (uint32_t i = 0; i < steps; i++) {
            faults[0] += step[i].action.kind == SMALL_CRASH || step[i].action.kind == SMALL_UNHEARD;
            faults[1] += step[i].action.kind == SMALL_FORGET;
        }
        memory_free(process_memory(), step);
    }
    explored_close(&world);
    return steps > 0 && finding->out->text;
}

/* A world that over-admits allows no more faults than that needs. */
static bool try(struct finding *finding, struct explored *explored)
{
    uint32_t faults[2];

    if (finding->cut || !find_in(finding, explored, faults))
        return false;
    if (faults[0] != explored->crashes || faults[1] != explored->forgets) {
        explored->crashes = faults[0];
        explored->forgets = faults[1];
        find_in(finding, explored, faults);
    }
    return true;
}

/* ---- smaller worlds ---- */

/* Clients with requests in the world, in their order, in a world of their own. */
static bool try_these(struct finding *finding, const uint32_t requests[SMALL_CLIENTS])
{
    struct explored smaller = *finding->explored;

    smaller.clients = 0;
    for (uint32_t i = 0; i < finding->explored->clients; i++)
        if (requests[i] > 0) {
            smaller.requests[smaller.clients] = requests[i];
            smaller.region[smaller.clients++] = finding->explored->region[i];
        }
    return try(finding, &smaller);
}

/* Clients of one region are interchangeable: the first of them has the most requests. */
static uint32_t most_for(const struct explored *explored, const uint32_t *requests, uint32_t client)
{
    for (uint32_t i = client; i-- > 0; )
        if (explored->region[i] == explored->region[client])
            return requests[i] < explored->requests[client] ? requests[i] : explored->requests[client];
    return explored->requests[client];
}

/* Every way to give `left` requests to `among` of the clients from `client` on. */
static bool share_out(struct finding *finding, uint32_t *requests, uint32_t client, uint32_t among,
                      uint32_t left)
{
    const struct explored *explored = finding->explored;

    if (left == 0 && among == 0)
        return try_these(finding, requests);
    if (client == explored->clients || among == 0 || left < among || finding->cut)
        return false;
    uint32_t most = most_for(explored, requests, client);
    for (uint32_t n = most < left ? most : left; ; n--) {
        requests[client] = n;
        if (share_out(finding, requests, client + 1, among - (n > 0), left - n))
            return true;
        if (n == 0)
            return false;
    }
}

/* What costs no more than may pass at once is never over. */
static uint32_t least_requests(const struct explored *explored)
{
    int64_t burst = explored->burst && explored->target == TARGET_CURVE ? explored->burst : explored->limit;
    uint32_t all = explored_requests(explored);

    if (explored->cost <= 0 || burst / explored->cost >= all)
        return all;
    return (uint32_t)(burst / explored->cost) + 1;
}

static void find_among_clients(struct finding *finding)
{
    const struct explored *explored = finding->explored;
    uint32_t all = explored_requests(explored);

    for (uint32_t n = least_requests(explored); n <= all && !finding->cut; n++)
        for (uint32_t among = 1; among <= explored->clients && among <= n; among++) {
            uint32_t requests[SMALL_CLIENTS] = { 0 };
            if (share_out(finding, requests, 0, among, n))
                return;
        }
}

/* Leaves rows out as long as one can be left out. */
static void find_among_rows(struct finding *finding)
{
    struct explored explored = *finding->explored;
    uint32_t rows = explored.arrivals->rows, kept = 0;

    if (!try(finding, &explored))
        return;
    for (uint32_t row = 0; kept < rows; row = (row + 1) % rows) {
        struct explored smaller = explored;
        smaller.without |= UINT64_C(1) << row;
        bool fewer = smaller.without != explored.without && explored_requests(&smaller) > 0
                  && try(finding, &smaller);
        kept = fewer ? 0 : kept + 1;
        if (fewer)
            explored = smaller;
    }
    finding->out->minimal = !finding->cut;
}

void witness_find(const struct explored *explored, const struct explored_bounds *bounds, struct arena *arena,
                  struct witness_found *out)
{
    struct finding finding = { .explored = explored, .bounds = bounds, .arena = arena, .out = out };

    *out = (struct witness_found){ .text = NULL };
    if (explored->arrivals) {
        find_among_rows(&finding);
        return;
    }
    find_among_clients(&finding);
    if (out->text)
        return;
    /* Not one smaller world within the bounds: the whole one, without a claim to be the smallest. */
    finding.states = finding.before = 0;
    finding.cut = false;
    struct explored whole = *explored;
    try(&finding, &whole);
    if (out->text)
        out->minimal = false;
}

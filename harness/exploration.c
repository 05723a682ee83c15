/* exploration.c - see exploration.h. */
#include "exploration.h"

/* Whatever was admitted on the way to any state that was seen. */
static void look_at_told(struct exploration *out, const struct explorer *explorer)
{
    for (uint32_t i = 0; i < explorer->tolds.items; i++) {
        const struct told *told = intern_bytes(&explorer->tolds, i);
        uint32_t n = (uint32_t)(intern_size(&explorer->tolds, i) / sizeof *told);
        uint64_t admitted = told_requests(told, n);
        out->most = admitted > out->most ? admitted : out->most;
        out->excess = i128_max(out->excess, small_target_excess(&out->target, told, n));
    }
}

static void look_at_states(struct exploration *out, const struct explorer *explorer)
{
    for (uint32_t i = 0; i < out->canonical; i++) {
        uint32_t n;
        const struct explore_node *node = &explorer->node[i];
        out->blocked += node->blocked;
        out->background |= small_backgrounds(&explorer->small, explore_state(explorer, i)->shared) > 0;
        if (!node->last)
            continue;
        const struct told *told = explore_told(explorer, i, &n);
        uint64_t admitted = told_requests(told, n);
        out->least = out->least_known && out->least < admitted ? out->least : admitted;
        out->least_known = true;
    }
}

static void draw_curve(struct exploration *out, struct explorer *explorer, uint32_t curves)
{
    struct worth worth = { small_target_admitted, NULL };

    if (curves > 0 && walk_curve(explorer, worth, out->curve, curves, 0))
        out->curves = curves;
}

void exploration_init(struct exploration *out, struct explored_world *world)
{
    const struct small_setup *setup = &world->explorer.setup.small;

    *out = (struct exploration){ .explored = world->explored, .clients = setup->clients,
                                 .requests = explored_requests(world->explored), .instants = setup->instants,
                                 .target = { &world->policy, world->explored->target, setup->keys } };
}

void exploration_run(struct exploration *out, struct explored_world *world,
                     const struct explored_bounds *bounds, uint32_t curves, struct arena *arena)
{
    struct explorer *explorer = &world->explorer;

    exploration_init(out, world);
    explore(explorer);
    out->end = explorer->end;
    out->overrun = explorer->small.overrun;
    out->endless = explorer->endless;
    out->canonical = explorer->states.items;
    /* What was seen and not looked at counts as well. */
    out->states = explorer->plain_states > out->canonical ? explorer->plain_states : out->canonical;
    look_at_told(out, explorer);
    look_at_states(out, explorer);
    if (exploration_complete(out) && !out->endless) {
        interleavings_count(&out->counts, explorer, &(struct judge){ small_target_over, &out->target });
        out->counted = true;
    }
    if (exploration_complete(out))
        draw_curve(out, explorer, curves);
    if (out->excess > 0 || !exploration_complete(out))
        witness_find(world->explored, bounds, arena, &out->witness);
}

void exploration_clear(struct exploration *out)
{
    if (out->counted)
        interleavings_clear(&out->counts);
    out->counted = false;
}

static const char *runs_stopped_at(const struct exploration *exploration)
{
    static const char time_or_interruption[] = "the end of its time, or by an interruption";

    if (exploration->way == EXPLORATION_SAMPLED)
        return exploration->samples.runs < exploration->samples.asked ? time_or_interruption
                                                                      : "the runs that --sample asks for";
    switch (exploration->stateless.end) {
    case DPOR_RUNS:    return "the most runs that --max-states allows";
    case DPOR_STOPPED: return time_or_interruption;
    case DPOR_REFUSED: return exploration->stateless.refused;
    default:           return NULL;
    }
}

const char *exploration_stopped_at(const struct exploration *exploration)
{
    if (exploration->way != EXPLORATION_STATES)
        return runs_stopped_at(exploration);
    switch (exploration->end) {
    case EXPLORE_STATES:         return "the most states that --max-states allows";
    case EXPLORE_MEMORY:         return "the most memory that --max-memory allows";
    case EXPLORE_STOPPED:        return "the end of its time, or by an interruption";
    case EXPLORE_TOO_MANY_PARTS: return "more different clients or states than can be numbered";
    default:                     break;
    }
    return exploration->overrun ? "a step with more free choices than can be gone through" : NULL;
}

/* ---- scope ---- */

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

const char *exploration_scope(const struct exploration *exploration, struct arena *arena)
{
    const struct explored *explored = exploration->explored;
    const char *text = exploration->way == EXPLORATION_SAMPLED
                     ? "some orders, as schedulers choose them, of the operations at the stores"
                     : "every order of the operations at the stores";

    if (exploration->background)
        text = arena_format(arena, "%s and of background steps", text);
    if (exploration->instants > 1)
        text = arena_format(arena, "%s; time goes on to each of %u instants at any point", text,
                            exploration->instants);
    if (explored->crashes)
        text = arena_format(arena, "%s; up to %u caller%s may die at any point", text, explored->crashes,
                            plural(explored->crashes));
    if (explored->forgets)
        text = arena_format(arena, "%s; a store may lose all that it holds, up to %u time%s", text,
                            explored->forgets, plural(explored->forgets));
    return text;
}

const char *exploration_out_of_scope(const struct exploration *exploration, struct arena *arena)
{
    const struct explored *explored = exploration->explored;

    return arena_format(arena, "more clients or requests than these%s; clocks that differ; messages that are "
                        "lost or come twice%s%s (latencies are in it: they only choose among the orders)",
                        exploration->instants > 1 ? "" : "; time that goes on",
                        explored->crashes ? "" : "; callers that die",
                        explored->forgets ? "" : "; stores that forget");
}

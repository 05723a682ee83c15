/* small_moves.c - the steps of a small world by the place where they begin: each place is worked out once. */
#include "small_pack.h"

static void add_move(struct small_world *small, const struct small_move *move)
{
    assert(small->moves < UINT32_MAX);
    small->move = memory_grow(small->setup.memory, small->move, &small->move_room, small->moves + 1,
                              sizeof *small->move);
    small->move[small->moves++] = *move;
}

static void add_outcomes(struct small_world *small, uint32_t client, uint32_t shared,
                         struct small_action action)
{
    uint32_t n = small_step(small, client, shared, action).n;

    assert(action.kind <= SMALL_FORGET);
    for (uint32_t i = 0; i < n; i++) {
        struct small_move move = { .action = action, .choice = i };
        move.outcome = small_step(small, client, shared, action).outcome[i];
        move.mask = intern(&small->masks, &move.outcome.written, sizeof move.outcome.written);
        add_move(small, &move);
    }
}

static void add_all(struct small_world *small, enum small_moves_of of, uint32_t client, uint32_t shared)
{
    uint32_t n = of == MOVES_ACTS ? small_acts(small, client)
               : of == MOVES_BACKGROUND ? small_backgrounds(small, shared) : 0;

    assert(of < MOVES_OF);
    for (uint32_t i = 0; i < n; i++)
        add_outcomes(small, client, shared,
                     (struct small_action){ of == MOVES_ACTS ? SMALL_ACT : SMALL_BACKGROUND, i });
    if (of == MOVES_BACKGROUND && small_can_tick(small, shared))
        add_outcomes(small, client, shared, (struct small_action){ SMALL_TICK, 0 });
    if (of == MOVES_CRASHES) {
        add_outcomes(small, client, shared, (struct small_action){ SMALL_CRASH, 0 });
        add_outcomes(small, client, shared, (struct small_action){ SMALL_UNHEARD, 0 });
    }
    for (uint32_t i = 0; of == MOVES_FORGETS && i < STORES_MAX; i++)
        add_outcomes(small, client, shared, (struct small_action){ SMALL_FORGET, i });
}

static uint32_t new_span(struct small_world *small, enum small_moves_of of, uint32_t client, uint32_t shared)
{
    struct small_span span = { .first = (uint32_t)small->moves };

    add_all(small, of, client, shared);
    span.n = (uint32_t)small->moves - span.first;
    small->span = memory_grow(small->setup.memory, small->span, &small->span_room, small->spans + 1,
                              sizeof *small->span);
    small->span[small->spans] = span;
    assert(small->spans < UINT32_MAX);
    pair_map_add(&small->moves_at[of], client, shared, (uint32_t)small->spans);
    return (uint32_t)small->spans++;
}

struct small_moves small_moves(struct small_world *small, enum small_moves_of of, uint32_t client,
                               uint32_t shared)
{
    const uint32_t *known = pair_map_find(&small->moves_at[of], client, shared);
    uint32_t number = known ? *known : new_span(small, of, client, shared);
    struct small_span span = small->span[number];

    return (struct small_moves){ span.n > 0 ? small->move + span.first : NULL, span.n };
}

uint32_t small_outdate_by(struct small_world *small, uint32_t client, uint32_t mask)
{
    const uint32_t *known = pair_map_find(&small->outdated, client, mask);
    uint64_t written;

    if (known)
        return *known;
    memcpy(&written, intern_bytes(&small->masks, mask), sizeof written);
    uint32_t outdated = small_outdate(small, client, written);
    pair_map_add(&small->outdated, client, mask, outdated);
    return outdated;
}

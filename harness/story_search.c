/* story_search.c - can it still be avoided?  A depth-first search for an end without too much (story.h).
 *
 * The calm option is tried first, so where there is a way out it is mostly found at once; where there is none
 * all that can follow is gone through, each place once. */
#include "story.h"
#include "arena.h"

enum { PLACES_MAX = 200000 };

struct escape {
    const struct judge *judge;
    struct intern places;               /* that were visited */
    struct walk *stack;
    size_t depth, room;
};

/* What the future depends on; which of several clients that are alike is which does not matter. */
struct place { uint32_t shared, told, crashes, forgets, client[SMALL_CLIENTS]; };

static struct place place_of(const struct walk *walk)
{
    struct place place = { walk->shared, walk->told, walk->crashes, walk->forgets, { 0 } };

    for (uint32_t i = 0; i < walk->explorer->setup.small.clients; i++) {
        uint32_t at = i;
        for (; at > 0 && place.client[at - 1] > walk->client[i]; at--)
            place.client[at] = place.client[at - 1];
        place.client[at] = walk->client[i];
    }
    return place;
}

static bool is_new(struct escape *escape, const struct walk *walk)
{
    struct place place = place_of(walk);
    size_t known = escape->places.items;

    return intern(&escape->places, &place, sizeof place) == known;
}

static bool is_bad(const struct escape *escape, const struct walk *walk)
{
    uint32_t n;
    const struct told *told = walk_told(walk, &n);

    return escape->judge->over(escape->judge->context, told, n);
}

static void push(struct escape *escape, const struct walk *walk)
{
    escape->stack = memory_grow(process_memory(), escape->stack, &escape->room, escape->depth + 1,
                                sizeof *walk);
    escape->stack[escape->depth++] = *walk;
}

static void push_next(struct escape *escape, struct walk *walk)
{
    struct walk_option option[WALK_OPTIONS_MAX];

    for (uint32_t i = walk_options(walk, option); i-- > 0; ) {
        struct walk next = *walk;
        walk_step(&next, &option[i], NULL);
        push(escape, &next);
    }
}

/* Does some way on from here end well? */
static bool ends_well(struct escape *escape, const struct walk *from)
{
    push(escape, from);
    while (escape->depth > 0) {
        struct walk walk = escape->stack[--escape->depth];
        if (is_bad(escape, &walk) || !is_new(escape, &walk))
            continue;
        if (walk_is_over(&walk) || escape->places.items >= PLACES_MAX)
            return true;
        push_next(escape, &walk);
    }
    return false;
}

bool story_avoidable(const struct walk *walk, const struct judge *judge, struct walk_option *instead)
{
    struct escape escape = { .judge = judge };
    struct walk here = *walk;
    struct walk_option option[WALK_OPTIONS_MAX];
    uint32_t n = walk_options(&here, option);
    bool found = walk_is_over(walk) && !is_bad(&escape, walk);

    intern_init(&escape.places, process_memory());
    for (uint32_t i = 0; !found && i < n; i++) {
        struct walk next = here;
        walk_step(&next, &option[i], NULL);
        found = ends_well(&escape, &next);
        if (found && instead)
            *instead = option[i];
    }
    memory_free(process_memory(), escape.stack);
    intern_free(&escape.places);
    return found;
}

/* cures.c - see cures.h. */
#include "cures.h"
#include <stdio.h>
#include "arena.h"
#include "design.h"

static const char *const coordination_of[CURES] = { "cas", "atomic", "owner" };

/* The option that does for another design what a step of the story did; false when there is none. */
static bool counterpart(struct walk *walk, const struct walk_option *like, struct walk_option *out)
{
    struct walk_option option[WALK_OPTIONS_MAX];
    uint32_t n = walk_options(walk, option);

    for (uint32_t i = 0; i < n; i++)
        if (option[i].client == like->client && option[i].action.kind == like->action.kind) {
            *out = option[i];
            return true;
        }
    return false;
}

static void replay(struct cure *cure, struct explorer *explorer, const struct story *story,
                   const struct judge *judge)
{
    struct arena arena = { 0 };
    struct walk_option *option = arena_alloc(&arena, (story->steps + 1) * sizeof *option);
    struct walk walk;
    struct story told;
    uint32_t n = 0;

    walk_start(&walk, explorer);
    for (uint32_t i = 0; i < story->steps; i++)
        if (counterpart(&walk, &story->step[i].option, &option[n]))
            walk_step(&walk, &option[n++], NULL);
    story_tell(&told, explorer, judge, option, n);
    *cure = (struct cure){ .name = cure->name, .possible = true, .finished = told.finished,
                           .over = told.first_over != STORY_NONE, .admitted = told.admitted,
                           .denied = told.denied, .failed = told.failed, .retries = told.retries,
                           .round_trips = told.round_trips, .cost = told.cost };
    story_free(&told);
    arena_free(&arena);
}

static void cure_try(struct cure *cure, const struct story *story, const struct topology *topology,
                     const struct judge *judge)
{
    struct explore_setup setup = story->explorer->setup;
    struct world_setup world = *setup.small.world;
    struct failure failure = { 0 };
    struct explorer explorer;
    struct design design;
    char text[128];

    snprintf(text, sizeof text, "%s@%s", world.design->limiter->name, cure->name);
    if (!design_parse(text, topology, world.policy, (struct origin){ 0 }, &design, &failure))
        return;
    world.design = &design;
    setup.small.world = &world;
    if (!explorer_init(&explorer, &setup))
        replay(cure, &explorer, story, judge);
    explorer_free(&explorer);
}

void cures_try(struct cure cure[CURES], const struct story *story, const struct topology *topology,
               const struct judge *judge)
{
    for (uint32_t i = 0; i < CURES; i++) {
        cure[i] = (struct cure){ .name = coordination_of[i] };
        cure_try(&cure[i], story, topology, judge);
    }
}

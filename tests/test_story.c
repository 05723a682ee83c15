/* test_story.c - what a story says of known interleavings. */
#include <stdio.h>
#include "../harness/explain.h"
#include "../harness/arena.h"
#include "small_rig.h"

static uint64_t cost_of(void *context, const struct told *told, uint32_t n)
{
    uint64_t cost = 0;

    (void)context;
    for (uint32_t i = 0; i < n; i++)
        cost += (uint64_t)told[i].cost * told[i].count;
    return cost;
}

/* The story of the cheapest walk that admits more than the limit. */
static void tell_cheapest(struct scene *scene, struct story *story)
{
    struct walk_option *option;
    uint32_t n = walk_cheapest(&scene->explorer, (struct worth){ cost_of, NULL }, scene->limit + 1, 0, &option);

    assert_true(n > 0);
    assert_true(story_tell(story, &scene->explorer, &scene->judge, option, n));
    memory_free(process_memory(), option);
}

static void show(const struct scene *scene, const struct story *story, const char *design)
{
    struct cure cure[CURES];
    cures_try(cure, story, &scene->experiment.topology, &scene->judge);
    explain_print(stdout, &(struct explain){ story, design, cure });
}

static void both_read_nine(void **state)
{
    struct scene scene;
    struct story story;
    const char *designs[] = { "fixed-window@get-then-set", "fixed-window@kv", "fixed-window@local:instances=2", "token-bucket@get-then-set" };

    (void)state;
    scene_open_both_read_nine(&scene, designs[0]);
    tell_cheapest(&scene, &story);
    show(&scene, &story, designs[0]);
    story_free(&story);
    scene_close(&scene);
    scene_open(&scene, designs[0], 2, 1, 1);
    tell_cheapest(&scene, &story);
    show(&scene, &story, designs[0]);
    story_free(&story);
    scene_close(&scene);
}

TEST_MAIN(TEST(both_read_nine))

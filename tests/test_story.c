/* test_story.c - what a story says of known interleavings, and how it is explained. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../harness/arena.h"
#include "../harness/explain.h"
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
static void tell_cheapest(struct small_scene *scene, struct story *story)
{
    struct walk_option *option;
    uint32_t n = walk_cheapest(&scene->explorer, (struct worth){ cost_of, NULL }, scene->limit + 1, 0,
                               &option);

    assert_true(n > 0);
    assert_true(story_tell(story, &scene->explorer, &scene->judge, option, n));
    memory_free(process_memory(), option);
}

static char *explained(const struct small_scene *scene, const struct story *story, const char *design)
{
    struct cure cure[CURES];
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    cures_try(cure, story, &scene->experiment.topology, &scene->judge);
    explain_print(out, &(struct explain){ story, design, cure });
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_explained(struct small_scene *scene, const char *expected)
{
    struct story story;

    tell_cheapest(scene, &story);
    char *text = explained(scene, &story, "fixed-window@get-then-set");
    assert_string_equal(text, expected);
    free(text);
    story_free(&story);
    small_close(scene);
}

static const char two_clients[] =
    "fixed-window@get-then-set, at most 1 in 60s: 2 clients, 2 admitted\n"
    "step   A      B      store\n"
    "   1   get----------->|  A reads room for 1: passes\n"
    "   2!  |      get---->|  B reads room for 1, in truth none: passes\n"
    "   3   |      put---->|  B writes\n"
    "   4   put----------->|  A writes what it read 3 steps ago, over B's write: that is lost\n"
    "B passed because it read room for 1, but A had taken that already: its write was still on the\n"
    "  way. At step 4 A writes over what B wrote, so the store counts one admission where two were.\n"
    "! Step 2 is the last at which it could be avoided: by letting A go first (put).\n"
    "The clients in the same order, under a cure:\n"
    "  as it is    2 admitted, 0 denied, 4 round trips: too much\n"
    "  cas         1 admitted, 1 denied, 1 retry, 5 round trips\n"
    "  atomic      1 admitted, 1 denied, 2 round trips\n"
    "  owner       1 admitted, 1 denied, 2 round trips\n";

static const char both_nine[] =
    "fixed-window@get-then-set, at most 10 in 60s: 3 clients, 11 admitted\n"
    "step   A      B      C      store\n"
    "   1   ask                   |  A asks\n"
    "   2   |                     |  time goes on to 3s\n"
    "   3   get------------------>|  A reads room for 10: passes\n"
    "   4   put------------------>|  A writes\n"
    "   5          ask            |  B asks\n"
    "   6          get----------->|  B reads room for 1: passes\n"
    "   7          |      ask     |  C asks\n"
    "   8!         |      get---->|  C reads room for 1, in truth none: passes\n"
    "   9          |      put---->|  C writes\n"
    "  10          put----------->|  B writes what it read 4 steps ago, over C's write: that is lost\n"
    "C passed because it read room for 1, but B had taken that already: its write was still on the\n"
    "  way. At step 10 B writes over what C wrote, so the store counts one admission where two were.\n"
    "! Step 8 is the last at which it could be avoided: by letting B go first (put).\n"
    "The clients in the same order, under a cure:\n"
    "  as it is   11 admitted, 0 denied, 6 round trips: too much\n"
    "  cas        10 admitted, 1 denied, 1 retry, 7 round trips\n"
    "  atomic     10 admitted, 1 denied, 3 round trips\n"
    "  owner      10 admitted, 1 denied, 3 round trips\n";

static void two_clients_are_explained(void **state)
{
    struct small_scene scene;

    (void)state;
    small_open(&scene, "fixed-window@get-then-set", 2, 1, 1);
    assert_explained(&scene, two_clients);
}

static void both_read_nine_is_explained_on_one_screen(void **state)
{
    struct small_scene scene;
    uint32_t lines = 0;

    (void)state;
    small_open_both_read_nine(&scene, "fixed-window@get-then-set");
    assert_explained(&scene, both_nine);
    for (const char *line = both_nine; *line; line = strchr(line, '\n') + 1, lines++)
        assert_in_range(strcspn(line, "\n"), 1, 100);
    assert_in_range(lines, 1, 24);
}

static void the_data_say_what_the_text_says(void **state)
{
    struct small_scene scene;
    struct story story;

    (void)state;
    small_open(&scene, "fixed-window@get-then-set", 2, 1, 1);
    tell_cheapest(&scene, &story);
    assert_int_equal(story.steps, 4);
    assert_int_equal(story.given, 2);
    assert_true(story.finished);
    assert_int_equal(story.first_over, 1);
    assert_int_equal(story.critical, 1);
    assert_int_equal(story.instead.option.client, 0);
    assert_int_equal(story.step[1].check.room, 1);
    assert_int_equal(story.step[1].true_room, 0);
    assert_string_equal(story.step[1].phase, "read");
    assert_int_equal(story.step[3].operation, OP_PUT);
    assert_int_equal(story.step[3].replaced, 1);
    assert_int_equal(story.step[3].read_at, 0);
    assert_int_equal(story.step[3].age_steps, 3);
    assert_int_equal(story.step[3].age_writes, 1);
    assert_int_equal(story.round_trips, 4);
    story_free(&story);
    small_close(&scene);
}

static void a_refused_swap_is_a_retry_and_replaces_nobody(void **state)
{
    static const uint32_t both_read[] = { 0, 1 };
    struct small_scene scene;
    struct story story;

    (void)state;
    small_open(&scene, "fixed-window@cas", 2, 1, 1);
    assert_true(story_tell_numbers(&story, &scene.explorer, &scene.judge, both_read, 2));
    assert_int_equal(story.first_over, STORY_NONE);
    assert_int_equal(story.critical, STORY_NONE);
    assert_int_equal(story.retries, 1);
    assert_int_equal(story.admitted, 1);
    assert_int_equal(story.denied, 1);
    for (uint32_t i = 0; i < story.steps; i++)
        assert_true(story.step[i].replaced == NOBODY);
    story_free(&story);
    small_close(&scene);
}

static void the_calm_story_is_the_sequential_run(void **state)
{
    struct small_scene scene;
    struct story story;
    char text[EXPLAIN_TEXT];

    (void)state;
    small_open(&scene, "token-bucket@get-then-set", 3, 2, 4);
    assert_true(story_tell(&story, &scene.explorer, &scene.judge, NULL, 0));
    assert_true(story.finished);
    assert_int_equal(story.admitted, 4);
    assert_int_equal(story.denied, 2);
    assert_int_equal(story.preemptions, 0);
    for (uint32_t i = 0; i < story.steps; i++)
        if (story.step[i].check.known)
            assert_int_equal(story.step[i].check.room, story.step[i].true_room);
    assert_string_equal(explain_sentence(&story, text),
                        "Nothing went wrong here: no more was admitted than may be.");
    assert_string_equal(explain_critical(&story, text), "");
    story_free(&story);
    small_close(&scene);
}

static void an_option_that_is_not_there_is_refused(void **state)
{
    static const uint32_t numbers[] = { 0, 7 };
    struct small_scene scene;
    struct story story;

    (void)state;
    small_open(&scene, "fixed-window@get-then-set", 2, 1, 1);
    assert_false(story_tell_numbers(&story, &scene.explorer, &scene.judge, numbers, 2));
    assert_int_equal(story.given, 1);
    story_free(&story);
    small_close(&scene);
}

/* Without a race to lose, and with one that cannot be avoided. */
static void what_cannot_be_avoided_has_no_critical_step(void **state)
{
    struct small_scene scene;
    struct story story;
    char text[EXPLAIN_TEXT];

    (void)state;
    small_open(&scene, "fixed-window@owner", 2, 1, 2);
    scene.limit = 1;
    assert_true(story_tell(&story, &scene.explorer, &scene.judge, NULL, 0));
    assert_int_equal(story.first_over, 1);
    assert_int_equal(story.critical, STORY_NONE);
    assert_string_equal(explain_critical(&story, text), "No order of steps avoids it.");
    story_free(&story);
    small_close(&scene);
}

/* The critical step by brute force: every walk from before it that avoids it, none from after it. */
static bool some_end_is_good(const struct walk *walk, const struct judge *judge)
{
    struct walk_option option[WALK_OPTIONS_MAX];
    struct walk here = *walk;
    uint32_t told, n = walk_options(&here, option);
    const struct told *list = walk_told(&here, &told);

    if (judge->over(judge->context, list, told))
        return false;
    bool found = n == 0;
    for (uint32_t i = 0; !found && i < n; i++) {
        struct walk next = here;
        walk_step(&next, &option[i], NULL);
        found = some_end_is_good(&next, judge);
    }
    return found;
}

static void the_critical_step_is_that_of_brute_force(void **state)
{
    struct small_scene scene;
    struct story story;
    struct walk walk;

    (void)state;
    for (uint32_t limit = 1; limit <= 2; limit++) {
        small_open(&scene, "fixed-window@get-then-set", 3, 1, limit);
        tell_cheapest(&scene, &story);
        walk_start(&walk, &scene.explorer);
        for (uint32_t i = 0; i < story.steps; i++) {
            assert_int_equal(some_end_is_good(&walk, &scene.judge), i <= story.critical);
            walk_step(&walk, &story.step[i].option, NULL);
        }
        story_free(&story);
        small_close(&scene);
    }
}

TEST_MAIN(TEST(two_clients_are_explained),
          TEST(both_read_nine_is_explained_on_one_screen),
          TEST(the_data_say_what_the_text_says),
          TEST(a_refused_swap_is_a_retry_and_replaces_nobody),
          TEST(the_calm_story_is_the_sequential_run),
          TEST(an_option_that_is_not_there_is_refused),
          TEST(what_cannot_be_avoided_has_no_critical_step),
          TEST(the_critical_step_is_that_of_brute_force))

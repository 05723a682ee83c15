/* test_page.c - pages of witnesses: what is in them, and that what a user typed is never more than text.
 *
 * With WITNESS_PAGES set the pages are left in that folder, for tests/page.sh to look at in a browser. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../harness/arena.h"
#include "../harness/embedded.h"
#include "../harness/page.h"
#include "../harness/page_data.h"
#include "small_rig.h"

static const char hostile[] =
    "</script><script>document.title='pwned'</script><img src=x onerror=alert(1)> &lt; \" ' \\ \xff";

static const struct sample {
    const char *file, *design, *title;
    uint32_t clients, requests, limit;  /* clients 0: both read nine */
    const char *calm;
    bool breaks;
} samples[] = {
    { "both-read-nine", "fixed-window@get-then-set", "Two clients both read nine", 0, 0, 0, "held", true },
    { "two-clients", "fixed-window@get-then-set", "Two clients, one place", 2, 1, 1, "held", true },
    { "three-by-two", "token-bucket@get-then-set", "Three clients, two requests", 3, 2, 3, "held", true },
    { "cas", "fixed-window@cas", "Compare and set", 3, 1, 1, "held", false },
    { "owner", "gcra@owner", "One owner", 3, 1, 2, "held", false },
    { "log", "sliding-window-log@get-then-set", "A log", 3, 1, 1, "held", true },
    { "hostile", "fixed-window@get-then-set", hostile, 3, 1, 2, "held", true },
};
enum { SAMPLES = sizeof samples / sizeof *samples };

/* A page as text, and the JSON in it. */
struct made { char *html; size_t bytes; json_t *data; };

static uint64_t cost_of(void *context, const struct told *told, uint32_t n)
{
    uint64_t cost = 0;

    (void)context;
    for (uint32_t i = 0; i < n; i++)
        cost += (uint64_t)told[i].cost * told[i].count;
    return cost;
}

static void open_sample(struct small_scene *scene, const struct sample *sample)
{
    if (sample->clients == 0)
        small_open_both_read_nine(scene, sample->design);
    else
        small_open(scene, sample->design, sample->clients, sample->requests, sample->limit);
    explore(&scene->explorer);
    assert_null(witness_page_refuses(&scene->explorer));
}

/* The story of the cheapest walk to too much; where there is none, of the calm run. */
static bool tell_best(struct small_scene *scene, struct story *story)
{
    struct walk_option *option = NULL;
    uint32_t n = walk_cheapest(&scene->explorer, (struct worth){ cost_of, NULL }, scene->limit + 1, 0,
                               &option);

    assert_true(story_tell(story, &scene->explorer, &scene->judge, option, n));
    memory_free(process_memory(), option);
    return n > 0;
}

static json_t *data_of(const char *html)
{
    const char *begin = strstr(html, "<script id=\"data\" type=\"application/json\">");
    const char *end = begin ? strstr(begin, "</script>") : NULL;
    json_error_t error;

    assert_non_null(end);
    begin = strchr(begin, '\n');
    json_t *data = json_loadb(begin, (size_t)(end - begin), 0, &error);
    if (!data)
        fail_msg("%s at %d", error.text, error.position);
    return data;
}

static void keep(const struct sample *sample, const struct made *made)
{
    const char *folder = getenv("WITNESS_PAGES");
    char path[512];

    if (!folder)
        return;
    snprintf(path, sizeof path, "%s/%s.html", folder, sample->file);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(made->html, 1, made->bytes, file), made->bytes);
    assert_int_equal(fclose(file), 0);
}

static void make_page(const struct sample *sample, struct made *made)
{
    struct small_scene scene;
    struct story story;
    struct cure cure[CURES];
    const char *keys[] = { hostile };

    open_sample(&scene, sample);
    bool breaks = tell_best(&scene, &story);
    assert_int_equal(breaks, sample->breaks);
    cures_try(cure, &story, &scene.experiment.topology, &scene.judge);
    *made = (struct made){ 0 };
    struct interleavings counted;
    interleavings_count(&counted, &scene.explorer, &scene.judge);
    char *all = mpz_get_str(NULL, 10, counted.all), *over = mpz_get_str(NULL, 10, counted.over);
    FILE *out = open_memstream(&made->html, &made->bytes);
    witness_page_write(out, &(struct witness_page){
        .title = sample->title, .story_text = sample->title, .design = sample->design, .command = "",
        .key = keys,
        .explorer = &scene.explorer, .judge = &scene.judge, .witness = &story, .best = breaks ? &story : NULL,
        .cure = cure, .orders = all, .bad_orders = over });
    assert_int_equal(fclose(out), 0);
    made->data = data_of(made->html);
    keep(sample, made);
    interleavings_clear(&counted);
    free(all);
    free(over);
    story_free(&story);
    small_close(&scene);
}

static void free_page(struct made *made)
{
    json_decref(made->data);
    free(made->html);
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;

    for (; (text = strstr(text, what)); text += strlen(what))
        n++;
    return n;
}

static void every_page_holds_a_world_that_can_be_walked(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct made made;
        make_page(&samples[i], &made);
        assert_true(json_array_size(json_object_get(made.data, "steps")) > 0);
        assert_true(json_array_size(json_object_get(made.data, "tolds")) > 1);
        assert_string_equal(json_string_value(json_object_get(made.data, "calm")), samples[i].calm);
        assert_int_equal(json_is_object(json_object_get(made.data, "par")), samples[i].breaks);
        assert_true(json_is_object(json_object_get(made.data, "code")));
        free_page(&made);
    }
}

static void a_page_needs_nothing_else(void **state)
{
    static const char *const outside[] = { "http:", "https:", "src=\"", "@import", "url(", "<link" };
    struct made made;

    (void)state;
    make_page(&samples[0], &made);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_null(strstr(made.html, outside[i]));
    free_page(&made);
}

static void hostile_text_stays_text(void **state)
{
    struct made plain, made;

    (void)state;
    make_page(&samples[1], &plain);
    make_page(&samples[SAMPLES - 1], &made);
    assert_int_equal(count(made.html, "<script"), count(plain.html, "<script"));
    assert_int_equal(count(made.html, "</script"), count(plain.html, "</script"));
    assert_null(strstr(made.html, "<img"));
    const char *key = json_string_value(json_array_get(json_object_get(made.data, "keys"), 0));
    assert_memory_equal(key, hostile, sizeof hostile - 2);
    assert_string_equal(key + sizeof hostile - 2, "\\xff");
    free_page(&plain);
    free_page(&made);
}

static void json_in_a_script_means_nothing_to_html(void **state)
{
    static const struct { const char *text, *json; } cases[] = {
        { "a<b>&'\"", "\"a\\u003cb\\u003e\\u0026\\u0027\\u0022\"" },
        { "\\n\n", "\"\\u005cn\\u000a\"" },
        { "\xe2\x80\xa8\xe2\x80\xa9\xc3\xa9", "\"\\u2028\\u2029\xc3\xa9\"" },
        { "\xff\\x41", "\"\\\\xff\\\\x5cx41\"" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL;
        size_t bytes = 0;
        FILE *out = open_memstream(&text, &bytes);
        page_data_text(out, cases[i].text);
        fclose(out);
        assert_string_equal(text, cases[i].json);
        free(text);
    }
}

/* How many lines of a step function are the AWAIT of a phase. */
static uint32_t awaits(const struct program_text *text, const char *phase)
{
    uint32_t n = 0;

    for (uint32_t i = 0; text->line[i]; i++)
        n += program_awaits(text->line[i], phase);
    return n;
}

static void every_phase_of_every_coordination_is_a_line_of_its_program(void **state)
{
    (void)state;
    for (unsigned i = 0; i < coordination_count; i++) {
        const struct coordination *coordination = coordinations[i];
        const struct program_text *text = program_text(coordination->name);
        if (!text)
            fail_msg("%s: its step function was not found", coordination->name);
        for (uint32_t phase = 1; phase < PHASES_MAX && coordination->phase[phase]; phase++)
            if (awaits(text, coordination->phase[phase]) != 1)
                fail_msg("%s: %s", coordination->name, coordination->phase[phase]);
    }
}

static void what_was_not_explored_has_no_page(void **state)
{
    struct small_scene scene;

    (void)state;
    small_open(&scene, "fixed-window@get-then-set", 2, 1, 1);
    assert_non_null(witness_page_refuses(&scene.explorer));
    explore(&scene.explorer);
    assert_null(witness_page_refuses(&scene.explorer));
    small_close(&scene);
}

TEST_MAIN(TEST(every_page_holds_a_world_that_can_be_walked),
          TEST(a_page_needs_nothing_else),
          TEST(hostile_text_stays_text),
          TEST(json_in_a_script_means_nothing_to_html),
          TEST(every_phase_of_every_coordination_is_a_line_of_its_program),
          TEST(what_was_not_explored_has_no_page))

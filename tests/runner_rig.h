/* runner_rig.h - what the tests of whole experiments share: a scenario's text in, results out. */
#ifndef LIMITLAB_RUNNER_RIG_H
#define LIMITLAB_RUNNER_RIG_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../harness/runner.h"
#include "../harness/scenario.h"
#include "test.h"

enum { RESULTS_MAX = 256 };

/* Of the run that was last. */
static struct arena arena;
static struct failure failure;
static struct result *results;          /* their texts hang on the arena */
static unsigned count, stop_after, progress_last;
static bool refuse_results;
static volatile int interrupted;

static const volatile int *watch(void)
{
    return &interrupted;
}

/* ---- running ---- */

static inline bool finished(void *context, const struct result *result, struct failure *why)
{
    struct result *kept = &results[count];

    (void)context;
    if (refuse_results)
        return fail(why, EXIT_TROUBLE, NULL, 0, "the disk is full");
    assert_true(count < RESULTS_MAX);
    *kept = *result;
    kept->design = arena_text(&arena, result->design);
    kept->parameters = arena_text(&arena, result->parameters);
    kept->label = arena_text(&arena, result->label);
    kept->promise = arena_text(&arena, result->promise);
    if (result->worst_window.key)
        kept->worst_window.key = arena_text(&arena, result->worst_window.key);
    if (result->watched_key)
        kept->watched_key = arena_text(&arena, result->watched_key);
    if (++count == stop_after)
        interrupted = 1;
    return true;
}

static inline void progress(void *context, unsigned permille, const char *what)
{
    (void)context;
    assert_non_null(what);
    assert_in_range(permille, progress_last, 1000);
    progress_last = permille;
}

static inline int start(void **state)
{
    (void)state;
    failure = (struct failure){ 0 };
    results = arena_alloc(&arena, RESULTS_MAX * sizeof *results);
    count = stop_after = progress_last = 0;
    refuse_results = false;
    interrupted = 0;
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static inline struct experiment experiment_of(const char *text)
{
    struct experiment experiment;

    if (!scenario_parse(text, strlen(text), "test.yaml", NULL, &arena, &experiment, &failure))
        fail_msg("%s", failure.line);
    return experiment;
}

static inline bool try_with(const char *text, struct runner_options options)
{
    struct experiment experiment = experiment_of(text);

    count = 0;
    options.finished = finished;
    options.progress = progress;
    options.watch = watch;
    progress_last = 0;
    return experiment_run(&experiment, &options, &failure);
}

static inline void run(const char *text)
{
    if (!try_with(text, (struct runner_options){ 0 }))
        fail_msg("%s\n%s", failure.line, text);
}

static inline void stops(const char *text, struct runner_options options, enum exit_code code,
                         const char *line)
{
    assert_false(try_with(text, options));
    assert_string_equal(failure.line, line);
    assert_int_equal(failure.code, code);
}

static inline void assert_decimal(struct decimal value, const char *expected)
{
    char text[DECIMAL_TEXT];

    assert_string_equal(decimal_text(value, 9, text), expected);
}

/* ---- files ---- */

static inline char *temporary(void)
{
    char *path = arena_format(&arena, "%s/limitlab-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : P_tmpdir);
    int file = mkstemp(path);

    assert_true(file >= 0);
    close(file);
    return path;
}

static inline char *file_of(const char *text)
{
    char *path = temporary();
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

/* ---- traffic that many share ---- */

#define KEYS "requests: 600, key: user, keys: 3, costs: {1: 3, 2: 1}"
#define BUSY(more) "traffic: [{generator: poisson, rate: 300/s, " KEYS "}]\n" more
#define THREE \
    "topology: {regions: [fra, nrt, iad], store: iad, links: [" \
    "{between: [fra, iad], one_way: {uniform: [20ms, 60ms]}}, " \
    "{between: [nrt, iad], one_way: {uniform: [20ms, 60ms]}}," \
    " {between: [fra, nrt], one_way: 110ms}]}\n"

#define RUN_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
#endif

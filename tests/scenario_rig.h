/* scenario_rig.h - what the tests of scenario files share: text in, an experiment or one line of complaint
 * out. */
#ifndef LIMITLAB_SCENARIO_RIG_H
#define LIMITLAB_SCENARIO_RIG_H
#include <stdio.h>
#include <string.h>
#include "../harness/fields.h"
#include "../harness/scenario.h"

#define STREAM "traffic: [{trace: x.csv}]\n"
#define TWO_REGIONS "topology: {regions: [fra, iad], links: [{between: [fra, iad]}]}\n" STREAM
#define COUNT(array) (sizeof (array) / sizeof (array)[0])

/* Of the scenario that was read last. */
static struct arena arena;
static struct experiment experiment;
static struct failure failure;

static inline bool parse_bytes(const char *text, size_t bytes, const struct override *overrides)
{
    arena_free(&arena);
    failure = (struct failure){ 0 };
    return scenario_parse(text, bytes, "s/file.yaml", overrides, &arena, &experiment, &failure);
}

static inline bool parse(const char *text)
{
    return parse_bytes(text, strlen(text), NULL);
}

static inline void accept(const char *text)
{
    if (!parse(text))
        fail_msg("refused: %s\n%s", failure.line, text);
}

static inline void refuse(const char *text, const char *line)
{
    if (parse(text))
        fail_msg("accepted:\n%s", text);
    assert_string_equal(failure.line, line);
    assert_int_equal(failure.code, EXIT_USAGE);
}

/* The same with --set PATH=VALUE. */
static inline bool parse_with(const char *text, const char *path, const char *value)
{
    const struct override overrides[] = { { "--set ...", path, value }, { 0 } };

    return parse_bytes(text, strlen(text), overrides);
}

static inline void accept_with(const char *text, const char *path, const char *value)
{
    if (!parse_with(text, path, value))
        fail_msg("refused: %s=%s: %s", path, value, failure.line);
}

static inline void refuse_with(const char *text, const char *path, const char *value, const char *line)
{
    if (parse_with(text, path, value))
        fail_msg("accepted: %s=%s", path, value);
    assert_string_equal(failure.line, line);
}

static inline int free_scenario(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* Tests that leave no memory behind. */
#define SCENARIO_TEST(name) cmocka_unit_test_teardown(name, free_scenario)
#endif

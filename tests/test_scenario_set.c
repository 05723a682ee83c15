/* test_scenario_set.c - --set PATH=VALUE, and experiments made of options alone. */
#include "test.h"
#include "scenario_rig.h"

/* ---- --set ---- */

static void an_override_replaces_creates_and_appends(void **state)
{
    (void)state;
    accept_with("policy: {limit: 5}\n" STREAM, "policy.limit", "20");
    assert_int_equal(experiment.limit[0], 20);
    accept_with(STREAM, "policy.limit", "[50, 100]");
    assert_int_equal(experiment.limits, 2);
    accept_with(TWO_REGIONS, "topology.links.0.loss", "1%");
    assert_int_equal(experiment.topology.link[0].loss_billionths, 10000000);
    accept_with(TWO_REGIONS, "topology.links.1", "{from: fra, to: fra, one_way: 1ms}");
    assert_int_equal(experiment.topology.links, 3);
    accept_with(TWO_REGIONS, "topology.clocks.0.offset", "-5ms");
    assert_int_equal(experiment.topology.clock[0].clock.offset_ns, -5000000);
    assert_string_equal(experiment.topology.clock[0].origin.file, "--set ...");
    assert_int_equal(experiment.topology.clock[0].origin.line, 0);
    accept_with(STREAM, "claims.0.excess", ">=1");
    assert_string_equal(experiment.claim[0].name, "excess>=1");
    accept_with("claims: [{target: holds}]\n" STREAM, "claims.0.designs", "[a,b]");
    assert_string_equal(experiment.claim[0].design[1], "b");
}

static void an_override_is_checked_like_the_file(void **state)
{
    static const struct { const char *path, *value, *line; } cases[] = {
        { "policy.limit", "abc",
          "--set ...: limit: 'abc' is not a whole number; expected digits, as in 100" },
        { "policy.limt", "3", "--set ...: a policy has no key 'limt'; did you mean 'limit'?" },
        { "plicy.limit", "3", "--set ...: a scenario has no key 'plicy'; did you mean 'policy'?" },
        { "traffic.0.rate", "4/s",
          "--set ...: 'rate' does not belong to a trace; expected only with constant, poisson, on-off or "
          "ramp" },
        { "traffic.7.trace", "x", "--set ...: the path has '7' for a list of 1; expected 0 to 1" },
        { "traffic.x.trace", "x", "--set ...: the path has 'x' for a list of 1; expected 0 to 1" },
        { "traffic.0.trace.x", "x", "--set ...: the path goes on below a plain value with 'x'; expected a "
          "path to a mapping or list (set 'trace' as a whole)" },
        { "policy..limit", "3",
          "--set ...: '' is not a path; expected keys with dots between, as in policy.limit" },
        { "", "3", "--set ...: '' is not a path; expected keys with dots between, as in policy.limit" },
        { "policy", "{limit: 3",
          "--set ...: this is not YAML (did not find expected ',' or '}'); expected key: value" },
        { "policy", "{limit: 3, limit: 4}", "--set ...: the key 'limit' is stated twice; expected once" },
        { "title", "[&a b]", "--set ...: anchors (&), aliases (*), tags (!) and directives (%) are not read "
          "here; expected the value itself, or text in quotes" },
    };

    (void)state;
    for (unsigned i = 0; i < COUNT(cases); i++)
        refuse_with(STREAM, cases[i].path, cases[i].value, cases[i].line);
}

static void an_override_may_not_dig_deeper_than_a_file(void **state)
{
    char path[4000];
    size_t used = 0;

    (void)state;
    while (used < sizeof path - 3)
        used += (size_t)snprintf(path + used, sizeof path - used, "a.");
    path[used - 1] = '\0';
    refuse_with(STREAM, path, "x",
                "--set ...: 'a' is not a path; expected keys with dots between, as in policy.limit");
}

static void the_argument_of_set_has_a_path_and_a_value(void **state)
{
    struct override out;

    (void)state;
    arena_free(&arena);
    assert_true(override_parse("require=p99<=10ms", &out, &arena, &failure));
    assert_string_equal(out.path, "require");
    assert_string_equal(out.value, "p99<=10ms");
    assert_string_equal(out.option, "--set require=p99<=10ms");
    assert_true(override_parse("title=", &out, &arena, &failure));
    assert_string_equal(out.value, "");
    assert_false(override_parse("policy.limit", &out, &arena, &failure));
    assert_false(override_parse("=3", &out, &arena, &failure));
    assert_string_equal(failure.line,
                        "--set =3: this sets nothing; expected PATH=VALUE, as in policy.limit=20");
}

static void without_a_file_the_overrides_are_all_there_is(void **state)
{
    const struct override overrides[] = {
        { "--trace", "traffic.0.trace", "a b.csv" }, { "--trace", "traffic.1.trace", "c.csv" },
        { "--regions", "topology.regions", "[us-east-1, eu-west-1]" },
        { "--regions", "topology.round_trips", "cloud" },
        { "--limit", "policy.limit", "[50, 100]" }, { 0 }
    };

    (void)state;
    arena_free(&arena);
    assert_true(scenario_load(NULL, overrides, &arena, &experiment, &failure));
    assert_null(experiment.file);
    assert_string_equal(experiment.name, "trace");
    assert_int_equal(experiment.traffics, 2);
    assert_string_equal(experiment.traffic[0].trace, "a b.csv");
    assert_int_equal(experiment.topology.links, 4);
    assert_int_equal(experiment.limits, 2);
}

TEST_MAIN(SCENARIO_TEST(an_override_replaces_creates_and_appends),
          SCENARIO_TEST(an_override_is_checked_like_the_file),
          SCENARIO_TEST(an_override_may_not_dig_deeper_than_a_file),
          SCENARIO_TEST(the_argument_of_set_has_a_path_and_a_value),
          SCENARIO_TEST(without_a_file_the_overrides_are_all_there_is))

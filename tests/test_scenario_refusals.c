/* test_scenario_refusals.c - what is wrong in a scenario file is refused, said well, and harmless. */
#include "test.h"
#include <stdlib.h>
#include "scenario_rig.h"

/* ---- refusals ---- */

static void numbers_are_taken_for_what_they_are_or_not_at_all(void **state)
{
    static const char *const wrong[] = { "-5", "0", "1e3", "0x10", "1.5", "10 ", "10abc", "", "ten", "+5",
                                         "1__0", "_1", "9007199254740992", "18446744073709551611",
                                         "99999999999999999999999999", "٣" };

    (void)state;
    for (unsigned i = 0; i < COUNT(wrong); i++)
        if (parse_with(STREAM, "policy.limit", wrong[i]))
            fail_msg("'%s' was read as %lld", wrong[i], (long long)experiment.limit[0]);
    if (parse_with(STREAM, "policy.limit", "010"))
        assert_int_equal(experiment.limit[0], 10);
    accept_with(STREAM, "policy.limit", "9007199254740991");
    assert_int_equal(experiment.limit[0], COST_MAX);
}

static const struct { const char *text, *line; } refusals[] = {
    { "", "s/file.yaml:1: a scenario lacks 'traffic'; expected traffic: [{generator: poisson, rate: 400/s, "
      "duration: "
          "10s}]" },
    { STREAM "polcy: {}\n", "s/file.yaml:2: a scenario has no key 'polcy'; did you mean 'policy'?" },
    { STREAM "policy:\n  period: 60s\n  xyzzyx: 3\n",
      "s/file.yaml:4: a policy has no key 'xyzzyx'; expected limit, period, burst or variants" },
    { STREAM "policy:\n  limit: 3\n  limit: 4\n",
      "s/file.yaml:4: the key 'limit' is stated twice; expected once" },
    { STREAM "policy:\n  period: sixty\n", "s/file.yaml:3: period: 'sixty' is not a duration; expected a "
      "number with ns, us, ms, s, m, h or d, as in 250ms" },
    { STREAM "policy: [1]\n",
      "s/file.yaml:2: a policy is a list; expected a mapping, as in {limit: [50, 100]}" },
    { STREAM "policy: {period: 0s}\n", "s/file.yaml:2: period: '0s' is out of range; expected 1ns to 3653d" },
    { STREAM "policy: {limit: -5}\n",
      "s/file.yaml:2: limit: '-5' is out of range; expected 1 to 9007199254740991" },
    { STREAM "title: [x]\n", "s/file.yaml:2: title is a list; expected text" },
    { STREAM "topology: {local: {exponential: {floor: 60ms, mean: 5ms}}}\n",
      "s/file.yaml:2: mean is not above the floor; expected the floor included in it" },
    { STREAM "topology: {local: {log_normal: {floor: 5ms, median: 5ms, sigma: 1}}}\n",
      "s/file.yaml:2: median is not above the floor; expected the floor included in it" },
    { STREAM "target: curvy\n", "s/file.yaml:2: target: 'curvy' is not known; did you mean 'curve'?" },
    { STREAM "designs: []\n", "s/file.yaml:2: designs is empty; expected design or list of designs" },
    { STREAM "seeds: 20..1\n",
      "s/file.yaml:2: seeds: '20..1' is not a range of seeds; expected 1 or 1..20, at most 100000 of them" },
    { STREAM "topology: {regions: [fra, fra]}\n",
      "s/file.yaml:2: the region 'fra' is named twice; expected once" },
    { STREAM "topology: {regions: [fra], store: frq}\n",
      "s/file.yaml:2: store: 'frq' is not known; did you mean 'fra'?" },
    { STREAM "topology: {regions: [fra], instances: 2000}\n",
      "s/file.yaml:2: instances: '2000' is out of range; expected 1 to 1024" },
    { STREAM "topology: {regions: [fra, iad], instances: 600}\n",
      "s/file.yaml:2: the topology has 1200 instances; expected at most 1024" },
    { STREAM "topology:\n  regions: [fra, iad]\n  links:\n  - {between: [fra, iad]}\n"
      "  - {from: iad, to: fra}\n",
      "s/file.yaml:6: the way from iad to fra has a link already (line 5); expected one" },
    { STREAM "topology: {regions: [fra, iad], links: [{from: fra, to: iad, round_trip: 1ms}]}\n",
      "s/file.yaml:2: a round_trip belongs to a link `between` two regions, without one_way; expected "
      "round_trip or one_way" },
    { STREAM "topology: {regions: [a, b], links: [{between: [a, b], one_way: {gamma: 3}}]}\n",
      "s/file.yaml:2: a delay has no key 'gamma'; expected uniform, exponential, log_normal or empirical" },
    { STREAM "topology: {local: {uniform: [1ms]}}\n",
      "s/file.yaml:2: uniform is not a pair; expected [LEAST, MOST], as in [20ms, 60ms]" },
    { STREAM "topology: {local: {uniform: [1ms, 2ms], empirical: [1ms]}}\n",
      "s/file.yaml:2: local has 2 distributions; expected one, as in {uniform: [20ms, 60ms]}" },
    { STREAM "topology: {regions: [atlantis, mu], round_trips: cloud}\n",
      "s/file.yaml:2: no round trip is known from atlantis to mu; expected a link between them, or regions "
      "of `limitlab list regions`" },
    { STREAM "topology: {regions: [us-east-1, eu-wst-1], round_trips: cloud}\n",
      "s/file.yaml:2: no round trip is known from us-east-1 to eu-wst-1; did you mean 'eu-west-1'?" },
    { STREAM "topology: {clocks: [{instance: 1}]}\n",
      "s/file.yaml:2: there is no instance 1; expected 0 to 0, or all" },
    { STREAM "topology: {clocks: [{steps: [{at: 2s, by: 1s}, {at: 2s, by: 1s}]}]}\n",
      "s/file.yaml:2: this step is not after the one before it; expected steps in order of time" },
    { STREAM "topology: {clocks: [{drift_ppm: 1e3}]}\n", "s/file.yaml:2: drift_ppm: '1e3' is not a drift; "
      "expected parts per million with at most three decimals, as in -12.5, below 1000000" },
    { "traffic: []\n", "s/file.yaml:1: traffic has 0 streams; expected 1 to 256" },
    { "traffic: [{rate: 4/s}]\n", "s/file.yaml:1: a stream is neither a trace nor a generator, or both; "
      "expected trace: FILE or generator: KIND" },
    { "traffic:\n- {generator: poison, rate: 4/s}\n",
      "s/file.yaml:2: generator: 'poison' is not known; did you mean 'poisson'?" },
    { "traffic:\n- {generator: poisson, rate: 4/s, duration: 1s,\n   size: 3}\n",
      "s/file.yaml:3: 'size' does not belong to poisson; expected only with burst" },
    { "traffic: [{trace: x, duration: 3s}]\n", "s/file.yaml:1: 'duration' does not belong to a trace; "
      "expected only with constant, poisson, on-off, ramp, burst or closed-loop" },
    { "traffic: [{generator: poisson, rate: 4/s}]\n",
      "s/file.yaml:1: this stream never ends; expected a duration or requests" },
    { "traffic: [{generator: poisson, duration: 4s}]\n",
      "s/file.yaml:1: a stream lacks 'rate'; expected rate: 400/s" },
    { "traffic: [{generator: constant, rate: 1000000/s, duration: 1h}]\n", "s/file.yaml:1: this stream sends "
      "more than 10^9 requests; expected a lower rate, a shorter duration, or requests" },
    { "traffic: [{generator: burst, size: 3, costs: {5: 0}}]\n",
      "s/file.yaml:1: a weight: '0' is out of range; expected 1 to 1000000" },
    { "traffic: [{generator: burst, size: 3, regions: {home: 0}}]\n",
      "s/file.yaml:1: regions has no weight above 0; expected one, as in {fra: 3, iad: 1}" },
    { "traffic: [{generator: burst, size: 3, regions: {home: 1}, region: home}]\n",
      "s/file.yaml:1: this stream has a region and weights of regions; expected one of them" },
    { STREAM "claims: [{}]\n", "s/file.yaml:2: this claim says nothing; expected target: holds, promise: "
      "holds or a figure, as in over_admitted: 0" },
    { STREAM "claims: [{target: hold}]\n",
      "s/file.yaml:2: target: 'hold' is not known; did you mean 'holds'?" },
    { STREAM "claims:\n- {targt: holds}\n",
      "s/file.yaml:3: a claim has no key 'targt'; did you mean 'target'?" },
    { STREAM "claims: [{overadmitted: 3}]\n",
      "s/file.yaml:2: a claim has no key 'overadmitted'; did you mean 'over_admitted'?" },
    { STREAM "designs: [gcra@cas]\nclaims: [{target: holds, designs: gcra@cass}]\n",
      "s/file.yaml:3: designs: 'gcra@cass' is not known; did you mean 'gcra@cas'?" },
    { STREAM "claims: [{decisions: \"<A\"}]\n",
      "s/file.yaml:2: decisions: 'decisions' is a text; expected decisions=TEXT" },
    { STREAM "zoo: {class: CLK, case: x, flaw: gcra@kv}\n",
      "s/file.yaml:2: a case of the zoo lacks 'cure'; expected cure: gcra@owner" },
    { STREAM "zoo: {class: CLKS, case: x, flaw: gcra@kv, cure: gcra@owner}\n",
      "s/file.yaml:2: class: 'CLKS' is not known; did you mean 'CLK'?" },
    { STREAM "zoo: {class: CLK, case: \"\", flaw: gcra@kv, cure: gcra@owner}\n",
      "s/file.yaml:2: case is empty; expected where the bug was reported, as in golang/go#56287" },
    { STREAM "designs: [gcra@owner]\nzoo: {class: CLK, case: x, flaw: gcra@ownr, cure: gcra@owner}\n",
      "s/file.yaml:3: flaw: 'gcra@ownr' is not known; did you mean 'gcra@owner'?" },
};

static void what_is_wrong_is_said_with_its_line_and_what_was_expected(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT(refusals); i++)
        refuse(refusals[i].text, refusals[i].line);
}

static void yaml_beyond_plain_data_is_refused(void **state)
{
    static const char *const texts[] = {
        "&a title: x\n", "title: &a x\n", "title: *a\n", "title: !!str x\n", "title: !x y\n",
        "%YAML 1.1\n---\ntitle: x\n", "%TAG ! tag:x\n---\ntitle: x\n", "title: x\n---\ntitle: y\n",
        "? [a]\n: b\n", "? {a: b}\n: c\n", "title: \"\\0\"\n", "- a\n", "just text\n", "title: \"\xff\"\n",
        "title: 'x\n", "title: @x\n", "{title: x", "[title", "\t- x: 3\n", "<<: {a: b}", "a: &x [1]\nb: *x\n"
    };

    (void)state;
    for (unsigned i = 0; i < COUNT(texts); i++) {
        if (parse(texts[i]))
            fail_msg("accepted: %s", texts[i]);
        assert_int_equal(failure.code, EXIT_USAGE);
        assert_non_null(strstr(failure.line, "expected"));
        assert_int_equal(strncmp(failure.line, "s/file.yaml:", 12), 0);
    }
}

/* ---- hostile files ---- */

static void refuse_repeated(const char *start, const char *unit, size_t times, const char *what)
{
    size_t unit_bytes = strlen(unit), bytes = strlen(start);
    char *text = malloc(bytes + times * unit_bytes + 1);

    memcpy(text, start, bytes);
    for (size_t i = 0; i < times; i++, bytes += unit_bytes)
        memcpy(text + bytes, unit, unit_bytes);
    assert_false(parse_bytes(text, bytes, NULL));
    if (!strstr(failure.line, what))
        fail_msg("'%s' does not say '%s'", failure.line, what);
    free(text);
}

static void size_alone_cannot_hurt(void **state)
{
    (void)state;
    refuse_repeated("", "[", 1000000, "nested too deeply");
    refuse_repeated("", "{a: ", 200000, "nested too deeply");
    refuse_repeated("", "? ", 500000, "key");
    refuse_repeated("", "- ", 500000, "nested too deeply");
    refuse_repeated("a: [", "x,", 400000, "too many values");
    refuse_repeated("", "a: 1\n", 100000, "too many values");
    refuse_repeated("title: ", "x", YAML_BYTES_MAX, "too large");
    refuse_repeated(STREAM "claims:\n", "- {target: holds}\n", 2000,
                    "a list of 2000; expected a list of at most 1024");
    refuse_repeated(STREAM "policy:\n  limit:\n", "  - 5\n", 2000, "at most 64");
    refuse_repeated(STREAM "topology:\n  links:\n", "  - {from: home, to: home}\n", 5000,
                    "has a link already");
    refuse_repeated("title: \"", "\\", 100000, "YAML");
    refuse_repeated("", "\n", YAML_BYTES_MAX, "lacks 'traffic'");
}

static void an_alias_bomb_is_refused_at_its_first_anchor(void **state)
{
    (void)state;
    refuse("a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n", "s/file.yaml:1: anchors (&), aliases (*), tags "
           "(!) and directives (%) are not read here; expected the value itself, or text in quotes");
}

static const char everything[] =
    "title: T\nstory: >-\n  two\n  lines\npolicy: {limit: [5, 6], period: 60s, burst: 7}\n"
    "target: {kind: window}\n"
    "topology:\n  regions: {fra: {instances: 2}, iad: {}}\n  local: {empirical: [1ms, 2ms]}\n"
    "  links: [{between: [fra, iad], round_trip: {uniform: [15ms, 0.5s]}, loss: 1%}]\n"
    "  clocks:\n  - {region: fra, offset: -5ms, steps: [{at: 30s, by: -2s}]}\n"
    "traffic:\n- trace: \"x\\u00e9.csv\"\n"
    "- {generator: poisson, rate: 4/s, duration: 10s, costs: {1: 2, 3: 4}, regions: {fra: 1}}\n"
    "designs: [a@b]\nseeds: 1..3\nrequire: p99<=10ms\n"
    "claims:\n- {target: breaks, over_admitted: 1..3, designs: [a@b]}\n";

static void a_file_cut_anywhere_is_read_or_refused(void **state)
{
    (void)state;
    accept(everything);
    for (size_t bytes = 0; bytes < sizeof everything; bytes++)
        if (!parse_bytes(everything, bytes, NULL))
            assert_non_null(strstr(failure.line, "; expected"));
}

static void a_file_with_any_byte_changed_is_read_or_refused(void **state)
{
    static const char bytes[] = "\0\n:[{}]'\"&*%-9\xff";
    char text[sizeof everything];

    (void)state;
    for (size_t at = 0; at + 1 < sizeof everything; at++) {
        for (size_t i = 0; i + 1 < sizeof bytes; i++) {
            memcpy(text, everything, sizeof everything);
            text[at] = bytes[i];
            if (!parse_bytes(text, sizeof everything - 1, NULL))
                assert_true(strlen(failure.line) > 12);
        }
    }
}

static void what_cannot_be_read_is_refused(void **state)
{
    static const char *const paths[] = { "no-such-file.yaml", ".", "/dev/zero" };

    (void)state;
    for (unsigned i = 0; i < COUNT(paths); i++) {
        arena_free(&arena);
        assert_false(scenario_load(paths[i], NULL, &arena, &experiment, &failure));
        assert_int_equal(failure.code, EXIT_USAGE);
        assert_int_equal(strncmp(failure.line, paths[i], strlen(paths[i])), 0);
    }
}

TEST_MAIN(SCENARIO_TEST(numbers_are_taken_for_what_they_are_or_not_at_all),
          SCENARIO_TEST(what_is_wrong_is_said_with_its_line_and_what_was_expected),
          SCENARIO_TEST(yaml_beyond_plain_data_is_refused),
          SCENARIO_TEST(size_alone_cannot_hurt),
          SCENARIO_TEST(an_alias_bomb_is_refused_at_its_first_anchor),
          SCENARIO_TEST(a_file_cut_anywhere_is_read_or_refused),
          SCENARIO_TEST(a_file_with_any_byte_changed_is_read_or_refused),
          SCENARIO_TEST(what_cannot_be_read_is_refused))

/* limitlab check, from outside: claims that come true and those that do not, JUnit, baselines. */
#include "test.h"
#include "shell.h"

static void every_shipped_claim_comes_true(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "$limitlab check scenarios/");
    assert_has(shell->out, "ok 1 - both-read-nine: the second write replaces the first: ");
    assert_has(shell->out, "\n1..");
    assert_null(strstr(shell->out, "not ok"));
}

/* Five at once, of which one owner admits two; what is claimed of it is in line 5. */
#define FIVE_AT_ONCE(claim) \
    "printf '%s\\n' 'policy: {limit: 2}' 'traffic: {generator: burst, size: 5}' 'designs: gcra@owner' " \
    "'claims:' " \
    "'  - {" claim "}' >$d/five.yaml; "

static void check_tells_false_claims_from_bad_scenarios(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, FIVE_AT_ONCE("target: holds, admitted: 2") "$limitlab check $d/five.yaml");
    assert_string_equal(shell->out, "ok 1 - five: target holds, admitted=2: gcra@owner\n1..1\n");
    shell_expect(shell, 1,
                 FIVE_AT_ONCE("target: holds, admitted: 3") "$limitlab check $d/five.yaml | sed \"s#$d/##\"; "
                                                            "$limitlab check -q $d/five.yaml >$d/again");
    assert_string_equal(shell->out, "not ok 1 - five: target holds, admitted=3: gcra@owner\n"
                                    "# five.yaml:5: limit 2, seed 1: admitted is 2; expected "
                                    "admitted=3\n1..1\n");
    shell_expect(shell, 2, "echo 'policy: {limt: 5}' >$d/broken.yaml; $limitlab check $d");
    assert_has(shell->out, "not ok 1 - ");
    assert_has(shell->out, "broken.yaml: can be run\n");
    assert_has(shell->out, "\nnot ok 2 - five: ");                           /* the others still ran */
    assert_has(shell->err, "did you mean 'limit'?");
}

static void check_writes_junit(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0,
                 FIVE_AT_ONCE("target: holds") "$limitlab check $d/five.yaml --junit $d/x.xml >/dev/null; "
                                               "cat $d/x.xml");
    assert_string_equal(shell->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"limitlab check\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
        "  <testsuite name=\"five\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
        "    <testcase classname=\"five\" name=\"target holds: gcra@owner\"/>\n"
        "  </testsuite>\n</testsuites>\n");
    shell_expect(shell, 1,
                 FIVE_AT_ONCE("name: \"<&> # x\", admitted: 3") "$limitlab check $d/five.yaml --junit "
                                                                "$d/x.xml");
    assert_has(shell->out, "not ok 1 - five: <&> \\# x: gcra@owner\n");
    shell_expect(shell, 0, "cat $d/x.xml");
    assert_has(shell->out, "name=\"&lt;&amp;&gt; # x: gcra@owner\"");
    assert_has(shell->out, "<failure message=\"limit 2, seed 1: admitted is 2; expected admitted=3\">");
}

static void a_baseline_shows_every_change(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0,
                 FIVE_AT_ONCE("target: holds") "$limitlab check $d/five.yaml --baseline $d/b >/dev/null");
    assert_has(shell->err, "was not there and has been written");
    shell_expect(shell, 0, "$limitlab check $d/five.yaml --baseline $d/b");
    assert_has(shell->out, "ok 2 - five: as in the baseline: gcra@owner\n");
    shell_expect(shell, 1,
                 "sed -i 's/\tdenied=3/\tdenied=4/' $d/b; $limitlab check $d/five.yaml --baseline $d/b");
    assert_has(shell->out, "not ok 2 - five: as in the baseline: gcra@owner\n# limit 2, seed 1: denied was "
                           "4, is 3\n");
    shell_expect(shell, 1,
                 "sed -i 's/gcra@owner/gcra@cas/' $d/b; $limitlab check $d/five.yaml --baseline $d/b");
    assert_has(shell->out, "# limit 2, seed 1: is not in the baseline\n");
    assert_has(shell->out, "# runs in the baseline only: 1; expected the same designs, limits and seeds\n");
}

static void names_of_files_cannot_break_the_output(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 1, FIVE_AT_ONCE("target: holds, admitted: 3") "mkdir $d/x && "
                           "mv $d/five.yaml \"$d/x/$(printf 'a#b\\nok 9 - <c>\\351').yaml\" && "
                           "$limitlab check $d/x --junit $d/x.xml");
    assert_has(shell->out, "not ok 1 - a\\#b\\\\x0aok 9 - <c>\\\\xe9: target holds, admitted=3: "
                           "gcra@owner\n# /");
    assert_has(shell->out, "/x/a#b\\x0aok 9 - <c>\\xe9.yaml:5: limit 2, seed 1: admitted is 2; expected "
                           "admitted=3\n1..1\n");
    shell_expect(shell, 0, "cat $d/x.xml");
    assert_has(shell->out, "classname=\"a#b\\x0aok 9 - &lt;c&gt;\\xe9\"");
}

static void a_database_keeps_what_was_claimed(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 1,
                 FIVE_AT_ONCE("target: holds, promise: breaks") "$limitlab check $d/five.yaml --db $d/r.db");
    shell_expect(shell, 0, "$limitlab report $d/r.db --out $d/report");
    shell_expect(shell, 0, "grep -c 'promise breaks' $d/report/report.html");
}

static void a_gate_without_a_claim_is_no_gate(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 2, "printf 'traffic: {generator: burst, size: 5}\\n' >$d/mute.yaml; "
                           "$limitlab check -q $d/mute.yaml");
    assert_string_equal(shell->out, "1..0\n");
    assert_string_equal(shell->err, "limitlab check: not one claim in 1 scenario; expected `claims:` in one "
                                    "of them at least\n");
    shell_expect(shell, 0, FIVE_AT_ONCE("target: holds") "$limitlab check -q $d");  /* one is enough */
}

TEST_MAIN(
    SHELL_TEST(every_shipped_claim_comes_true),
    SHELL_TEST(check_tells_false_claims_from_bad_scenarios),
    SHELL_TEST(check_writes_junit),
    SHELL_TEST(a_baseline_shows_every_change),
    SHELL_TEST(names_of_files_cannot_break_the_output),
    SHELL_TEST(a_database_keeps_what_was_claimed),
    SHELL_TEST(a_gate_without_a_claim_is_no_gate)
)

/* The command line, from outside: commands, options, messages and exit codes. */
#include "test.h"
#include "../harness/cli.h"
#include "shell.h"

#define BOTH_READ_NINE "scenarios/both-read-nine.yaml"

/* ---- commands and options ---- */

static void help_names_every_command(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "$limitlab --help");
    for (const struct command *const *command = commands; *command; command++)
        assert_has(shell->out, (*command)->summary);
    shell_expect(shell, 2, "$limitlab");
    assert_string_equal(shell->out, "");
}

static void every_command_has_help_about_all_its_options(void **state)
{
    struct shell *shell = *state;
    char line[100];

    for (const struct command *const *command = commands; *command; command++) {
        snprintf(line, sizeof line, "$limitlab %s --help", (*command)->name);
        shell_expect(shell, 0, line);
        assert_has(shell->out, (*command)->operands);
        assert_null(strstr(shell->out, " \n"));
        for (const unsigned char *option = (*command)->options; *option; option++) {
            snprintf(line, sizeof line, "--%s", option_table[*option].name);
            assert_has(shell->out, line);
        }
    }
}

static void the_man_page_names_every_command_and_option(void **state)
{
    struct shell *shell = *state;
    char name[100];

    shell_expect(shell, 0, "sed 's/\\\\-/-/g' harness/limitlab.1");
    for (const struct command *const *command = commands; *command; command++) {
        snprintf(name, sizeof name, "\n.B%%s %s", (*command)->name);
        bool alone = strstr(shell->out, (snprintf(name, sizeof name, "\n.B %s", (*command)->name), name));
        bool with_operands =
            strstr(shell->out, (snprintf(name, sizeof name, "\n.BR %s", (*command)->name), name));
        assert_true(alone || with_operands);
    }
    for (enum option_id i = OPTIONS_END + 1; i < OPTIONS; i++) {
        snprintf(name, sizeof name, "--%s", option_table[i].name);
        assert_has(shell->out, name);
    }
}

static void options_may_stand_anywhere_and_take_an_equals_sign(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "$limitlab compare " BOTH_READ_NINE " gcra@owner --limit 3 --json --seed 2");
    char *first = strdup(shell->out);
    shell_expect(shell, 0,
                 "$limitlab compare --seed=7 --json --limit=3 --seed=2 gcra@owner -- " BOTH_READ_NINE);
    assert_string_equal(shell->out, first);
    free(first);
}

static const struct { const char *line, *expected; } wrong_lines[] = {
    { "compar", "limitlab: there is no command 'compar'; did you mean 'compare'?\n" },
    { "shrink gcra@cas", "limitlab: there is no command 'shrink'; expected one of those that `limitlab "
                         "--help` lists\n" },
    { "explore gcra@cas", "limitlab explore: no limit; expected --limit N\n" },
    { "replay", "limitlab replay: 0 witnesses; expected one, as `limitlab explore` prints it, or a file with "
                "one\n" },
    { "compare", "limitlab compare: no traffic; expected a scenario (a .yaml file) or --trace FILE\n" },
    { "compare --limt 5", "limitlab compare: unknown option '--limt'; did you mean '--limit'?\n" },
    { "compare -x", "limitlab compare: unknown option '-x'; expected one of those that --help lists\n" },
    { "compare --limit", "limitlab compare: --limit needs a value; expected --limit N\n" },
    { "compare --limit --json", "limitlab compare: --limit needs a value; expected --limit N\n" },
    { "compare --json=1", "limitlab compare: --json takes no value; expected --json\n" },
    { "compare --trace t.csv", "limitlab compare: no limit; expected --limit N, and --period DUR unless "
                               "it is 60s\n" },
    { "compare --trace no.csv --limit 5", "no.csv: cannot be opened (No such file or directory); "
                                          "expected a readable file\n" },
    { "compare no.yaml", "no.yaml: cannot be opened (No such file or directory); expected a file to "
                         "read\n" },
    { "compare scenarios", "limitlab compare: 'scenarios' is a folder; expected one scenario in it\n" },
    { "compare a.yaml b.yml", "limitlab compare: two scenarios, 'a.yaml' and 'b.yml'; expected one\n" },
    { "compare " BOTH_READ_NINE " --set bar.foo=3", "--set bar.foo=3: a scenario has no key 'bar'; "
                                                    "expected title, story, "
                                                    "policy, ceiling, work, target, topology, mode, "
                                                    "explore, traffic, faults, timeout, designs, seeds, "
                                                    "require, spread, zoo, causes, lesson or claims\n" },
    { "compare " BOTH_READ_NINE " --set foo", "--set foo: this sets nothing; expected PATH=VALUE, as in "
                                              "policy.limit=20\n" },
    { "compare " BOTH_READ_NINE " --limit 5x", "--limit 5x: limit: '5x' is not a whole number; expected "
                                               "digits only, as in 100\n" },
    { "compare " BOTH_READ_NINE " --target widow", "--target widow: target: 'widow' is not known; did "
                                                   "you mean 'window'?\n" },
    { "compare " BOTH_READ_NINE " --format tabel", "limitlab compare: --format: 'tabel' is no format; "
                                                   "expected table, json, csv "
                                                   "or markdown (did you mean table?)\n" },
    { "compare " BOTH_READ_NINE " --regions us-est-1", "limitlab compare: --regions: 'us-est-1' is not "
                                                       "in the table of round "
                                                       "trips; did you mean 'us-east-1'?\n" },
    { "compare --trace a --trace b --regions us-east-1,us-west-2,eu-west-1 --limit 5", "limitlab "
                                                                                       "compare: 2 "
                                                                                       "traces for 3 "
                                                                                       "regions; "
                                                                                       "expected one "
                                                                                       "trace, or one "
                                                                                       "for each region "
                                                                                       "in their "
                                                                                       "order\n" },
    { "compare --trace a --limit 5 --region-by foo", "limitlab compare: --region-by: 'foo' is neither "
                                                     "'request' nor 'key'; expected one of them\n" },
    { "run " BOTH_READ_NINE, "limitlab run: 0 designs; expected one, as in gcra@cas (`limitlab compare` "
                             "takes many)\n" },
    { "run " BOTH_READ_NINE " gcra@cas --headers ietf", "limitlab run: --headers without a file for them; "
                                                        "expected --decisions FILE\n" },
    { "run " BOTH_READ_NINE " gcra@cas --decisions x.csv --headers iet",
      "limitlab run: --headers: 'iet' is no style of headers; did you mean 'ietf'?\n" },
    { "audit x.csv", "limitlab audit: no limit; expected --limit N and --period DUR\n" },
    { "audit x.csv --limit 5", "limitlab audit: no period; expected --period DUR, as in 60s\n" },
    { "audit x.csv --limit 5 --period 60s --as tocken-bucket", "limitlab audit: --as: there is no "
                                                               "limiter 'tocken-bucket'; did you mean "
                                                               "'token-bucket'?\n" },
    { "audit x.csv --limit 5 --period 60s --format csv", "limitlab audit: --format: 'csv' is not for "
                                                         "this command; expected table or json\n" },
    { "import", "limitlab import: 0 files; expected one log (- is standard input)\n" },
    { "import --input cobined x", "limitlab import: --input: 'cobined' is no kind of log; did you mean "
                                  "'combined'?\n" },
    { "list limtiers", "limitlab list: 'limtiers' cannot be listed; did you mean 'limiters'?\n" },
    { "list regions us-est-1", "limitlab list: 'us-est-1' is not in the table of round trips; did you mean "
                               "'us-east-1'?\n" },
    { "list regions us-east-1 x", "limitlab list: 'x' is one word too many; expected one thing to list\n" },
    { "list figures x", "limitlab list: 'x' is one word too many; expected one thing to list\n" },
    { "report", "limitlab report: 0 operands; expected one: a results database, as `limitlab compare "
                "--db FILE` writes it\n" },
    { "check engine", "engine: has no scenarios in it; expected files that end in .yaml\n" },
};

static void what_is_wrong_is_said_in_one_line(void **state)
{
    struct shell *shell = *state;
    char line[300];

    for (size_t i = 0; i < sizeof wrong_lines / sizeof *wrong_lines; i++) {
        snprintf(line, sizeof line, "$limitlab %s", wrong_lines[i].line);
        shell_expect(shell, 2, line);
        assert_string_equal(shell->err, wrong_lines[i].expected);
        assert_string_equal(shell->out, "");
    }
}

static void an_output_that_cannot_be_written_is_trouble(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 4, "$limitlab compare " BOTH_READ_NINE " --json >/dev/full");
    shell_expect(shell, 4, "$limitlab list figures >/dev/full");
    shell_expect(shell, 4, "$limitlab compare " BOTH_READ_NINE " --db $d/no/such/folder/x.db");
    assert_string_equal(shell->out, "");
    shell_expect(shell, 4, "$limitlab check " BOTH_READ_NINE " --junit $d/no/such/folder/x.xml");
}

/* ---- list ---- */

static void everything_that_can_be_listed_is_json_too(void **state)
{
    struct shell *shell = *state;
    char line[100];

    shell_expect(shell, 0, "$limitlab list --json");
    json_t *families = parsed(shell->out), *family;
    size_t index;
    assert_int_equal(json_array_size(families), 13);
    json_array_foreach(families, index, family) {
        const char *name = json_string_value(member(family, "name"));
        snprintf(line, sizeof line, "$limitlab list %s", name);
        shell_expect(shell, 0, line);
        assert_true(strlen(shell->out) > 100);
        snprintf(line, sizeof line, "$limitlab list %s --json", name);
        shell_expect(shell, 0, line);
        json_t *rows = parsed(shell->out);
        assert_true(json_array_size(rows) >= 6);
        member(json_array_get(rows, 0), "name");
        json_decref(rows);
    }
    json_decref(families);
}

/* Every region once, from the one that was named outwards. */
static void a_region_lists_all_its_round_trips_nearest_first(void **state)
{
    struct shell *shell = *state;
    int64_t before_ns = 0;
    size_t index;
    json_t *row;

    shell_expect(shell, 0, "$limitlab list regions | wc -l | tr -d ' \\n'; printf ' '; "
                           "$limitlab list regions us-east-1 | sort -u | wc -l | tr -d ' '");
    assert_string_equal(shell->out, "32 32\n");
    shell_expect(shell, 0, "$limitlab list regions us-east-1 --json");
    json_t *rows = parsed(shell->out);
    assert_member(json_array_get(rows, 0), "name", "\"us-east-1\"");
    assert_member(json_array_get(rows, 0), "round_trip", "\"820us\"");
    json_array_foreach(rows, index, row) {
        int64_t ns = json_integer_value(member(row, "round_trip_ns.us-east-1"));
        assert_true(ns >= before_ns);
        before_ns = ns;
    }
    json_decref(rows);
}

static void a_number_in_a_list_says_what_it_counts(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "$limitlab list scenarios scenarios/lessons");
    assert_has(shell->out, "sequential-loop-passes.yaml           claims 2  A loop");
}

/* ---- nothing to judge ---- */

static void what_judges_nothing_says_so(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "cd $d; echo t,key,cost,allowed >none.csv; "
                           "$limitlab audit none.csv --limit 5 --period 60s");
    assert_string_equal(shell->err, "limitlab audit: no decisions in none.csv: nothing was judged\n");
    assert_has(shell->out, "\nno decisions: nothing was judged\n");
    shell_expect(shell, 0, "$limitlab compare --trace $d/none.csv --limit 5");
    assert_string_equal(shell->err, "limitlab compare: no requests in the traffic: nothing was measured\n");
    shell_expect(shell, 0, "$limitlab run --trace $d/none.csv --limit 5 gcra@owner");
    assert_string_equal(shell->err, "limitlab run: no requests in the traffic: nothing was measured\n");
    shell_expect(shell, 0, "$limitlab run " BOTH_READ_NINE " gcra@owner");
    assert_string_equal(shell->err, "");
}

/* The shipped log: one key of thirteen goes over, and its worst window is the same at both ends. */
static void an_audit_labels_each_of_its_lines(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 1, "$limitlab audit -q --input combined scenarios/traces/access.log --limit 20 "
                           "--period 60s --as fixed-window");
    assert_has(shell->out, "requests         347 of 13 keys\n");
    assert_has(shell->out, ", of 1 key with an excess\n");
    assert_has(shell->out, "\nas fixed-window  4 decisions differ from what it would have decided by itself\n"
                           "... one by one   0 wrongly admitted, 2 wrongly denied, charged with what was "
                           "really admitted\n");
    assert_has(shell->out, "\nover-admitted    17 (certain) to 18 (possible)\n");
    assert_has(shell->out, "\nworst window     40 (certain)\n");
}

TEST_MAIN(
    SHELL_TEST(help_names_every_command),
    SHELL_TEST(every_command_has_help_about_all_its_options),
    SHELL_TEST(the_man_page_names_every_command_and_option),
    SHELL_TEST(options_may_stand_anywhere_and_take_an_equals_sign),
    SHELL_TEST(what_is_wrong_is_said_in_one_line),
    SHELL_TEST(an_output_that_cannot_be_written_is_trouble),
    SHELL_TEST(everything_that_can_be_listed_is_json_too),
    SHELL_TEST(a_region_lists_all_its_round_trips_nearest_first),
    SHELL_TEST(a_number_in_a_list_says_what_it_counts),
    SHELL_TEST(what_judges_nothing_says_so),
    SHELL_TEST(an_audit_labels_each_of_its_lines)
)

/* test_explore_command.c - explore and replay from outside: known answers, exit codes, witnesses. */
#include "test.h"
#include "shell.h"

/* ---- explore ---- */

static const struct known {
    const char *line, *interleavings, *over;
    int most, least;
} known[] = {
    { "fixed-window@get-then-set --clients 2 --limit 1", "6", "4", 2, 1 },
    { "fixed-window@get-then-set --clients 3 --limit 1", "66", "60", 3, 1 },
    { "fixed-window@get-then-set --clients 2 --requests 2 --limit 2", "58", "52", 4, 2 },
    { "fixed-window@get-then-set --clients 4 --limit 2", "2376", "2352", 4, 2 },
    { "fixed-window@get-then-set --clients 3 --requests 2 --limit 3", "29850", "29760", 6, 3 },
    { "fixed-window@get-then-set --clients 3 --requests 3 --limit 3", "4412028", "4410348", 9, 3 },
    { "fixed-window@cas --clients 3 --limit 1", "150", "0", 1, 1 },
    { "fixed-window@cas --clients 4 --limit 2", "310872", "0", 2, 2 },
    { "fixed-window@cas --clients 4 --requests 2 --limit 3", "1177510452840", "0", 3, 3 },
    { "fixed-window@cas --clients 5 --requests 2 --limit 5", "691019809296973961132172600", "0", 5, 5 },
    { "fixed-window@incr --clients 3 --requests 3 --limit 3", "1680", "0", 3, 3 },
    /* What holds for a fixed window holds for every limiter while time stands still. */
    { "token-bucket@get-then-set --clients 3 --requests 2 --limit 3", "29850", "29760", 6, 3 },
    { "gcra@cas --clients 4 --limit 2", "310872", "0", 2, 2 },
    { "sliding-window-log@get-then-set --clients 3 --limit 1", "66", "60", 3, 1 },
    /* An owner serves one after the other: (3 * 2)! / 2!^3 orders. */
    { "token-bucket@owner --clients 3 --requests 2 --limit 2", "90", "0", 2, 2 },
    { "sliding-window-log@atomic --clients 3 --requests 2 --limit 2", "90", "0", 2, 2 },
    /* By hand: a caller dies before its read, after it (the write is lost, or arrives), or not at all. */
    { "fixed-window@get-then-set --clients 1 --requests 2 --limit 1 --crashes 1", "7", "1", 2, 1 },
    /* Each region has its own counter: twice the limit, always. */
    { "fixed-window@local --requests 2 --limit 2 --regions 2", "6", "6", 4, 4 },
    /* Shaped requests are over no curve when one owner shapes them. */
    { "leaky-bucket-queue@owner --clients 3 --requests 2 --limit 2", "90", "0", 2, 2 },
};

static void expect_text(json_t *value, const char *path, const char *expected)
{
    assert_string_equal(json_string_value(member(value, path)), expected);
}

static void expect_number(json_t *value, const char *path, json_int_t expected)
{
    assert_int_equal(json_integer_value(member(value, path)), expected);
}

/* The printed object; the caller gives it back. */
static json_t *explored(struct shell *shell, const char *line, const char *more)
{
    char whole[2000];

    snprintf(whole, sizeof whole, "$limitlab explore %s %s --json", line, more);
    shell_expect(shell, 0, whole);
    return parsed(shell->out);
}

static void known_worlds_have_their_known_answers(void **state)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        json_t *found = explored(*state, known[i].line, "");
        expect_text(found, "interleavings", known[i].interleavings);
        expect_text(found, "over_admitting_interleavings", known[i].over);
        expect_number(found, "most_admitted", known[i].most);
        expect_number(found, "least_admitted", known[i].least);
        assert_true(json_is_true(member(found, "complete")));
        assert_int_equal(json_is_null(member(found, "witness")), strcmp(known[i].over, "0") == 0);
        json_decref(found);
    }
}

/* All of it but how many states were looked at. */
static void symmetry_changes_no_answer(void **state)
{
    static const char *const lines[] = {
        "fixed-window@get-then-set --clients 3 --requests 2 --limit 2 --crashes 1",
        "fixed-window@cas --clients 3 --limit 2 --crashes 2 --store-faults 1",
        "fixed-window@local-sync --clients 3 --limit 2 --regions 2",
        "fixed-window@sharded:shards=2:mode=sum --clients 3 --limit 2",
        "fixed-window@kv --clients 3 --limit 1",
    };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        json_t *with = explored(*state, lines[i], ""), *without = explored(*state, lines[i], "--no-symmetry");
        json_object_del(with, "canonical_states");
        json_object_del(without, "canonical_states");
        assert_true(json_equal(with, without));
        json_decref(with);
        json_decref(without);
    }
}

static void chances_are_exact_and_sum_to_one(void **state)
{
    json_t *found = explored(*state, "fixed-window@get-then-set --clients 2 --limit 1", "");
    json_t *rows = member(found, "distribution");

    /* After one read, the next step is the write or the other read: one in two. */
    assert_int_equal(json_array_size(rows), 2);
    expect_text(json_array_get(rows, 0), "chance_exact", "1/2");
    expect_text(json_array_get(rows, 0), "interleavings", "2");
    expect_text(json_array_get(rows, 1), "chance_exact", "1/2");
    expect_text(json_array_get(rows, 1), "interleavings", "4");
    json_decref(found);
}

static void preemptions_buy_what_they_must(void **state)
{
    json_t *found = explored(*state, "fixed-window@get-then-set --clients 7 --limit 2", "--curve 4");
    json_t *curve = member(found, "preemption_curve");
    static const int most[] = { 2, 4, 6, 7, 7 };

    assert_int_equal(json_array_size(curve), 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(json_integer_value(json_array_get(curve, i)), most[i]);
    json_decref(found);
}

static void what_is_expected_decides_the_exit_code(void **state)
{
    static const struct { int code; const char *line; } rows[] = {
        { 0, "$limitlab explore fixed-window@get-then-set --limit 1" },
        { 1, "$limitlab explore fixed-window@get-then-set --limit 1 --expect none" },
        { 0, "$limitlab explore fixed-window@get-then-set --limit 1 --expect over" },
        { 0, "$limitlab explore fixed-window@get-then-set --limit 1 --expect 2" },
        { 1, "$limitlab explore fixed-window@get-then-set --limit 1 --expect 1" },
        { 0, "$limitlab explore fixed-window@cas --limit 1 --expect none" },
        { 1, "$limitlab explore fixed-window@cas --limit 1 --expect over" },
        { 2, "$limitlab explore fixed-window@cas --limit 1 --expect some" },
        { 2, "$limitlab explore fixed-window@cas" },
        { 2, "$limitlab explore fixed-window@caz --limit 1" },
        { 2, "$limitlab explore fixed-window@cas --limit 1 --clients 17" },
        { 2, "$limitlab explore fixed-window@cas --limit 1 --arrivals no.csv" },
        { 2, "$limitlab explore fixed-window@cas --limit 1 --max-memory much" },
        { 2, "$limitlab explore fixed-window@cas --limit 1 --regions a,a" },
        { 2, "$limitlab explore fixed-window@cas:takes=then-ceiling --limit 1" },
        { 1, "$limitlab explore fixed-window@owner:takes=check-then-consume --limit 1 --expect none" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        shell_expect(*state, rows[i].code, rows[i].line);
}

static void a_bound_that_is_hit_is_no_answer_unless_it_is_known(void **state)
{
    struct shell *shell = *state;

    /* That nothing is over cannot be known then; that something is can. */
    shell_expect(shell, 3, "$limitlab explore fixed-window@cas --clients 5 --requests 3 --limit 5 "
                           "--max-states 100 --expect none");
    assert_has(shell->out, "not exhaustive, stopped at the most states");
    assert_has(shell->err, "--max-states");
    shell_expect(shell, 1, "$limitlab explore fixed-window@get-then-set --clients 5 --requests 3 --limit 2 "
                           "--max-states 100 --expect none");
    assert_has(shell->out, "at least ");
    shell_expect(shell, 0, "$limitlab explore fixed-window@get-then-set --clients 5 --requests 3 --limit 2 "
                           "--max-states 100 --expect over");
    shell_expect(shell, 3, "$limitlab explore fixed-window@cas --clients 5 --requests 3 --limit 5 "
                           "--max-memory 64K");
    shell_expect(shell, 3, "$limitlab explore fixed-window@get-then-set --clients 16 --requests 40 --limit 9 "
                           "--timeout 1ms --json --no-symmetry");
    json_t *found = parsed(shell->out);
    assert_true(json_is_false(member(found, "complete")));
    assert_true(json_is_null(member(found, "interleavings")));
    json_decref(found);
}

/* ---- arrivals ---- */

static void arrivals_bring_time_with_them(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "printf 't,cost\\n0s,9\\n2s,1\\n2s,1\\n' >$d/nine.csv");
    json_t *found = explored(shell, "fixed-window@get-then-set --limit 10 --arrivals $d/nine.csv", "");
    /* Both read nine: one too much, at worst with no time between. */
    expect_number(found, "most_admitted", 3);
    assert_member(found, "excess", "1");
    expect_number(found, "requests", 3);
    json_decref(found);
    found = explored(shell, "fixed-window@owner --limit 10 --arrivals $d/nine.csv", "");
    expect_text(found, "over_admitting_interleavings", "0");
    json_decref(found);
}

static void a_window_boundary_is_seen_and_a_bucket_has_none(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "printf 't,client\\n59s,a\\n59s,b\\n60s,a\\n60s,b\\n' >$d/edge.csv");
    json_t *found = explored(shell, "fixed-window@owner --limit 2 --arrivals $d/edge.csv",
                             "--target window");
    expect_number(found, "most_admitted", 4);
    assert_member(found, "excess", "2");
    json_decref(found);
    found = explored(shell, "token-bucket@owner --limit 2 --arrivals $d/edge.csv", "");
    expect_number(found, "most_admitted", 2);
    json_decref(found);
}

static void rows_of_one_client_must_be_alike(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "printf 't,cost,client\\n0s,1,a\\n1s,2,a\\n' >$d/bad.csv");
    shell_expect(shell, 2, "$limitlab explore fixed-window@cas --limit 2 --arrivals $d/bad.csv");
    assert_has(shell->err, "bad.csv:3: this client's requests differ in cost");
    shell_expect(shell, 0, "printf 't\\n' >$d/none.csv");
    shell_expect(shell, 2, "$limitlab explore fixed-window@cas --limit 2 --arrivals $d/none.csv");
}

/* ---- witnesses ---- */

/* Finds one and leaves it in $d/w. */
static void keep_witness(struct shell *shell, const char *line)
{
    json_t *found = explored(shell, line, "");
    char path[PATH_MAX + 8];

    snprintf(path, sizeof path, "%s/w", shell->folder);
    FILE *file = fopen(path, "w");
    fprintf(file, "%s\n", json_string_value(member(found, "witness")));
    fclose(file);
    json_decref(found);
}

static void witnesses_replay(void **state)
{
    static const char *const lines[] = {
        "fixed-window@get-then-set --clients 3 --requests 2 --limit 3",
        "fixed-window@get-then-set --clients 3 --limit 2 --no-symmetry",
        "token-bucket@get-then-set --limit 1 --target window",
        "sliding-window-log@get-then-set --requests 2 --limit 2",
        "fixed-window@local-sync:instances=2 --regions a,b --requests 2 --limit 2",
        "fixed-window@kv --clients 3 --limit 1 --regions 3",
        "fixed-window@cas --clients 3 --limit 1 --store-faults 1 --crashes 1",
        "fixed-window@sharded:shards=3 --requests 2 --limit 3 --store-faults 1",
        "leaky-bucket-queue@get-then-set --clients 3 --limit 2",
    };
    struct shell *shell = *state;

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        keep_witness(shell, lines[i]);
        shell_expect(shell, 1, "$limitlab replay \"$(cat $d/w)\"");
        assert_has(shell->out, "the violation shows again");
        shell_expect(shell, 1, "$limitlab replay @$d/w --json");
        json_t *replayed = parsed(shell->out);
        assert_true(json_is_true(member(replayed, "over")));
        json_decref(replayed);
    }
}

static void the_smallest_violation_is_found(void **state)
{
    json_t *found = explored(*state, "fixed-window@get-then-set --clients 4 --requests 3 --limit 2", "");

    /* One reads; two pass; and it, too. */
    expect_number(found, "smallest.requests", 3);
    expect_number(found, "smallest.clients", 2);
    expect_number(found, "smallest.preemptions", 1);
    expect_number(found, "smallest.steps", 4);
    assert_true(json_is_true(member(found, "smallest.minimal")));
    json_decref(found);
}

static void a_fault_that_is_needed_is_in_the_witness(void **state)
{
    struct shell *shell = *state;
    json_t *found = explored(shell, "fixed-window@atomic --requests 2 --limit 1 --store-faults 3 --crashes 2",
                             "");

    expect_number(found, "smallest.faults", 1);
    assert_has(json_string_value(member(found, "witness")), ",store-faults=1,design=");
    json_decref(found);
}

static void a_witness_of_another_world_or_version_is_refused(void **state)
{
    struct shell *shell = *state;

    keep_witness(shell, "fixed-window@get-then-set --clients 3 --requests 2 --limit 3");
    shell_expect(shell, 2, "$limitlab replay \"$(sed s/limit=3/limit=2/ $d/w)\"");
    assert_has(shell->err, "another version");
    shell_expect(shell, 2, "$limitlab replay \"$(sed s/get-then-set/cas/ $d/w)\"");
    shell_expect(shell, 2, "$limitlab replay \"$(sed 's/:[0-9a-f]\\{16\\}:/:0123456789abcdef:/' $d/w)\"");
    shell_expect(shell, 2, "$limitlab replay \"$(sed 's/...$//' $d/w)\"");
    shell_expect(shell, 2, "$limitlab replay \"$(sed s/clients=2,// $d/w)\"");
    shell_expect(shell, 2, "$limitlab replay llw1:");
    shell_expect(shell, 2, "$limitlab replay llw2:x:0123456789abcdef:");
    shell_expect(shell, 2, "$limitlab replay @$d/no-such-file");
    shell_expect(shell, 2, "$limitlab replay");
}

static void a_target_that_is_kept_is_no_violation(void **state)
{
    struct shell *shell = *state;

    /* 4 at once are over a burst of 2, and within 10 in any window. */
    keep_witness(shell, "fixed-window@owner --clients 4 --limit 10 --burst 2");
    shell_expect(shell, 1, "$limitlab replay @$d/w");
    shell_expect(shell, 0, "$limitlab replay @$d/w --target window");
    assert_has(shell->out, "the violation does not show");
}

static void a_witness_of_arrivals_wants_its_file(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "printf 't\\n0s\\n1s\\n2s\\n' >$d/three.csv; printf 't\\n0s\\n1s\\n' >$d/two.csv");
    keep_witness(shell, "fixed-window@get-then-set --limit 1 --arrivals $d/three.csv");
    shell_expect(shell, 1, "$limitlab replay @$d/w --arrivals $d/three.csv");
    shell_expect(shell, 2, "$limitlab replay @$d/w --arrivals $d/two.csv");
    assert_has(shell->err, "is not the file of arrivals");
    shell_expect(shell, 2, "$limitlab replay @$d/w");
}

static void the_readme_shows_what_explore_and_replay_print(void **state)
{
    struct shell *shell = *state;

    keep_witness(shell, "fixed-window@get-then-set --clients 3 --requests 2 --limit 3");
    shell_expect(shell, 0, "$limitlab explore fixed-window@get-then-set --clients 3 --requests 2 --limit 3 "
                           ">$d/real; $limitlab replay @$d/w >>$d/real; test $? = 1");
    shell_expect(shell, 0, "awk '/^```/ { inside = /^```console$/; next } inside' README.md >$d/shown; "
                           "test -s $d/shown; grep -vxFf $d/real $d/shown | cat");
    assert_string_equal(shell->out, "");
}

/* ---- scenarios ---- */

static const char small_scenario[] =
    "cat >$d/s.yaml <<'X'\n"
    "policy: {limit: 2, period: 60s}\nmode: explore\nexplore: {clients: 3, requests: 2}\n"
    "designs: [fixed-window@get-then-set, fixed-window@cas]\n"
    "claims:\n"
    "- {target: breaks, most_admitted: 6, interleavings: 14202, over_admitting_interleavings: '>=1',\n"
    "   preemptions: 1, smallest_requests: 3, excess: 4, complete: true,\n"
    "   designs: fixed-window@get-then-set}\n"
    "- {target: holds, most_admitted: 2, least_admitted: 2..2, over_admitting_interleavings: 0,\n"
    "   interleavings: 141690, designs: fixed-window@cas}\nX\n";

static void check_holds_scenarios_to_what_exploring_finds(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, small_scenario);
    shell_expect(shell, 0, "$limitlab check $d/s.yaml");
    assert_has(shell->out, "1..2");
    shell_expect(shell, 1, "$limitlab check $d/s.yaml --set explore.clients=4");
    assert_has(shell->out, "interleavings is ");
    assert_has(shell->out, "limitlab replay llw1:");
    /* Nothing is known to hold when a bound came first. */
    shell_expect(shell, 1, "$limitlab check $d/s.yaml --set explore.max_states=5");
    assert_has(shell->out, "most_admitted is not known");
    assert_has(shell->out, "which was not all");
}

static void numbers_of_any_length_are_compared_exactly(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, "cat >$d/s.yaml <<'X'\n"
                           "policy: {limit: 5}\nmode: explore\nexplore: {clients: 5, requests: 2}\n"
                           "designs: fixed-window@cas\n"
                           "claims: [{interleavings: 691019809296973961132172600}]\nX\n");
    shell_expect(shell, 0, "$limitlab check $d/s.yaml");
    shell_expect(shell, 1, "$limitlab check $d/s.yaml "
                           "--set claims.0.interleavings=691019809296973961132172601");
}

static void what_no_exploration_says_is_refused(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 0, small_scenario);
    shell_expect(shell, 2, "$limitlab check $d/s.yaml --set claims.0.most_admited=3");
    assert_has(shell->out, "did you mean 'most_admitted'?");
    shell_expect(shell, 2, "$limitlab check $d/s.yaml --set claims.0.most_admitted=many");
    shell_expect(shell, 2, "$limitlab check $d/s.yaml --set claims.0.promise=holds");
    shell_expect(shell, 2, "$limitlab compare $d/s.yaml");
    assert_has(shell->err, "is explored, not simulated");
}

TEST_MAIN(SHELL_TEST(known_worlds_have_their_known_answers),
          SHELL_TEST(symmetry_changes_no_answer),
          SHELL_TEST(chances_are_exact_and_sum_to_one),
          SHELL_TEST(preemptions_buy_what_they_must),
          SHELL_TEST(what_is_expected_decides_the_exit_code),
          SHELL_TEST(a_bound_that_is_hit_is_no_answer_unless_it_is_known),
          SHELL_TEST(arrivals_bring_time_with_them),
          SHELL_TEST(a_window_boundary_is_seen_and_a_bucket_has_none),
          SHELL_TEST(rows_of_one_client_must_be_alike),
          SHELL_TEST(witnesses_replay),
          SHELL_TEST(the_smallest_violation_is_found),
          SHELL_TEST(a_fault_that_is_needed_is_in_the_witness),
          SHELL_TEST(a_witness_of_another_world_or_version_is_refused),
          SHELL_TEST(a_target_that_is_kept_is_no_violation),
          SHELL_TEST(a_witness_of_arrivals_wants_its_file),
          SHELL_TEST(the_readme_shows_what_explore_and_replay_print),
          SHELL_TEST(check_holds_scenarios_to_what_exploring_finds),
          SHELL_TEST(numbers_of_any_length_are_compared_exactly),
          SHELL_TEST(what_no_exploration_says_is_refused))
